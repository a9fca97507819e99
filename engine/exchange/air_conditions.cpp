// SPDX-License-Identifier: Apache-2.0
#include "exchange/air_conditions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "schedule/wiring.h"

namespace gridloom::exchange {

using schedule::Turn;

std::string AirConditions::of(const schedule::Code& code) {
  std::string all = turn(code);
  if (code.guarded && code.buffer < 0) {
    all = m_code.both(all, guard(m_air.schedule.work, {}));
  } else if (code.guarded) {
    const auto buffer = static_cast<std::size_t>(code.buffer);
    all = m_code.both(all, needed(m_air.schedule.buffers[buffer].need));
  }
  if (code.gate < 0) return all;
  return m_code.both(all, takes(senderOf(m_air, m_code, m_place, code.gate, code.arg)));
}

std::string AirConditions::turn(const schedule::Code& code) {
  if (code.turn == Turn::Always) return {};
  const auto position = static_cast<std::size_t>(code.depth - 1);
  const std::int64_t round = m_air.placed.placement.roundOf(position);
  const std::vector<std::string> dims{m_place.iterationAt(position)};
  const std::string inRound = fmt::format("d0 mod {}", round);
  switch (code.turn) {
  case Turn::Always:
    return {};
  case Turn::First:
    return m_code.holds(inRound, dims, "eq");
  case Turn::NotFirst:
    return m_code.holds(inRound, dims, "sgt");
  case Turn::NotLast:
    return m_code.holds(fmt::format("{} - {}", inRound, round - 1), dims, "slt");
  }
  return {};
}

std::string AirConditions::takes(const CorePlace& core) {
  std::string all;
  for (const mapping::LoopId loop : m_air.schedule.order) {
    const mapping::LoopTiling& tiling = m_air.schedule.tiling.loops[loop.index()];
    const std::string& way = core.wayOf(loop.index());
    const std::string& wave = core.waveOf(loop.index());
    if (way.empty() || wave.empty() || tiling.tiles % tiling.unroll == 0) continue;
    const std::string expr = fmt::format("-d0 * {} - d1 + {}", tiling.unroll, tiling.tiles - 1);
    all = m_code.both(all, m_code.holds(expr, {wave, way}));
  }
  return all;
}

std::string AirConditions::guard(const kernel::TileGuard& guard, const schedule::TileDemand& need) {
  std::string any;
  for (const kernel::GuardPart& part : guard.parts) {
    std::string all;
    for (const kernel::Difference& d : part.tiles)
      all = m_code.both(all, difference(d, true, need));
    for (const kernel::Difference& d : part.elements) {
      all = m_code.both(all, difference(d, false, need));
    }
    any = any.empty() ? all : m_code.either(any, all);
  }
  return any;
}

std::string AirConditions::difference(const kernel::Difference& d, bool ofTiles,
                                      const schedule::TileDemand& need) {
  std::string expr;
  std::vector<std::string> dims;
  if (d.a.valid()) {
    expr = "d0";
    dims.push_back(bound(d.a, true, ofTiles, need));
  }
  if (d.b.valid()) {
    expr += fmt::format("{}-d{}", expr.empty() ? "" : " + ", dims.size());
    dims.push_back(bound(d.b, false, ofTiles, need));
  }
  if (dims.empty()) expr = "0";
  return m_code.holds(fmt::format("{} + {}", expr, -d.least), dims);
}

std::string AirConditions::bound(mapping::LoopId loop, bool last, bool ofTiles,
                                 const schedule::TileDemand& need) {
  const mapping::LoopTiling& tiling = m_air.schedule.tiling.loops[loop.index()];
  const std::string& wave = m_place.waveOf(loop.index());
  const bool inTime = std::ranges::find(m_air.schedule.order, loop) != m_air.schedule.order.end();
  if (inTime && wave.empty()) {  // all of its tiles
    if (!last) return m_code.constant(0);
    return m_code.constant((ofTiles ? tiling.tiles : tiling.extent) - 1);
  }
  const bool together = need.shared && !kernel::contains(need.loops, loop);
  // The tile's number is wave * unroll + way.
  std::vector<std::string> dims;
  std::string tile = "0";
  if (!wave.empty()) {
    tile = fmt::format("d0 * {}", tiling.unroll);
    dims.push_back(wave);
  }
  if (!together && !m_place.wayOf(loop.index()).empty()) {
    tile += fmt::format(" + d{}", dims.size());
    dims.push_back(m_place.wayOf(loop.index()));
  }
  if (together && last) tile += fmt::format(" + {}", tiling.unroll - 1);
  if (!last) {
    return m_code.affine("first", ofTiles ? tile : fmt::format("({}) * {}", tile, tiling.tileSize),
                         dims);
  }
  if (ofTiles) return m_code.least("last", {tile, fmt::to_string(tiling.tiles - 1)}, dims);
  return m_code.least(
      "last",
      {fmt::format("({} + 1) * {} - 1", tile, tiling.tileSize), fmt::to_string(tiling.extent - 1)},
      dims);
}

CorePlace senderOf(const AirContext& air, AirCode& code, const CorePlace& hub, std::int32_t channel,
                   std::int32_t coordinate) {
  const schedule::Channel& wire = air.schedule.channels[static_cast<std::size_t>(channel)];
  std::vector<std::string> coordinates = hub.coordinates();
  coordinates[static_cast<std::size_t>(schedule::dimOf(wire.along))] = code.constant(coordinate);
  return hub.at(std::move(coordinates));
}

}  // namespace gridloom::exchange
