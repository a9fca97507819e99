// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <limits>
#include <string_view>
#include <utility>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "base/machine_fault.h"
#include "command_line.h"
#include "output_files.h"
#include "verbs.h"

namespace {

using namespace gridloom::cli;

Exit run(const Options& options) {
  using VerbFunction = Exit (*)(const Options&);
  constexpr std::array<std::pair<std::string_view, VerbFunction>, 17> verbs{{
      {"explore", explore},
      {"simulate", simulate},
      {"explain", explain},
      {"sweep", sweep},
      {"interpret", interpret},
      {"count", count},
      {"compare", compare},
      {"export", exportResult},
      {"check", check},
      {"list", list},
      {"show", show},
      {"study", study},
      {"reproduce", study},
      {"replay", replay},
      {"import", importKernel},
      {"completion", completion},
      {"lsp", lsp},
  }};
  if (options.noColor) forbidColor();
  if (const Exit exit = checkOutputFiles(options); exit != Exit::Done) return exit;
  for (const auto& [name, verb] : verbs) {
    if (name == options.verb) return verb(options);
  }
  return Exit::Internal;
}

/// Keeps freed memory in the process. The stages of a large machine allocate hundreds of megabytes
/// each; the next stage reuses them without page faults.
void keepFreedMemory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
#endif
}

Exit runCommandLine(int argc, char** argv) {
  if (asksForChart(argc, argv)) return drawChart(argc, argv);
  const auto parsed = parseCommandLine(argc, argv);
  if (const int* code = std::get_if<int>(&parsed)) return static_cast<Exit>(*code);
  const Exit exit = run(std::get<Options>(parsed));
  printLeftOut();
  return exit;
}

}  // namespace

int main(int argc, char** argv) {
  keepFreedMemory();
  return static_cast<int>(
      gridloom::base::runGuarded([&] { return runCommandLine(argc, argv); },
                                 [](const auto& error) { printDiagnostics({error}); }));
}
