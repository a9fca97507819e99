// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "schedule/token_machine.h"

namespace gridloom::schedule {

namespace {

constexpr std::uint8_t kStored = 1, kMade = 2;

}  // namespace

void TokenMachine::prepareStored() {
  for (const Buffer& buffer : m_schedule.buffers) m_awaits = m_awaits || buffer.need.awaits >= 0;
  if (!m_awaits) return;
  for (std::size_t o = 0; o < m_schedule.grids.size(); ++o) {
    m_there.emplace_back(m_windows.tilesOf(static_cast<int>(o)), std::uint8_t{0});
    m_firstAwaiting.emplace_back(m_there.back().size(), -1);
    m_wholeTiles.push_back(readingOf(m_windows.wholeTile(static_cast<int>(o))));
  }
  m_reads.resize(m_buffers);
  for (std::size_t b = 0; b < m_buffers; ++b) {
    if (m_schedule.buffers[b].need.awaits >= 0) m_reads[b] = readingOf(m_schedule.buffers[b].need);
  }
  m_held.resize(m_schedule.grids.size());
  for (const Buffer& buffer : m_schedule.buffers) {
    if (buffer.use != Buffer::Use::Held) continue;
    Held& held = m_held[index(buffer.operand)];
    held.iterations = buffer.slots;
    held.free.assign(m_cores, 0);
    held.untaken.assign(m_there[index(buffer.operand)].size(), 0);
    held.roomless.assign(held.untaken.size(), -1);
  }
  m_nextAwaiting.assign(m_processes.size(), -1);
  for (std::int32_t process = 0; process < processCount(); ++process) countTakers(process);
}

TokenMachine::Reading TokenMachine::readingOf(TileDemand need) const {
  WindowTiles::Window window = m_windows.windowOf(need);
  return {std::move(need), std::move(window)};
}

// How often each tile will be taken, over the whole run.
void TokenMachine::countTakers(std::int32_t process) {
  for (const Instruction& instruction : processOf(process).code) {
    if (instruction.op != Op::Take) continue;
    const Reading& reading = m_reads[instruction.buffer.index()];
    Held& held = m_held[index(reading.need.awaits)];
    const auto movement = index(m_schedule.buffers[instruction.buffer.index()].operand);
    const int depth = m_schedule.mapping.inputs[movement].level;
    std::vector<std::int32_t> waves(m_stride, 0);
    for (;;) {
      forTaken(reading, coreOf(process), waves, depth,
               [&](std::size_t tile) { ++held.untaken[tile]; });
      int p = depth;
      while (p > 0 && ++waves[index(p - 1)] ==
                          std::min(m_waveCap, m_placement.waves(coreOf(process), p - 1))) {
        waves[index(--p)] = 0;
      }
      if (p == 0) break;
    }
  }
}

template <class Visit>
void TokenMachine::forTaken(const Reading& reading, std::int32_t core,
                            std::span<const std::int32_t> waves, int depth,
                            const Visit& visit) const {
  m_activeTiles.forTiles(reading.need, core, waves, depth, [&](const auto& spans) {
    m_windows.forAll(reading.window, spans, [&](const WindowTile& tile) {
      visit(tile.number);
      return true;
    });
  });
}

// One of the tiles that the operand's buffer gets next that is not yet available; empty when all
// are.
std::optional<std::size_t> TokenMachine::missingTile(std::int32_t process, const Code& code) const {
  const auto& [need, window] = m_reads[index(code.buffer)];
  const std::vector<std::uint8_t>& there = m_there[index(need.awaits)];
  const std::uint8_t wanted = need.passed ? kMade : kStored;
  std::optional<std::size_t> missing;
  m_activeTiles.forTiles(need, coreOf(process), waves(process), code.depth, [&](const auto& spans) {
    if (missing) return;
    m_windows.forAll(window, spans, [&](const WindowTile& tile) {
      if ((there[tile.number] & wanted) == 0) missing = tile.number;
      return !missing;
    });
  });
  return missing;
}

// A waiting process waits for one of its tiles. It looks for the next missing one when that tile
// arrives.
bool TokenMachine::await(std::int32_t process, const Code& code) {
  const std::optional<std::size_t> missing = missingTile(process, code);
  if (!missing) return true;
  const auto output = index(m_schedule.buffers[index(code.buffer)].need.awaits);
  m_nextAwaiting[index(process)] = std::exchange(m_firstAwaiting[output][*missing], process);
  return false;
}

void TokenMachine::noteThere(std::int32_t process, const Code& code, std::uint8_t how) {
  const int output = m_schedule.buffers[index(code.buffer)].operand;
  forTaken(m_wholeTiles[index(output)], tileOwner(process), waves(process), code.depth,
           [&](std::size_t tile) {
             m_there[index(output)][tile] |= how;
             wakeAll(m_firstAwaiting[index(output)][tile]);
           });
}

// All of a chain of processes that wait for a tile.
void TokenMachine::wakeAll(std::int32_t& first) {
  std::int32_t next = std::exchange(first, -1);
  while (next >= 0) wake(std::exchange(next, m_nextAwaiting[index(next)]));
}

void TokenMachine::noteStored(std::int32_t process) { noteThere(process, at(process), kStored); }

void TokenMachine::noteMade(std::int32_t process, const Code& code) {
  const Buffer& buffer = m_schedule.buffers[index(code.buffer)];
  if (buffer.use != Buffer::Use::Output || !isHeld(buffer.operand)) return;
  noteThere(process, code, kMade);
}

void TokenMachine::noteTaken(std::int32_t process) {
  const Code& code = at(process);
  const Reading& reading = m_reads[index(code.buffer)];
  Held& held = m_held[index(reading.need.awaits)];
  forTaken(reading, coreOf(process), waves(process), code.depth, [&](std::size_t tile) {
    if (--held.untaken[tile] == 0) wakeAll(held.roomless[tile]);
  });
}

// Whether the core may start with outputs of an iteration of the outermost loop: the tiles that had
// their room before were taken. Otherwise it waits for one of them, and looks for the next one
// then.
bool TokenMachine::hasRoom(std::int32_t process, const Code& code) {
  const Buffer& buffer = m_schedule.buffers[index(code.buffer)];
  if (buffer.use != Buffer::Use::Output || !isHeld(buffer.operand) || code.depth == 0) return true;
  Held& held = m_held[index(buffer.operand)];
  const std::int32_t core = coreOf(process);
  const std::int32_t last = waves(process).front() - held.iterations;
  for (std::int32_t& free = held.free[index(core)]; free <= last; ++free) {
    std::optional<std::size_t> untaken;
    forTaken(m_wholeTiles[index(buffer.operand)], core, std::span(&free, 1), 1,
             [&](std::size_t tile) {
               if (!untaken && held.untaken[tile] > 0) untaken = tile;
             });
    if (!untaken) continue;
    m_nextAwaiting[index(process)] = std::exchange(held.roomless[*untaken], process);
    return false;
  }
  return true;
}

}  // namespace gridloom::schedule
