// SPDX-License-Identifier: Apache-2.0
#include "access/access_counts.h"

#include <algorithm>
#include <cmath>

namespace gridloom::access {

namespace {

double volume(const std::vector<std::int64_t>& box) {
  double out = 1;
  for (const std::int64_t width : box) out *= static_cast<double>(width);
  return out;
}

double instancesBelowOne(const NestLevel& level) {
  double out = 1;
  for (const SpatialLoop& spatial : level.spatialLoops) out *= static_cast<double>(spatial.unroll);
  return out;
}

/// One tensor at one level, between fill counts and accesses.
struct Station {
  bool kept = true;
  double tile = 0;
  double part = 0;
  double accesses = 0;  ///< by the level below
  double arrivals = 0;  ///< of those accesses, at all instances below
  double arriving = 0;  ///< from the level outside, at one instance
  double handedOn = 0;  ///< between the instances below
  double got = 0;       ///< from neighbours
};

/// The memory hierarchy of one tensor, outermost first.
class TensorStack {
 public:
  TensorStack(const kernel::Kernel& kernel, const MemoryNest& nest, const kernel::Access& access,
              const std::vector<std::vector<FillCounts>>& delivered, std::size_t index)
      : m_kernel(kernel), m_nest(nest), m_access(access) {
    for (std::size_t level = 0; level < nest.levels.size(); ++level) {
      const FillCounts& below = delivered[level][index];
      Station station;
      station.kept = nest.levels[level].keeps(access.tensor);
      station.tile = volume(boxOver(level));
      station.accesses = below.accesses();
      station.arrivals = below.arrivals();
      station.handedOn = below.handedOn;
      m_stations.push_back(station);
    }
    stepParts();
    for (std::size_t level = 1; level < m_stations.size(); ++level) {
      m_stations[level].arriving = m_stations[level - 1].arrivals / fanout(level - 1);
    }
    passThroughBypassed();
    shareAmongNeighbours();
  }

  std::vector<TensorAccesses> accesses(bool written) const {
    std::vector<TensorAccesses> out;
    bool outermost = true;
    for (const Station& station : m_stations) {
      out.push_back(written ? writtenAccesses(station, outermost) : readAccesses(station));
      if (station.kept) outermost = false;
    }
    return out;
  }

 private:
  std::vector<std::int64_t> boxOver(std::size_t level) const {
    return boxOf(m_access, tileExtents(m_kernel, m_nest, level));
  }

  double fanout(std::size_t level) const { return instancesBelowOne(m_nest.levels[level]); }

  /// Computes the part of the tensor that goes through one instance of every level: all of it at
  /// the outermost level; concurrent instances divide what they do not share.
  void stepParts() {
    m_stations.front().part = m_stations.front().tile;
    for (std::size_t level = 1; level < m_stations.size(); ++level) {
      auto extents = tileExtents(m_kernel, m_nest, level);
      for (const SpatialLoop& spatial : m_nest.levels[level - 1].spatialLoops) {
        extents[spatial.loop.index()] *= spatial.unroll;
      }
      const double together = volume(boxOf(m_access, extents));
      m_stations[level].part =
          std::floor(m_stations[level - 1].part * m_stations[level].tile / together);
    }
  }

  /// Moves the accesses of the level below a bypassed level to the level outside.
  void passThroughBypassed() {
    for (std::size_t level = m_stations.size(); level-- > 0;) {
      Station& passed = m_stations[level];
      if (passed.kept) continue;
      if (level > 0) {
        Station& outside = m_stations[level - 1];
        const double more =
            outside.arrivals > 0 ? passed.accesses * fanout(level - 1) / outside.arrivals : 0;
        outside.accesses *= more;
        outside.arrivals *= more;
        outside.handedOn = 0;
      }
      passed.accesses = 0;
    }
    const auto first = std::ranges::find_if(m_stations, &Station::kept);
    if (first != m_stations.end()) first->arriving = 0;
  }

  void shareAmongNeighbours() {
    for (std::size_t level = 1; level < m_stations.size(); ++level) {
      m_stations[level].got = std::floor(m_stations[level - 1].handedOn / fanout(level - 1));
    }
  }

  static TensorAccesses common(const Station& station) {
    TensorAccesses out;
    out.kept = station.kept;
    out.tile = station.tile;
    out.part = station.part;
    out.handedOn = station.got;
    if (station.accesses > 0) out.sharers = station.arrivals / station.accesses;
    return out;
  }

  static TensorAccesses readAccesses(const Station& station) {
    if (!station.kept) return {};
    TensorAccesses out = common(station);
    out.reads = std::round(station.accesses + station.got);
    out.fills = std::floor(station.arriving + station.got);
    out.addresses = out.reads + out.fills;
    return out;
  }

  static TensorAccesses writtenAccesses(const Station& station, bool outermost) {
    if (!station.kept) return {};
    TensorAccesses out = common(station);
    out.updates = std::round(station.accesses);
    out.reads = std::max(0.0, std::round(station.accesses + station.got - station.part));
    out.reductions = out.reads;
    const double first = outermost ? 0 : station.part;
    out.fills = std::max(0.0, std::round(station.arriving + station.got - first));
    out.addresses = out.updates + out.fills;
    return out;
  }

  const kernel::Kernel& m_kernel;
  const MemoryNest& m_nest;
  const kernel::Access& m_access;
  std::vector<Station> m_stations;
};

constexpr double kMostSteps = 1U << 26U;

}  // namespace

base::Result<AccessCounts> countAccesses(const kernel::Kernel& kernel, const MemoryNest& nest,
                                         Sweep sweep) {
  if (walkSteps(nest, sweep) > kMostSteps) {
    return base::plainError("the nest has too many loops to count accesses",
                            "give fewer loops more iterations each");
  }
  AccessCounts out;
  out.computes = 1;
  for (const kernel::Loop& loop : kernel.loops) out.computes *= static_cast<double>(loop.extent);
  for (const NestLevel& level : nest.levels) {
    out.levels.push_back({level.memory, out.units, {}});
    out.units *= instancesBelowOne(level);
  }
  out.steps = out.computes / out.units;

  const auto delivered = fillCounts(kernel, nest, sweep);
  const auto accesses = nestAccesses(kernel);
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    const bool written = i + 1 == accesses.size();
    out.tensors.push_back(accesses[i]->tensor);
    const auto counted = TensorStack(kernel, nest, *accesses[i], delivered, i).accesses(written);
    for (std::size_t level = 0; level < counted.size(); ++level) {
      out.levels[level].tensors.push_back(counted[level]);
    }
  }
  return out;
}

}  // namespace gridloom::access
