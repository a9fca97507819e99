// SPDX-License-Identifier: Apache-2.0
#include "schedule/process_roles.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "schedule/op_names.h"
#include "support/problem.h"

namespace gridloom::schedule {
namespace {

using kernel::LoopId;
using mapping::MovementKind;
using mapping::ReductionTopology;

/// "A loader 3, A feeder 6, PE 12": roles with their operand and number of cores.
std::string rolesOn(const mapping::Mapping& m) {
  const test::Problem p =
      test::makeProblem(test::smallMesh(4, 3, 3), "gemm", {{"M", 48}, {"N", 36}, {"K", 16}});
  const auto schedule = lower(p.kernel, p.nest, p.hw, m);
  if (!schedule) throw std::runtime_error(render(schedule.diagnostics()));
  std::string text;
  for (const RoleCount& c : roleCounts(*schedule, p.nest)) {
    text += fmt::format("{}{}{}{} {}", text.empty() ? "" : ", ", c.operand,
                        c.operand.empty() ? "" : " ", nameOf(c.role), c.cores);
  }
  return text;
}

mapping::Mapping gemm() {
  mapping::Mapping m;
  m.tileSize = {4, 4, 4};
  m.space = {LoopId(0), LoopId(1)};
  m.dimOrder = {0, 1};
  m.order = {LoopId(0), LoopId(1), LoopId(2)};
  m.inputs = {{MovementKind::Stream, 2, 1, 3, 2}, {MovementKind::Multicast, 1, 0, 3, 2}};
  m.outputs = {{ReductionTopology::None, 1, 1}};
  return m;
}

TEST(ProcessRoles, FollowFromTheInstructions) {
  // 4 x 3 cores: A streams down each column (loaded by 4), B is multicast along each row (loaded
  // by 3), results are collected at row 0.
  EXPECT_EQ(rolesOn(gemm()), "PE 12, A loader 4, A feeder 8, A receiver 4, B loader 3, B feeder 3, "
                             "B receiver 9, C drainer 8, C collector 4, C unloader 4");
}

TEST(ProcessRoles, PartialResultsHaveReducers) {
  mapping::Mapping m = gemm();
  m.space = {LoopId(2), LoopId(1)};
  m.order = {LoopId(0), LoopId(1)};
  m.inputs = {{MovementKind::Direct, 0, 0, 1, 2}, {MovementKind::Direct, 0, 0, 2, 2}};
  m.outputs = {{ReductionTopology::Chain, -1, 1}};
  EXPECT_EQ(rolesOn(m), "PE 12, A loader 12, B loader 12, C reducer 12, C unloader 3");
}

}  // namespace
}  // namespace gridloom::schedule
