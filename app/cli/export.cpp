// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include "base/interrupt.h"
#include "base/progress.h"
#include "exchange/air_text.h"
#include "exchange/cpp_text.h"
#include "exchange/csv.h"
#include "exchange/graphviz.h"
#include "exchange/hls_text.h"
#include "exchange/json_text.h"
#include "exchange/loop_nest_mlir.h"
#include "exchange/programs_json.h"
#include "exchange/token_graph.h"
#include "exchange/trace_json.h"
#include "inputs.h"
#include "output.h"
#include "progress_bar.h"
#include "report/attribution.h"
#include "report/exploration_text.h"
#include "report/peak_waterfall.h"
#include "service/result_records.h"
#include "service/schedule_input.h"
#include "verbs.h"

namespace gridloom::cli {

namespace {

Exit failed(const base::Diagnostics& errors, const base::Progress& progress, Exit otherwise) {
  printDiagnostics(errors);
  return progress.cancelled() ? base::stoppedStatus() : otherwise;
}

Exit exportRanking(const Options& options, const Inputs& in, base::Progress& progress) {
  auto result = [&] {
    const ProgressBar bar(progress, "exploring");
    return service::explore(
        in.hardware, in.kernel, in.constraints,
        {options.top, options.threads, options.mode, rerankingOf(options), {}, in.search},
        progress);
  }();
  if (!result) return failed(result.diagnostics(), progress, Exit::BadInput);
  if (const Exit exit = checkSane(**result); exit != Exit::Done) return exit;
  report::ExplorationRecord record = service::recordOf(**result);
  if (options.noTiming) record.seconds = 0;
  if (progress.cancelled()) {
    // A table cannot mark itself as incomplete.
    printError("interrupted: nothing was written");
    return base::stoppedStatus();
  }
  if (record.space.stopped != search::Stop::None) {
    printRemark(base::Severity::Warning, report::stoppedText(record.space), {});
  }
  if (record.space.formChoice != search::Stop::None) {
    printRemark(base::Severity::Warning, report::formChoiceText(record.space), {});
  }
  if (record.top.empty()) {
    printError("no mapping is feasible", report::spaceText(record.space));
    return Exit::No;
  }
  return writeOutput(options.output, options.format == "json"
                                         ? exchange::explorationJson(record)
                                         : exchange::csvText(report::rankedTable(record)));
}

Exit exportSchedule(const Options& options, const Inputs& in, const mapping::Mapping& mapping) {
  const auto schedule = service::scheduleOf(mapping, *in.kernel, *in.hardware);
  printDiagnostics(schedule.diagnostics());
  if (!schedule) return Exit::Internal;
  const schedule::Schedule& made = (*schedule)->schedule;
  const kernel::Kernel& kernel = in.kernel->kernel;
  const kernel::TileNest& nest = *in.kernel->nest;
  const hardware::Topology& hw = in.hardware->topology;
  if (options.format == "programs") {
    return writeOutput(options.output, exchange::programsJson(made, kernel, nest, hw));
  }
  if (options.format == "tokens") {
    return writeOutput(options.output, exchange::tokenGraph(made, kernel, nest));
  }
  if (options.format == "air" || options.format == "cpp") {
    const auto text = options.format == "air" ? exchange::airText(made, kernel, nest, hw)
                                              : exchange::cppText(made, kernel, nest, hw);
    printDiagnostics(text.diagnostics());
    return text ? writeOutput(options.output, *text) : Exit::No;
  }
  return writeOutput(options.output, service::textOf(made, *in.kernel, *in.hardware));
}

Exit exportMapping(const Options& options, const Inputs& in, const mapping::Mapping& mapping) {
  if (options.format == "mapping") {
    return writeOutput(options.output,
                       service::mappingJsonOf(*in.hardware, *in.kernel, mapping, options.mode));
  }
  if (options.writesSchedule()) return exportSchedule(options, in, mapping);
  if (options.format == "hls") {
    const auto text =
        exchange::hlsText(mapping, in.kernel->kernel, *in.kernel->nest, in.hardware->topology);
    printDiagnostics(text.diagnostics());
    return text ? writeOutput(options.output, *text) : Exit::No;
  }
  if (options.format == "mlir") {
    return writeOutput(options.output, exchange::loopNestMlir(in.kernel->kernel, *in.kernel->nest,
                                                              in.hardware->topology, mapping));
  }
  return writeOutput(options.output, options.format == "sched"
                                         ? service::directivesOf(*in.hardware, *in.kernel, mapping)
                                         : service::loopNestOf(*in.hardware, *in.kernel, mapping));
}

report::Table tableNamed(const std::string& name, const report::SimulationRecord& run) {
  if (name == "cores") return report::coreTable(run);
  if (name == "terms") return report::termTable(run.predicted);
  if (name == "states") return report::stateTable(run.simulated);
  if (name == "traffic") return report::trafficTable(run.predicted.traffic, run.simulated);
  if (name == "levels") return report::levelTable(run.predicted);
  if (name == "operands") return report::operandTable(run);
  return report::resourceTable(run, run.links.size() + run.channels.size());
}

// Where the peak went, and the same mapping on changed hardware.
Exit exportExplanation(const Options& options, const Inputs& in, const mapping::Mapping& mapping,
                       base::Progress& progress) {
  auto result = [&] {
    const ProgressBar bar(progress, "explaining");
    return service::explain(in.hardware, in.kernel, mapping, {options.mode}, progress);
  }();
  if (!result) return failed(result.diagnostics(), progress, refused(result.diagnostics()));
  if (const Exit exit = checkSane(**result); exit != Exit::Done) return exit;
  if (progress.cancelled()) {
    printError("interrupted: nothing was written");
    return base::stoppedStatus();
  }
  const report::ExplanationRecord record = service::recordOf(**result);
  return writeOutput(options.output,
                     exchange::csvText(options.table == "peak"
                                           ? report::waterfallTable(record.waterfall)
                                           : report::whatIfTable(record)));
}

Exit exportRun(const Options& options, const Inputs& in, const mapping::Mapping& mapping,
               base::Progress& progress) {
  auto result = [&] {
    const ProgressBar bar(progress, "simulating");
    return service::simulateMapping(in.hardware, in.kernel, mapping,
                                    {options.mode, false, options.format == "trace"}, progress);
  }();
  if (!result) return failed(result.diagnostics(), progress, refused(result.diagnostics()));
  const service::SimulationRun& run = **result;
  if (const Exit exit = checkSane(run); exit != Exit::Done) return exit;
  const hardware::Topology& hw = run.hardware->topology;
  if (options.format == "trace") {
    return writeOutput(options.output, [&](std::ostream& out) {
      exchange::writeTrace(out, run.simulated, run.schedule, *run.kernel->nest, hw);
    });
  }
  if (options.format == "dot") {
    return writeOutput(options.output,
                       [&](std::ostream& out) { exchange::writeDot(out, hw, &run.simulated); });
  }
  return writeOutput(options.output,
                     exchange::csvText(tableNamed(options.table, service::recordOf(run))));
}

}  // namespace

Exit exportResult(const Options& options) {
  auto inputs = openInputs(options);
  const Inputs* in = valueOf(inputs);
  if (in == nullptr) return std::get<Exit>(inputs);

  base::Progress progress;
  const base::InterruptGuard guard(progress);
  if (options.exportsRanking()) return exportRanking(options, *in, progress);
  auto mapping = openMapping(options, *in, progress);
  if (valueOf(mapping) == nullptr) return std::get<Exit>(mapping);
  if (options.writesMappingAlone()) return exportMapping(options, *in, *valueOf(mapping));
  if (options.exportsExplanation()) {
    return exportExplanation(options, *in, *valueOf(mapping), progress);
  }
  return exportRun(options, *in, *valueOf(mapping), progress);
}

}  // namespace gridloom::cli
