// SPDX-License-Identifier: Apache-2.0
#include "simulate/band.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "timing/interleaving.h"

namespace gridloom::simulate {
namespace {

/// Limit on a band's iterations: their product with the trips of one more loop fits 64 bits.
constexpr std::int64_t kMostIterations = std::int64_t{1} << 31;

/// An operand that is transferred at a loop level. The channel at which its tile starts changes
/// with the loops outside.
struct Moved {
  const kernel::Operand* operand;
  std::size_t level;
};

class BandBuilder {
 public:
  explicit BandBuilder(const schedule::PlacedSchedule& placed)
      : m_schedule(placed.schedule),
        m_shapes(placed.placement.shapes()),
        m_channels(std::max<std::int64_t>(1, placed.hw.global().channels)) {
    const kernel::TileNest& nest = placed.nest;
    for (std::size_t i = 0; i < nest.inputs.size(); ++i) {
      const schedule::OperandTransfer& transfer = m_schedule.inputs[i];
      m_moved.push_back({&nest.inputs[i], static_cast<std::size_t>(transfer.hoistLevel)});
      for (const int level : transfer.sharedLevels) {
        if (level >= 0) m_moved.push_back({&nest.inputs[i], static_cast<std::size_t>(level)});
      }
    }
    for (const kernel::Operand& output : nest.outputs) {
      m_moved.push_back({&output, static_cast<std::size_t>(m_schedule.outputLevel)});
    }
  }

  std::vector<Band> build() const {
    std::vector<Band> bands;
    for (std::size_t p = 0; p < m_schedule.order.size(); ++p) {
      const std::int32_t trips = wholeTrips(p);
      const bool joins = p > 0 && continues(p) && bands.back().uniform * trips <= kMostIterations;
      if (!joins) bands.push_back({p, p, {}, 1, 1});
      bands.back().end = p + 1;
      bands.back().trips.push_back(trips);
      bands.back().uniform *= trips;
    }
    for (Band& band : bands) {
      for (const Moved& moved : m_moved) {
        const std::int64_t step = stepOf(moved, band.end - 1);
        band.stride = std::lcm(band.stride, m_channels / std::gcd(m_channels, step));
      }
    }
    return bands;
  }

 private:
  /// Trips of a loop before the first one in which a core has an edge tile or none.
  std::int32_t wholeTrips(std::size_t p) const {
    std::int32_t least = std::numeric_limits<std::int32_t>::max();
    for (const schedule::TileShape& shape : m_shapes) {
      const bool hasEdgeTile = shape.hasEdgeTile[m_schedule.order[p].index()] != 0;
      least = std::min(least, shape.waves[p] - (hasEdgeTile ? 1 : 0));
    }
    return least;
  }

  bool alikeEverywhere(std::size_t p) const {
    const std::int32_t trips = wholeTrips(p);
    return std::all_of(m_shapes.begin(), m_shapes.end(),
                       [&](const schedule::TileShape& shape) { return shape.waves[p] == trips; });
  }

  // Channels by which an operand's first page advances with each iteration of a loop.
  std::int64_t stepOf(const Moved& moved, std::size_t p) const {
    const kernel::LoopId loop = m_schedule.order[p];
    const auto& loops = moved.operand->loops;
    const bool turns =
        p < moved.level && std::find(loops.begin(), loops.end(), loop) != loops.end();
    if (!turns) return 0;
    return timing::channelStep(m_schedule.tiling.loops[loop.index()].unroll, m_channels);
  }

  // Whether a restart of the loop continues the channel sequence of the loop around it.
  bool continues(std::size_t p) const {
    if (static_cast<int>(p) == m_schedule.outputLevel || !alikeEverywhere(p)) return false;
    const std::int64_t trips = wholeTrips(p);
    return std::all_of(m_moved.begin(), m_moved.end(), [&](const Moved& moved) {
      return moved.level != p && stepOf(moved, p - 1) == stepOf(moved, p) * trips % m_channels;
    });
  }

  const schedule::Schedule& m_schedule;
  std::span<const schedule::TileShape> m_shapes;
  std::int64_t m_channels;
  std::vector<Moved> m_moved;
};

}  // namespace

std::int64_t Band::indexOf(std::span<const std::int32_t> waves) const {
  std::int64_t index = 0;
  for (std::size_t p = begin; p < end; ++p) index = index * trips[p - begin] + waves[p];
  return index;
}

void Band::setIndex(std::span<std::int32_t> waves, std::int64_t index) const {
  for (std::size_t p = end; p-- > begin + 1;) {
    waves[p] = static_cast<std::int32_t>(index % trips[p - begin]);
    index /= trips[p - begin];
  }
  waves[begin] = static_cast<std::int32_t>(index);
}

std::vector<Band> bandsOf(const schedule::PlacedSchedule& placed) {
  return BandBuilder(placed).build();
}

}  // namespace gridloom::simulate
