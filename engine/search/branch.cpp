// SPDX-License-Identifier: Apache-2.0
#include "search/branch.h"

#include <algorithm>
#include <span>

namespace gridloom::search {

void Tally::add(const Tally& other) {
  evaluated += other.evaluated;
  pruned += other.pruned;
  overCapacity += other.overCapacity;
  if (other.leastNeeded < leastNeeded ||
      (other.leastNeeded == leastNeeded && other.leastEntry < leastEntry)) {
    leastNeeded = other.leastNeeded;
    leastEntry = other.leastEntry;
  }
}

void Branch::run(std::uint64_t itemIndex, double threshold, Ranking& out, Tally& tally,
                 const base::Progress& progress) {
  const Item& item = m_plan.items[itemIndex];
  m_threshold = m_exhaustive ? std::numeric_limits<double>::infinity() : threshold;
  m_local = Ranking(m_top);
  m_tally = &tally;
  m_progress = &progress;
  m_stopped = false;
  m_skeleton = m_evaluator.skeleton(m_plan.mappingOf(item));
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

void Branch::costOptions(const OrderPlan& plan) {
  m_options.assign(plan.inputs.size() + plan.outputs.size(), {});
  m_radix.assign(m_options.size(), 1);
  std::uint64_t radix = 1;
  std::size_t operand = 0;
  const auto fill = [&](std::size_t count, auto&& costOf) {
    auto& options = m_options[operand];
    for (std::size_t i = 0; i < count; ++i) {
      options.push_back({costOf(i), i, 0});
      const cost::OptionCost* alone = &options.back().cost;
      options.back().bound = m_evaluator.cycles(m_skeleton, std::span(&alone, 1), m_scratch);
    }
    std::stable_sort(options.begin(), options.end(),
                     [](const Option& a, const Option& b) { return a.bound < b.bound; });
    m_radix[operand++] = radix;
    radix *= count;
  };
  for (std::size_t i = 0; i < plan.inputs.size(); ++i) {
    fill(plan.inputs[i].size(),
         [&](std::size_t k) { return m_evaluator.input(m_skeleton, i, plan.inputs[i][k]); });
  }
  for (std::size_t i = 0; i < plan.outputs.size(); ++i) {
    fill(plan.outputs[i].size(),
         [&](std::size_t k) { return m_evaluator.output(m_skeleton, i, plan.outputs[i][k]); });
  }
  m_leastBytes.assign(m_options.size() + 1, 0);
  m_leastChoice.assign(m_options.size() + 1, 0);
  for (std::size_t i = m_options.size(); i-- > 0;) {
    const auto least = std::min_element(
        m_options[i].begin(), m_options[i].end(),
        [](const Option& a, const Option& b) { return a.cost.localBytes < b.cost.localBytes; });
    m_leastBytes[i] = base::saturatingAdd(m_leastBytes[i + 1], least->cost.localBytes);
    m_leastChoice[i] = m_leastChoice[i + 1] + least->digit * m_radix[i];
  }
  m_fixed.clear();
}

void Branch::reject(std::int64_t points, std::int64_t needed, std::uint64_t choice,
                    std::size_t open) {
  Entry entry = m_here;
  entry.choice = choice + m_leastChoice[open];
  m_tally->add({0, 0, points, static_cast<double>(needed), entry});
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
    if (bytes > capacity) return reject(1, bytes, choice, operand);
    ++m_tally->evaluated;
    Entry entry = m_here;
    entry.choice = choice;
    entry.cycles = m_evaluator.cycles(m_skeleton, m_fixed, m_scratch);
    if (entry.cycles <= m_threshold) m_local.add(entry);
    return;
  }
  const std::int64_t least = base::saturatingAdd(bytes, m_leastBytes[operand]);
  if (least > capacity) return reject(below, least, choice, operand);
  const std::vector<Option>& options = m_options[operand];
  const std::int64_t inside = below / static_cast<std::int64_t>(options.size());
  for (std::size_t i = 0; i < options.size(); ++i) {
    const Option& o = options[i];
    if (!m_exhaustive && o.bound > limit()) {
      m_tally->pruned += inside * static_cast<std::int64_t>(options.size() - i);
      return;
    }
    const std::uint64_t next = choice + o.digit * m_radix[operand];
    const std::int64_t used = base::saturatingAdd(bytes, o.cost.localBytes);
    const std::int64_t needed = base::saturatingAdd(used, m_leastBytes[operand + 1]);
    if (needed > capacity) {
      reject(inside, needed, next, operand + 1);
      continue;
    }
    m_fixed.push_back(&o.cost);
    const bool inner = operand > 0 && operand + 1 < m_options.size();
    if (!m_exhaustive && inner && m_evaluator.cycles(m_skeleton, m_fixed, m_scratch) > limit()) {
      m_tally->pruned += inside;
    } else {
      descend(operand + 1, used, next, inside);
    }
    m_fixed.pop_back();
  }
}

}  // namespace gridloom::search
