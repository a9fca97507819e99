// SPDX-License-Identifier: Apache-2.0
// Loop-carried state whose loop is unrolled over several cores (kernel/state_merge.h).
#include <algorithm>

#include "kernel/definedness.h"
#include "kernel/interpreter.h"
#include "values/value_machine.h"

namespace gridloom::values {

using kernel::LoopId;

void ValueMachine::findStates() {
  if (!m_nest.merge || !m_schedule.splitsReduction) return;
  m_stateOf.assign(m_kernel.tensors.size(), -1);
  for (std::size_t s = 0; s < m_nest.merge->states.size(); ++s) {
    m_stateOf[m_nest.merge->states[s].tensor.index()] = static_cast<std::int32_t>(s);
  }
  for (Core& core : m_cores) core.states.resize(m_nest.merge->states.size());
}

std::int64_t ValueMachine::stateElement(std::size_t state,
                                        std::span<const std::int64_t> point) const {
  const kernel::StateMerge::State& s = m_nest.merge->states[state];
  std::int64_t element = 0;
  for (std::size_t d = 0; d < s.dims.size(); ++d) {
    const std::int64_t at = s.dims[d] == m_nest.merge->loop ? 0 : point[s.dims[d].index()];
    element = element * m_kernel.tensor(s.tensor).shape[d] + at;
  }
  return element;
}

std::vector<std::int64_t> ValueMachine::statePoint(std::size_t state, std::int64_t element) const {
  const kernel::StateMerge::State& s = m_nest.merge->states[state];
  std::vector<std::int64_t> point(m_kernel.loops.size(), 0);
  for (std::size_t d = s.dims.size(); d-- > 0;) {
    const std::int64_t size = m_kernel.tensor(s.tensor).shape[d];
    point[s.dims[d].index()] = element % size;
    element /= size;
  }
  return point;
}

void ValueMachine::noteState(std::int32_t core, const StatementPlan::Step& step, double value) {
  if (!splitsState()) return;
  const auto state = static_cast<std::size_t>(step.state);
  const std::int64_t element = stateElement(state, m_point);
  m_cores[index(core)].states[state][element] = value;
  notePartial(core, step.partial, element, value);
}

// The value of a state's element at a point. After the loop: the all-reduced state. In the first
// iteration of a tile: the state after the core's previous tile, or its initial value. Elsewhere:
// none, as the element is a tensor element like any other.
std::optional<double> ValueMachine::readState(std::int32_t process, std::size_t state,
                                              const kernel::Access& access,
                                              std::span<const std::int64_t> point) {
  const std::int32_t core = m_tokens.coreOf(process);
  const kernel::Tensor& tensor = m_kernel.tensor(access.tensor);
  const kernel::StateMerge& merge = *m_nest.merge;
  const auto& dims = merge.states[state].dims;
  const auto running = static_cast<std::size_t>(std::ranges::find(dims, merge.loop) - dims.begin());
  std::int64_t stride = 1;
  for (std::size_t d = running + 1; d < dims.size(); ++d) stride *= tensor.shape[d];
  const std::int64_t at = access.indices[running].evaluate(point);
  if (m_tokens.at(process).op == schedule::Op::Epilogue) {
    const auto& states = m_cores[index(core)].states[state];
    const auto found = states.find(flatIndex(access, point) - at * stride);
    return found == states.end() ? std::nullopt : std::optional(found->second);
  }
  const auto& loop = m_schedule.tiling.loops[merge.loop.index()];
  const std::int64_t now = point[merge.loop.index()];
  if (at == now || now % loop.tileSize != 0) return std::nullopt;
  const std::int64_t before = at - (loop.unroll - 1) * loop.tileSize;
  if (before < 0) return tensor.initial;
  const double* value =
      find(core, access.tensor, flatIndex(access, point) - (at - before) * stride);
  if (value != nullptr) return *value;
  // Behind the lower edge of a band nothing was computed yet.
  std::vector<std::int64_t> earlier(point.begin(), point.end());
  earlier[merge.loop.index()] -= at - before;
  const bool isPending = kernel::isDefined(m_kernel, access, earlier);
  return isPending ? std::nullopt : tensor.initial;
}

// States that scale other states come before them and are combined after them.
void ValueMachine::combineStates(std::int32_t core, const Elements& received) {
  const kernel::StateMerge& merge = *m_nest.merge;
  std::vector<Elements> theirs(merge.states.size());
  std::vector<std::int32_t> partialOf(merge.states.size(), -1);
  for (std::size_t p = 0; p < m_joined.size(); ++p) {
    if (m_joined[p].state >= 0) partialOf[index(m_joined[p].state)] = static_cast<std::int32_t>(p);
  }
  for (const auto& [key, value] : received) {
    if (key >> kSumShift == 0) continue;
    const std::int32_t state =
        m_joined[index(static_cast<std::int32_t>((key >> kSumShift) - 1))].state;
    if (state >= 0) theirs[index(state)][key & ((std::int64_t{1} << kSumShift) - 1)] = value;
  }
  std::vector<Elements>& mine = m_cores[index(core)].states;
  const auto valueOf = [&](const std::vector<Elements>& of, std::size_t state,
                           std::int64_t element) {
    const auto at = of[state].find(element);
    return at == of[state].end() ? kernel::neutralOf(merge.states[state].join) : at->second;
  };
  std::vector<double> a(merge.states.size()), b(merge.states.size());
  for (std::size_t s = merge.states.size(); s-- > 0;) {
    for (const auto& [element, value] : theirs[s]) {
      const std::vector<std::int64_t> point = statePoint(s, element);
      a[s] = valueOf(mine, s, element);
      b[s] = value;
      for (const auto& scale : merge.states[s].scale) {
        const std::int64_t other = stateElement(scale.state, point);
        a[scale.state] = valueOf(mine, scale.state, other);
        b[scale.state] = valueOf(theirs, scale.state, other);
      }
      const double both = kernel::joined(merge, s, a, b);
      mine[s][element] = both;
      notePartial(core, partialOf[s], element, both);
    }
  }
}

}  // namespace gridloom::values
