// SPDX-License-Identifier: Apache-2.0
#include <signal.h>

#include <array>
#include <exception>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "command_line.h"
#include "machine.h"
#include "output_files.h"
#include "verbs.h"

namespace {

using namespace gridloom::cli;

Exit run(const Options& options) {
  using VerbFunction = Exit (*)(const Options&);
  constexpr std::array<std::pair<std::string_view, VerbFunction>, 11> verbs{{
      {"explore", explore},
      {"simulate", simulate},
      {"explain", explain},
      {"count", count},
      {"compare", compare},
      {"export", exportResult},
      {"check", check},
      {"list", list},
      {"show", show},
      {"reproduce", reproduce},
      {"replay", replay},
  }};
  if (options.noColor) forbidColor();
  if (const Exit exit = checkOutputFiles(options); exit != Exit::Done) return exit;
  for (const auto& [name, verb] : verbs) {
    if (name == options.verb) return verb(options);
  }
  return Exit::Internal;
}

/// The stations of a large machine follow each other with hundreds of megabytes each: what one frees, the next
/// one takes, without a page fault for all of it.
void keepFreedMemory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
#endif
}

int internalError(const std::exception& error) {
  printError(std::string("internal error: ") + error.what(),
             "please report this with the command that led to it");
  return static_cast<int>(Exit::Internal);
}

}  // namespace

int main(int argc, char** argv) {
  keepFreedMemory();
  // A file that grows past `ulimit -f` is an error of the write, which has a message.
  signal(SIGXFSZ, SIG_IGN);
  try {
    const auto parsed = parseCommandLine(argc, argv);
    if (const int* code = std::get_if<int>(&parsed)) return *code;
    const Exit exit = run(std::get<Options>(parsed));
    printLeftOut();
    return static_cast<int>(exit);
  } catch (const std::bad_alloc&) {
    return static_cast<int>(outOfMemory());
  } catch (const std::runtime_error& error) {
    if (isOfSystem(error)) return static_cast<int>(refusedBySystem(error));
    return internalError(error);
  } catch (const std::exception& error) {
    return internalError(error);
  }
}
