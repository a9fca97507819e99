// SPDX-License-Identifier: Apache-2.0
//
// One copy of a tile that several cores of a local memory read. The slots belong to the core that
// sends into the sharing channel, the owner. Every reader counts the same ring, and occupies a slot
// from the tile's arrival to its release.
#include <fmt/format.h>

#include <bit>

#include "schedule/shared_copies.h"
#include "schedule/token_machine.h"

namespace gridloom::schedule {

void TokenMachine::prepareCopies() {
  m_copyOfBuffer.assign(m_buffers, -1);
  for (std::size_t b = 0; b < m_buffers; ++b) {
    const PortId channel = sharingChannel(m_schedule, BufferId::of(b));
    if (!channel.valid()) continue;
    m_copyOfBuffer[b] = static_cast<std::int32_t>(m_sharing.size());
    m_sharing.push_back(channel.value());
  }
  m_copies.resize(m_sharing.size() * m_cores);
}

bool TokenMachine::isShared(int channel) const {
  return channel >= 0 && m_schedule.channels[index(channel)].kind == Channel::Kind::Share;
}

// Whether nobody reads the slot that the owner fills next: the tile of one ring turn ago was
// released.
bool TokenMachine::claim(std::int32_t process, const Code& code) {
  const std::int32_t keeper = coreOf(process);
  const auto leaves = m_wiring.leavesOf(code.channel, keeper);
  const std::uint32_t oldest = std::uint32_t{1}
                               << (m_schedule.buffers[index(code.buffer)].slots - 1);
  for (const std::int32_t l : leaves) {
    if ((copyAt(code.buffer, l).reads & oldest) != 0) return false;
  }
  for (const std::int32_t l : leaves) copyAt(code.buffer, l).reads <<= 1;
  copyAt(code.buffer, keeper).claimed = true;
  return true;
}

// The owner begins to fill a slot, or gives its own sender the credit for it. Overwriting a slot
// with readers is a protocol violation.
bool TokenMachine::overwritesCopy(std::int32_t process, const Code& code) {
  const bool fills = code.op == Op::Load || (code.op == Op::Ready && !isShared(code.channel));
  if (!fills || code.buffer < 0 || m_copyOfBuffer[index(code.buffer)] < 0) return false;
  const std::int32_t core = coreOf(process);
  const int channel = m_sharing[index(m_copyOfBuffer[index(code.buffer)])];
  const auto readers = m_wiring.leavesOf(channel, core);
  if (readers.empty()) return false;
  Copy& copy = copyAt(code.buffer, core);
  const int slots = m_schedule.buffers[index(code.buffer)].slots;
  if (copy.claimed || copy.fills < slots) {
    if (copy.fills < slots) ++copy.fills;
    return false;
  }
  m_fault = fmt::format("{}: core ({}) may still read the tile in that slot, which would be "
                        "overwritten; `claim {}` before it",
                        describeWait(process), placeOf(readers.front()),
                        m_schedule.channels[index(channel)].name);
  m_processes[index(process)].status = Status::Finished;
  return true;
}

// Active readers occupy the slot from now on. A slot that was not claimed had held no tile yet.
void TokenMachine::noteShared(std::int32_t process, const Code& code) {
  Copy& kept = copyAt(code.buffer, coreOf(process));
  for (const std::int32_t l : m_wiring.leavesOf(code.channel, coreOf(process))) {
    Copy& copy = copyAt(code.buffer, l);
    if (!kept.claimed) copy.reads <<= 1;
    if (takesPart(l, process, code.depth)) copy.reads |= 1;
  }
  kept.claimed = false;
}

// A reader has released its oldest tile; the owner may be waiting for that.
void TokenMachine::noteRead(std::int32_t core, int buffer) {
  Copy& copy = copyAt(buffer, core);
  if (copy.reads == 0) return;
  copy.reads &= ~std::bit_floor(copy.reads);
  const int channel = m_sharing[index(m_copyOfBuffer[index(buffer)])];
  const std::int32_t keeper = m_wiring.sendingProcess(channel, m_wiring.senderOf(channel, core));
  if (keeper < 0) return;
  const Code& waiting = at(keeper);
  if (!waiting.end && waiting.op == Op::Claim && waiting.channel == channel) wake(keeper);
}

// For a process that waits to claim a slot: the reader that still occupies it.
std::int32_t TokenMachine::readerAwaited(std::int32_t process, const Code& code) const {
  const std::uint32_t oldest = std::uint32_t{1}
                               << (m_schedule.buffers[index(code.buffer)].slots - 1);
  for (const std::int32_t l : m_wiring.leavesOf(code.channel, coreOf(process))) {
    if ((copyAt(code.buffer, l).reads & oldest) != 0) return releaserOf(l, code.buffer, 0);
  }
  return -1;
}

}  // namespace gridloom::schedule
