// SPDX-License-Identifier: Apache-2.0
#include "report/span_index.h"

#include <gtest/gtest.h>

#include <random>

namespace gridloom::report {
namespace {

using simulate::Span;

/// Of one process; `longest`: none lasts longer.
std::vector<Span> randomSpans(std::mt19937& random, int count, double cycles, double longest) {
  const auto pick = [&](double most) {
    return std::floor(most * static_cast<double>(random() % 1000) / 1000);
  };
  std::vector<Span> spans;
  for (int n = 0; n < count; ++n) {
    const double begin = pick(cycles);
    spans.push_back(
        {hardware::CoreId(0), 0, simulate::State::Compute, 0, begin, begin + 1 + pick(longest)});
  }
  std::ranges::stable_sort(spans, {}, &Span::begin);
  return spans;
}

/// What the index finds is what a walk over all spans finds, in the same order: of no spans, of
/// few that overlap, of many that last as long as all the others.
TEST(SpanIndex, FindsWhatCoversACycle) {
  std::mt19937 random(5);
  for (int round = 0; round < 200; ++round) {
    std::vector<Span> spans =
        randomSpans(random, static_cast<int>(random() % 300), 500, round % 3 == 0 ? 400 : 3);
    if (round % 7 == 0 && !spans.empty()) spans.front().end = 600;
    // Another process before, and one behind.
    std::vector<Span> all = spans;
    all.insert(all.begin(), {hardware::CoreId(0), -1, simulate::State::Compute, 0, 0, 1000});
    all.push_back({hardware::CoreId(0), 1, simulate::State::Compute, 0, 0, 1000});
    const SpanIndex index(all);
    const SpanIndex::Range range = index.rangeOf(hardware::CoreId(0), 0);
    ASSERT_EQ(index.of(range).size(), spans.size());
    for (double cycle = -1; cycle < 620; cycle += 0.5) {
      std::vector<const Span*> wanted, found;
      for (const Span& span : index.of(range))
        if (span.begin <= cycle && cycle < span.end) wanted.push_back(&span);
      index.prefetch(range, cycle);
      index.at(range, cycle, [&](const Span& span) { found.push_back(&span); });
      ASSERT_EQ(found, wanted) << "round " << round << ", cycle " << cycle;
    }
  }
}

}  // namespace
}  // namespace gridloom::report
