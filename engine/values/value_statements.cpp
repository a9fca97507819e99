// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "kernel/definedness.h"
#include "schedule/process_names.h"
#include "values/value_machine.h"

namespace gridloom::values {

using kernel::ExprOp;
using kernel::LoopId;
using schedule::Buffer;

/// Operand reads of a statement on one core.
class CoreReader : public kernel::OperandReader {
 public:
  CoreReader(ValueMachine& machine, std::int32_t process)
      : m_machine(machine), m_process(process) {}
  double read(const kernel::Access& access, std::span<const std::int64_t> point) override {
    return m_machine.read(m_process, access, point);
  }

 private:
  ValueMachine& m_machine;
  std::int32_t m_process;
};

double ValueMachine::read(std::int32_t process, const kernel::Access& access,
                          std::span<const std::int64_t> point) {
  const kernel::Tensor& tensor = m_kernel.tensor(access.tensor);
  CoreReader indices(*this, process);
  const std::int64_t element = flatIndex(access, point, access.isGather() ? &indices : nullptr);
  const std::int32_t core = m_tokens.coreOf(process);
  if (element < 0 && access.isGather()) {
    fail(kernel::gatherError(m_kernel, access, point, indices));
    return 0;
  }
  if (splitsState() && m_stateOf[access.tensor.index()] >= 0) {
    const auto value = readState(process, index(m_stateOf[access.tensor.index()]), access, point);
    if (value) return *value;
  }
  if (element < 0 && tensor.initial) return *tensor.initial;
  if (tensor.role != kernel::TensorRole::Input) {
    if (const double* value = find(core, access.tensor, element)) return *value;
  }
  if (const auto held = heldBy(process, access.tensor, element)) return *held;
  if (tensor.initial && !kernel::isDefined(m_kernel, access, point)) return *tensor.initial;
  std::string at;
  for (const affine::LinearExpr& i : access.indices) {
    at += fmt::format("{}{}", at.empty() ? "" : ", ", i.evaluate(point));
  }
  fail(fmt::format("{}: read of {}[{}] before it was {}", schedule::nameOf(m_tokens, process),
                   tensor.name, at,
                   tensor.role == kernel::TensorRole::Input ? "received" : "computed"));
  return 0;
}

// An element of an input tile, or of a produced tile, in a slot that the process holds.
std::optional<double> ValueMachine::heldBy(std::int32_t process, kernel::TensorId tensor,
                                           std::int64_t element) {
  const std::int32_t core = m_tokens.coreOf(process);
  for (std::size_t b = 0; b < m_schedule.buffers.size(); ++b) {
    const Buffer& buffer = m_schedule.buffers[b];
    const int id = static_cast<int>(b);
    if (buffer.use != Buffer::Use::Input || !m_tokens.process(process).slots.holds(id)) continue;
    if (m_nest.inputs[index(buffer.operand)].tensor != tensor) continue;
    const Elements& held = slot(core, id, m_tokens.state().rings.slotToRead(core, id));
    const auto found = held.find(element);
    if (found != held.end()) return found->second;
  }
  return std::nullopt;
}

double* ValueMachine::find(std::int32_t core, kernel::TensorId tensor, std::int64_t element) {
  Elements& held = m_cores[index(core)].tensors[tensor.index()];
  const auto found = held.find(element);
  return found == held.end() ? nullptr : &found->second;
}

// Whether the process computes for the first time since its core moved to the current output tiles.
bool ValueMachine::beginsScope(std::int32_t process) {
  Core& core = m_cores[index(m_tokens.coreOf(process))];
  const auto waves = m_tokens.waves(process).first(index(m_schedule.outputLevel));
  if (std::exchange(core.started, true) && std::ranges::equal(core.scope, waves)) return false;
  if (!core.scope.empty() && !waves.empty() && core.scope.front() != waves.front()) {
    dropOldest(m_tokens.coreOf(process));
  }
  core.scope.assign(waves.begin(), waves.end());
  return true;
}

void ValueMachine::clearScope(std::int32_t core) {
  for (std::size_t t = 0; t < m_kernel.tensors.size(); ++t) {
    if (m_keeps && m_kernel.tensors[t].role == kernel::TensorRole::Output) continue;
    if (m_isKept[t]) continue;
    m_cores[index(core)].tensors[t].clear();
  }
  for (Elements& sum : m_cores[index(core)].sums) sum.clear();
  for (Elements& state : m_cores[index(core)].states) state.clear();
  for (std::size_t b = 0; b < m_schedule.buffers.size(); ++b) {
    if (m_schedule.buffers[b].use != Buffer::Use::Output) continue;
    const int id = static_cast<int>(b);
    slot(core, id, m_tokens.state().rings.slotToFill(core, id)).clear();
  }
}

void ValueMachine::compute(std::int32_t process) {
  const int depth = static_cast<int>(m_schedule.order.size());
  if (beginsScope(process)) clearScope(m_tokens.coreOf(process));
  setRanges(process, depth);
  if (m_dependent) return computeDependent(process);
  exchangeSums(process);
  const std::int32_t part = m_tokens.at(process).arg;
  for (const StatementPlan::Group& group : m_plan.body) {
    if (group.part == part) runGroup(process, group);
  }
}

// The all-reduced sums replace the core's own sums. The slot for its next share starts empty.
void ValueMachine::exchangeSums(std::int32_t process) {
  const std::int32_t core = m_tokens.coreOf(process);
  for (std::size_t b = 0; b < m_schedule.buffers.size(); ++b) {
    const Buffer::Use use = m_schedule.buffers[b].use;
    const int id = static_cast<int>(b);
    if (!schedule::isOfAllReduce(use) || !m_tokens.process(process).slots.holds(id)) continue;
    if (use == Buffer::Use::Contribution)
      slot(core, id, m_tokens.state().rings.slotToFill(core, id)).clear();
    if (use != Buffer::Use::Total) continue;
    for (const auto& [key, value] : slot(core, id, m_tokens.state().rings.slotToRead(core, id))) {
      const auto [partial, element] = partialAt(key);
      m_cores[index(core)].sums[index(m_joined[index(partial)].sum)][element] = value;
    }
  }
}

void ValueMachine::epilogue(std::int32_t process) {
  setRanges(process, m_schedule.outputLevel);
  forTilesInside(m_tokens.coreOf(process), m_schedule.outputLevel, m_nest.outputLoops, [&] {
    for (const StatementPlan::Group& group : m_plan.epilogue) runGroup(process, group);
  });
}

void ValueMachine::runGroup(std::int32_t process, const StatementPlan::Group& group) {
  if (group.running.empty()) {
    for (const StatementPlan::Step& step : group.steps) runStatement(process, step);
    return;
  }
  // Sequential loops run index by index, with all statements of the group in each iteration.
  const std::vector<kernel::LoopRange> tile = m_ranges;
  forPoints(group.running, 0, [&] {
    for (const LoopId loop : group.running) {
      const std::int64_t x = m_point[loop.index()];
      m_ranges[loop.index()] = {x, x + 1};
    }
    for (const StatementPlan::Step& step : group.steps) runStatement(process, step);
    for (const LoopId loop : group.running) m_ranges[loop.index()] = tile[loop.index()];
  });
}

// A sum that does not depend on a loop of the scope is complete after that loop's first wave.
bool ValueMachine::wasSummed(std::int32_t process, const kernel::Statement& statement) const {
  const auto& order = m_schedule.order;
  for (std::size_t p = index(m_schedule.outputLevel); p < order.size(); ++p) {
    const bool inside = std::find(statement.loops.begin(), statement.loops.end(), order[p]) !=
                        statement.loops.end();
    if (!inside && m_tokens.waves(process)[p] != 0) return true;
  }
  return false;
}

void ValueMachine::runStatement(std::int32_t process, const StatementPlan::Step& step) {
  if (!m_error.empty()) return;
  if (!m_dependent && step.join != ExprOp::Constant && wasSummed(process, step.statement)) return;
  const std::int32_t core = m_tokens.coreOf(process);
  kernel::Statement statement = step.statement;
  forPoints(step.targetLoops, 0, [&] {
    if (!isDefined(statement)) return;
    const std::int64_t element = flatIndex(statement.target, m_point);
    for (const auto& [node, sum] : step.fromSums) {
      statement.expr[node].constant = m_dependent ? finishedSum(process, sum, element)
                                                  : m_cores[index(core)].sums[index(sum)][element];
    }
    std::vector<std::int64_t> point = m_point;
    double value = isChosen(process, step) ? evaluate(process, statement, point)
                                           : kernel::neutralOf(step.join);
    if (step.toSum >= 0) {
      Elements& sums = m_cores[index(core)].sums[index(step.toSum)];
      const auto [at, isNew] = sums.try_emplace(element, value);
      if (!isNew) at->second = kernel::applyBinary(step.join, at->second, value);
      return notePartial(core, step.partial, element, at->second);
    }
    if (step.join != ExprOp::Constant) {
      if (const double* old = find(core, statement.target.tensor, element)) {
        value = kernel::applyBinary(step.join, *old, value);
      }
    }
    write(core, statement, element, value);
    if (step.state >= 0) return noteState(core, step, value);
    notePartial(core, step.partial, element, value);
  });
}

// What no `select` around it chooses is not read.
bool ValueMachine::isChosen(std::int32_t process, const StatementPlan::Step& step) {
  return std::ranges::all_of(step.guards, [&](const SumGuard& guard) {
    std::vector<std::int64_t> point = m_point;
    return (evaluate(process, guard.condition, point) != 0) == guard.holds;
  });
}

double ValueMachine::evaluate(std::int32_t process, const kernel::Statement& statement,
                              std::span<std::int64_t> point) {
  CoreReader reader(*this, process);
  return kernel::evaluateAt(m_kernel, statement, point, m_ranges, reader);
}

void ValueMachine::write(std::int32_t core, const kernel::Statement& statement,
                         std::int64_t element, double value) {
  m_cores[index(core)].tensors[statement.target.tensor.index()][element] = value;
  hold(core, m_kernel.tensor(statement.target.tensor), element, value);
  for (std::size_t b = 0; b < m_schedule.buffers.size(); ++b) {
    const Buffer& buffer = m_schedule.buffers[b];
    const bool mine = buffer.use == Buffer::Use::Output &&
                      m_nest.outputs[index(buffer.operand)].tensor == statement.target.tensor;
    if (!mine) continue;
    const int id = static_cast<int>(b);
    slot(core, id, m_tokens.state().rings.slotToFill(core, id))[element] = value;
    return;
  }
}

void ValueMachine::notePartial(std::int32_t core, std::int32_t partial, std::int64_t element,
                               double value) {
  if (partial < 0 || m_joined[index(partial)].buffer < 0) return;
  const int buffer = m_joined[index(partial)].buffer;
  slot(core, buffer, m_tokens.state().rings.slotToFill(core, buffer))[keyOf(partial, element)] =
      value;
}

void ValueMachine::combineSum(std::int32_t core, std::int64_t key, double value) {
  const auto [partial, element] = partialAt(key);
  const JoinedPartial& joined = m_joined[index(partial)];
  if (joined.state >= 0) return;
  Elements& mine = joined.sum >= 0 ? m_cores[index(core)].sums[index(joined.sum)]
                                   : m_cores[index(core)].tensors[joined.tensor.index()];
  const auto [at, isNew] = mine.try_emplace(element, value);
  if (!isNew) at->second = kernel::applyBinary(joined.join, at->second, value);
  notePartial(core, partial, element, at->second);
}

void ValueMachine::combine(std::int32_t process) {
  const schedule::Code& code = m_tokens.at(process);
  const std::int32_t core = m_tokens.coreOf(process);
  // A core without work of its own in this scope has not cleared it yet.
  if (beginsScope(process)) clearScope(core);
  const Elements& received =
      slot(core, code.buffer, m_tokens.state().rings.slotToRead(core, code.buffer));
  for (const auto& [key, value] : received) {
    if (key >> kSumShift != 0) combineSum(core, key, value);
  }
  if (schedule::isOfAllReduce(m_schedule.buffers[index(code.buffer)].use)) return;
  if (splitsState()) combineStates(core, received);
  const kernel::Operand& operand =
      m_nest.outputs[index(m_schedule.buffers[index(code.buffer)].operand)];
  const kernel::Statement* statement = joiningStatement(m_kernel, operand.tensor);
  if (!statement) return;
  const ExprOp op = kernel::rootReduction(*statement);
  for (const auto& [element, value] : received) {
    if (element >> kSumShift != 0) continue;
    const double* mine = find(core, operand.tensor, element);
    write(core, *statement, element,
          mine == nullptr ? value : kernel::applyBinary(op, *mine, value));
  }
}

}  // namespace gridloom::values
