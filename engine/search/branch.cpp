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
  m_skeleton = m_evaluator.skeleton(m_plan.mappingOf(item));
  for (std::uint32_t o = 0; o < item.movements->orders.size(); ++o) {
    const OrderPlan& plan = item.movements->orders[o];
    if (progress.cancelled()) return;
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
  for (std::size_t i = m_options.size(); i-- > 0;) {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (const Option& o : m_options[i]) least = std::min(least, o.cost.localBytes);
    m_leastBytes[i] = m_leastBytes[i + 1] + least;
  }
  m_fixed.clear();
}

void Branch::reject(std::int64_t points, double needed, std::uint64_t choice) {
  Entry entry = m_here;
  entry.choice = choice;
  m_tally->add({0, 0, points, needed, entry});
}

void Branch::descend(std::size_t operand, std::int64_t bytes, std::uint64_t choice,
                     std::int64_t below) {
  const std::int64_t capacity = m_evaluator.hardware().local().bytes;
  if (operand == m_options.size()) {
    if (bytes > capacity) return reject(1, static_cast<double>(bytes), choice);
    ++m_tally->evaluated;
    Entry entry = m_here;
    entry.choice = choice;
    entry.cycles = m_evaluator.cycles(m_skeleton, m_fixed, m_scratch);
    if (entry.cycles <= m_threshold) m_local.add(entry);
    return;
  }
  if (bytes + m_leastBytes[operand] > capacity) {
    return reject(below, static_cast<double>(bytes + m_leastBytes[operand]), choice);
  }
  const std::vector<Option>& options = m_options[operand];
  const std::int64_t inside = below / static_cast<std::int64_t>(options.size());
  for (std::size_t i = 0; i < options.size(); ++i) {
    const Option& o = options[i];
    if (!m_exhaustive && o.bound > limit()) {
      m_tally->pruned += inside * static_cast<std::int64_t>(options.size() - i);
      return;
    }
    const std::uint64_t next = choice + o.digit * m_radix[operand];
    const std::int64_t used = bytes + o.cost.localBytes;
    if (used + m_leastBytes[operand + 1] > capacity) {
      reject(inside, static_cast<double>(used + m_leastBytes[operand + 1]), next);
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
