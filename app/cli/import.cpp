// SPDX-License-Identifier: Apache-2.0
#include "inputs.h"
#include "output.h"
#include "service/workspace.h"
#include "texts/presets.h"
#include "verbs.h"

namespace gridloom::cli {

Exit importKernel(const Options& options) {
  auto text = texts::loadText(options.names.front());
  if (!text) {
    printDiagnostics(text.diagnostics());
    return Exit::BadInput;
  }
  if (!service::isMlir(**text)) {
    printError((*text)->name() + ": this is no .mlir file",
               "kernels in other files need no import");
    return Exit::BadInput;
  }
  const auto settings = settingsOf(options);
  if (!settings) {
    printDiagnostics(settings.diagnostics());
    return Exit::BadInput;
  }
  const auto imported = service::importMlir(*text, *settings);
  if (!imported) {
    printDiagnostics(imported.diagnostics());
    return Exit::BadInput;
  }
  // What is written is what every other verb takes.
  const auto kernel = service::openKernel(*imported, {});
  if (!kernel) {
    printDiagnostics(kernel.diagnostics());
    return Exit::BadInput;
  }
  return writeOutput(options.output, std::string((*imported)->text()));
}

}  // namespace gridloom::cli
