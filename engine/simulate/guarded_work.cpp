// SPDX-License-Identifier: Apache-2.0
#include "simulate/guarded_work.h"

#include <algorithm>

#include "simulate/tile_work.h"
#include "timing/op_cycles.h"

namespace gridloom::simulate {

namespace {

std::span<const std::int64_t> extentsOf(std::span<const kernel::TileSpan> spans,
                                        std::vector<std::int64_t>& extents) {
  extents.clear();
  for (const kernel::TileSpan& span : spans) extents.push_back(span.end - span.begin);
  return extents;
}

}  // namespace

GuardedWork::GuardedWork(const schedule::PlacedSchedule& placed,
                         const hardware::ComputeModel& compute)
    : m_schedule(placed.schedule),
      m_placement(placed.placement),
      m_activeTiles(placed.schedule, placed.placement),
      m_windows(placed.schedule),
      m_nest(placed.nest),
      m_compute(compute) {
  m_guardsOps =
      std::ranges::any_of(m_nest.ops, [](const kernel::TileOp& op) { return !op.guard.always(); });
  for (const schedule::Buffer& buffer : m_schedule.buffers) {
    m_taken.emplace_back();
    if (buffer.need.awaits >= 0) m_taken.back() = m_windows.windowOf(buffer.need);
  }
}

double GuardedWork::bodyCycles(std::int32_t core, std::span<const std::int32_t> waves) const {
  static const schedule::TileDemand none;
  const auto spans =
      m_activeTiles.spans(none, core, waves, static_cast<int>(m_schedule.order.size()));
  const auto extents = extentsOf(spans, m_extents);
  double cycles = 0;
  for (const kernel::TileOp& op : m_nest.ops) {
    if (op.phase == kernel::Phase::Every && op.guard.holds(spans)) {
      cycles += timing::opCycles(op, extents, m_compute);
    }
  }
  return cycles;
}

void GuardedWork::findTaken(std::int32_t number, std::int32_t core,
                            std::span<const std::int32_t> waves, int depth,
                            std::vector<network::QueueingNetwork::Taken>& parts) const {
  const schedule::Buffer& buffer = m_schedule.buffers[static_cast<std::size_t>(number)];
  const auto& window = m_taken[static_cast<std::size_t>(number)];
  const kernel::Operand& operand = m_nest.inputs[static_cast<std::size_t>(buffer.operand)];
  parts.clear();
  m_activeTiles.forTiles(buffer.need, core, waves, depth, [&](const auto& spans) {
    m_windows.forAll(window, spans, [&](const schedule::WindowTile& tile) {
      const std::int32_t from = m_windows.makerOf(buffer.need.awaits, tile.at, m_placement);
      if (from == core) return true;
      auto part = std::ranges::find(parts, from, &network::QueueingNetwork::Taken::from);
      if (part == parts.end()) part = parts.insert(parts.end(), {from, 0});
      part->bytes += bytesOf(operand.dtype, tile.elements);
      return true;
    });
  });
}

std::int64_t GuardedWork::inputBytes(const schedule::Buffer& buffer, std::int32_t core,
                                     std::span<const std::int32_t> waves, int depth) const {
  const kernel::Operand& operand = m_nest.inputs[static_cast<std::size_t>(buffer.operand)];
  std::int64_t bytes = 0;
  m_activeTiles.forTiles(buffer.need, core, waves, depth, [&](const auto& spans) {
    bytes += kernel::regionBytes(operand, extentsOf(spans, m_extents));
  });
  return bytes;
}

}  // namespace gridloom::simulate
