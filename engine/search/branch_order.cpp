// SPDX-License-Identifier: Apache-2.0
//
// What a branch knows of one order of the temporal loops before it descends: the options of every
// operand with their costs, the least of each, and the points that no memory holds.
#include <algorithm>
#include <tuple>

#include "search/branch.h"

namespace gridloom::search {

void Branch::Least::add(std::int64_t needed, std::uint64_t itsDigit) {
  if (needed >= bytes) return;
  bytes = needed;
  digit = itsDigit;
}

std::size_t Branch::countOptions(const OrderPlan& plan, std::size_t operand) const {
  const std::size_t inputs = plan.inputs.size(), moved = inputs + plan.outputs.size();
  if (operand >= moved) return m_movements->splitAllReduces[operand - moved].joins.size();
  return operand < inputs ? plan.inputs[operand].size() : plan.outputs[operand - inputs].size();
}

std::uint32_t Branch::costOption(const OrderPlan& plan, std::size_t operand, std::size_t digit) {
  const std::size_t inputs = plan.inputs.size(), moved = inputs + plan.outputs.size();
  if (operand >= moved) return m_costed.join(m_candidate, operand - moved, digit);
  if (operand < inputs) return m_costed.input(m_candidate, operand, plan.inputs[operand][digit]);
  return m_costed.output(m_candidate, operand - inputs, plan.outputs[operand - inputs][digit]);
}

void Branch::costOptions(const OrderPlan& plan, Operand& operand) {
  operand.options.clear();
  operand.local = {};
  operand.shared = {};
  operand.least = {};
  Least unfit;
  operand.leastBound = std::numeric_limits<double>::infinity();
  operand.leastTime = {operand.leastBound, operand.leastBound};
  const std::size_t count = countOptions(plan, operand.number);
  for (std::size_t k = 0; k < count; ++k) {
    const std::uint32_t number = costOption(plan, operand.number, k);
    const CostedOption& made = m_costed[number];
    if (made.fits()) {
      operand.options.push_back({number, k, made.bound, made.footprint.local});
      operand.leastBound = std::min(operand.leastBound, made.bound);
      operand.leastTime = leastOf(operand.leastTime, made.memory);
      operand.least.add(made.footprint.local, k);
      continue;
    }
    unfit.add(made.footprint.local, k);
    const auto level = static_cast<std::size_t>(made.overfull);
    Unfit& reason = made.fitsLocal ? operand.shared[level] : operand.local;
    ++reason.count;
    reason.least.add(made.fitsLocal ? made.footprint.shared[level] : made.footprint.local, k);
  }
  if (operand.options.empty()) operand.least = unfit;
}

// Costs the options of every operand. Stops at the first operand whose least bound exceeds the
// limit.
bool Branch::startOrder(const OrderPlan& plan) {
  m_evaluator.setOrder(m_candidate, plan.order);
  m_operands.resize(plan.inputs.size() + plan.outputs.size() + m_movements->splitAllReduces.size());
  m_costed.startOrder(m_candidate);
  std::uint64_t radix = 1;
  m_orderBound = 0;
  for (std::size_t i = 0; i < m_operands.size(); ++i) {
    Operand& operand = m_operands[i];
    operand.number = i;
    operand.radix = radix;
    const std::size_t made = m_costed.size();
    costOptions(plan, operand);
    takeWork(static_cast<std::int64_t>(m_costed.size() - made));
    radix *= static_cast<std::uint64_t>(operand.count());
    if (operand.options.empty()) continue;
    m_orderBound = std::max(m_orderBound, operand.leastBound);
    if (!m_exhaustive && operand.leastBound > limit()) return false;
  }
  for (Operand& operand : m_operands) {
    std::ranges::sort(operand.options, [](const Option& a, const Option& b) {
      return std::tie(a.bound, a.digit) < std::tie(b.bound, b.digit);
    });
  }
  m_chosen.resize(m_operands.size());
  // The cost of a candidate compares pairs of operands.
  const auto operands = static_cast<std::int64_t>(m_operands.size());
  m_stepWork = std::max<std::int64_t>(1, operands * operands / 32);
  if (m_exhaustive) fixFewestFirst();
  sumUpLeast();
  m_fixed.clear();
  m_bound.start(m_candidate, m_evaluator.hardware().launch());
  m_memory.assign(m_operands.size() + 1, {});
  m_shared = {};
  return true;
}

// Counts the points with an option that does not fit by itself, at the first such operand. Returns
// the number of the other points. The examples combine it with the smallest options of all other
// operands.
std::int64_t Branch::rejectUnfit() {
  std::int64_t fitting = 1, all = 1;
  for (const Operand& operand : m_operands) all = base::saturatingMul(all, operand.count());
  const std::int64_t bytes =
      base::saturatingAdd(m_evaluator.stateBytes(m_candidate), m_operands[0].leastBytes);
  for (const Operand& operand : m_operands) {
    all /= operand.count();
    const std::uint64_t others = m_operands[0].leastChoice - operand.least.digit * operand.radix;
    const auto refuse = [&](Tally::Over& reason, const Unfit& unfit, std::int64_t needed) {
      const std::uint64_t choice = others + unfit.least.digit * operand.radix;
      if (unfit.count > 0) reject(reason, fitting * unfit.count * all, needed, choice);
    };
    refuse(m_done.tally.local, operand.local,
           base::saturatingAdd(bytes - operand.least.bytes, operand.local.least.bytes));
    for (std::size_t k = 0; k < operand.shared.size(); ++k) {
      refuse(m_done.tally.shared[k], operand.shared[k], operand.shared[k].least.bytes);
    }
    fitting *= static_cast<std::int64_t>(operand.options.size());
  }
  return fitting;
}

// Fixes operands with many options last: the work for the fixed ones is then shared by many last
// options.
void Branch::fixFewestFirst() {
  std::ranges::stable_sort(m_operands, {}, [](const Operand& o) { return o.options.size(); });
}

void Branch::sumUpLeast() {
  for (std::size_t depth = m_operands.size(); depth-- > 0;) {
    Operand& operand = m_operands[depth];
    operand.leastBytes = base::saturatingAdd(leastBytes(depth + 1), operand.least.bytes);
    operand.leastChoice = leastChoice(depth + 1) + operand.least.digit * operand.radix;
    operand.timeLeft = operand.options.empty() ? MemoryTime{} : operand.leastTime;
    if (depth + 1 < m_operands.size())
      operand.timeLeft = operand.timeLeft + m_operands[depth + 1].timeLeft;
  }
}

}  // namespace gridloom::search
