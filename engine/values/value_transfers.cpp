// SPDX-License-Identifier: Apache-2.0
//
// Tiles that move: from global memory into slots, from slot to slot, and back.
#include <fmt/format.h>

#include <algorithm>

#include "values/not_computed.h"
#include "values/value_machine.h"

namespace gridloom::values {

using schedule::Buffer;
using schedule::Op;

void ValueMachine::load(std::int32_t process) {
  const schedule::Code& code = m_tokens.at(process);
  const std::int32_t core = m_tokens.coreOf(process);
  const Buffer& buffer = m_schedule.buffers[index(code.buffer)];
  const kernel::Operand& operand = m_nest.inputs[index(buffer.operand)];
  Elements& to = slot(core, code.buffer, m_tokens.state().rings.slotToFill(core, code.buffer));
  to.clear();
  setRanges(process, code.depth);
  forTilesInside(core, code.depth, operand.loops,
                 [&] { fillTile(operand, buffer.need.passed, to); });
  if (code.ring >= 0) to = partOfTile(process, to);
}

// The elements of the tensor in the box that the tile at the current ranges covers.
void ValueMachine::forElements(const kernel::Operand& operand,
                               const std::function<void(std::int64_t)>& visit) const {
  if (operand.gather) return forGathered(operand, visit);
  const kernel::Tensor& tensor = m_kernel.tensor(operand.tensor);
  std::vector<std::int64_t> begin, end;
  for (std::size_t d = 0; d < operand.dims.size(); ++d) {
    const kernel::RegionDim& dim = operand.dims[d];
    std::int64_t low = dim.index.constant, high = dim.index.constant;
    for (std::size_t l = 0; l < m_ranges.size(); ++l) {
      const std::int64_t c = dim.index.coefficient(l);
      low += c * (c > 0 ? m_ranges[l].begin : m_ranges[l].end - 1);
      high += c * (c > 0 ? m_ranges[l].end - 1 : m_ranges[l].begin);
    }
    begin.push_back(std::max<std::int64_t>(0, low + dim.minOffset));
    if (dim.behind) high = low - 1 - dim.maxOffset;
    end.push_back(std::min(tensor.shape[d], high + dim.maxOffset + 1));
    if (begin.back() >= end.back()) return;
  }
  std::vector<std::int64_t> at = begin;
  for (;;) {
    std::int64_t flat = 0;
    for (std::size_t d = 0; d < at.size(); ++d) flat = flat * tensor.shape[d] + at[d];
    visit(flat);
    std::size_t d = at.size();
    while (d > 0 && ++at[d - 1] == end[d - 1]) {
      at[d - 1] = begin[d - 1];
      --d;
    }
    if (d == 0) return;
  }
}

void ValueMachine::fillTile(const kernel::Operand& operand, bool passed, Elements& to) {
  const kernel::TensorValues& memory = !operand.produced ? m_inputs : passed ? m_held : m_outputs;
  const std::vector<double>& from = memory.find(m_kernel.tensor(operand.tensor).name)->second.data;
  forElements(operand, [&](std::int64_t flat) {
    // An element that is not stored (or computed) yet cannot be loaded (or taken).
    const double value = from[static_cast<std::size_t>(flat)];
    if (!operand.produced || isComputed(value)) to[flat] = value;
  });
}

// The part of a shared buffer's slot that one transfer to the cores reads.
ValueMachine::Elements ValueMachine::partOfSharedBuffer(std::int32_t process) {
  const schedule::Code& code = m_tokens.at(process);
  const std::int32_t core = m_tokens.coreOf(process);
  const kernel::Operand& operand =
      m_nest.inputs[index(m_schedule.buffers[index(code.buffer)].operand)];
  const Elements& kept =
      slot(core, code.buffer, m_tokens.state().rings.slotToRead(core, code.buffer));
  Elements part;
  setRanges(process, code.depth);
  forTilesInside(core, code.depth, operand.loops, [&] { fillTile(operand, false, part); });
  for (auto& [element, value] : part) {
    const auto at = kept.find(element);
    if (at == kept.end()) {
      fail(
          fmt::format("element {} of {} is read from the shared buffer but was never written there",
                      element, operand.name));
      return part;
    }
    value = at->second;
  }
  return part;
}

void ValueMachine::post(std::int32_t process, std::int32_t leaf) {
  const schedule::Code& code = m_tokens.at(process);
  const std::int32_t core = m_tokens.coreOf(process);
  if (m_schedule.buffers[index(code.buffer)].use == Buffer::Use::SharedInput) {
    m_mail[std::int64_t{code.channel} * m_placement.coreCount() + leaf] =
        std::make_shared<const Elements>(partOfSharedBuffer(process));
    return;
  }
  const std::size_t from = slotIndex(core, code.buffer, slotSent(process));
  if (m_schedule.channels[index(code.channel)].kind == schedule::Channel::Kind::Share) {
    m_shared[slotIndex(leaf, code.buffer, m_tokens.state().rings.slotToFill(leaf, code.buffer))] =
        from;
    return;
  }
  m_mail[std::int64_t{code.channel} * m_placement.coreCount() + leaf] =
      std::make_shared<const Elements>(code.ring < 0 ? m_slots[from]
                                                     : partOfTile(process, m_slots[from]));
  // A core without a share in an output's next tile sends an empty slot.
  const schedule::BufferId target = m_schedule.channels[index(code.channel)].target;
  const bool whole = code.ring < 0;
  if (whole && schedule::isJoined(m_schedule.buffers[target.index()].use)) m_slots[from].clear();
}

// The slot of its own core that a process sends.
std::int32_t ValueMachine::slotSent(std::int32_t process) const {
  const schedule::Code& code = m_tokens.at(process);
  const std::int32_t core = m_tokens.coreOf(process);
  const schedule::Process& program = m_tokens.processOf(process);
  const bool published =
      std::any_of(program.code.begin(), program.code.end(), [&](const schedule::Instruction& i) {
        return i.op == Op::Release && i.buffer.value() == code.buffer;
      });
  return published ? m_tokens.state().rings.slotToRead(core, code.buffer, code.reader)
                   : m_tokens.state().rings.slotToFill(core, code.buffer);
}

void ValueMachine::receive(int channel, std::int32_t leaf) {
  const auto letter = m_mail.find(std::int64_t{channel} * m_placement.coreCount() + leaf);
  const std::int32_t core = m_wiring.receiverOf(channel, leaf);
  const int buffer = m_schedule.channels[index(channel)].target.value();
  Elements& to = slot(core, buffer, m_tokens.state().rings.slotToFill(core, buffer));
  // A share comes to those that are there.
  const bool isShare = m_schedule.channels[index(channel)].kind == schedule::Channel::Kind::Ring;
  if (!isShare || m_schedule.buffers[index(buffer)].use == Buffer::Use::Partial) to.clear();
  to.insert(letter->second->begin(), letter->second->end());
  m_mail.erase(letter);
}

void ValueMachine::store(std::int32_t process) {
  const schedule::Code& code = m_tokens.at(process);
  const std::int32_t core = m_tokens.coreOf(process);
  const Buffer& buffer = m_schedule.buffers[index(code.buffer)];
  const kernel::Operand& operand = m_nest.outputs[index(buffer.operand)];
  std::vector<double>& to = m_outputs[m_kernel.tensor(operand.tensor).name].data;
  const Elements& all =
      slot(core, code.buffer, m_tokens.state().rings.slotToRead(core, code.buffer));
  for (const auto& [element, value] : code.ring < 0 ? all : partOfTile(process, all)) {
    if (element >> kSumShift != 0) continue;
    to[static_cast<std::size_t>(element)] = value;
  }
}

}  // namespace gridloom::values
