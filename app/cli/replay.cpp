// SPDX-License-Identifier: Apache-2.0
#include "service/replay.h"

#include "base/interrupt.h"
#include "base/progress.h"
#include "output.h"
#include "texts/presets.h"
#include "verbs.h"

namespace gridloom::cli {

namespace {

base::Result<service::HardwareRef> hardwareOf(const std::string& name) {
  auto text = texts::loadHardwareText(name);
  if (!text) return text.takeDiagnostics();
  return service::openHardware(*std::move(text));
}

base::Result<exchange::NocTrace> traceOf(const std::string& path, const Options& options) {
  auto text = texts::loadText(path, options.limit);
  if (!text) return text.takeDiagnostics();
  return exchange::readNocTrace(*std::move(text));
}

}  // namespace

Exit replay(const Options& options) {
  const auto hardware = hardwareOf(options.hardware);
  if (!hardware) {
    printDiagnostics(hardware.diagnostics());
    return Exit::BadInput;
  }
  base::Progress progress;
  const base::InterruptGuard guard(progress);
  std::vector<report::ReplayRecord> replays;
  Exit exit = Exit::Done;
  for (const std::string& path : options.names) {
    const auto trace = traceOf(path, options);
    if (!trace) {
      printDiagnostics(trace.diagnostics());
      exit = Exit::BadInput;
      continue;
    }
    printDiagnostics(trace->remarks);
    auto replayed = service::replay(*trace, **hardware, options.hardware, options.issue, progress);
    if (!replayed) {
      printDiagnostics(replayed.diagnostics());
      exit = Exit::BadInput;
      continue;
    }
    if (!replayed->has_value()) {
      printError("interrupted before the replay was complete");
      return base::stoppedStatus();
    }
    replays.push_back(**std::move(replayed));
  }
  if (replays.empty()) return exit;
  return worse(exit, writeAnswer(
                         options.json, [&] { return service::jsonOf(replays); },
                         [&] { return report::replayText(replays); }));
}

}  // namespace gridloom::cli
