// SPDX-License-Identifier: Apache-2.0
#include "search/rounds.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <limits>

namespace gridloom::search {

namespace {

constexpr std::size_t kFirstBatch = 16;
constexpr std::size_t kBatch = 512;

constexpr std::int64_t kPlungeWork = 1 << 21;  ///< for the first points of all items together
constexpr std::int64_t kMoreWork = 8;  ///< growth of the work limit per item from round to round

/// Sets of working cores whose patterns are kept on a large machine, where they need memory.
constexpr std::size_t kMostPatterns = 32;

/// Traffic patterns that take less are nothing beside the search with them.
constexpr std::int64_t kLittleWork = 1 << 16;

constexpr std::int64_t kAnyWork = std::numeric_limits<std::int64_t>::max();

}  // namespace

Rounds::Rounds(const Plan& plan, const cost::Evaluator& evaluator, const Options& options,
               base::Progress& progress)
    : m_plan(plan),
      m_evaluator(evaluator),
      m_options(options),
      m_progress(progress),
      m_locals([this] {
        const auto top = static_cast<std::size_t>(m_options.top);
        return Local{Branch(m_plan, m_evaluator, m_options), Ranking(top)};
      }),
      m_ranking(static_cast<std::size_t>(options.top)) {
  for (std::uint64_t item = 0; item < plan.items.size(); ++item) {
    m_open.push_back({item, plan.items[item].bound});
  }
}

void Rounds::run(const std::function<void()>& improved) {
  m_improved = &improved;
  endIfCancelled();
  // Items with a low bound come first: they set the threshold that prunes the others.
  std::ranges::stable_sort(m_open, {}, &Open::bound);
  m_itemWork = m_options.exhaustive ? kAnyWork : m_options.firstItemWork;
  look(Look::Whole, m_options.exhaustive ? kAnyWork : m_options.firstRoundWork);
  if (!m_open.empty()) {
    spaceOut();
    look(Look::Plunge, kPlungeWork);
  }
  std::ranges::stable_sort(m_open, {}, [](const Open& o) { return std::pair(o.best, o.bound); });
  while (!m_open.empty() && !m_ended) {
    m_itemWork = base::saturatingMul(m_itemWork, kMoreWork);
    look(Look::Whole, kAnyWork);
  }
  if (!m_ended) stop(Stop::None);
}

// Reorders the open items: every 64th of them, then those halfway between, and so on.
void Rounds::spaceOut() {
  constexpr std::size_t kStride = 64;
  std::vector<Open> spaced;
  for (std::size_t step = kStride; step > 0; step /= 2) {
    const std::size_t first = step == kStride ? 0 : step, gap = step == kStride ? step : 2 * step;
    for (std::size_t i = first; i < m_open.size(); i += gap) spaced.push_back(m_open[i]);
  }
  m_open = std::move(spaced);
}

void Rounds::stop(Stop why) {
  m_ended = true;
  m_stop = why;
}

void Rounds::endIfCancelled() {
  if (m_progress.cancelled()) stop(m_progress.late() ? Stop::TimeLimit : Stop::Interrupted);
}

// Searches all open items in batches until they have taken `mostWork` together. Keeps those that
// are not completed.
void Rounds::look(Look how, std::int64_t mostWork) {
  m_progress.setTotal(static_cast<std::int64_t>(m_open.size()));
  std::vector<Open> left;
  const std::int64_t before = m_work;
  std::size_t begin = 0, size = kFirstBatch;
  while (begin < m_open.size() && m_work - before < mostWork) {
    const std::size_t end = batchFrom(begin, size);
    if (end == begin && begin > 0) break;  // all that is left waits
    const std::int64_t each = end > begin ? shareOf(end - begin) : 0;
    if (each == 0) stop(Stop::WorkLimit);
    if (m_ended) break;
    m_margin = std::max(m_margin, marginNow());
    const std::span batch(m_open.data() + begin, end - begin);
    const std::uint64_t changes = m_ranking.changes();
    const std::vector<Branch::Done> done = lookAt(batch, how, each);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (adopt(batch[i], how, done[i])) continue;
      left.push_back(batch[i]);
      left.back().evaluated = std::max(left.back().evaluated, done[i].tally.evaluated);
      if (how == Look::Whole) continue;
      left.back().best = std::min(left.back().best, done[i].best);
      left.back().bound = std::max(left.back().bound, done[i].bound);
    }
    endIfCancelled();
    if (m_ranking.changes() != changes) (*m_improved)();
    begin = end;
    size = std::min(size * 2, kBatch);
  }
  left.insert(left.end(), m_open.begin() + static_cast<std::ptrdiff_t>(begin), m_open.end());
  left.insert(left.end(), m_waiting.begin(), m_waiting.end());
  m_waiting.clear();
  m_open = std::move(left);
}

// The end of a batch. The traffic patterns that its items need count as work: on a wafer, making
// them is most of it. They take half of what is left at most, so that some is left for the search;
// items that need more wait for the next pass.
std::size_t Rounds::batchFrom(std::size_t begin, std::size_t size) {
  if (m_evaluator.patternWork() < kLittleWork) return std::min(begin + size, m_open.size());
  const double threshold = this->threshold();
  const std::int64_t most = workLeft() / 2;
  std::int64_t taken = 0;
  const auto fits = [&](const Open& open) {
    if (!m_options.exhaustive && open.bound > threshold) return true;
    traffic::TrafficCache::Key key =
        m_evaluator.patternsFor(m_plan.mappingOf(m_plan.items[open.item]));
    if (m_made.contains(key)) return true;
    const std::int64_t each = m_evaluator.patternWork(key.second);
    if ((taken + each > most || m_made.size() >= kMostPatterns) && !m_made.empty()) return false;
    taken += std::min(each, most);  // the first is always made
    m_made.insert(std::move(key));
    return true;
  };
  auto from = m_open.begin() + static_cast<std::ptrdiff_t>(begin);
  while (from != m_open.end()) {
    const auto room =
        std::min<std::ptrdiff_t>(m_open.end() - from, static_cast<std::ptrdiff_t>(size));
    const auto waiting = std::stable_partition(from, from + room, fits);
    const bool any = waiting != from;
    m_waiting.insert(m_waiting.end(), waiting, from + room);
    const auto count = waiting - m_open.begin();
    m_open.erase(waiting, from + room);
    from = m_open.begin() + count;
    if (any || m_progress.cancelled()) break;
  }
  m_work += taken;
  return static_cast<std::size_t>(from - m_open.begin());
}

// Work grows steeply as bounds come close to the best point, for gains that no simulation sees.
double Rounds::marginNow() const {
  if (m_options.exhaustive || m_work < patience()) return 0;
  if (m_work / 4 >= m_options.patience) return m_options.margin;
  return std::min(m_options.margin, kFirstMargin);
}

// Steps without a margin.
std::int64_t Rounds::patience() const {
  return isNearLeast() ? m_options.patience / 4 : m_options.patience;
}

bool Rounds::isNearLeast() const {
  const double margin = std::min(m_options.margin, kFirstMargin);
  return !m_options.exhaustive && margin > 0 && m_options.least > threshold() / (1 + margin);
}

std::int64_t Rounds::workLeft() const {
  if (m_options.workLimit <= 0) return kAnyWork;
  return std::max<std::int64_t>(0, m_options.workLimit - m_work);
}

std::int64_t Rounds::shareOf(std::size_t items) const {
  const auto count = static_cast<std::int64_t>(items);
  const std::int64_t share = std::min(m_itemWork, workLeft() / count);
  const std::int64_t patient = patience() - m_work;
  return isNearLeast() && patient > 0 ? std::min(share, patient / count + 1) : share;
}

std::vector<Branch::Done> Rounds::lookAt(std::span<const Open> batch, Look how,
                                         std::int64_t workEach) {
  const double threshold = this->threshold();
  std::vector<Branch::Done> done(batch.size());
  const auto body = [&](const tbb::blocked_range<std::size_t>& range) {
    for (std::size_t i = range.begin(); i != range.end() && !m_progress.cancelled(); ++i) {
      done[i] = lookAtItem(batch[i], how, workEach, threshold);
      m_progress.add(1);
    }
  };
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, batch.size()), body);
  for (Local& local : m_locals) {
    local.ranking.settle();
    for (const Entry& e : local.ranking.best()) m_ranking.add(e);
    local.ranking.clear();
  }
  m_ranking.settle();
  return done;
}

Branch::Done Rounds::lookAtItem(const Open& open, Look how, std::int64_t workEach,
                                double threshold) {
  Branch::Done done;
  // What is as fast as the kernel itself allows is left out with a margin only: these are ties.
  const double bound = m_margin > 0 ? std::max(open.bound, m_options.least) : open.bound;
  if (!m_options.exhaustive && bound > threshold / (1 + m_margin)) {
    done.whole = true;
    done.tally.evaluated = open.evaluated;
    done.tally.pruned = m_plan.items[open.item].movements->points - open.evaluated;
    return done;
  }
  Local& local = m_locals.local();
  const Branch::Task task{open.item, threshold,      m_margin,
                          workEach,  open.evaluated, m_tally.local.leastNeeded};
  if (how == Look::Whole) return local.branch.run(task, local.ranking, m_progress);
  done = local.branch.plunge(task, local.ranking, m_progress);
  done.whole = false;
  return done;
}

// Adds the counts of an item; returns whether it is completed.
bool Rounds::adopt(const Open& open, Look how, const Branch::Done& done) {
  m_work += done.work;
  if (done.whole) {
    m_tally.add(done.tally);
    m_parts.erase(open.item);
  } else if (how == Look::Whole) {
    m_parts[open.item] = done.tally;
  }
  return done.whole;
}

Tally Rounds::tally() const {
  Tally all = m_tally;
  for (const auto& [item, tally] : m_parts) all.add(tally);
  return all;
}

}  // namespace gridloom::search
