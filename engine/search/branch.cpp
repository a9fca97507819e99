// SPDX-License-Identifier: Apache-2.0
#include "search/branch.h"

#include <algorithm>

namespace gridloom::search {

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
  m_evaluatedBefore = task.evaluated;
  m_leastNeeded = task.leastNeeded;
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
  m_local.settle();
  for (const Entry& e : m_local.best()) out.add(e);
  if (!m_local.best().empty()) m_done.best = m_local.best().front().cycles;
  // Of the points that were evaluated before, a lower threshold may have pruned some.
  Tally& tally = m_done.tally;
  const std::int64_t known =
      std::clamp<std::int64_t>(m_evaluatedBefore - tally.evaluated, 0, tally.pruned);
  tally.evaluated += known;
  tally.pruned -= known;
  m_done.whole = !m_stopped && !m_progress->cancelled();
  return m_done;
}

// Most items and orders of a large space are of this kind. Spares the list of their options.
bool Branch::holdsNothing() const {
  const std::int64_t least = m_evaluator.leastBytes(m_candidate);
  const double known = std::min(m_leastNeeded, m_done.tally.local.leastNeeded);
  return least > m_evaluator.hardware().local().bytes && static_cast<double>(least) > known;
}

Branch::Done Branch::run(const Task& task, Ranking& out, const base::Progress& progress) {
  start(task, progress);
  if (holdsNothing()) {
    m_done.tally.local.count = m_movements->points;
    takeWork(1);
    return finishItem(out);
  }
  if (readsTooLong()) {
    m_done.tally.pruned = m_movements->points;
    return finishItem(out);
  }
  forOrders([&](Points points) {
    if (points == Points::HoldsNothing) {
      m_done.tally.local.count += m_movements->orders[m_here.order].points;
      return;
    }
    const std::int64_t fitting = rejectUnfit();
    if (points == Points::TooSlow) m_done.tally.pruned += fitting;
    if (points == Points::Open) descend(0, m_evaluator.stateBytes(m_candidate), 0, fitting);
  });
  return finishItem(out);
}

std::int64_t Branch::leastBytes(std::size_t depth) const {
  return depth < m_operands.size() ? m_operands[depth].leastBytes : 0;
}

std::uint64_t Branch::leastChoice(std::size_t depth) const {
  return depth < m_operands.size() ? m_operands[depth].leastChoice : 0;
}

bool Branch::exceedsMemoryTime(std::size_t depth, const CostedOption& option) const {
  if (m_exhaustive) return false;
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

bool Branch::exceedsMemory(const CostedOption& option, std::int64_t needed, std::int64_t points,
                           std::uint64_t choice) {
  if (needed > m_evaluator.hardware().local().bytes) {
    reject(m_done.tally.local, points, needed, choice);
    return true;
  }
  const int full = overfull(option);
  if (full == CostedOption::kNone) return false;
  const auto level = static_cast<std::size_t>(full);
  reject(m_done.tally.shared[level], points,
         base::saturatingAdd(m_shared[level], option.footprint.shared[level]), choice);
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
    if (exceedsMemory(costed, needed, inside, next + leastChoice(depth + 1))) continue;
    if (exceedsMemoryTime(depth, costed)) {
      m_done.tally.pruned += inside;
      continue;
    }
    if (!step()) return false;
    m_chosen[operand.number] = &costed;
    const bool whole = depth + 1 == m_operands.size();
    if (whole) ++m_done.tally.evaluated;
    if (asksBound(depth) &&
        m_costed.bound(m_bound, costed, limit(), operand.laterApart) > limit()) {
      if (!whole) m_done.tally.pruned += inside;
      continue;
    }
    fix(costed);
    m_memory[depth + 1] = m_memory[depth] + costed.memory;
    const bool waits = whole ? finish(next) : descend(depth + 1, used, next, inside);
    release(costed);
    if (!waits || askedWaits || m_exhaustive) continue;
    askedWaits = true;
    if (!waitsTooLong(depth)) continue;
    m_done.tally.pruned += inside * static_cast<std::int64_t>(options.size() - i - 1);
    return true;
  }
  return false;
}

}  // namespace gridloom::search
