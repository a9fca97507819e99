// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <vector>

#include "unit/simulate/run.h"

namespace gridloom::simulate {
namespace {

using schedule::Op;

struct Limits : testing::Test {
  test::Problem p = makeProblem(test::smallMesh(2, 2), "gemm", {{"M", 16}, {"N", 16}, {"K", 16}});
  schedule::Schedule s = lowered(p, directGemm());
  std::string errorOf(const base::Result<Simulation>& result) {
    return result.ok() ? "" : result.diagnostics().front().message;
  }
};

TEST_F(Limits, EventsAreLimited) {
  Options options;
  options.maxEvents = 100;
  const std::string error = errorOf(run(p, s, options));
  EXPECT_NE(error.find("stopped after 100 events, the limit, at cycle"), std::string::npos)
      << error;
  EXPECT_NE(error.find("% of the tiles computed"), std::string::npos) << error;
}

TEST_F(Limits, WorkIsLimitedAndTold) {
  base::Progress progress;
  Effort effort;
  const auto whole = simulate(test::verified(s, p), {}, progress, &effort);
  ASSERT_TRUE(whole);
  EXPECT_EQ(effort.work, whole->work);
  EXPECT_GT(effort.work, 2 * whole->events) << "steps count, too";
  EXPECT_FALSE(effort.isTooLong);
  effort.maxWork = whole->work / 2;
  const auto half = simulate(test::verified(s, p), {}, progress, &effort);
  EXPECT_FALSE(half);
  EXPECT_TRUE(effort.isTooLong);
  EXPECT_GT(effort.work, effort.maxWork);
  EXPECT_LT(effort.work, effort.maxWork + 1000);
  // Whichever limit comes first is the one that is told.
  Options few;
  few.maxEvents = 100;
  effort = {};
  effort.maxWork = whole->work / 2;
  EXPECT_FALSE(simulate(test::verified(s, p), few, progress, &effort));
  EXPECT_FALSE(effort.isTooLong);
}

TEST_F(Limits, MemoryIsLimited) {
  Options options;
  options.maxBytes = 1000;
  const auto result = run(p, s, options);
  EXPECT_NE(errorOf(result).find("of memory, the limit"), std::string::npos) << errorOf(result);
  EXPECT_NE(result.diagnostics().front().hint.find("--memory-limit"), std::string::npos);
  EXPECT_FALSE(hasInternalError(result.diagnostics()));
}

TEST_F(Limits, CancelStopsTheRun) {
  const test::Problem big =
      makeProblem(test::smallMesh(2, 2), "gemm", {{"M", 256}, {"N", 256}, {"K", 256}});
  base::Progress progress;
  progress.cancel();
  const auto result = simulate(test::verified(lowered(big, directGemm()), big), {}, progress);
  EXPECT_EQ(errorOf(result), "cancelled");
}

TEST_F(Limits, AnUnknownModeIsAnError) {
  Options options;
  options.mode = "nonsense";
  EXPECT_NE(errorOf(run(p, s, options)).find("nonsense"), std::string::npos);
}

TEST_F(Limits, ADeadlockNamesTheCircle) {
  mapping::Mapping m = directGemm();
  m.inputs[0] = {mapping::MovementKind::Multicast, 2, 1, 3, 2};
  s = lowered(p, m);
  for (schedule::Program& program : s.programs) {
    for (schedule::Process& process : program.processes) {
      std::erase_if(process.code, [](const auto& i) { return i.op == Op::Ready; });
    }
  }
  const std::string error = errorOf(runUnproved(p, s));
  EXPECT_NE(
      error.find("deadlock: mover of A on core (0,0) at `send A via A multicast y`, which waits "
                 "for mover of A on core (0,1) at `receive A via A multicast y`, which waits for "
                 "mover of A on core (0,0)"),
      std::string::npos)
      << error;
}

TEST_F(Limits, AWaitThatNobodyEndsIsNamedAndNotAHang) {
  for (schedule::Program& program : s.programs) {
    for (schedule::Process& process : program.processes) {
      if (process.role == schedule::Process::Role::Writer) process.code.clear();
    }
  }
  const std::string error = errorOf(runUnproved(p, s));
  EXPECT_NE(error.find("compute on core (0,0) at `acquire C`"), std::string::npos) << error;
  EXPECT_NE(error.find("at cycle"), std::string::npos) << error;
}

TEST_F(Limits, AScheduleForOtherHardwareIsRefused) {
  const test::Problem larger =
      makeProblem(test::smallMesh(4, 2), "gemm", {{"M", 16}, {"N", 16}, {"K", 16}});
  EXPECT_NE(errorOf(run(larger, s)).find("is for 4 cores"), std::string::npos);
}

TEST_F(Limits, SameInputSameTrace) {
  Options options;
  options.trace = true;
  const auto one = run(p, s, options), two = run(p, s, options);
  ASSERT_TRUE(one.ok() && two.ok());
  EXPECT_EQ(one->cycles, two->cycles);
  EXPECT_EQ(one->events, two->events);
  ASSERT_EQ(one->trace.spans.size(), two->trace.spans.size());
  for (std::size_t n = 0; n < one->trace.spans.size(); ++n) {
    EXPECT_EQ(one->trace.spans[n].begin, two->trace.spans[n].begin);
    EXPECT_EQ(one->trace.spans[n].end, two->trace.spans[n].end);
    EXPECT_EQ(one->trace.spans[n].state, two->trace.spans[n].state);
  }
}

}  // namespace
}  // namespace gridloom::simulate
