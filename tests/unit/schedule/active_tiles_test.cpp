// SPDX-License-Identifier: Apache-2.0
#include "schedule/active_tiles.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "schedule/verify.h"
#include "support/problem.h"

namespace gridloom::schedule {
namespace {

/// Looks at every wave of every loop of every core, and compares with one wave at a time.
class EveryWave {
 public:
  EveryWave(const Schedule& schedule, const Placement& placement)
      : m_schedule(schedule), m_placement(placement), m_tiles(schedule, placement) {}

  void check(std::int32_t core, const Buffer* buffer) {
    m_core = core;
    m_buffer = buffer;
    m_waves.assign(m_schedule.mapping.order.size(), 0);
    for (std::size_t depth = 1; depth <= m_waves.size(); ++depth) {
      const bool isInnermost = depth == m_waves.size();
      if (buffer != nullptr || isInnermost) checkLoops(0, static_cast<int>(depth));
    }
  }
  int skipped() const { return m_skipped; }
  /// How often several waves are needed one after the other.
  int together() const { return m_together; }

 private:
  std::int32_t end(std::size_t position) const {
    return m_placement.waves(m_core, static_cast<int>(position));
  }
  bool isNeeded(int depth) const {
    return m_buffer != nullptr ? m_tiles.isNeeded(m_buffer->need, m_core, m_waves, depth)
                               : m_tiles.hasWork(m_core, m_waves);
  }

  void checkLoops(std::size_t at, int depth) {
    for (m_waves[at] = 0; m_waves[at] < end(at); ++m_waves[at]) {
      static_cast<int>(at) + 1 < depth ? checkLoops(at + 1, depth) : checkFrom(at, depth);
    }
    m_waves[at] = 0;
  }

  void checkFrom(std::size_t at, int depth) {
    const std::int32_t from = m_waves[at];
    const TileDemand* const need = m_buffer != nullptr ? &m_buffer->need : nullptr;
    const auto [first, last] = m_tiles.nextNeeded(need, m_core, m_waves, depth, end(at));
    while (m_waves[at] < end(at) && !isNeeded(depth)) ++m_waves[at];
    ASSERT_EQ(first, m_waves[at]) << "core " << m_core << ", from " << from;
    if (first > from) ++m_skipped;
    ASSERT_LT(last, std::max(first + 1, end(at)));
    for (; m_waves[at] < end(at) && m_waves[at] <= last; ++m_waves[at]) {
      ASSERT_TRUE(isNeeded(depth)) << "core " << m_core << ", wave " << m_waves[at];
    }
    m_together += last > first ? 1 : 0;
    m_waves[at] = from;
  }

  const Schedule& m_schedule;
  const Placement& m_placement;
  ActiveTiles m_tiles;
  std::int32_t m_core = 0;
  const Buffer* m_buffer = nullptr;
  std::vector<std::int32_t> m_waves;
  int m_skipped = 0, m_together = 0;
};

// The next needed waves are found without looking at every one.
void compareOnRandomMappings(const test::Problem& p) {
  int skipped = 0, together = 0;
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    const mapping::Mapping mapping = test::randomMapping(p, seed);
    if (mapping.inputs.empty()) continue;
    const auto schedule = lower(p.kernel, p.nest, p.hw, mapping);
    ASSERT_TRUE(schedule) << base::render(schedule.diagnostics());
    const Placement placement(*schedule, p.hw);
    EveryWave waves(*schedule, placement);
    for (std::int32_t core = 0; core < placement.coreCount(); ++core) {
      if (!placement.active(core)) continue;
      waves.check(core, nullptr);
      for (const Buffer& buffer : schedule->buffers) waves.check(core, &buffer);
    }
    skipped += waves.skipped();
    together += waves.together();
  }
  EXPECT_GT(skipped, 100);
  EXPECT_GT(together, 100);
}

TEST(ActiveTiles, NextNeededWavesInATriangle) {
  compareOnRandomMappings(test::makeProblem(test::smallMesh(3, 2), "cholesky", {{"N", 40}}));
}

TEST(ActiveTiles, NextNeededWavesOfASolve) {
  compareOnRandomMappings(
      test::makeProblem(test::smallMesh(3, 2), "trsm", {{"N", 40}, {"R", 12}}));
}

TEST(ActiveTiles, NextNeededWavesInABand) {
  compareOnRandomMappings(test::makeProblem(test::smallMesh(3, 2), "llm/sliding_window_attention",
                                            {{"H", 2}, {"S", 24}, {"D", 8}, {"W", 6}}));
}

}  // namespace
}  // namespace gridloom::schedule
