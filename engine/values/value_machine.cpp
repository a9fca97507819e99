// SPDX-License-Identifier: Apache-2.0
#include "values/value_machine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "schedule/split_all_reduces.h"
#include "values/not_computed.h"

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
    m_outputs[tensor.name] = {tensor.shape, std::vector<double>(size, kNotComputed)};
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

}  // namespace gridloom::values
