// SPDX-License-Identifier: Apache-2.0
#include "schedule/slot_rules.h"

#include <map>

namespace gridloom::schedule {

namespace {

constexpr std::uint64_t bitOf(std::int32_t buffer) { return std::uint64_t{1} << buffer; }

}  // namespace

SlotRules::SlotRules(const Schedule& schedule) {
  std::map<int, std::uint64_t> contributions;  // by all-reduce, in the order of the nest
  for (std::size_t b = 0; b < schedule.buffers.size(); ++b) {
    const Buffer& buffer = schedule.buffers[b];
    const std::uint64_t bit = bitOf(static_cast<std::int32_t>(b));
    if (buffer.use == Buffer::Use::Output) {
      m_outputs |= bit;
      // In tiles without work, a core may add only neutral partial results to an output's tile.
      const auto output = static_cast<std::size_t>(buffer.operand);
      if (!schedule.work.always() && schedule.outputs[output].isReduced) m_neutral |= bit;
    }
    if (buffer.use == Buffer::Use::Contribution) contributions[buffer.operand] |= bit;
    if (buffer.use != Buffer::Use::Input && buffer.use != Buffer::Use::Local &&
        buffer.use != Buffer::Use::Total) {
      m_results |= bit;
    }
  }
  for (const auto& [allReduce, bits] : contributions) m_contributions.push_back(bits);
}

const char* SlotRules::objection(const HeldSlots& slots, const Code& code) const {
  if (code.buffer < 0) return nullptr;
  const bool held = slots.holds(code.buffer);
  const bool filled = (slots.filled & bitOf(code.buffer)) != 0;
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
    // What shares overwrite is proved for all cores of a ring together (check_rings.cpp).
    return filled && code.ring < 0 ? "the tile in that slot would be overwritten" : nullptr;
  case Op::Release:
    if (!held) break;
    if ((m_results & slots.unused & bitOf(code.buffer)) == 0) return nullptr;
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

// A part of compute ends with the share for its all-reduce; the last part makes the outputs.
std::uint64_t SlotRules::filledBy(std::int32_t part) const {
  const auto number = static_cast<std::size_t>(part);
  return number < m_contributions.size() ? m_contributions[number] : m_outputs;
}

void SlotRules::apply(HeldSlots& slots, const Code& code) const {
  switch (code.op) {
  case Op::Acquire:
    slots.unused |= bitOf(code.buffer);
    slots.filled &= ~bitOf(code.buffer);
    break;
  case Op::WaitFull:
    slots.unused |= bitOf(code.buffer);
    slots.filled |= bitOf(code.buffer);
    break;
  case Op::Load:
  case Op::Take:
  case Op::Receive:
    slots.filled |= bitOf(code.buffer);
    break;
  case Op::Store:
  case Op::Send:
  case Op::Reduce:
    slots.unused &= ~bitOf(code.buffer);
    break;
  case Op::Publish:
    if (!code.keeps) slots.drop(code.buffer);
    break;
  case Op::Release:
    slots.drop(code.buffer);
    break;
  case Op::Compute:
    slots.filled |= filledBy(code.arg) & slots.unused;
    break;
  case Op::Epilogue:
    slots.filled |= m_outputs & slots.unused;
    break;
  case Op::LoopBegin:
  case Op::LoopEnd:
  case Op::Await:
  case Op::Signal:
  case Op::AwaitToken:
  case Op::Ready:
  case Op::Claim:
    break;
  }
}

}  // namespace gridloom::schedule
