// SPDX-License-Identifier: Apache-2.0
#include "report/attribution.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "report/exploration_text.h"
#include "report/number_cells.h"
#include "report/numbers.h"
#include "report/peak_waterfall.h"
#include "report/statistics.h"
#include "report/unit_choices.h"

namespace gridloom::report {

namespace {

Cell bytesCell(double bytes) { return {bytesText(bytes), exactText(bytes)}; }
Cell changeCell(double fraction) { return {changeText(fraction), exactText(fraction)}; }

double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

std::string figuresText(double cycles, double seconds, double tflops, double utilization,
                        const std::string& bottleneck) {
  std::string out = cyclesText(cycles) + " cycles";
  if (seconds > 0) out += fmt::format(" = {}, {:.2f} TFLOP/s", secondsText(seconds), tflops);
  return out + ", " + percentText(utilization) + " of peak, bottleneck " + bottleneck;
}

/// The slots of the given schedule, which may differ from those of its mapping.
std::string slotsText(const ScheduleRecord& schedule) {
  std::string slots;
  for (const BufferRecord& buffer : schedule.buffers) {
    slots += fmt::format("{}{} {} × {}", slots.empty() ? "" : ", ", buffer.name, buffer.slots,
                         bytesText(static_cast<double>(buffer.bytes)));
  }
  return "as asked for; predicted is the mapping it amounts to\nslots: " + slots;
}

std::vector<Fact> runFacts(const SimulationRecord& run) {
  const cost::Estimate& p = run.predicted;
  const SimulatedRecord& s = run.simulated;
  std::vector<Fact> facts = headFacts(run.hardware, run.kernel, run.mode, run.roofline);
  facts.push_back({"mapping", run.mapping.line});
  addUnits(run.mapping.units, facts);
  if (run.schedule) facts.push_back({"schedule", slotsText(*run.schedule)});
  const std::int64_t localBytes = run.schedule ? run.schedule->localBytes : p.localBytes;
  const std::int64_t sharers = p.localCapacity / std::max<std::int64_t>(run.hardware.localBytes, 1);
  facts.push_back(
      {"local memory",
       fmt::format("{} of {} per {}, {} cores work", bytesText(static_cast<double>(localBytes)),
                   bytesText(static_cast<double>(p.localCapacity)),
                   sharers <= 1 ? "core" : fmt::format("{} cores that share it", sharers),
                   grouped(p.activeCores))});
  for (const cost::Estimate::SharedBytes& level : p.sharedBuffers) {
    if (level.bytes == 0) continue;
    facts.push_back(
        {"shared buffer", fmt::format("{} of {} in the fullest instance of {}",
                                      bytesText(static_cast<double>(level.bytes)),
                                      bytesText(static_cast<double>(level.capacity)), level.name)});
  }
  facts.push_back(
      {"predicted", figuresText(p.cycles, p.seconds, p.tflops, p.utilization, p.bottleneck)});
  facts.push_back(
      {"simulated", figuresText(s.cycles, s.seconds, s.tflops, s.utilization, s.bottleneck)});
  facts.push_back(
      {"error", changeText(predictionRatio(p.cycles, s.cycles) - 1) + " (predicted to simulated)"});
  if (run.valueError) {
    facts.push_back({"values", "largest relative difference to the reference " +
                                   fmt::format("{:.2e}", *run.valueError)});
  }
  return facts;
}

Table sharesTable(std::string_view title, std::vector<NamedNumber> parts, double total) {
  std::ranges::stable_sort(parts, std::greater<>(), &NamedNumber::value);
  Table table;
  table.columns = {
      {std::string(title), "name", Align::Left}, {"cycles", "cycles"}, {"share", "share"}};
  for (const NamedNumber& part : parts) {
    table.rows.push_back(
        {textCell(part.name), cyclesCell(part.value), shareCell(ratio(part.value, total))});
  }
  return table;
}

std::string titled(std::string_view title, const Table& table) {
  return "\n" + std::string(title) + "\n" + tableText(table);
}

/// Number of busiest links shown in a text; files contain them all.
constexpr std::size_t kShownResources = 8;

}  // namespace

Table termTable(const cost::Estimate& predicted) {
  std::vector<NamedNumber> parts;
  for (const cost::Term& term : predicted.terms) parts.push_back({term.name, term.cycles});
  return sharesTable("term", std::move(parts), predicted.cycles);
}

Table levelTable(const cost::Estimate& predicted) {
  Table table;
  table.columns = {{"loop", "loop", Align::Left},
                   {"iterations", "iterations"},
                   {"inside", "inside_cycles"},
                   {"with its transfers", "cycles"},
                   {"bottleneck", "bottleneck", Align::Left},
                   {"busiest resource", "busiest", Align::Left},
                   {"busy", "busy_cycles"},
                   {"use", "utilization"}};
  for (auto level = predicted.levels.rbegin(); level != predicted.levels.rend(); ++level) {
    const auto iterations = static_cast<std::int64_t>(level->iterations);
    table.rows.push_back({textCell(level->loop),
                          {grouped(iterations), std::to_string(iterations)},
                          cyclesCell(level->inside),
                          cyclesCell(level->cycles),
                          textCell(level->bottleneck),
                          textCell(level->busiest),
                          cyclesCell(level->busy),
                          shareCell(ratio(level->busy, level->cycles))});
  }
  return table;
}

Table stateTable(const SimulatedRecord& simulated) {
  return sharesTable("state", simulated.states, simulated.cycles);
}

Table trafficTable(const hardware::Traffic& predicted, const SimulatedRecord& simulated) {
  struct Place {
    std::string_view name;
    double hardware::Traffic::*bytes;
  };
  constexpr std::array<Place, 5> places{{{"dram read", &hardware::Traffic::dramRead},
                                         {"dram write", &hardware::Traffic::dramWrite},
                                         {"network (bytes × hops)", &hardware::Traffic::network},
                                         {"local write", &hardware::Traffic::localWrite},
                                         {"local read", &hardware::Traffic::localRead}}};
  Table table;
  table.columns = {{"bytes at", "place", Align::Left},
                   {"predicted", "predicted_bytes"},
                   {"simulated", "simulated_bytes"}};
  for (const Place& place : places) {
    table.rows.push_back({textCell(std::string(place.name)), bytesCell(predicted.*place.bytes),
                          bytesCell(simulated.traffic.*place.bytes)});
  }
  // Between the networks and the last two places, which are the local memories of the cores.
  for (const NamedNumber& shared : simulated.sharedBuffers) {
    table.rows.insert(table.rows.end() - 2, {textCell(shared.name + ", in and out"), numberCell({}),
                                             bytesCell(shared.value)});
  }
  return table;
}

Table resourceTable(const SimulationRecord& run, std::size_t count) {
  std::vector<ResourceRecord> all = run.links;
  all.insert(all.end(), run.channels.begin(), run.channels.end());
  std::ranges::stable_sort(all, std::greater<>(), &ResourceRecord::busy);
  if (all.size() > count) all.resize(count);
  Table table;
  table.columns = {{"resource", "resource", Align::Left},
                   {"busy", "busy_cycles"},
                   {"use", "utilization"},
                   {"bytes", "bytes"}};
  for (const ResourceRecord& use : all) {
    table.rows.push_back({textCell(use.name), cyclesCell(use.busy),
                          shareCell(ratio(use.busy, run.simulated.cycles)), bytesCell(use.bytes)});
  }
  return table;
}

Table roleTable(const ExplanationRecord& explanation) {
  Table table;
  table.columns = {
      {"role", "role", Align::Left}, {"tensor", "tensor", Align::Left}, {"cores", "cores"}};
  for (const RoleRecord& role : explanation.roles) {
    table.rows.push_back(
        {textCell(role.role), textCell(role.operand), numberCell(static_cast<double>(role.cores))});
  }
  return table;
}

Table whatIfTable(const ExplanationRecord& explanation) {
  std::vector<WhatIfRecord> sorted = explanation.twice;
  std::ranges::stable_sort(sorted, {}, [](const WhatIfRecord& w) {
    return w.simulatedCycles.value_or(w.predictedCycles);
  });
  Table table;
  table.columns = {{"change", "resource", Align::Left},
                   {"predicted", "predicted_cycles"},
                   {"change", "predicted_change"},
                   {"simulated", "simulated_cycles"},
                   {"change", "simulated_change"}};
  const SimulationRecord& run = explanation.run;
  for (const WhatIfRecord& w : sorted) {
    std::vector<Cell> row{textCell(w.resource), cyclesCell(w.predictedCycles),
                          changeCell(ratio(w.predictedCycles, run.predicted.cycles) - 1)};
    if (w.simulatedCycles) {
      row.push_back(cyclesCell(*w.simulatedCycles));
      row.push_back(changeCell(ratio(*w.simulatedCycles, run.simulated.cycles) - 1));
    } else {
      row.insert(row.end(), 2, Cell{"-", ""});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table coreTable(const SimulationRecord& run) {
  Table table;
  for (const NamedSize& dim : run.hardware.dims) table.columns.push_back({dim.name, dim.name});
  for (const NamedNumber& state : run.simulated.states) {
    table.columns.push_back({state.name, state.name});
  }
  for (const CoreRecord& core : run.cores) {
    std::vector<Cell> row;
    for (const std::int64_t c : core.coordinates) row.push_back(textCell(std::to_string(c)));
    for (const double cycles : core.states) row.push_back(cyclesCell(cycles));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table operandTable(const SimulationRecord& run) {
  Table table;
  table.columns = {{"tensor", "tensor", Align::Left},
                   {"DRAM reads", "dram_read_bytes"},
                   {"DRAM writes", "dram_write_bytes"},
                   {"into local memories", "local_write_bytes"},
                   {"out of local memories", "local_read_bytes"},
                   {"network (bytes × hops)", "network_bytes"}};
  const auto add = [&](const std::string& tensor, std::size_t operand) {
    if (operand >= run.predicted.operands.size()) return;
    const hardware::Traffic& t = run.predicted.operands[operand];
    table.rows.push_back({textCell(tensor), bytesCell(t.dramRead), bytesCell(t.dramWrite),
                          bytesCell(t.localWrite), bytesCell(t.localRead), bytesCell(t.network)});
  };
  for (std::size_t i = 0; i < run.mapping.inputs.size(); ++i) add(run.mapping.inputs[i].tensor, i);
  for (std::size_t i = 0; i < run.mapping.outputs.size(); ++i) {
    add(run.mapping.outputs[i].tensor, run.mapping.inputs.size() + i);
  }
  const std::size_t moved = run.mapping.inputs.size() + run.mapping.outputs.size();
  for (std::size_t i = 0; i < run.mapping.allReduces.size(); ++i) {
    add(run.mapping.allReduces[i].tensor, moved + i);
  }
  return table;
}

namespace {

/// The facts of a run, a table of its simulated time, and what both texts have after it.
std::string runText(const SimulationRecord& run, const std::string& simulatedTime) {
  std::string out = factsText(runFacts(run)) + simulatedTime;
  out += titled("Predicted: where the cycles go", termTable(run.predicted));
  out += titled("Bytes moved", trafficTable(run.predicted.traffic, run.simulated));
  return out + titled("Busiest links and channels", resourceTable(run, kShownResources));
}

}  // namespace

std::string simulationText(const SimulationRecord& run) {
  return runText(run,
                 titled("Simulated: what the cores do, on average", stateTable(run.simulated)));
}

std::string explanationText(const ExplanationRecord& explanation) {
  const WaterfallRecord& waterfall = explanation.waterfall;
  return runText(explanation.run,
                 titled("Simulated: where the peak went", waterfallTable(waterfall)) +
                     waterfallNote(waterfall) + "\n") +
         titled("Predicted: what decides at each temporal loop",
                levelTable(explanation.run.predicted)) +
         titled("Bytes per tensor, predicted", operandTable(explanation.run)) +
         titled("The same mapping on changed hardware, run again", whatIfTable(explanation)) +
         titled("Roles of the cores' processes", roleTable(explanation)) +
         (explanation.interrupted ? "\ninterrupted: resources are missing here\n" : "");
}

}  // namespace gridloom::report
