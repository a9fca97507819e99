// SPDX-License-Identifier: Apache-2.0
// The rules for the slots that a process holds and for their contents.
#include <map>

#include "schedule/token_machine.h"

namespace gridloom::schedule {

// Why an instruction is illegal here; null when it is legal.
const char* TokenMachine::objection(std::int32_t process, const Code& code) const {
  const ProcessState& state = m_processes[index(process)];
  if (code.buffer < 0) return nullptr;
  const bool held = (state.held >> code.buffer & 1U) != 0;
  const bool filled = (state.filled >> code.buffer & 1U) != 0;
  switch (code.op) {
  case Op::Acquire:
  case Op::WaitFull:
    return held ? "it holds a slot of that buffer already" : nullptr;
  case Op::Load:
  case Op::Take:
  case Op::Claim:
  case Op::Ready:
  case Op::Receive:
    if (!held) break;
    if (code.op == Op::Claim && copyAt(code.buffer, state.core).claimed) {
      return "the tile of the slot it claimed before was not sent";
    }
    return filled ? "the tile in that slot would be overwritten" : nullptr;
  case Op::Release:
    if (!held) break;
    if (((m_results & ~state.used) >> code.buffer & 1U) == 0) return nullptr;
    return "the result in that slot would be lost: it was neither stored, sent nor combined";
  case Op::Publish:
  case Op::Store:
  case Op::Send:
  case Op::Reduce:
    if (!held) break;
    return filled ? nullptr : "nothing was written to that slot";
  case Op::LoopBegin:
  case Op::LoopEnd:
  case Op::Await:
  case Op::Signal:
  case Op::AwaitToken:
  case Op::Compute:
  case Op::Epilogue:
    return nullptr;
  }
  return "it does not hold a slot of that buffer";
}

// All-reduces inside compute are in the order of TileNest::allReduces.
void TokenMachine::findContributions() {
  std::map<int, std::uint64_t> byReduce;
  for (std::size_t b = 0; b < m_buffers; ++b) {
    const Buffer& buffer = m_schedule.buffers[b];
    if (buffer.use == Buffer::Use::Contribution) byReduce[buffer.operand] |= std::uint64_t{1} << b;
  }
  for (const auto& [reduce, bits] : byReduce) m_contributions.push_back(bits);
}

// A part of compute ends with the share for its all-reduce; the last part makes the outputs.
std::uint64_t TokenMachine::filledBy(std::int32_t part) const {
  const auto number = index(part);
  return number < m_contributions.size() ? m_contributions[number] : m_outputs;
}

void TokenMachine::noteTile(ProcessState& state, const Code& code) {
  switch (code.op) {
  case Op::WaitFull:
    state.used &= ~(std::uint64_t{1} << code.buffer);
    [[fallthrough]];
  case Op::Load:
  case Op::Take:
  case Op::Receive:
    state.filled |= std::uint64_t{1} << code.buffer;
    break;
  case Op::Store:
  case Op::Send:
  case Op::Reduce:
    state.used |= std::uint64_t{1} << code.buffer;
    break;
  case Op::Acquire:
    state.filled &= ~(std::uint64_t{1} << code.buffer);
    break;
  case Op::Compute:
    state.filled |= filledBy(code.arg);
    break;
  case Op::Epilogue:
    state.filled |= m_outputs;
    break;
  case Op::LoopBegin:
  case Op::LoopEnd:
  case Op::Publish:
  case Op::Release:
  case Op::Await:
  case Op::Signal:
  case Op::AwaitToken:
  case Op::Ready:
  case Op::Claim:
    break;
  }
}

}  // namespace gridloom::schedule
