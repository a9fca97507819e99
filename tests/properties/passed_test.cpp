// SPDX-License-Identifier: Apache-2.0
//
// Tiles that go from the core that makes them straight to the cores that read them: random mappings
// with edge tiles against the interpreter, the bytes that really travel, and the room that
// earlier tiles must give back.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "kernel/interpreter.h"
#include "mapping/constraints.h"
#include "mapping/transfers.h"
#include "schedule/verify.h"
#include "simulate/simulation.h"
#include "support/problem.h"
#include "support/verified.h"

namespace gridloom::mapping::passed_property {
namespace {

using test::Problem;

struct Case {
  const char* kernel;
  test::Settings settings;
};
const Case kCases[] = {{"prefix_sum", {{"N", 29}}},
                       {"trsm", {{"N", 14}, {"R", 5}}},
                       {"cholesky", {{"N", 14}}},
                       {"jacobi2d", {{"T", 4}, {"N", 11}}}};

// Every produced operand is passed on.
std::optional<Mapping> passingMapping(const Problem& p, std::uint64_t seed) {
  Constraints wanted;
  for (std::size_t i = 0; i < p.nest.inputs.size(); ++i) {
    if (p.nest.inputs[i].produced) {
      wanted.inputs[static_cast<int>(i)].kind = MovementKind::Forwarded;
    }
  }
  const Axes axes =
      makeAxes(p.kernel, p.nest, p.hw, p.compute.matrixShape, p.compute.vectorLanes, wanted);
  return sampleMapping(p.kernel, p.nest, p.hw, axes, wanted, seed, 100);
}

base::Result<simulate::Simulation> run(const Problem& p, const schedule::Schedule& schedule,
                                       const kernel::TensorValues& inputs) {
  simulate::Options options;
  options.values = true;
  options.inputs = &inputs;
  base::Progress progress;
  return simulate::simulate(test::verified(schedule, p), options, progress);
}

void expectInterpreted(const Problem& p, const simulate::Simulation& s,
                       const kernel::TensorValues& inputs, const std::string& what) {
  const auto expected = kernel::interpret(p.kernel, inputs);
  for (const auto& [name, tensor] : s.outputs) {
    const std::vector<double>& want = expected->at(name).data;
    for (std::size_t e = 0; e < want.size(); ++e) {
      ASSERT_LE(std::abs(tensor.data[e] - want[e]), 1e-9 * std::max(1.0, std::abs(want[e])))
          << what << ": " << name << " element " << e;
    }
  }
}

class Passed : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Kernels, Passed, testing::ValuesIn(kCases),
                         [](const auto& of) { return std::string(of.param.kernel); });

TEST_P(Passed, RandomMappingsGiveTheInterpretersValues) {
  int found = 0;
  for (const auto& [columns, rows] : {std::pair{2, 2}, {4, 1}, {3, 2}}) {
    const Problem p =
        test::makeProblem(test::smallMesh(columns, rows), GetParam().kernel, GetParam().settings);
    const kernel::TensorValues inputs = kernel::sampleInputs(p.kernel, 5);
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      const auto m = passingMapping(p, seed);
      if (!m) continue;
      ++found;
      const std::string what = describe(p.kernel, p.nest, p.hw, *m);
      EXPECT_TRUE(checkMapping(p.kernel, p.nest, p.hw, *m).empty()) << what;
      const auto lowered = schedule::lower(p.kernel, p.nest, p.hw, *m);
      ASSERT_TRUE(lowered.ok()) << what;
      EXPECT_EQ(lowered->localBytes,
                localMemoryBytes(p.nest, *m, tilingOf(*m, p.kernel, p.hw), p.hw))
          << what;
      ASSERT_EQ(test::findings(*lowered, p), "") << what;
      const auto s = run(p, *lowered, inputs);
      ASSERT_TRUE(s.ok()) << what << "\n" << render(s.diagnostics());
      expectInterpreted(p, *s, inputs, what);
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(found, 8);
}

Mapping jacobiOnTwoByTwo(const Problem& p) {
  Mapping m;
  for (const kernel::Loop& loop : p.kernel.loops) m.tileSize.push_back(loop.name == "t" ? 1 : 6);
  m.space = {LoopId{}, LoopId{}};
  for (std::size_t l = 0; l < p.kernel.loops.size(); ++l) {
    if (p.kernel.loops[l].name == "i") m.space[0] = LoopId::of(l);
    if (p.kernel.loops[l].name == "j") m.space[1] = LoopId::of(l);
    if (p.kernel.loops[l].name == "t") m.order = {LoopId::of(l)};
  }
  m.dimOrder = {0, 1};
  for (const kernel::Operand& input : p.nest.inputs) {
    m.inputs.push_back(
        {input.produced ? MovementKind::Forwarded : MovementKind::Direct, 0, 0, 1, 1});
  }
  m.outputs.assign(p.nest.outputs.size(), {});
  return m;
}

// Four cores with tiles of 6 x 6: per sweep each takes an edge from two neighbours and a corner
// from the third.
TEST(Passing, OnlyHalosTravel) {
  const Problem p = test::makeProblem(test::smallMesh(2, 2), "jacobi2d", {{"T", 5}, {"N", 12}});
  const Mapping m = jacobiOnTwoByTwo(p);
  ASSERT_TRUE(checkMapping(p.kernel, p.nest, p.hw, m).empty());
  const auto lowered = schedule::lower(p.kernel, p.nest, p.hw, m);
  const kernel::TensorValues inputs = kernel::sampleInputs(p.kernel, 1);
  const auto s = run(p, *lowered, inputs);
  ASSERT_TRUE(s.ok()) << render(s.diagnostics());
  expectInterpreted(p, *s, inputs, "2 x 2");
  const double halos = 5 * 4 * (6 + 6 + 1) * 4;
  const double firstSweep = 12 * 12 * 4, sweeps = 6 * 12 * 12 * 4;
  EXPECT_EQ(s->traffic.dramRead, firstSweep);
  EXPECT_EQ(s->traffic.dramWrite, sweeps);
  EXPECT_EQ(s->traffic.localWrite, firstSweep + halos);
  EXPECT_EQ(s->traffic.localRead, sweeps + halos);
}

// A sweep reads the one before it: the tiles of two are held, whatever the number of sweeps.
TEST(Passing, ASweepGivesRoomToTheNextButOne) {
  const Problem p = test::makeProblem(test::smallMesh(2, 2), "jacobi2d", {{"T", 5}, {"N", 12}});
  const Mapping m = jacobiOnTwoByTwo(p);
  const Tiling tiling = tilingOf(m, p.kernel, p.hw);
  EXPECT_EQ(heldIterations(p.nest, m, tiling, p.nest.outputs[0]), 2);
  EXPECT_EQ(heldBytes(p.nest.outputs[0], 2, tiling, m.order), 2 * 6 * 6 * 4);
}

// A triangular solve reads all rows before: they stay. Its right sides do not read each other: with
// those outermost, two iterations are enough, unless all is taken before the first. With room for
// less, cores wait for takers that wait for them: that is refused.
TEST(Passing, RowsOfASolveStayUntilTheyAreRead) {
  const Problem p = test::makeProblem(test::smallMesh(2, 2), "trsm", {{"N", 16}, {"R", 16}});
  std::map<std::string, LoopId> loops;
  for (std::size_t l = 0; l < p.kernel.loops.size(); ++l) {
    loops[p.kernel.loops[l].name] = LoopId::of(l);
  }
  Mapping m;
  m.tileSize.assign(p.kernel.loops.size(), 2);
  m.space = {loops["i"], LoopId{}};
  m.dimOrder = {0, 1};
  for (const kernel::Operand& input : p.nest.inputs) {
    m.inputs.push_back(
        {input.produced ? MovementKind::Forwarded : MovementKind::Direct, 0, 0, 3, 1});
  }
  m.outputs.assign(p.nest.outputs.size(), {});
  const Tiling tiling = tilingOf(m, p.kernel, p.hw);
  const kernel::Operand& x = p.nest.outputs[0];
  m.order = {loops["r"], loops["i"], loops["j"]};
  EXPECT_EQ(heldIterations(p.nest, m, tiling, x), 2);
  Mapping once = m;
  for (std::size_t i = 0; i < m.inputs.size(); ++i) {
    if (p.nest.inputs[i].produced) once.inputs[i].level = 0;
  }
  EXPECT_EQ(heldIterations(p.nest, once, tiling, x), 8);
  m.order = {loops["i"], loops["r"], loops["j"]};
  EXPECT_EQ(heldIterations(p.nest, m, tiling, x), 4);

  auto lowered = schedule::lower(p.kernel, p.nest, p.hw, m);
  ASSERT_EQ(test::findings(*lowered, p), "");
  for (schedule::Buffer& buffer : lowered->buffers) {
    if (buffer.use == schedule::Buffer::Use::Held) buffer.slots = 2;
  }
  const std::string findings = test::findings(*lowered, p);
  EXPECT_NE(findings.find("no room for 4 iteration(s)"), std::string::npos) << findings;
}

}  // namespace
}  // namespace gridloom::mapping::passed_property
