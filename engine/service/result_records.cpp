// SPDX-License-Identifier: Apache-2.0
#include "service/result_records.h"

#include "cost/model.h"
#include "exchange/csv.h"
#include "exchange/json_text.h"
#include "report/loop_nest.h"
#include "report/recording.h"
#include "report/sanity.h"
#include "schedule/process_roles.h"
#include "service/no_mapping.h"
#include "service/peak_run.h"
#include "simulate/summary.h"
#include "timing/op_cycles.h"

namespace gridloom::service {

report::HardwareRecord hardwareRecord(const Hardware& hardware, const std::string& mode,
                                      double operandBits) {
  const auto compute = hardware.topology.compute(mode, operandBits);
  return report::recordOf(hardware.topology, hardware.spec,
                          compute ? *compute : hardware::ComputeModel{});
}

namespace {

hardware::ComputeModel unitsIn(const Hardware& hardware, const Kernel& kernel,
                               const std::string& mode) {
  auto compute = hardware.topology.compute(mode, timing::operandBits(*kernel.nest));
  return compute ? *std::move(compute) : hardware::ComputeModel{};
}

report::RankedRecord rankedRecord(const Exploration& exploration, std::size_t at) {
  const Kernel& kernel = *exploration.kernel;
  const ranking::Ranked& ranked = exploration.top[at];
  report::RankedRecord record;
  record.rank = static_cast<int>(at) + 1;
  if (ranked.place) record.predictedRank = static_cast<int>(*ranked.place) + 1;
  record.twins = static_cast<int>(ranked.twins);
  record.mapping = report::recordOf(kernel.kernel, *kernel.nest, exploration.hardware->topology,
                                    ranked.candidate.mapping,
                                    unitsIn(*exploration.hardware, kernel, exploration.mode));
  record.predicted = ranked.candidate.estimate;
  if (ranked.simulated)
    record.simulated = report::recordOf(exploration.hardware->topology, *ranked.simulated);
  return record;
}

report::ListedRecord listedRecord(const Exploration& exploration, std::size_t at) {
  const std::size_t further = at - exploration.top.size();
  const ranking::ListedFigures& figures = exploration.more.figures(further);
  return {static_cast<int>(at) + 1,
          static_cast<int>(figures.place) + 1,
          static_cast<int>(figures.twins),
          figures.cycles,
          figures.tflops,
          figures.utilization,
          figures.localBytes,
          exploration.more.bottleneck(further),
          lineAt(exploration, at)};
}

report::ApartRecord apartRecord(const Apart& apart) {
  report::ApartRecord record{apart.cycles, apart.simulated, {}};
  for (const ExplorationRef& part : apart.parts) {
    record.parts.push_back({report::recordOf(part->kernel->kernel), rankedRecord(*part, 0)});
  }
  return record;
}

}  // namespace

namespace {

/// All of an exploration but its mappings.
report::ExplorationRecord summaryOf(const Exploration& exploration) {
  const Kernel& kernel = *exploration.kernel;
  const Hardware& hardware = *exploration.hardware;
  report::ExplorationRecord record;
  record.hardware = hardwareRecord(hardware, exploration.mode, timing::operandBits(*kernel.nest));
  record.kernel = report::recordOf(kernel.kernel);
  record.mode = exploration.mode;
  record.roofline = exploration.roofline;
  record.space = exploration.space;
  record.seconds = exploration.seconds;
  record.interrupted = exploration.interrupted;
  record.whyNone = linesOf(exploration.whyNone);
  record.reranked = {static_cast<int>(exploration.reranked.tried),
                     static_cast<int>(exploration.reranked.simulated),
                     static_cast<int>(exploration.reranked.tooLong),
                     exploration.reranked.firstCycles};
  if (exploration.apart) record.apart = apartRecord(*exploration.apart);
  return record;
}

/// Adds the mappings, a step for each; false once it is cancelled.
bool addMappings(const Exploration& exploration, report::ExplorationRecord& record,
                 base::Progress& progress) {
  record.top.reserve(exploration.top.size());
  record.more.reserve(exploration.more.size());
  for (std::size_t at = 0; at < exploration.listed(); ++at) {
    if (progress.cancelled()) return false;
    if (at < exploration.top.size())
      record.top.push_back(rankedRecord(exploration, at));
    else
      record.more.push_back(listedRecord(exploration, at));
    progress.add(1);
  }
  return true;
}

}  // namespace

report::ExplorationRecord recordOf(const Exploration& exploration) {
  base::Progress unasked;
  report::ExplorationRecord record = summaryOf(exploration);
  addMappings(exploration, record, unasked);
  return record;
}

report::SimulationRecord recordOf(const SimulationRun& run) {
  const Kernel& kernel = *run.kernel;
  const hardware::Topology& hw = run.hardware->topology;
  report::SimulationRecord record;
  record.hardware = hardwareRecord(*run.hardware, run.mode, timing::operandBits(*kernel.nest));
  record.kernel = report::recordOf(kernel.kernel);
  record.mode = run.mode;
  record.roofline = run.roofline;
  record.mapping = mappingRecord(run);
  if (!run.ofMapping) record.schedule = report::recordOf(run.schedule);
  record.predicted = run.predicted;
  record.simulated = report::recordOf(run.hardware->topology, run.simulated);
  record.links = report::linkRecords(hw, run.simulated);
  record.channels = report::channelRecords(hw, run.simulated);
  record.cores = report::coreRecords(hw, run.simulated);
  record.overTime = report::overTimeRecord(hw, run.simulated);
  record.valueError = run.valueError;
  return record;
}

report::ExplanationRecord recordOf(const Explanation& explanation) {
  report::ExplanationRecord record{
      recordOf(*explanation.run), explanation.waterfall, {}, explanation.interrupted, {}};
  const SimulationRun& run = *explanation.run;
  for (const auto& count : schedule::roleCounts(run.schedule, *run.kernel->nest))
    record.roles.push_back({std::string(nameOf(count.role)), count.operand, count.cores});
  for (const WhatIf& w : explanation.twice) {
    record.twice.push_back({w.resource, w.predictedCycles, w.simulatedCycles});
  }
  return record;
}

report::MappingRecord mappingRecord(const SimulationRun& run) {
  return report::recordOf(run.kernel->kernel, *run.kernel->nest, run.hardware->topology,
                          run.mapping, unitsIn(*run.hardware, *run.kernel, run.mode));
}

Roof roofOf(const Hardware& hardware, const Kernel& kernel, const std::string& mode) {
  const hardware::ComputeModel units = unitsIn(hardware, kernel, mode);
  const report::HardwareRecord machine =
      hardwareRecord(hardware, mode, timing::operandBits(*kernel.nest));
  const auto cores = static_cast<double>(hardware.topology.enabledCores());
  const double cycles =
      cost::roofline(kernel.kernel, *kernel.nest, hardware.topology, units).computeCycles;
  Roof roof{units.mode, machine.peakFlops, 0,
            machine.readBandwidth + (machine.duplex ? machine.writeBandwidth : 0)};
  if (cycles > 0) roof.peak = kernel::flopCount(kernel.kernel) / cycles;
  if (std::abs(roof.peak - machine.peakFlops) <= 1e-9 * roof.peak)
    roof.sustained = units.matrixSustained * cores;
  return roof;
}

report::RunDifference differenceOf(const NamedRun& a, const NamedRun& b) {
  return report::differenceOf({a.title, recordOf(*a.run), waterfallOf(a.run)},
                              {b.title, recordOf(*b.run), waterfallOf(b.run)});
}

namespace {

/// Marks findings as internal errors (`simulate::hasInternalError`).
base::Diagnostics asInternal(base::Diagnostics findings) {
  for (base::Diagnostic& finding : findings) {
    finding.message.insert(0, simulate::kInternalError);
  }
  return findings;
}

}  // namespace

base::Diagnostics checkSanity(const Exploration& exploration) {
  const hardware::Topology& hw = exploration.hardware->topology;
  base::Diagnostics out = exploration.insane;
  const auto add = [&out](const base::Diagnostics& more) {
    out.insert(out.end(), more.begin(), more.end());
  };
  for (const ranking::Ranked& ranked : exploration.top) {
    add(report::checkSanity(ranked.candidate.estimate));
    if (!ranked.simulated) continue;
    add(report::checkBound(exploration.roofline, ranked.simulated->cycles,
                           ranked.simulated->events));
    add(report::checkSanity(report::recordOf(hw, *ranked.simulated),
                            report::linkRecords(hw, *ranked.simulated),
                            report::channelRecords(hw, *ranked.simulated)));
  }
  return asInternal(std::move(out));
}

base::Diagnostics checkSanity(const Explanation& explanation) {
  base::Diagnostics out = checkSanity(*explanation.run);
  for (base::Diagnostic& finding : asInternal(report::checkSanity(explanation.waterfall)))
    out.push_back(std::move(finding));
  return out;
}

base::Diagnostics checkSanity(const SimulationRun& run) {
  return asInternal(report::checkSanity(recordOf(run)));
}

std::string jsonOf(const Exploration& exploration) {
  return exchange::explorationJson(recordOf(exploration));
}

std::int64_t exportSteps(const Exploration& exploration) {
  return 2 * static_cast<std::int64_t>(exploration.listed());
}

std::optional<std::string> repeatableJsonOf(const Exploration& exploration,
                                            base::Progress& progress) {
  report::ExplorationRecord record = summaryOf(exploration);
  if (!addMappings(exploration, record, progress)) return std::nullopt;
  record.seconds = 0;
  return exchange::explorationJson(record, progress);
}

std::string csvOf(const report::Table& table) { return exchange::csvText(table); }

std::string jsonOf(const report::RunDifference& difference) {
  return exchange::differenceJson(difference);
}

std::string jsonOf(const SimulationRun& run) { return exchange::simulationJson(recordOf(run)); }

std::string jsonOf(const Explanation& explanation) {
  return exchange::explanationJson(recordOf(explanation));
}

std::string mappingJsonOf(const Hardware& hardware, const Kernel& kernel,
                          const mapping::Mapping& mapping, const std::string& mode) {
  return exchange::mappingJson(hardwareRecord(hardware, mode, timing::operandBits(*kernel.nest)),
                               report::recordOf(kernel.kernel),
                               report::recordOf(kernel.kernel, *kernel.nest, hardware.topology,
                                                mapping, unitsIn(hardware, kernel, mode)));
}

std::string directivesOf(const Hardware& hardware, const Kernel& kernel,
                         const mapping::Mapping& mapping) {
  return mapping::printDirectives(kernel.kernel, *kernel.nest, hardware.topology, mapping);
}

std::string loopNestOf(const Hardware& hardware, const Kernel& kernel,
                       const mapping::Mapping& mapping) {
  return report::loopNestText(kernel.kernel, *kernel.nest, hardware.topology, mapping);
}

std::string_view version() { return GRIDLOOM_VERSION; }

}  // namespace gridloom::service
