// SPDX-License-Identifier: Apache-2.0
#include "service/count.h"
#include "texts/presets.h"

#include "inputs.h"
#include "output.h"
#include "verbs.h"

namespace gridloom::cli {

Exit count(const Options& options) {
  auto hardwareText = texts::loadHardwareText(options.hardware);
  auto nestText = texts::loadNestText(options.nest);
  auto kernel = openKernel(options.kernel, options);
  if (!hardwareText) printDiagnostics(hardwareText.diagnostics());
  if (!kernel) printDiagnostics(kernel.diagnostics());
  if (!nestText) printDiagnostics(nestText.diagnostics());
  if (!hardwareText || !kernel || !nestText) return Exit::BadInput;
  auto hardware = service::openHardware(*std::move(hardwareText));
  if (!hardware) {
    printDiagnostics(hardware.diagnostics());
    return Exit::BadInput;
  }
  printWarnings((*hardware)->remarks);
  const auto counted = service::countNest(*hardware, *kernel, *std::move(nestText));
  if (!counted) {
    printDiagnostics(counted.diagnostics());
    return Exit::BadInput;
  }
  const Exit written =
      options.csv.empty() ? Exit::Done : writeOutput(options.csv, service::csvOf(*counted));
  if (options.csv == "-" && options.json.empty()) return written;
  return worse(written, writeAnswer(
                            options.json, [&] { return service::jsonOf(*counted); },
                            [&] { return service::textOf(*counted); }));
}

}  // namespace gridloom::cli
