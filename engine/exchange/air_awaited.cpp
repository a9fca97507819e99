// SPDX-License-Identifier: Apache-2.0
//
// The channels of buffers that await tiles of outputs.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "exchange/air_awaits.h"
#include "schedule/active_tiles.h"
#include "schedule/window_tiles.h"

namespace gridloom::exchange {

namespace {

using schedule::Buffer;
using schedule::Code;
using schedule::Op;
using schedule::PlacedSchedule;

std::vector<AirReader> readersOf(const PlacedSchedule& placed, std::size_t buffer) {
  const Op op = placed.schedule.buffers[buffer].need.passed ? Op::Take : Op::Await;
  std::vector<AirReader> readers;
  for (std::size_t p = 0; p < placed.schedule.programs.size(); ++p) {
    const auto program = schedule::ProgramId::of(p);
    for (std::int32_t pc : placed.code.entries(program)) {
      for (; !placed.code.at(pc).end; ++pc) {
        const Code& code = placed.code.at(pc);
        const bool reads = code.op == op && static_cast<std::size_t>(code.buffer) == buffer;
        if (reads) readers.push_back({program, code});
      }
    }
  }
  return readers;
}

/// Counts how often transfers of one core read a tile.
class Readings {
 public:
  Readings(const PlacedSchedule& placed, std::size_t buffer)
      : m_placed(placed),
        m_need(placed.schedule.buffers[buffer].need),
        m_active(placed.schedule, placed.placement),
        m_tiles(placed.schedule),
        m_window(m_tiles.windowOf(m_need)),
        m_counts(m_tiles.tilesOf(m_need.awaits)) {}

  std::int64_t mostOf(const AirReader& reader) {
    std::int64_t most = 0;
    for (std::size_t core = 0; core < m_placed.schedule.programOfCore.size(); ++core) {
      if (m_placed.schedule.programOfCore[core] != reader.program) continue;
      std::ranges::fill(m_counts, 0);
      count(static_cast<std::int32_t>(core), reader.code.depth);
      most = std::max(most, *std::ranges::max_element(m_counts));
    }
    return most;
  }

 private:
  void count(std::int32_t core, int depth) {
    std::vector<std::int32_t> waves(m_placed.schedule.order.size(), 0);
    for (;;) {
      m_active.forTiles(m_need, core, waves, depth, [&](const auto& spans) {
        m_tiles.forAll(m_window, spans, [&](const schedule::WindowTile& tile) {
          ++m_counts[tile.number];
          return true;
        });
      });
      int p = depth;
      while (p > 0 && ++wave(waves, p - 1) == m_placed.placement.waves(core, p - 1)) {
        wave(waves, --p) = 0;
      }
      if (p == 0) return;
    }
  }
  static std::int32_t& wave(std::vector<std::int32_t>& waves, int position) {
    return waves[static_cast<std::size_t>(position)];
  }

  const PlacedSchedule& m_placed;
  const schedule::TileDemand& m_need;
  schedule::ActiveTiles m_active;
  schedule::WindowTiles m_tiles;
  schedule::WindowTiles::Window m_window;
  std::vector<std::int64_t> m_counts;  ///< per tile
};

}  // namespace

std::vector<AirAwaited> airAwaitedOf(const PlacedSchedule& placed,
                                     const std::vector<AirChannel>& channels) {
  std::set<std::string> names;
  for (const AirChannel& channel : channels) names.insert({channel.name, channel.each()});
  std::vector<AirAwaited> all;
  for (std::size_t b = 0; b < placed.schedule.buffers.size(); ++b) {
    const Buffer& buffer = placed.schedule.buffers[b];
    if (buffer.need.awaits < 0) continue;
    AirAwaited awaited{b, {}, 1, {}, readersOf(placed, b)};
    if (awaited.readers.empty()) continue;
    const std::string name =
        (buffer.need.passed ? "forwarded_" : "stored_") + mlirName(buffer.name);
    awaited.name = name;
    for (int n = 2; !names.insert(awaited.name).second; ++n) {
      awaited.name = fmt::format("{}_{}", name, n);
    }
    for (const mapping::LoopId loop :
         placed.schedule.grids[static_cast<std::size_t>(buffer.need.awaits)]) {
      awaited.tiles.push_back(placed.schedule.tiling.loops[loop.index()].tiles);
    }
    Readings readings(placed, b);
    for (const AirReader& reader : awaited.readers) {
      awaited.depth = std::max(awaited.depth, readings.mostOf(reader));
    }
    all.push_back(std::move(awaited));
  }
  return all;
}

}  // namespace gridloom::exchange
