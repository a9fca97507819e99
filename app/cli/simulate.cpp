// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "base/interrupt.h"
#include "base/progress.h"
#include "difference.h"
#include "exchange/trace_json.h"
#include "html.h"
#include "inputs.h"
#include "option_values.h"
#include "output.h"
#include "progress_bar.h"
#include "report/attribution.h"
#include "schedules.h"
#include "service/result_records.h"
#include "service/schedule_input.h"
#include "service/schedule_passes.h"
#include "state_at.h"
#include "tensors.h"
#include "verbs.h"

namespace gridloom::cli {

namespace {

/// The reference adds values in another order.
constexpr double kValueTolerance = 1e-6;

Exit failed(const base::Diagnostics& errors, const base::Progress& progress) {
  if (progress.cancelled()) {
    printError("interrupted before the simulation was complete");
    return base::stoppedStatus();
  }
  printDiagnostics(errors);
  return refused(errors);
}

/// Wrong values of a schedule that the user wrote are the answer no; those of our own schedules are
/// an internal error.
Exit checkValues(const service::SimulationRun& run, bool written) {
  const bool wrong = run.valueError && !(*run.valueError <= kValueTolerance);
  if (wrong) {
    printError(
        fmt::format("the simulated values differ from the reference by {:.2e}", *run.valueError),
        written ? "some process of the schedule computes too often, too rarely or on wrong tiles"
                : "please report this with the command that led to it");
  }
  if (!wrong) return Exit::Done;
  return written ? Exit::No : Exit::Internal;
}

Exit writeTraceFile(const std::string& path, const service::SimulationRun& run) {
  if (path.empty()) return Exit::Done;
  if (run.simulated.trace.isTruncated()) {
    base::Diagnostic note =
        base::plainError("the trace is full and ends before the run does",
                         "--trace-window 100000:200000 keeps some cycles of it");
    note.severity = base::Severity::Warning;
    printDiagnostics({note});
  }
  return writeOutput(path, [&run](std::ostream& out) {
    exchange::writeTrace(out, run.simulated, run.schedule, *run.kernel->nest,
                         run.hardware->topology);
  });
}

using Run = std::variant<service::SimulationRunRef, Exit>;

Run simulateAsked(const Options& options, const Inputs& in, const service::TraceWindow& window,
                  kernel::TensorValues tensors, base::Progress& progress) {
  auto schedule = openSchedule(options, in, progress);
  if (valueOf(schedule) == nullptr) return std::get<Exit>(schedule);
  const service::SimulateOptions simulateOptions{options.mode,
                                                 options.values,
                                                 !(options.trace.empty() && options.at.empty()),
                                                 options.full,
                                                 limitsOf(options),
                                                 window,
                                                 options.schedule.empty() && options.pass.empty(),
                                                 std::move(tensors)};
  auto result = [&] {
    const ProgressBar bar(progress, "simulating");
    return service::simulateSchedule(in.hardware, in.kernel, *valueOf(schedule), simulateOptions,
                                     progress);
  }();
  if (result) return *std::move(result);
  return failed(result.diagnostics(), progress);
}

/// The cycles to trace: for --at, that cycle alone.
base::Result<service::TraceWindow> windowOf(const Options& options) {
  if (options.at.empty()) return traceWindowOf(options.traceWindow);
  const auto cycle = cycleOf(options.at);
  if (!cycle) return cycle.diagnostics();
  return service::TraceWindow{*cycle, std::nextafter(*cycle, HUGE_VAL), true};
}

/// Checks, before the work starts, that the kernel supports the requested options.
Exit checkRequest(const Options& options, const Inputs& inputs) {
  if (!options.schedule.empty() && !(options.mapping.empty() && options.directives.empty())) {
    printError("--schedule fixes the mapping: --mapping and --directives have nothing to choose",
               "leave them out");
    return Exit::BadInput;
  }
  if (!options.at.empty() && !options.trace.empty()) {
    printError("--at and --trace record different cycles of the run", "leave one of them out");
    return Exit::BadInput;
  }
  base::Diagnostics errors;
  if (!options.pass.empty()) errors = service::checkPasses(options.pass);
  if (options.values) {
    for (base::Diagnostic& error : service::checkValuesPossible(*inputs.kernel)) {
      errors.push_back(std::move(error));
    }
  }
  printDiagnostics(errors);
  return errors.empty() ? Exit::Done : Exit::BadInput;
}

}  // namespace

Exit simulate(const Options& options) {
  auto inputs = openInputs(options);
  const Inputs* in = valueOf(inputs);
  if (in == nullptr) return std::get<Exit>(inputs);
  if (const Exit exit = checkRequest(options, *in); exit != Exit::Done) return exit;
  const auto window = windowOf(options);
  if (!window) {
    printDiagnostics(window.diagnostics());
    return Exit::BadInput;
  }

  TensorRequest tensors;
  if (options.values) {
    auto request = openTensors(options, *in->kernel);
    if (!request) {
      printDiagnostics(request.diagnostics());
      return Exit::BadInput;
    }
    tensors = *std::move(request);
  }

  base::Progress progress;
  const base::InterruptGuard guard(progress);
  auto result = simulateAsked(options, *in, *window, std::move(tensors.inputs), progress);
  if (valueOf(result) == nullptr) return std::get<Exit>(result);

  const service::SimulationRun& run = **valueOf(result);
  if (const Exit exit = checkSane(run); exit != Exit::Done) return exit;
  Exit exit = checkValues(run, !options.schedule.empty());
  exit = worse(exit, writeTensors(*run.kernel, run.simulated.outputs, tensors.outputs));
  exit = worse(exit, writeTraceFile(options.trace, run));
  if (!options.at.empty()) return worse(exit, writeStateAt(*cycleOf(options.at), options, run));
  // The trace uses standard output: results go to a file only.
  if (options.trace == "-" && (options.json.empty() || options.json == "-")) return exit;
  return worse(exit, writeAnswer(
                         options.json, [&] { return service::jsonOf(run); },
                         [&] { return report::simulationText(service::recordOf(run)); }));
}

Exit explain(const Options& options) {
  if (options.names.size() == 1 && options.mapping.empty()) {
    Options alone = options;
    alone.mapping = std::exchange(alone.names, {}).front();
    return explain(alone);
  }
  auto inputs = openInputs(options);
  const Inputs* in = valueOf(inputs);
  if (in == nullptr) return std::get<Exit>(inputs);
  if (!options.names.empty()) return explainDifference(options, *in);

  base::Progress progress;
  const base::InterruptGuard guard(progress);
  auto mapping = openMapping(options, *in, progress);
  if (valueOf(mapping) == nullptr) return std::get<Exit>(mapping);
  base::Result<service::ExplanationRef> result = [&] {
    const ProgressBar bar(progress, "explaining");
    return service::explain(in->hardware, in->kernel, *valueOf(mapping),
                            {options.mode, false, false, false, limitsOf(options)}, progress);
  }();
  if (!result) return failed(result.diagnostics(), progress);

  const service::Explanation& explanation = **result;
  if (const Exit exit = checkSane(explanation); exit != Exit::Done) return exit;
  const Exit written = writeAnswer(
      options.json, [&] { return service::jsonOf(explanation); },
      [&] {
        if (options.html == "-") return std::string();
        return report::explanationText(service::recordOf(explanation));
      });
  if (!progress.cancelled()) {
    return worse(written, writeHtml(options, *in, explanation, *valueOf(mapping)));
  }
  printError("interrupted: what was found by then is shown");
  return base::stoppedStatus();
}

}  // namespace gridloom::cli
