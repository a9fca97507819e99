// SPDX-License-Identifier: Apache-2.0
#include "schedule/output_tiles.h"

#include <algorithm>
#include <utility>

#include "schedule/table.h"

namespace gridloom::schedule {

namespace {

constexpr std::uint8_t kStored = 1, kComputed = 2;

std::uint8_t wantedBy(const TileDemand& need) { return need.passed ? kComputed : kStored; }

}  // namespace

OutputTiles::OutputTiles(const Schedule& schedule, const Placement& placement)
    : m_schedule(schedule),
      m_placement(placement),
      m_activeTiles(schedule, placement),
      m_windows(schedule),
      m_areAwaited(std::ranges::any_of(
          schedule.buffers, [](const Buffer& buffer) { return buffer.need.awaits >= 0; })) {
  if (!m_areAwaited) return;
  for (std::size_t o = 0; o < schedule.grids.size(); ++o) {
    const std::size_t tiles = m_windows.tilesOf(static_cast<int>(o));
    Output& output = m_outputs.emplace_back();
    output.there.assign(tiles, 0);
    output.awaiting.assign(tiles, -1);
    output.wholeTile = readingOf(m_windows.wholeTile(static_cast<int>(o)));
  }
  for (const Buffer& buffer : schedule.buffers) {
    m_reads.push_back(buffer.need.awaits >= 0 ? readingOf(buffer.need) : Reading{});
    if (buffer.use != Buffer::Use::Held) continue;
    Output& output = m_outputs[index(buffer.operand)];
    output.room = buffer.slots;
    output.freeRooms.assign(index(placement.coreCount()), 0);
    output.untaken.assign(output.there.size(), 0);
    output.awaitingRoom.assign(output.there.size(), -1);
  }
  for (std::int32_t core = 0; core < placement.coreCount(); ++core) {
    const ProgramId program = schedule.programOfCore[index(core)];
    if (!program.valid()) continue;
    for (const Process& process : schedule.programs[program.index()].processes) {
      for (const Instruction& instruction : process.code) {
        if (instruction.op == Op::Take) countTakers(core, instruction.buffer.value());
      }
    }
  }
}

OutputTiles::Reading OutputTiles::readingOf(TileDemand need) const {
  WindowTiles::Window window = m_windows.windowOf(need);
  return {std::move(need), std::move(window)};
}

// How often each tile will be taken, over the whole run.
void OutputTiles::countTakers(std::int32_t core, std::int32_t buffer) {
  const Reading& reading = m_reads[index(buffer)];
  Output& output = m_outputs[index(reading.need.awaits)];
  const int depth = m_schedule.inputs[index(bufferAt(buffer).operand)].hoistLevel;
  std::vector<std::int32_t> waves(m_schedule.order.size(), 0);
  for (;;) {
    forTiles(reading, {core, waves, depth}, [&](std::size_t tile) { ++output.untaken[tile]; });
    int p = depth;
    while (p > 0 && ++waves[index(p - 1)] == m_placement.waves(core, p - 1)) waves[index(--p)] = 0;
    if (p == 0) break;
  }
}

template <class Visit>
void OutputTiles::forTiles(const Reading& reading, const Iteration& at, const Visit& visit) const {
  m_activeTiles.forTiles(reading.need, at.core, at.waves, at.depth, [&](const auto& spans) {
    m_windows.forAll(reading.window, spans, [&](const WindowTile& tile) {
      visit(tile.number);
      return true;
    });
  });
}

void OutputTiles::findMissing(const Reading& reading, const Iteration& at,
                              std::vector<std::size_t>& missing) const {
  const std::vector<std::uint8_t>& there = m_outputs[index(reading.need.awaits)].there;
  const std::uint8_t wanted = wantedBy(reading.need);
  forTiles(reading, at, [&](std::size_t tile) {
    if ((there[tile] & wanted) == 0) missing.push_back(tile);
  });
}

// Tiles that are there stay there: a process that asks again looks at the missing ones alone.
bool OutputTiles::await(std::int32_t process, std::int32_t buffer, const Iteration& at) {
  if (m_missing.size() <= index(process)) m_missing.resize(index(process) + 1);
  std::vector<std::size_t>& missing = m_missing[index(process)];
  const Reading& reading = m_reads[index(buffer)];
  Output& output = m_outputs[index(reading.need.awaits)];
  if (missing.empty()) findMissing(reading, at, missing);
  const std::uint8_t wanted = wantedBy(reading.need);
  while (!missing.empty() && (output.there[missing.back()] & wanted) != 0) missing.pop_back();
  if (!missing.empty()) wait(process, output.awaiting[missing.back()]);
  return missing.empty();
}

bool OutputTiles::awaitRoom(std::int32_t process, std::int32_t buffer, const Iteration& at) {
  if (bufferAt(buffer).use != Buffer::Use::Output || at.depth == 0) return true;
  Output& output = outputOf(buffer);
  if (output.room == 0) return true;
  const std::int32_t last = at.waves.front() - output.room;
  for (std::int32_t& free = output.freeRooms[index(at.core)]; free <= last; ++free) {
    std::optional<std::size_t> untaken;
    forTiles(output.wholeTile, {at.core, std::span(&free, 1), 1}, [&](std::size_t tile) {
      if (!untaken && output.untaken[tile] > 0) untaken = tile;
    });
    if (!untaken) continue;
    wait(process, output.awaitingRoom[*untaken]);
    return false;
  }
  return true;
}

std::span<const std::int32_t> OutputTiles::mark(std::int32_t buffer, const Iteration& at,
                                                std::uint8_t how) {
  m_woken.clear();
  Output& output = outputOf(buffer);
  forTiles(output.wholeTile, at, [&](std::size_t tile) {
    output.there[tile] |= how;
    wakeAll(output.awaiting[tile]);
  });
  return m_woken;
}

std::span<const std::int32_t> OutputTiles::store(std::int32_t buffer, const Iteration& at) {
  return mark(buffer, at, kStored);
}

std::span<const std::int32_t> OutputTiles::compute(std::int32_t buffer, const Iteration& at) {
  const bool isTaken = bufferAt(buffer).use == Buffer::Use::Output && outputOf(buffer).room > 0;
  return isTaken ? mark(buffer, at, kComputed) : std::span<const std::int32_t>();
}

std::span<const std::int32_t> OutputTiles::take(std::int32_t buffer, const Iteration& at) {
  m_woken.clear();
  const Reading& reading = m_reads[index(buffer)];
  Output& output = m_outputs[index(reading.need.awaits)];
  forTiles(reading, at, [&](std::size_t tile) {
    if (--output.untaken[tile] == 0) wakeAll(output.awaitingRoom[tile]);
  });
  return m_woken;
}

void OutputTiles::wait(std::int32_t process, Waiting& list) {
  if (m_nextInList.size() <= index(process)) m_nextInList.resize(index(process) + 1, -1);
  m_nextInList[index(process)] = std::exchange(list, process);
}

void OutputTiles::wakeAll(Waiting& list) {
  for (Waiting next = std::exchange(list, -1); next >= 0; next = m_nextInList[index(next)]) {
    m_woken.push_back(next);
  }
}

}  // namespace gridloom::schedule
