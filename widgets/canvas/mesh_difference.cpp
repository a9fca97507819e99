// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvas/mesh_difference.h"

#include <algorithm>
#include <cmath>

namespace gridloom::widgets {

namespace {

using mapping::LoopTiling;

/// Elements of one loop that a position among the cores of B shares with a position of A.
class LoopOverlap {
 public:
  LoopOverlap(const LoopTiling& a, const LoopTiling& b)
      : m_ways(b.unroll),
        m_shared(static_cast<std::size_t>(a.unroll * b.unroll), 0),
        m_whole(static_cast<std::size_t>(b.unroll), 0) {
    for (std::int64_t at = 0; at < b.extent;) {
      const std::int64_t tileA = at / a.tileSize, tileB = at / b.tileSize;
      const std::int64_t end =
          std::min({(tileA + 1) * a.tileSize, (tileB + 1) * b.tileSize, b.extent});
      m_shared[index(tileA % a.unroll, tileB % b.unroll)] += end - at;
      m_whole[static_cast<std::size_t>(tileB % b.unroll)] += end - at;
      at = end;
    }
  }
  double share(std::int64_t inA, std::int64_t inB) const {
    const std::int64_t whole = m_whole[static_cast<std::size_t>(inB)];
    return whole > 0 ? static_cast<double>(m_shared[index(inA, inB)]) / static_cast<double>(whole)
                     : 1;
  }

 private:
  std::size_t index(std::int64_t inA, std::int64_t inB) const {
    return static_cast<std::size_t>(inA * m_ways + inB);
  }
  std::int64_t m_ways;
  std::vector<std::int64_t> m_shared, m_whole;
};

std::vector<kernel::LoopId> outputLoops(const kernel::TileNest& nest) {
  std::vector<kernel::LoopId> loops;
  for (const kernel::Operand& output : nest.outputs) {
    for (const kernel::LoopId loop : output.loops) {
      if (!kernel::contains(loops, loop)) loops.push_back(loop);
    }
  }
  return loops;
}

double busyShare(double busy, const simulate::Simulation& of) {
  return busy / std::max(of.cycles, 1.0);
}

}  // namespace

bool canDraw(const service::SimulationRun& a, const service::SimulationRun& b) {
  const auto sizes = [](const service::SimulationRun& run) {
    std::vector<std::int64_t> all;
    for (const hardware::MeshDim& dim : run.hardware->topology.dims()) all.push_back(dim.size);
    return all;
  };
  return sizes(a) == sizes(b) && a.simulated.links.size() == b.simulated.links.size() &&
         a.schedule.tiling.loops.size() == b.schedule.tiling.loops.size();
}

std::vector<float> movedOutputs(const service::SimulationRun& a, const service::SimulationRun& b) {
  const hardware::Topology& hw = b.hardware->topology;
  const std::vector<kernel::LoopId> loops = outputLoops(*b.kernel->nest);
  std::vector<LoopOverlap> overlaps;
  for (const kernel::LoopId loop : loops) {
    overlaps.emplace_back(a.schedule.tiling.loops[loop.index()],
                          b.schedule.tiling.loops[loop.index()]);
  }
  std::vector<float> moved(static_cast<std::size_t>(hw.coreCount()), 0.0F);
  std::vector<std::int64_t> at(hw.dims().size());
  for (std::size_t core = 0; core < moved.size(); ++core) {
    if (!b.schedule.programOfCore[core].valid()) continue;
    double kept = a.schedule.programOfCore[core].valid() ? 1 : 0;
    hw.coordinatesOf(hardware::CoreId::of(core), at);
    for (std::size_t l = 0; l < loops.size() && kept > 0; ++l) {
      const auto place = [&](const service::SimulationRun& run) {
        return mapping::Tiling::unrollIndexOf(run.mapping, hw, loops[l], at.data());
      };
      kept *= overlaps[l].share(place(a), place(b));
    }
    moved[core] = static_cast<float>(1 - kept);
  }
  return moved;
}

void showDifference(MeshScene& scene, const service::SimulationRun& a,
                    const service::SimulationRun& b) {
  scene.heat = Heat::Moved;
  scene.heatMost = 1;
  scene.stateShares.clear();
  scene.heatOfCore = movedOutputs(a, b);
  scene.compares = true;
  scene.mostChange = 0;
  const auto change = [&](double before, double after) {
    const double changed = busyShare(after, b.simulated) - busyShare(before, a.simulated);
    scene.mostChange = std::max(scene.mostChange, std::abs(changed));
    return changed;
  };
  for (std::size_t l = 0; l < scene.links.size() && l < b.simulated.links.size(); ++l)
    scene.links[l].change =
        static_cast<float>(change(a.simulated.links[l].busy, b.simulated.links[l].busy));
  for (MemoryBlock& block : scene.memories) {
    const auto channel = static_cast<std::size_t>(block.channel);
    if (channel >= a.simulated.channelReads.size() || channel >= b.simulated.channelReads.size())
      continue;
    block.change = change(simulate::channelBusy(a.hardware->topology, a.simulated, channel),
                          simulate::channelBusy(b.hardware->topology, b.simulated, channel));
  }
}

}  // namespace gridloom::widgets
