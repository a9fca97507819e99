// SPDX-License-Identifier: Apache-2.0
#include "search/branch.h"

#include <algorithm>
#include <span>
#include <tuple>

namespace gridloom::search {

void Tally::add(const Tally& other) {
  evaluated += other.evaluated;
  pruned += other.pruned;
  local.add(other.local);
  middle.add(other.middle);
}

void Tally::Over::add(const Over& other) {
  count += other.count;
  if (other.leastNeeded < leastNeeded ||
      (other.leastNeeded == leastNeeded && other.leastEntry < leastEntry)) {
    leastNeeded = other.leastNeeded;
    leastEntry = other.leastEntry;
  }
}

void Branch::run(std::uint64_t itemIndex, double threshold, Ranking& out, Tally& tally,
                 const base::Progress& progress) {
  const Item& item = m_plan.items[itemIndex];
  m_threshold = threshold;
  m_local = Ranking(m_top);
  m_tally = &tally;
  m_progress = &progress;
  m_stopped = false;
  m_skeleton = m_evaluator.skeleton(m_plan.mappingOf(item));
  m_costed.startItem();
  for (std::uint32_t o = 0; o < item.movements->orders.size(); ++o) {
    const OrderPlan& plan = item.movements->orders[o];
    if (progress.cancelled()) break;
    if (plan.points == 0) continue;
    m_evaluator.setOrder(m_skeleton, plan.order);
    m_here = {0, itemIndex, o, 0};
    costOptions(plan);
    descend(0, m_evaluator.stateBytes(m_skeleton), 0, plan.points);
  }
  for (const Entry& e : m_local.best()) out.add(e);
}

void Branch::addOption(std::size_t operand, std::uint32_t number, std::size_t digit) {
  const CostedOption& made = m_costed[number];
  m_options[operand].push_back({number, digit, made.bound, made.cost.localBytes});
}

void Branch::costOptions(const OrderPlan& plan) {
  const std::size_t inputs = plan.inputs.size();
  m_options.resize(inputs + plan.outputs.size());
  m_costed.startOrder(m_skeleton);
  for (auto& options : m_options) options.clear();
  for (std::size_t i = 0; i < inputs; ++i) {
    for (std::size_t k = 0; k < plan.inputs[i].size(); ++k)
      addOption(i, m_costed.input(m_skeleton, i, plan.inputs[i][k]), k);
  }
  for (std::size_t i = 0; i < plan.outputs.size(); ++i) {
    for (std::size_t k = 0; k < plan.outputs[i].size(); ++k)
      addOption(inputs + i, m_costed.output(m_skeleton, i, plan.outputs[i][k]), k);
  }
  m_radix.clear();
  std::uint64_t radix = 1;
  for (auto& options : m_options) {
    std::ranges::sort(options, [](const Option& a, const Option& b) {
      return std::tie(a.bound, a.digit) < std::tie(b.bound, b.digit);
    });
    m_radix.push_back(radix);
    radix *= options.size();
  }
  sumUpLeast();
  m_fixed.clear();
  m_middle = 0;
}

void Branch::sumUpLeast() {
  m_leastBytes.assign(m_options.size() + 1, 0);
  m_leastChoice.assign(m_options.size() + 1, 0);
  for (std::size_t i = m_options.size(); i-- > 0;) {
    const auto least = std::ranges::min_element(m_options[i], {}, &Option::localBytes);
    m_leastBytes[i] = base::saturatingAdd(m_leastBytes[i + 1], least->localBytes);
    m_leastChoice[i] = m_leastChoice[i + 1] + least->digit * m_radix[i];
  }
}

void Branch::reject(Tally::Over& reason, std::int64_t points, std::int64_t needed,
                    std::uint64_t choice, std::size_t open) {
  Entry entry = m_here;
  entry.choice = choice + m_leastChoice[open];
  reason.add({points, static_cast<double>(needed), entry});
}

bool Branch::fitsMiddle(const CostedOption& option) const {
  if (!option.stay) return true;
  const std::int64_t bytes = base::saturatingAdd(m_middle, option.stay->middleBytes);
  return bytes <= m_evaluator.hardware().middle().bytes;
}

// Adds the transfers of an option to the fixed ones; gives their number.
std::size_t Branch::fix(const CostedOption& option) {
  m_fixed.push_back(&option.cost);
  if (!option.stay) return 1;
  m_fixed.push_back(&*option.stay);
  m_middle += option.stay->middleBytes;
  return 2;
}

// Looked at every thousand steps: often enough to stop within milliseconds.
bool Branch::stopped() {
  if ((++m_steps & 1023) == 0 && m_progress->cancelled()) m_stopped = true;
  return m_stopped;
}

void Branch::descend(std::size_t operand, std::int64_t bytes, std::uint64_t choice,
                     std::int64_t below) {
  if (stopped()) return;
  const std::int64_t capacity = m_evaluator.hardware().local().bytes;
  if (operand == m_options.size()) {
    if (bytes > capacity) return reject(m_tally->local, 1, bytes, choice, operand);
    ++m_tally->evaluated;
    Entry entry = m_here;
    entry.choice = choice;
    if (m_trustBounds && m_evaluator.bound(m_skeleton, m_fixed, m_scratch) > limit()) return;
    entry.cycles = m_evaluator.cycles(m_skeleton, m_fixed, m_scratch, m_threshold);
    if (entry.cycles <= m_threshold) m_local.add(entry);
    return;
  }
  const std::int64_t least = base::saturatingAdd(bytes, m_leastBytes[operand]);
  if (least > capacity) return reject(m_tally->local, below, least, choice, operand);
  const std::vector<Option>& options = m_options[operand];
  const std::int64_t inside = below / static_cast<std::int64_t>(options.size());
  for (std::size_t i = 0; i < options.size(); ++i) {
    const Option& o = options[i];
    if (!m_exhaustive && o.bound > limit()) {
      m_tally->pruned += inside * static_cast<std::int64_t>(options.size() - i);
      return;
    }
    const CostedOption& costed = m_costed[o.number];
    const std::uint64_t next = choice + o.digit * m_radix[operand];
    const std::int64_t held = cost::Evaluator::moreHeld(m_fixed, costed.cost);
    const std::int64_t used = base::saturatingAdd(bytes, base::saturatingAdd(o.localBytes, held));
    const std::int64_t needed = base::saturatingAdd(used, m_leastBytes[operand + 1]);
    if (needed > capacity) {
      reject(m_tally->local, inside, needed, next, operand + 1);
      continue;
    }
    if (!fitsMiddle(costed)) {
      const std::int64_t there = base::saturatingAdd(m_middle, costed.stay->middleBytes);
      reject(m_tally->middle, inside, there, next, operand + 1);
      continue;
    }
    const std::size_t parts = fix(costed);
    const bool inner = operand > 0 && operand + 1 < m_options.size();
    if (!m_exhaustive && inner && m_evaluator.bound(m_skeleton, m_fixed, m_scratch) > limit()) {
      m_tally->pruned += inside;
    } else {
      descend(operand + 1, used, next, inside);
    }
    m_fixed.resize(m_fixed.size() - parts);
    if (costed.stay) m_middle -= costed.stay->middleBytes;
  }
}

}  // namespace gridloom::search
