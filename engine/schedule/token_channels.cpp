// SPDX-License-Identifier: Apache-2.0
//
// The token machine's instructions on channels: credits, sends and arrivals, and shared copies.
#include <fmt/format.h>

#include "schedule/process_names.h"
#include "schedule/token_machine.h"

namespace gridloom::schedule {

void TokenMachine::ready(const ProcessState& state, const Code& code) {
  const std::int32_t leaf = leafOf(state, code);
  const std::int32_t credit = ++m_state.leaves.at(code.channel, leaf).credit;
  const Wiring& wiring = m_placed.wiring;
  const std::int32_t sender =
      wiring.sendingProcess(code.channel, wiring.senderOf(code.channel, leaf));
  if (sender < 0) return;
  ProcessState& other = m_state.processes[index(sender)];
  const Code& waiting = at(sender);
  const bool counts = other.status == ProcessState::Status::Blocked && !waiting.end &&
                      waiting.op == Op::Send && waiting.channel == code.channel && credit == 1 &&
                      takesPart(leaf, sender, waiting.depth);
  if (counts && --other.missing == 0) {
    other.missing = -1;
    wake(sender);
  }
}

TokenMachine::Step TokenMachine::send(std::int32_t process, ProcessState& state, const Code& code) {
  const auto leaves = m_placed.wiring.leavesOf(code.channel, state.core);
  const auto isActive = [&](std::int32_t leaf) { return takesPart(leaf, process, code.depth); };
  std::int32_t missing = 0;
  bool isSent = false;
  for (const std::int32_t leaf : leaves) {
    if (!isActive(leaf)) continue;
    isSent = true;
    if (m_state.leaves.at(code.channel, leaf).credit == 0) ++missing;
  }
  state.missing = missing > 0 ? missing : -1;
  if (missing > 0) return Step::Wait;
  for (const std::int32_t leaf : leaves) {
    if (isActive(leaf)) --m_state.leaves.at(code.channel, leaf).credit;
  }
  if (isShared(code.channel)) {
    m_state.copies.share(code.buffer, state.core, leaves, isActive);
  }
  if (!isSent) return Step::Done;
  m_rules.apply(state.slots, code);
  return Step::Perform;
}

TokenMachine::Step TokenMachine::receive(ProcessState& state, const Code& code) {
  Leaf& leaf = m_state.leaves.at(code.channel, leafOf(state, code));
  if (leaf.arrived == 0) return Step::Wait;
  --leaf.arrived;
  m_rules.apply(state.slots, code);
  return Step::Done;
}

void TokenMachine::deliver(std::int32_t channel, std::int32_t leaf) {
  ++m_state.leaves.at(channel, leaf).arrived;
  const Wiring& wiring = m_placed.wiring;
  wakeIfAt(wiring.receivingProcess(channel, wiring.receiverOf(channel, leaf)), Op::Receive,
           channel);
}

TokenMachine::Step TokenMachine::claim(const ProcessState& state, const Code& code) {
  const auto readers = m_placed.wiring.leavesOf(code.channel, state.core);
  if (m_state.copies.occupant(code.buffer, readers) >= 0) return Step::Wait;
  m_state.copies.claim(code.buffer, state.core, readers);
  return Step::Done;
}

// The owner of a shared copy begins to fill a slot, or gives its own sender the credit for it.
bool TokenMachine::overwritesCopy(std::int32_t process, const ProcessState& state,
                                  const Code& code) {
  if (code.op != Op::Load && code.op != Op::Ready) return false;
  const std::int32_t channel = m_state.copies.channelOf(code.buffer);
  if (channel < 0 || (code.op == Op::Ready && isShared(code.channel))) return false;
  const auto readers = m_placed.wiring.leavesOf(channel, state.core);
  if (readers.empty() || m_state.copies.fill(code.buffer, state.core)) return false;
  m_fault = fmt::format("{}: core ({}) may still read the tile in that slot, which would be "
                        "overwritten; `claim {}` before it",
                        describeWait(*this, process), placeOf(m_placed.placement, readers.front()),
                        m_placed.schedule.channels[index(channel)].name);
  return true;
}

}  // namespace gridloom::schedule
