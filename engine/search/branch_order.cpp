// SPDX-License-Identifier: Apache-2.0
//
// What a branch knows of one order of the temporal loops before it descends: the options of every
// operand with their costs, the least of each, and the points that no memory holds.
#include <algorithm>
#include <functional>
#include <tuple>

#include "search/branch.h"

namespace gridloom::search {

namespace {

// Options whose bytes are counted in the time of a bound.
constexpr std::int64_t kListedPerWork = 8;

}  // namespace

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

std::uint32_t Branch::known(const OrderPlan& plan, std::uint32_t operand, std::uint32_t digit) {
  const auto inputs = static_cast<std::uint32_t>(plan.inputs.size());
  const auto moved = inputs + static_cast<std::uint32_t>(plan.outputs.size());
  if (operand >= moved) return m_costed.join(m_candidate, operand - moved, digit);
  if (operand < inputs) return m_costed.input(m_candidate, operand, plan.inputs[operand][digit]);
  return m_costed.output(m_candidate, operand - inputs, plan.outputs[operand - inputs][digit]);
}

void Branch::listOptions(const OrderPlan& plan, Operand& operand) {
  operand.known.clear();
  operand.least = {};
  Least overfull;
  const std::size_t count = countOptions(plan, operand.number);
  for (std::uint32_t digit = 0; digit < count; ++digit) {
    operand.known.push_back(known(plan, static_cast<std::uint32_t>(operand.number), digit));
    const CostedOption& option = m_costed[operand.known.back()];
    Least& least = option.overfull == CostedOption::kNone ? operand.least : overfull;
    least.add(option.footprint.local, digit);
  }
  if (operand.least.bytes == Least{}.bytes) operand.least = overfull;
}

// Keeps the options that need at most `room` bytes of local memory.
void Branch::fitOptions(Operand& operand, std::int64_t room) {
  operand.options.clear();
  operand.local = {};
  operand.shared = {};
  for (std::uint32_t digit = 0; digit < operand.known.size(); ++digit) {
    const CostedOption& option = m_costed[operand.known[digit]];
    const std::int64_t local = option.footprint.local;
    if (local > room) {
      ++operand.local.count;
      operand.local.least.add(local, digit);
    } else if (option.overfull != CostedOption::kNone) {
      const auto level = static_cast<std::size_t>(option.overfull);
      ++operand.shared[level].count;
      operand.shared[level].least.add(option.footprint.shared[level], digit);
    } else {
      operand.options.push_back({operand.known[digit], digit, 0, local});
    }
  }
}

// Keeps the options that fit beside the smallest ones of the other operands. Returns whether every
// operand has some.
bool Branch::fitOptions() {
  std::int64_t all = m_evaluator.stateBytes(m_candidate);
  for (const Operand& operand : m_operands) all = base::saturatingAdd(all, operand.least.bytes);
  bool anyFits = true;
  for (Operand& operand : m_operands) {
    fitOptions(operand, m_evaluator.hardware().local().bytes - (all - operand.least.bytes));
    anyFits = anyFits && !operand.options.empty();
  }
  return anyFits;
}

void Branch::costOptions(Operand& operand) {
  operand.leastBound = std::numeric_limits<double>::infinity();
  operand.leastTime = {operand.leastBound, operand.leastBound};
  operand.apart = 0;
  for (Option& option : operand.options) {
    m_costed.cost(m_candidate, option.number);
    const CostedOption& costed = m_costed[option.number];
    option.bound = costed.bound;
    operand.leastBound = std::min(operand.leastBound, costed.bound);
    operand.leastTime = leastOf(operand.leastTime, costed.memory);
    operand.apart = std::max(operand.apart, costed.apart);
  }
  std::ranges::sort(operand.options, [](const Option& a, const Option& b) {
    return std::tie(a.bound, a.digit) < std::tie(b.bound, b.digit);
  });
}

// A bound of all candidates with the option, from what it reads alone where it is not costed.
double Branch::quickBound(const Option& option) {
  if (m_costed.isCosted(option.number)) return m_costed[option.number].bound;
  const double read = m_costed.readTime(m_candidate, option.number);
  return (m_evaluator.hardware().launch() + read) * (1 - kRounding);
}

// Whether some option of the operand is within the limit. Costs no more of them than that takes,
// which are most of the costs of a search.
bool Branch::isFast(const Operand& operand) {
  const auto known = [&](const Option& o) { return m_costed.isCosted(o.number); };
  const auto within = [&](const Option& o) {
    if (quickBound(o) > limit()) return false;
    m_costed.cost(m_candidate, o.number);
    return m_costed[o.number].bound <= limit();
  };
  const auto& options = operand.options;
  return std::ranges::any_of(options, [&](const Option& o) { return known(o) && within(o); }) ||
         std::ranges::any_of(options, [&](const Option& o) { return !known(o) && within(o); });
}

// Returns false where all options of an operand exceed the limit, as in most orders, or when the
// work is used up.
bool Branch::costOptions() {
  m_orderBound = 0;
  std::size_t before = m_costed.costs();
  const auto count = [&] {
    takeWork(static_cast<std::int64_t>(m_costed.costs() - before));
    before = m_costed.costs();
    return !m_stopped;
  };
  for (Operand& operand : m_operands) {
    const bool fast = m_exhaustive || isFast(operand);
    if (!count()) return false;
    if (fast) continue;
    m_orderBound = std::numeric_limits<double>::infinity();
    for (const Option& option : operand.options)
      m_orderBound = std::min(m_orderBound, quickBound(option));
    return false;
  }
  for (Operand& operand : m_operands) {
    costOptions(operand);
    m_orderBound = std::max(m_orderBound, operand.leastBound);
    if (!count()) return false;
  }
  return true;
}

Branch::Points Branch::startOrder(const OrderPlan& plan) {
  m_evaluator.setOrder(m_candidate, plan.order);
  if (holdsNothing()) {
    takeWork(1);
    return Points::HoldsNothing;
  }
  m_operands.resize(plan.inputs.size() + plan.outputs.size() + m_movements->splitAllReduces.size());
  m_costed.startOrder(m_candidate);
  const std::size_t before = m_costed.size();
  std::uint64_t radix = 1;
  for (std::size_t i = 0; i < m_operands.size(); ++i) {
    m_operands[i].number = i;
    m_operands[i].radix = radix;
    listOptions(plan, m_operands[i]);
    radix *= static_cast<std::uint64_t>(m_operands[i].count());
  }
  takeWork(static_cast<std::int64_t>(m_costed.size() - before) / kListedPerWork);
  const bool anyFits = fitOptions();
  if (m_exhaustive) fixFewestFirst();
  sumUpBytes();
  if (!anyFits) return Points::NoneFits;
  if (!costOptions()) return Points::TooSlow;
  if (!m_exhaustive) fixSlowestFirst();
  sumUpTimes();
  m_chosen.resize(m_operands.size());
  // The cost of a candidate compares pairs of operands.
  const auto operands = static_cast<std::int64_t>(m_operands.size());
  m_stepWork = std::max<std::int64_t>(1, operands * operands / 32);
  m_fixed.clear();
  m_bound.start(m_candidate, m_evaluator.hardware().launch());
  m_memory.assign(m_operands.size() + 1, {});
  m_shared = {};
  return Points::Open;
}

// Counts the points with an option that does not fit, at the first operand with such a one. Returns
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

// Fixes operands that take long first: their options differ by more than those of the others, and a
// bound that exceeds the limit then leaves out more points.
void Branch::fixSlowestFirst() {
  std::ranges::stable_sort(m_operands, std::greater(), &Operand::leastBound);
  sumUpBytes();
}

void Branch::sumUpBytes() {
  for (std::size_t depth = m_operands.size(); depth-- > 0;) {
    Operand& operand = m_operands[depth];
    operand.leastBytes = base::saturatingAdd(leastBytes(depth + 1), operand.least.bytes);
    operand.leastChoice = leastChoice(depth + 1) + operand.least.digit * operand.radix;
  }
}

void Branch::sumUpTimes() {
  MemoryTime left;
  double apart = 0;
  for (std::size_t depth = m_operands.size(); depth-- > 0;) {
    left = left + m_operands[depth].leastTime;
    m_operands[depth].timeLeft = left;
    m_operands[depth].laterApart = apart;
    apart = std::max(apart, m_operands[depth].apart);
  }
}

}  // namespace gridloom::search
