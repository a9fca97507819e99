// SPDX-License-Identifier: Apache-2.0
#include "exchange/cpp_context.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "exchange/cpp_nest.h"
#include "schedule/op_names.h"
#include "schedule/split_all_reduces.h"

namespace gridloom::exchange {

using kernel::LoopId;
using schedule::Buffer;

namespace {

// Names that become equal as identifiers get a number.
template <class Items> std::vector<std::string> namesOf(const Items& items) {
  std::vector<std::string> names;
  for (const auto& item : items) {
    const std::string name = cppName(item.name);
    std::string unique = name;
    for (int n = 2; std::ranges::find(names, unique) != names.end(); ++n) {
      unique = fmt::format("{}{}{}", name, name.ends_with('_') ? "" : "_", n);
    }
    names.push_back(unique);
  }
  return names;
}

std::vector<std::int32_t> statesOf(const schedule::PlacedSchedule& placed) {
  const auto& merge = placed.nest.merge;
  if (!merge || !placed.schedule.splitsReduction) return {};
  std::vector<std::int32_t> states(placed.kernel.tensors.size(), -1);
  for (std::size_t s = 0; s < merge->states.size(); ++s) {
    states[merge->states[s].tensor.index()] = static_cast<std::int32_t>(s);
  }
  return states;
}

}  // namespace

CppContext::CppContext(const schedule::PlacedSchedule& p)
    : placed(p),
      schedule(p.schedule),
      kernel(p.kernel),
      nest(p.nest),
      plan(values::planStatements(p.kernel, p.nest, schedule::allReducesOf(p.schedule, p.nest))),
      joined(values::joinedPartials(p.schedule, p.nest, plan)),
      stateOf(statesOf(p)),
      m_buffers(namesOf(p.schedule.buffers)),
      m_channels(namesOf(p.schedule.channels)),
      m_inputs(namesOf(p.nest.inputs)),
      m_outputs(namesOf(p.nest.outputs)) {}

const kernel::Operand& CppContext::operandOf(const Buffer& buffer) const {
  const auto& operands = schedule::isOfInput(buffer.use) ? nest.inputs : nest.outputs;
  return operands[index(buffer.operand)];
}

const Buffer* CppContext::heldOf(kernel::TensorId output) const {
  const auto found = std::ranges::find_if(schedule.buffers, [&](const Buffer& buffer) {
    return buffer.use == Buffer::Use::Held && nest.outputs[index(buffer.operand)].tensor == output;
  });
  return found == schedule.buffers.end() ? nullptr : &*found;
}

bool CppContext::isInOrder(LoopId loop) const { return kernel::contains(schedule.order, loop); }

std::string CppContext::loop(LoopId loop) const { return cppName(kernel.loop(loop).name); }

std::string CppContext::tensor(kernel::TensorId tensor) const {
  return cppName(kernel, kernel.tensor(tensor));
}

std::string CppContext::window(const kernel::Operand& operand) const {
  const auto& operands = operand.output ? nest.outputs : nest.inputs;
  const auto number = static_cast<std::size_t>(&operand - operands.data());
  return (operand.output ? m_outputs : m_inputs)[number] + (operand.output ? "out" : "in");
}

std::string CppContext::number(kernel::TensorId tensor) const {
  return fmt::format("number<{}>", fmt::join(kernel.tensor(tensor).shape, ", "));
}

std::string CppContext::members(const std::vector<LoopId>& loops) const {
  std::vector<std::string> names;
  for (const LoopId l : loops) {
    if (isInOrder(l)) names.push_back("&Loops::" + loop(l));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace gridloom::exchange
