// SPDX-License-Identifier: Apache-2.0
#include "values/value_machine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "schedule/split_all_reduces.h"

namespace gridloom::values {

using kernel::LoopId;
using schedule::Buffer;
using schedule::Op;

namespace {

constexpr double kMaxElements = 5e7;

double elementsOf(const kernel::Tensor& tensor) {
  double elements = 1;
  for (const std::int64_t size : tensor.shape) elements *= static_cast<double>(size);
  return elements;
}

}  // namespace

base::Diagnostics ValueMachine::check(const kernel::Kernel& kernel,
                                      const kernel::TensorValues& inputs) {
  base::Diagnostics errors;
  double elements = 0;
  for (const kernel::Tensor& tensor : kernel.tensors) {
    elements += elementsOf(tensor);
    if (tensor.role != kernel::TensorRole::Input) continue;
    const auto given = inputs.find(tensor.name);
    if (given == inputs.end()) {
      errors.push_back(
          base::plainError(fmt::format("no values are given for input {}", tensor.name)));
    } else if (given->second.shape != tensor.shape ||
               static_cast<double>(given->second.data.size()) != elementsOf(tensor)) {
      errors.push_back(base::plainError(
          fmt::format("the values of {} have shape [{}], the kernel wants [{}]", tensor.name,
                      fmt::join(given->second.shape, ", "), fmt::join(tensor.shape, ", "))));
    }
  }
  if (elements > kMaxElements) {
    errors.push_back(base::plainError(
        fmt::format("the tensors have {:.3g} elements; values are computed up to {:.3g}", elements,
                    kMaxElements),
        "set smaller parameters, or simulate without values"));
  }
  return errors;
}

ValueMachine::ValueMachine(const schedule::VerifiedSchedule& verified,
                           const schedule::TokenMachine& tokens, const kernel::TensorValues& inputs)
    : m_schedule(verified->schedule),
      m_placement(verified->placement),
      m_wiring(verified->wiring),
      m_tokens(tokens),
      m_kernel(verified->kernel),
      m_nest(verified->nest),
      m_inputs(inputs),
      m_plan(planStatements(m_kernel, m_nest, schedule::allReducesOf(m_schedule, m_nest))) {
  const schedule::Schedule& schedule = m_schedule;
  const kernel::Kernel& kernel = m_kernel;
  m_isKept.assign(kernel.tensors.size(), 0);
  for (const kernel::LocalBuffer& local : m_nest.locals) {
    if (local.keptAlong.valid()) m_isKept[local.tensor.index()] = 1;
  }
  const std::size_t cores = index(m_placement.coreCount());
  m_dependent = m_nest.hasProduced();
  m_keeps = std::ranges::any_of(
      schedule.buffers, [](const Buffer& buffer) { return buffer.use == Buffer::Use::Stationary; });
  for (const Buffer& buffer : schedule.buffers) {
    m_mostSlots = std::max(m_mostSlots, index(buffer.slots));
  }
  m_slots.resize(cores * schedule.buffers.size() * m_mostSlots);
  m_cores.resize(cores);
  for (Core& core : m_cores) {
    core.tensors.resize(kernel.tensors.size());
    core.sums.resize(index(m_plan.sums));
  }
  m_joined = joinedPartials(m_schedule, m_nest, m_plan);
  findStates();
  m_ranges.resize(kernel.loops.size());
  m_point.assign(kernel.loops.size(), 0);
  for (const kernel::Tensor& tensor : kernel.tensors) {
    if (tensor.role != kernel::TensorRole::Output) continue;
    const auto size = static_cast<std::size_t>(elementsOf(tensor));
    m_outputs[tensor.name] = {tensor.shape,
                              std::vector<double>(size, std::numeric_limits<double>::quiet_NaN())};
  }
  for (const Buffer& buffer : schedule.buffers) {
    if (buffer.use == Buffer::Use::Held) holdOutput(buffer);
  }
}

void ValueMachine::fail(std::string message) {
  if (m_error.empty()) m_error = std::move(message);
}

void ValueMachine::perform(std::int32_t process) {
  switch (m_tokens.at(process).op) {
  case Op::Load:
  case Op::Take:
    return load(process);
  case Op::Compute:
    return compute(process);
  case Op::Epilogue:
    return epilogue(process);
  case Op::Reduce:
    return combine(process);
  case Op::Store:
    return store(process);
  case Op::LoopBegin:
  case Op::LoopEnd:
  case Op::Acquire:
  case Op::Publish:
  case Op::WaitFull:
  case Op::Release:
  case Op::Await:
  case Op::Signal:
  case Op::AwaitToken:
  case Op::Ready:
  case Op::Claim:
  case Op::Send:
  case Op::Receive:
    return;
  }
}

std::int64_t ValueMachine::waveOf(std::int32_t process, LoopId loop, int depth) const {
  const auto& order = m_schedule.order;
  const auto at = std::find(order.begin(), order.end(), loop) - order.begin();
  if (at >= depth) return 0;
  const auto position = static_cast<std::size_t>(at);
  return m_placement.waveAt(m_tokens.tileOwner(process), position,
                            m_tokens.waves(process)[position]);
}

void ValueMachine::setRange(std::int32_t core, LoopId loop, std::int64_t wave) {
  const std::int64_t tile =
      m_schedule.tiling.tileOf(loop, wave, m_placement.unrollIndexOf(core, loop));
  const std::int64_t begin = tile * m_schedule.tiling.loops[loop.index()].tileSize;
  m_ranges[loop.index()] = {begin, begin + m_schedule.tiling.elementsOf(loop, tile)};
}

void ValueMachine::setRanges(std::int32_t process, int depth) {
  for (std::size_t l = 0; l < m_ranges.size(); ++l) {
    const LoopId loop = LoopId::of(l);
    setRange(m_tokens.tileOwner(process), loop, waveOf(process, loop, depth));
  }
}

void ValueMachine::forTilesInside(std::int32_t core, int from, std::span<const LoopId> loops,
                                  const std::function<void()>& body) {
  const auto& order = m_schedule.order;
  if (static_cast<std::size_t>(from) == order.size()) return body();
  const LoopId loop = order[static_cast<std::size_t>(from)];
  if (std::find(loops.begin(), loops.end(), loop) == loops.end()) {
    return forTilesInside(core, from + 1, loops, body);
  }
  for (std::int32_t wave = 0; wave < m_placement.waves(core, from); ++wave) {
    setRange(core, loop, wave);
    forTilesInside(core, from + 1, loops, body);
  }
}

std::int64_t ValueMachine::flatIndex(const kernel::Access& access,
                                     std::span<const std::int64_t> point,
                                     kernel::OperandReader* reader) const {
  const kernel::Tensor& tensor = m_kernel.tensor(access.tensor);
  std::int64_t flat = 0;
  for (std::size_t d = 0; d < access.indices.size(); ++d) {
    const std::int64_t at = reader == nullptr
                                ? access.indices[d].evaluate(point)
                                : kernel::indexAt(m_kernel, access, d, point, *reader);
    if (at < 0 || at >= tensor.shape[d]) return -1;
    flat = flat * tensor.shape[d] + at;
  }
  return flat;
}

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
    if (!operand.produced || !std::isnan(value)) to[flat] = value;
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
