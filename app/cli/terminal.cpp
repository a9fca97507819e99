// SPDX-License-Identifier: Apache-2.0
#include "terminal.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "base/message_limit.h"

namespace gridloom::cli {

namespace {

bool& colorForbidden() {
  static bool forbidden = std::getenv("NO_COLOR") != nullptr;
  return forbidden;
}

std::string colored(std::string text) {
  constexpr std::array<std::pair<const char*, const char*>, 3> looks{
      {{" error: ", "\033[1;31m"}, {" warning: ", "\033[1;33m"}, {" note: ", "\033[1;36m"}}};
  const std::size_t lineEnd = text.find('\n');
  for (const auto& [word, look] : looks) {
    const std::size_t at = text.find(word);
    if (at >= lineEnd) continue;
    const std::size_t length = std::string_view(word).size() - 1;
    text.insert(at + length, "\033[0m");
    text.insert(at + 1, look);
    break;
  }
  return text;
}

/// Findings of one kind, from all texts of a run; the first `base::kMostMessages` are printed.
struct Told {
  std::size_t printed = 0;
  std::size_t leftOut = 0;

  bool another() {
    const bool room = printed < base::kMostMessages;
    ++(room ? printed : leftOut);
    return room;
  }
};

Told& told(bool errors) {
  static Told toldErrors, toldRemarks;
  return errors ? toldErrors : toldRemarks;
}

void printAtLeast(base::Severity least, const base::Diagnostics& diagnostics) {
  for (const base::Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.severity < least) continue;
    if (!told(diagnostic.severity == base::Severity::Error).another()) continue;
    std::string text = base::render(diagnostic);
    if (stderrIsTerminal() && !colorForbidden()) text = colored(std::move(text));
    std::fputs(text.c_str(), stderr);
  }
}

}  // namespace

bool stderrIsTerminal() { return isatty(STDERR_FILENO) == 1; }
void forbidColor() { colorForbidden() = true; }

Exit printAnswer(std::string_view text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (written && std::fflush(stdout) == 0) return Exit::Done;
  printError(std::string("cannot write to stdout: ") + std::strerror(errno));
  return Exit::Machine;
}

void printDiagnostics(const base::Diagnostics& diagnostics) {
  printAtLeast(base::Severity::Note, diagnostics);
}

void printWarnings(const base::Diagnostics& diagnostics) {
  printAtLeast(base::Severity::Warning, diagnostics);
}

void printRemark(base::Severity severity, std::string message, std::string hint) {
  printDiagnostics({{severity, std::move(message), nullptr, {}, std::move(hint)}});
}

void printLeftOut() {
  const auto tell = [](bool errors, const char* what) {
    const std::size_t count = told(errors).leftOut;
    if (count == 0) return;
    std::fprintf(stderr, "gridloom: note: %zu more %s not shown\n", count, what);
  };
  tell(true, "errors are");
  tell(false, "warnings and notes are");
}

void printError(std::string message, std::string hint) {
  printDiagnostics({base::plainError(std::move(message), std::move(hint))});
}

}  // namespace gridloom::cli
