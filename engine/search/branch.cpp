// SPDX-License-Identifier: Apache-2.0
#include "search/branch.h"

#include <algorithm>
#include <span>
#include <tuple>

namespace gridloom::search {

namespace {

// Sums of the same times in another order differ by less.
constexpr double kRounding = 1e-12;

}  // namespace

void Tally::add(const Tally& other) {
  evaluated += other.evaluated;
  pruned += other.pruned;
  local.add(other.local);
  for (std::size_t k = 0; k < shared.size(); ++k) shared[k].add(other.shared[k]);
}

void Tally::Over::add(const Over& other) {
  if (other.count == 0) return;
  count += other.count;
  if (other.leastNeeded < leastNeeded ||
      (other.leastNeeded == leastNeeded && other.leastEntry < leastEntry)) {
    leastNeeded = other.leastNeeded;
    leastEntry = other.leastEntry;
  }
}

void Branch::start(const Task& task, const base::Progress& progress) {
  const Item& item = m_plan.items[task.item];
  m_threshold = task.threshold;
  m_wanted = 1 / (1 + task.margin);
  m_local = Ranking(m_top);
  m_done = {};
  m_progress = &progress;
  m_workLeft = task.work;
  m_stopped = false;
  m_candidate = m_evaluator.candidate(m_plan.mappingOf(item));
  m_movements = item.movements;
  m_costed.startItem(m_candidate, *m_movements);
  m_here = {};
  m_here.item = task.item;
  m_tiles = 1;
  for (const mapping::LoopTiling& loop : m_candidate.tiling.loops) {
    m_tiles *= static_cast<double>(loop.tiles);
  }
}

Branch::Done Branch::finishItem(Ranking& out) {
  for (const Entry& e : m_local.best()) out.add(e);
  if (!m_local.best().empty()) m_done.best = m_local.best().front().cycles;
  m_done.whole = !m_stopped && !m_progress->cancelled();
  return m_done;
}

Branch::Done Branch::run(const Task& task, Ranking& out, const base::Progress& progress) {
  start(task, progress);
  forOrders([&](const OrderPlan& plan, bool wanted) {
    if (!wanted) {
      m_done.tally.pruned += plan.points;
      return;
    }
    const std::int64_t points = rejectUnfit();
    if (points > 0) descend(0, m_evaluator.stateBytes(m_candidate), 0, points);
  });
  return finishItem(out);
}

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

std::int64_t Branch::leastBytes(std::size_t depth) const {
  return depth < m_operands.size() ? m_operands[depth].leastBytes : 0;
}

std::uint64_t Branch::leastChoice(std::size_t depth) const {
  return depth < m_operands.size() ? m_operands[depth].leastChoice : 0;
}

bool Branch::exceedsMemoryTime(std::size_t depth, const CostedOption& option) const {
  MemoryTime time = m_memory[depth] + option.memory;
  if (depth + 1 < m_operands.size()) time = time + m_operands[depth + 1].timeLeft;
  const bool duplex = m_evaluator.hardware().global().duplex;
  return m_evaluator.hardware().launch() + time.cycles(duplex) > limit() * (1 + kRounding);
}

// Counts infeasible points; `choice` is the example.
void Branch::reject(Tally::Over& reason, std::int64_t points, std::int64_t needed,
                    std::uint64_t choice) {
  Entry entry = m_here;
  entry.choice = choice;
  reason.add({points, static_cast<double>(needed), entry});
}

int Branch::overfull(const CostedOption& option) const {
  if (option.stages == 0) return CostedOption::kNone;
  const auto levels = m_evaluator.hardware().sharedBuffers();
  for (std::size_t k = 0; k < levels.size(); ++k) {
    if (base::saturatingAdd(m_shared[k], option.footprint.shared[k]) > levels[k].bytes)
      return static_cast<int>(k);
  }
  return CostedOption::kNone;
}

void Branch::fix(const CostedOption& option) {
  m_fixed.push_back(&option.held);
  m_bound.push(m_costed.load(option));
  for (std::uint32_t stage = 0; stage < option.stages; ++stage) {
    m_bound.push(m_costed.stageLoad(option, stage));
  }
  if (option.stages == 0) return;
  for (std::size_t k = 0; k < m_shared.size(); ++k) m_shared[k] += option.footprint.shared[k];
}

void Branch::release(const CostedOption& option) {
  m_fixed.pop_back();
  for (std::uint32_t stage = 0; stage <= option.stages; ++stage) m_bound.pop();
  if (option.stages == 0) return;
  for (std::size_t k = 0; k < m_shared.size(); ++k) m_shared[k] -= option.footprint.shared[k];
}

void Branch::takeWork(std::int64_t steps) {
  m_done.work += steps;
  if (m_done.work >= m_workLeft) m_stopped = true;
}

// Checks for a cancel every thousand steps: often enough to stop within milliseconds.
bool Branch::step() {
  if (m_stopped) return false;
  takeWork(m_stepWork);
  if ((++m_steps & 1023) == 0 && m_progress->cancelled()) m_stopped = true;
  return true;
}

bool Branch::descend(std::size_t depth, std::int64_t bytes, std::uint64_t choice,
                     std::int64_t below) {
  if (m_stopped) return false;
  const std::int64_t capacity = m_evaluator.hardware().local().bytes;
  const Operand& operand = m_operands[depth];
  const std::int64_t least = base::saturatingAdd(bytes, operand.leastBytes);
  if (least > capacity) {
    reject(m_done.tally.local, below, least, choice + operand.leastChoice);
    return false;
  }
  const std::vector<Option>& options = operand.options;
  const std::int64_t inside = below / static_cast<std::int64_t>(options.size());
  bool askedWaits = false;
  for (std::size_t i = 0; i < options.size(); ++i) {
    const Option& o = options[i];
    if (!m_exhaustive && o.bound > limit()) {
      m_done.tally.pruned += inside * static_cast<std::int64_t>(options.size() - i);
      return false;
    }
    const CostedOption& costed = m_costed[o.number];
    const std::uint64_t next = choice + o.digit * operand.radix;
    const std::int64_t held = cost::Evaluator::moreHeld(m_fixed, costed.held);
    const std::int64_t used = base::saturatingAdd(bytes, base::saturatingAdd(o.localBytes, held));
    const std::int64_t needed = base::saturatingAdd(used, leastBytes(depth + 1));
    if (needed > capacity) {
      reject(m_done.tally.local, inside, needed, next + leastChoice(depth + 1));
      continue;
    }
    if (const int full = overfull(costed); full != CostedOption::kNone) {
      const auto level = static_cast<std::size_t>(full);
      const std::int64_t there =
          base::saturatingAdd(m_shared[level], costed.footprint.shared[level]);
      reject(m_done.tally.shared[level], inside, there, next + leastChoice(depth + 1));
      continue;
    }
    if (!m_exhaustive && exceedsMemoryTime(depth, costed)) {
      m_done.tally.pruned += inside;
      continue;
    }
    if (!step()) return false;
    m_chosen[operand.number] = &costed;
    const bool whole = depth + 1 == m_operands.size();
    if (whole) ++m_done.tally.evaluated;
    const bool asked = whole ? m_trustBounds : !m_exhaustive && depth > 0;
    if (asked && m_costed.bound(m_bound, costed) > limit()) {
      if (!whole) m_done.tally.pruned += inside;
      continue;
    }
    if (!whole) {
      fix(costed);
      m_memory[depth + 1] = m_memory[depth] + costed.memory;
    }
    const bool waits = whole ? finish(next) : descend(depth + 1, used, next, inside);
    if (!whole) release(costed);
    if (!waits || askedWaits || m_exhaustive) continue;
    askedWaits = true;
    if (!waitsTooLong(depth)) continue;
    m_done.tally.pruned += inside * static_cast<std::int64_t>(options.size() - i - 1);
    return true;
  }
  return false;
}

}  // namespace gridloom::search
