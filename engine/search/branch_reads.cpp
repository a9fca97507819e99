// SPDX-License-Identifier: Apache-2.0
// A bound of a whole item, before its orders are looked at.
#include <algorithm>
#include <numeric>
#include <span>

#include "search/branch.h"

namespace gridloom::search {

namespace {

// Options of an order that are looked at in the time of a bound, with those that need no look since
// they have more buffers.
constexpr std::int64_t kReadsPerWork = 8;

}  // namespace

// Tiles of which windows overlap, or that are loaded again and again, need more bytes than global
// memory reads within the limit. That is so for most tile sizes, and shows without a cost. Every
// option is looked at in the first order that has it; ends as soon as some options are fast enough.
bool Branch::readsTooLong() {
  if (m_exhaustive || m_evaluator.nest().inputs.empty()) return false;
  const double limit = this->limit() * (1 + kRounding) - m_evaluator.hardware().launch();
  constexpr double kNone = std::numeric_limits<double>::infinity();
  std::vector<double> least(m_evaluator.nest().inputs.size(), kNone);
  const auto sum = [&] { return std::accumulate(least.begin(), least.end(), 0.0); };
  const auto orders = std::span(m_movements->orders);
  for (std::size_t o = 0; o < orders.size(); ++o) {
    const std::size_t end =
        o + 1 < orders.size() ? orders[o + 1].firstInput : m_movements->inputs.size();
    if (orders[o].firstInput == end) continue;
    m_evaluator.setOrder(m_candidate, orders[o].order);
    for (const std::uint32_t option : orders[o].reads)
      least[m_movements->inputOf[option]] =
          std::min(least[m_movements->inputOf[option]], timeOfReads(option));
    takeWork(static_cast<std::int64_t>(end - orders[o].firstInput) / kReadsPerWork);
    if (sum() <= limit) return false;
  }
  return std::ranges::count(least, kNone) == 0;
}

// Cycles of what an option of an input reads; infinity if it does not fit.
double Branch::timeOfReads(std::uint32_t option) {
  const std::uint32_t number = m_costed.input(m_candidate, m_movements->inputOf[option], option);
  const CostedOption& made = m_costed[number];
  const bool fits = made.overfull == CostedOption::kNone &&
                    made.footprint.local <= m_evaluator.hardware().local().bytes;
  return fits ? m_costed.readTime(m_candidate, number) : std::numeric_limits<double>::infinity();
}

}  // namespace gridloom::search
