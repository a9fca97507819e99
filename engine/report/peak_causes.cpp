// SPDX-License-Identifier: Apache-2.0
#include "report/peak_causes.h"

#include <fmt/format.h>

#include <algorithm>

#include "timing/op_cycles.h"

namespace gridloom::report {

namespace {

using kernel::LoopId;
using kernel::TileOp;
using kernel::UnitKind;
using simulate::State;

constexpr std::size_t kMostResources = 3;

std::string loopName(const PeakRun& run, LoopId loop) { return run.kernel.loop(loop).name; }

void addLoop(const PeakRun& run, LoopId loop, std::vector<CauseRecord>& out) {
  const std::string name = loopName(run, loop);
  if (std::ranges::find(out, name, &CauseRecord::name) == out.end()) out.push_back({"loop", name});
}

bool isInTime(const PeakRun& run, LoopId loop) {
  return kernel::contains(run.schedule.order, loop);
}

/// The units that perform the operations of the run.
std::vector<CauseRecord> unitsOf(const PeakRun& run) {
  std::vector<CauseRecord> out;
  for (const UnitKind unit : {UnitKind::Matrix, UnitKind::Vector}) {
    const auto performs = [&](const TileOp& op) { return unitOf(run, op) == unit; };
    if (std::ranges::any_of(run.nest.ops, performs))
      out.push_back({"unit", unit == UnitKind::Matrix ? "matrix" : "vector"});
  }
  return out;
}

/// The matrix unit, and the loops of its products: how far a tile fills it.
std::vector<CauseRecord> filledUnit(const PeakRun& run) {
  std::vector<CauseRecord> out{{"unit", "matrix"}};
  for (const TileOp& op : run.nest.ops) {
    if (unitOf(run, op) != UnitKind::Matrix) continue;
    for (const std::vector<LoopId>* loops : {&op.m, &op.n, &op.k})
      for (const LoopId loop : *loops) addLoop(run, loop, out);
  }
  return out;
}

/// The reduction loops of matrix operations that are tiled in time: longer tiles issue less.
std::vector<CauseRecord> issueLoops(const PeakRun& run) {
  std::vector<CauseRecord> out;
  for (const TileOp& op : run.nest.ops) {
    for (const LoopId loop : op.k) {
      if (isInTime(run, loop)) addLoop(run, loop, out);
    }
  }
  for (const LoopId loop : run.schedule.order) {
    if (out.empty()) addLoop(run, loop, out);
  }
  return out;
}

/// Elements of a loop's tile and of its edge tile do not fill whole units of `unit`.
bool isPadded(const PeakRun& run, LoopId loop, std::int64_t unit) {
  const mapping::LoopTiling& l = run.schedule.tiling.loops[loop.index()];
  const std::int64_t edge = l.extent - (l.tiles - 1) * l.tileSize;
  return l.tileSize % unit != 0 || edge % unit != 0;
}

std::vector<CauseRecord> paddedLoops(const PeakRun& run) {
  std::vector<CauseRecord> out;
  const auto add = [&](const std::vector<LoopId>& loops, std::int64_t unit) {
    for (const LoopId loop : loops) {
      if (unit > 1 && isPadded(run, loop, unit)) addLoop(run, loop, out);
    }
  };
  for (const TileOp& op : run.nest.ops) {
    if (isVectorProduct(run, op)) {
      // Without a matrix unit, products are not padded to whole vectors.
      if (run.compute.matrixSustained <= 0) continue;
      add(op.m, run.compute.vectorLanes);
      add(op.n, run.compute.vectorLanes);
    } else if (op.unit == UnitKind::Matrix) {
      add(op.m, run.compute.matrixShape[0]);
      add(op.n, run.compute.matrixShape[1]);
      add(op.k, run.compute.matrixShape[2]);
    } else if (!op.loops.empty()) {
      add({op.innermost}, run.compute.vectorLanes);
    }
  }
  return out;
}

/// Spatial loops; only those whose tiles do not divide evenly, where there are any.
std::vector<CauseRecord> spatialLoops(const PeakRun& run) {
  std::vector<CauseRecord> uneven, all;
  for (std::size_t l = 0; l < run.schedule.tiling.loops.size(); ++l) {
    const mapping::LoopTiling& loop = run.schedule.tiling.loops[l];
    if (loop.unroll <= 1) continue;
    addLoop(run, LoopId::of(l), all);
    if (loop.tiles % loop.unroll != 0 || loop.extent % loop.tileSize != 0)
      addLoop(run, LoopId::of(l), uneven);
  }
  return uneven.empty() ? all : uneven;
}

std::string operandName(const PeakRun& run, const schedule::Buffer& buffer) {
  using Use = schedule::Buffer::Use;
  const auto operand = static_cast<std::size_t>(buffer.operand);
  switch (buffer.use) {
  case Use::Input:
  case Use::SharedInput:
  case Use::Stationary:
  case Use::Resident:
    return run.nest.inputs[operand].name;
  case Use::Output:
  case Use::SharedOutput:
  case Use::Partial:
  case Use::Gather:
  case Use::Remaining:
  case Use::Held:
    return run.nest.outputs[operand].name;
  case Use::Contribution:
  case Use::Contributed:
  case Use::Total:
    return run.nest.allReduces[operand].name;
  case Use::Local:
    break;
  }
  return buffer.name;
}

void sortByCycles(std::vector<CauseRecord>& causes) {
  std::ranges::stable_sort(causes, std::greater<>(), &CauseRecord::cycles);
}

/// The operands that compute waits for in one of the states.
std::vector<CauseRecord> awaitedOperands(const PeakRun& run, std::initializer_list<State> states) {
  std::vector<CauseRecord> out;
  for (std::size_t b = 0; b < run.simulated.bufferWaits.size(); ++b) {
    double cycles = 0;
    for (const State state : states)
      cycles += run.simulated.bufferWaits[b][static_cast<std::size_t>(state)];
    if (cycles <= 0) continue;
    const std::string name = operandName(run, run.schedule.buffers[b]);
    const auto known = std::ranges::find(out, name, &CauseRecord::name);
    if (known != out.end())
      known->cycles += cycles;
    else
      out.push_back({"operand", name, cycles});
  }
  sortByCycles(out);
  return out;
}

void addBusiest(std::vector<CauseRecord> all, std::vector<CauseRecord>& out) {
  std::erase_if(all, [](const CauseRecord& cause) { return cause.cycles <= 0; });
  sortByCycles(all);
  if (all.size() > kMostResources) all.resize(kMostResources);
  out.insert(out.end(), all.begin(), all.end());
}

void addChannels(const PeakRun& run, std::vector<CauseRecord>& out) {
  std::vector<CauseRecord> all;
  for (std::size_t c = 0; c < run.simulated.channelReads.size(); ++c) {
    all.push_back({"channel", fmt::format("{} {}", run.hw.global().name, c),
                   simulate::channelBusy(run.hw, run.simulated, c)});
  }
  addBusiest(std::move(all), out);
}

void addLinks(const PeakRun& run, std::vector<CauseRecord>& out) {
  std::vector<std::pair<double, std::size_t>> busiest;
  for (std::size_t l = 0; l < run.simulated.links.size(); ++l) {
    busiest.emplace_back(-run.simulated.links[l].busy, l);
  }
  const std::size_t count = std::min(kMostResources, busiest.size());
  std::partial_sort(busiest.begin(), busiest.begin() + static_cast<std::ptrdiff_t>(count),
                    busiest.end());
  busiest.resize(count);
  std::vector<CauseRecord> all;
  for (const auto& [busy, l] : busiest)
    all.push_back({"link", run.hw.linkName(hardware::LinkId::of(l)), -busy});
  addBusiest(std::move(all), out);
}

std::vector<CauseRecord> outputsOf(const PeakRun& run) {
  std::vector<CauseRecord> out;
  for (const kernel::Operand& output : run.nest.outputs) out.push_back({"operand", output.name});
  return out;
}

}  // namespace

bool isVectorProduct(const PeakRun& run, const TileOp& op) {
  return op.unit == UnitKind::Matrix && unitOf(run, op) == UnitKind::Vector;
}

UnitKind unitOf(const PeakRun& run, const TileOp& op) {
  return timing::opTime(op, run.schedule.tiling.tileSizes, run.compute).unit;
}

std::vector<CauseRecord> causesOf(const PeakRun& run, PeakLoss loss) {
  std::vector<CauseRecord> out;
  switch (loss) {
  case PeakLoss::Launch:
    return {};
  case PeakLoss::UnitRate:
    return unitsOf(run);
  case PeakLoss::UnitFill:
    return filledUnit(run);
  case PeakLoss::Issue:
    return issueLoops(run);
  case PeakLoss::Padding:
    return paddedLoops(run);
  case PeakLoss::ExtraWork:
  case PeakLoss::PartialSums:
    return outputsOf(run);
  case PeakLoss::FillDram:
  case PeakLoss::WaitDram:
    out = awaitedOperands(run, {State::WaitDram});
    addChannels(run, out);
    return out;
  case PeakLoss::FillLink:
  case PeakLoss::WaitLink:
    out = awaitedOperands(run, {State::WaitLink});
    addLinks(run, out);
    return out;
  case PeakLoss::FillSync:
  case PeakLoss::WaitSync:
    return awaitedOperands(run, {State::WaitLoad, State::WaitSync});
  case PeakLoss::WaitStore:
    out = awaitedOperands(run, {State::WaitStore});
    addChannels(run, out);
    return out;
  case PeakLoss::Drain:
    out = outputsOf(run);
    addChannels(run, out);
    return out;
  case PeakLoss::UnevenCores:
  case PeakLoss::IdleCores:
    return spatialLoops(run);
  }
  return out;
}

}  // namespace gridloom::report
