// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "unit/simulate/run.h"

namespace gridloom::simulate {
namespace {

struct Trace : testing::Test {
  test::Problem p = makeProblem(test::smallMesh(2, 2), "gemm", {{"M", 16}, {"N", 16}, {"K", 16}});
  schedule::Schedule s = [this] {
    mapping::Mapping m = directGemm();
    m.inputs = {{mapping::MovementKind::Multicast, 2, 1, 3, 2},
                {mapping::MovementKind::Stream, 1, 0, 3, 2}};
    return lowered(p, m);
  }();
  Simulation traced(Options options) {
    options.trace = true;
    auto result = run(p, s, options);
    if (!result) throw std::runtime_error(render(result.diagnostics()));
    return std::move(*result);
  }
};

TEST_F(Trace, ComputeSpansAreTheStates) {
  const Simulation out = traced({});
  std::vector<std::array<double, kStates>> sums(4);
  for (const Span& span : out.trace.spans) {
    const auto& program = s.programs[s.programOfCore[span.core.index()].index()];
    const auto& process = program.processes[static_cast<std::size_t>(span.process)];
    if (process.role != schedule::Process::Role::Compute) continue;
    sums[span.core.index()][static_cast<std::size_t>(span.state)] += span.end - span.begin;
  }
  for (std::size_t core = 0; core < 4; ++core) {
    for (std::size_t state = 0; state < kStates; ++state) {
      if (state == static_cast<std::size_t>(State::Idle)) continue;
      EXPECT_NEAR(sums[core][state], out.coreStates[core][state], 1e-6)
          << "core " << core << ' ' << nameOf(static_cast<State>(state));
    }
  }
}

TEST_F(Trace, SpansOfAProcessFollowEachOther) {
  const Simulation out = traced({});
  ASSERT_GT(out.trace.spans.size(), 100u);
  for (std::size_t n = 1; n < out.trace.spans.size(); ++n) {
    const Span &before = out.trace.spans[n - 1], &after = out.trace.spans[n];
    EXPECT_LT(after.begin, after.end);
    EXPECT_LE(after.end, out.cycles + 1e-9);
    if (before.core != after.core || before.process != after.process) {
      EXPECT_TRUE(before.core < after.core ||
                  (before.core == after.core && before.process < after.process));
      continue;
    }
    EXPECT_LE(before.end, after.begin + 1e-9);
  }
}

TEST_F(Trace, AWindowKeepsWhatTouchesIt) {
  const Simulation whole = traced({});
  Options options;
  options.traceBegin = whole.cycles / 3;
  options.traceEnd = whole.cycles / 2;
  const Simulation part = traced(options);
  EXPECT_EQ(part.cycles, whole.cycles);
  std::size_t inside = 0;
  for (const Span& span : whole.trace.spans) {
    inside += span.end > options.traceBegin && span.begin < options.traceEnd ? 1 : 0;
  }
  EXPECT_EQ(part.trace.spans.size(), inside);
  EXPECT_LT(inside, whole.trace.spans.size());
}

TEST_F(Trace, ALimitIsSaid) {
  Options options;
  options.maxSpans = 10;
  const Simulation out = traced(options);
  EXPECT_EQ(out.trace.spans.size(), 10u);
  // Spans that were left out had begun by then.
  double least = out.cycles;
  for (const Span& span : traced({}).trace.spans) {
    const auto same = [&](const Span& kept) {
      return kept.core == span.core && kept.process == span.process && kept.begin == span.begin;
    };
    if (std::ranges::none_of(out.trace.spans, same)) least = std::min(least, span.begin);
  }
  EXPECT_EQ(out.trace.until, least);
  EXPECT_TRUE(out.trace.isTruncated());
  EXPECT_FALSE(traced({}).trace.isTruncated());
}

}  // namespace
}  // namespace gridloom::simulate
