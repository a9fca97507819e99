// SPDX-License-Identifier: Apache-2.0
#include "report/exploration_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "report/apart_text.h"
#include "report/number_cells.h"
#include "report/numbers.h"
#include "report/statistics.h"
#include "report/unit_choices.h"

namespace gridloom::report {

namespace {

std::string hardwareText(const HardwareRecord& hw, const std::string& mode) {
  std::string mesh;
  std::int64_t cores = 1;
  for (const NamedSize& dim : hw.dims) {
    mesh += (mesh.empty() ? "" : " × ") + std::to_string(dim.size);
    cores *= dim.size;
  }
  std::string out = hw.name + ": " + mesh + (cores == 1 ? " core" : " cores");
  if (hw.clock > 0) {
    out += " at " + clockText(hw.clock) + ", peak " + flopRateText(hw.peakFlops * hw.clock);
  } else {
    out += ", peak " + cyclesText(hw.peakFlops) + " flop/cycle";
  }
  if (!mode.empty()) out += " (" + mode + ")";
  out += "\n" + bytesText(static_cast<double>(hw.localBytes)) + " per core, " +
         std::to_string(hw.channels) + (hw.channels == 1 ? " memory channel" : " memory channels") +
         " of " + trimmed(hw.readBandwidth, 1) + " B/cycle together";
  if (hw.duplex) out += ", beside " + trimmed(hw.writeBandwidth, 1) + " written";
  return out;
}

std::string kernelText(const KernelRecord& kernel) {
  std::string out = kernel.name + (kernel.parameters.empty() ? "" : ":");
  for (const NamedSize& p : kernel.parameters) out += fmt::format(" {}={}", p.name, p.size);
  std::string types;
  for (const TensorRecord& tensor : kernel.tensors) {
    if (tensor.role == "local" || types.find(tensor.dtype) != std::string::npos) continue;
    types += (types.empty() ? "" : "/") + tensor.dtype;
  }
  return out + fmt::format(", {}\n{}FLOP, at least {} to move", types, countText(kernel.flops),
                           bytesText(static_cast<double>(kernel.compulsoryBytes)));
}

std::string rooflineText(const cost::Roofline& roofline) {
  const bool compute = roofline.computeCycles >= roofline.memoryCycles;
  return fmt::format("{} cycles by {} (compute {}, memory {})", cyclesText(roofline.cycles),
                     compute ? "compute" : "memory", cyclesText(roofline.computeCycles),
                     cyclesText(roofline.memoryCycles));
}

std::string rejectionText(const search::Rejection& rejection) {
  std::string out = "infeasible by " + rejection.reason + ": " + grouped(rejection.count);
  if (rejection.needed > 0) {
    out += ", at least " + missText(rejection);
  }
  if (!rejection.example.empty()) out += ":\n  " + rejection.example;
  return out;
}

void addSimulated(std::vector<Cell>& row, const RankedRecord& ranked) {
  if (!ranked.simulated) {
    row.insert(row.end(), {textCell("-"), textCell("-")});
    row[row.size() - 2].exact.clear();
    row.back().exact.clear();
    return;
  }
  const double error = predictionRatio(ranked.predicted.cycles, ranked.simulated->cycles) - 1;
  row.push_back(cyclesCell(ranked.simulated->cycles));
  row.push_back({changeText(error), exactText(error)});
}

Cell predictedRankCell(const RankedRecord& ranked) {
  if (ranked.predictedRank) return textCell(std::to_string(*ranked.predictedRank));
  return {"-", ""};
}

void addFigures(std::vector<Cell>& row, double tflops, double utilization,
                const std::string& bottleneck) {
  row.push_back({tflops > 0 ? fmt::format("{:.2f}", tflops) : "-", exactText(tflops)});
  row.push_back({percentText(utilization), exactText(utilization)});
  row.push_back(textCell(bottleneck));
}

Cell mappingCell(const std::string& line, int twins) {
  return {twins > 0 ? fmt::format("{} (×{})", line, twins + 1) : line, line};
}

std::vector<Cell> rankedRow(const RankedRecord& ranked, bool simulated) {
  const cost::Estimate& predicted = ranked.predicted;
  std::vector<Cell> row{textCell(std::to_string(ranked.rank))};
  if (simulated) row.push_back(predictedRankCell(ranked));
  row.push_back(cyclesCell(predicted.cycles));
  if (simulated) addSimulated(row, ranked);
  const bool measured = ranked.simulated.has_value();
  addFigures(row, measured ? ranked.simulated->tflops : predicted.tflops,
             measured ? ranked.simulated->utilization : predicted.utilization,
             predicted.bottleneck);
  row.push_back(mappingCell(ranked.mapping.line, ranked.twins));
  return row;
}

std::vector<Cell> listedRow(const ListedRecord& listed, bool simulated) {
  std::vector<Cell> row{textCell(std::to_string(listed.rank))};
  if (simulated) row.push_back(textCell(std::to_string(listed.predictedRank)));
  row.push_back(cyclesCell(listed.cycles));
  if (simulated) addSimulated(row, RankedRecord{});
  addFigures(row, listed.tflops, listed.utilization, listed.bottleneck);
  row.push_back(mappingCell(listed.line, listed.twins));
  return row;
}

std::string certaintyText(const search::SpaceCount& space) {
  if (space.exact) return "exact by the model";
  const bool isOpen = space.formChoice != search::Stop::None;
  if (isOpen || space.stopped != search::Stop::None) return "by the model, not exact";
  const std::string exact =
      space.margin > 0 ? "within " + percentText(space.margin) + " of exact" : "exact";
  if (space.whole.empty()) return exact + " by the model";
  return fmt::format("{} by the model with {} whole", exact, fmt::join(space.whole, ", "));
}

/// How the ranking was computed, in words.
std::string rankingText(const ExplorationRecord& exploration) {
  const RerankedRecord& reranked = exploration.reranked;
  std::string out = certaintyText(exploration.space);
  if (reranked.wanted == 0) return out;
  const RankedRecord& best = exploration.top.front();
  if (reranked.simulated == 0 || !best.simulated) {
    out += "; none simulated";
  } else {
    out += fmt::format("; re-ranked by simulation: no. 1 is the fastest of the {} simulated",
                       reranked.simulated);
    const bool modelsFirst = best.predictedRank == 1;
    out += modelsFirst          ? ", as the model says"
           : best.predictedRank ? fmt::format(", the model's no. {}", *best.predictedRank)
                                : ", a neighbour of one that the model ranks";
    if (!modelsFirst && reranked.firstCycles > 0) {
      const double slower = reranked.firstCycles / best.simulated->cycles - 1;
      out += fmt::format(", whose first takes {} longer", percentText(slower));
    }
  }
  if (reranked.tooLong > 0) {
    out += fmt::format("\nnot simulated: {} that would take too long; --rerank {} simulates the "
                       "model's first, however long it takes",
                       reranked.tooLong, reranked.wanted);
  }
  return out;
}

}  // namespace

std::string missText(const search::Rejection& rejection) {
  const bool bytes = rejection.unit == "B" || rejection.unit == "bytes";
  if (!bytes) {
    return fmt::format("{} of {} {}", trimmed(rejection.needed, 1), trimmed(rejection.available, 1),
                       rejection.unit);
  }
  const auto isWhole = [](double value) { return std::fmod(value, 1024) == 0; };
  if (isWhole(rejection.needed) && isWhole(rejection.available)) {
    return bytesText(rejection.needed) + " of " + bytesText(rejection.available);
  }
  return cyclesText(rejection.needed) + " of " + cyclesText(rejection.available) + " B";
}

std::vector<Fact> headFacts(const HardwareRecord& hardware, const KernelRecord& kernel,
                            const std::string& mode, const cost::Roofline& roofline) {
  return {{"hardware", hardwareText(hardware, mode)},
          {"kernel", kernelText(kernel)},
          {"bound", rooflineText(roofline)}};
}

std::string stoppedText(const search::SpaceCount& space) {
  const char* const soFar = "the ranking is the best found so far, and not exact";
  switch (space.stopped) {
  case search::Stop::WorkLimit:
    return fmt::format("stopped at the work limit, after {} steps: {}; `--work-limit 0` goes on",
                       grouped(space.work), soFar);
  case search::Stop::TimeLimit:
    return fmt::format("stopped at the time limit, after {} steps: {}", grouped(space.work), soFar);
  case search::Stop::Interrupted:
    return "stopped early: the ranking is the best found so far";
  case search::Stop::None:
    break;
  }
  if (space.margin == 0) return {};
  return fmt::format(
      "a long search, after {} steps: no mapping is over {} faster than no. 1 by the "
      "model; `--margin 0` makes the ranking exact",
      grouped(space.work), percentText(space.margin));
}

std::string formChoiceText(const search::SpaceCount& space) {
  switch (space.formChoice) {
  case search::Stop::WorkLimit:
    return "the choice between two forms of the kernel stopped at its work limit: the other form "
           "may be faster; `--work-limit 0` searches both to their ends";
  case search::Stop::TimeLimit:
    return "the choice between two forms of the kernel stopped at its time limit: the other form "
           "may be faster";
  case search::Stop::Interrupted:
    return "the choice between two forms of the kernel was interrupted: the other form may be "
           "faster";
  case search::Stop::None:
    break;
  }
  return {};
}

std::string notTiledText(const std::vector<std::string>& whole) {
  if (whole.empty()) return {};
  return fmt::format("not tiled: {}; with tiles of all loops, the space is too large to search",
                     fmt::join(whole, ", "));
}

std::string spaceText(const search::SpaceCount& space) {
  std::int64_t rejected = 0;
  for (const search::Rejection& rejection : space.rejected) rejected += rejection.count;
  std::string out = fmt::format("{} mappings: {} evaluated, {} pruned by a bound, {} infeasible",
                                grouped(space.size), grouped(space.evaluated),
                                grouped(space.pruned), grouped(rejected));
  for (const search::Rejection& rejection : space.rejected) {
    out += "\n" + rejectionText(rejection);
  }
  const std::string stopped = space.exact ? "" : stoppedText(space);
  if (!stopped.empty()) out += "\n" + stopped;
  const std::string formChoice = formChoiceText(space);
  if (!formChoice.empty()) out += "\n" + formChoice;
  if (!space.whole.empty()) out += "\n" + notTiledText(space.whole);
  return out;
}

Table rankedTable(const ExplorationRecord& exploration) {
  const bool simulated = std::ranges::any_of(
      exploration.top, [](const RankedRecord& r) { return r.simulated.has_value(); });
  Table table;
  table.rows.reserve(exploration.top.size() + exploration.more.size());
  table.columns = {{"rank", "rank"}};
  if (simulated) table.columns.push_back({"model", "predicted_rank"});
  table.columns.push_back({"predicted", "predicted_cycles"});
  if (simulated) {
    table.columns.push_back({"simulated", "simulated_cycles"});
    table.columns.push_back({"error", "prediction_error"});
  }
  table.columns.push_back({"TFLOP/s", "tflops"});
  table.columns.push_back({"util.", "utilization"});
  table.columns.push_back({"bottleneck", "bottleneck", Align::Left});
  table.columns.push_back({"mapping", "mapping", Align::Left});
  for (const RankedRecord& ranked : exploration.top) {
    table.rows.push_back(rankedRow(ranked, simulated));
  }
  for (const ListedRecord& listed : exploration.more) {
    table.rows.push_back(listedRow(listed, simulated));
  }
  return table;
}

std::string noMappingText(const ExplorationRecord& exploration) {
  if (exploration.space.stopped != search::Stop::None)
    return "No mapping was found before the search was stopped.\n";
  std::string out = "No mapping is feasible: each is infeasible for a reason above.\n";
  for (const std::string& line : exploration.whyNone) out += "  " + line + "\n";
  return out;
}

std::string explorationText(const ExplorationRecord& exploration) {
  std::vector<Fact> facts =
      headFacts(exploration.hardware, exploration.kernel, exploration.mode, exploration.roofline);
  facts.push_back({"space", spaceText(exploration.space)});
  if (!exploration.top.empty()) {
    facts.push_back({"ranking", rankingText(exploration)});
    addUnits(exploration.top.front().mapping.units, facts);
  }
  std::string out = factsText(facts) + "\n";
  if (!exploration.top.empty()) {
    out += tableText(rankedTable(exploration));
  } else {
    out += noMappingText(exploration);
  }
  if (exploration.apart) out += apartText(*exploration.apart, exploration);
  return out;
}

}  // namespace gridloom::report
