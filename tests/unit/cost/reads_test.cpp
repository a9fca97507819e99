// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cost/evaluator.h"
#include "support/problem.h"
#include "support/rounds.h"

namespace gridloom::cost {
namespace {

using mapping::MovementKind;

// A search leaves out tile sizes by what their options read before it costs any of them: too much
// would leave out the best.
void checkReads(const test::Problem& p, std::uint64_t seed, int& compared) {
  const mapping::Mapping m = test::randomOrRing(p, seed);
  if (m.inputs.empty()) return;
  const Evaluator evaluator(p.kernel, p.nest, p.hw, p.compute);
  const TiledCandidate candidate = evaluator.candidate(m);
  for (std::size_t i = 0; i < p.nest.inputs.size(); ++i) {
    const double read = evaluator.bytesRead(candidate, i, m.inputs[i]);
    const Stages stages = evaluator.stages(candidate, i, m.inputs[i]);
    double costed = 0;
    for (const MovementCost& stage : stages)
      costed += stage.transfer.weight * stage.transfer.pattern->transfers;
    SCOPED_TRACE(mapping::describe(p.kernel, p.nest, p.hw, m));
    const kernel::Operand& operand = p.nest.inputs[i];
    const bool known = !operand.produced && operand.guard.always();
    if (known && m.inputs[i].kind != MovementKind::Rotate) {
      EXPECT_NEAR(read, costed, 1e-9 * costed);
      ++compared;
    } else {
      EXPECT_EQ(read, 0);
    }
  }
}

TEST(BytesRead, AreThoseOfTheCost) {
  const std::string pool = "kernel pool(C = 4, P = 9) {\n"
                           "  tensor I[C, 2 * P + 1]: f16   tensor O[C, P]: f16\n"
                           "  for r in 0..3\n"
                           "  O[c, p] = sum(r) I[c, 2 * p + r]\n}\n";
  int compared = 0;
  for (const std::string& hw :
       {test::smallMesh(3, 2), test::smallTorus(2, 2), test::meshWithSharedBuffer(2, 3)}) {
    const std::vector<test::Problem> problems{
        test::makeProblem(hw, pool),
        test::makeProblem(hw, "gemm_bias_relu", {{"M", 18}, {"N", 16}, {"K", 8}}),
        test::makeProblem(hw, "causal_attention", {{"H", 2}, {"S", 16}, {"D", 4}})};
    for (const test::Problem& p : problems) {
      for (int seed = 1; seed <= test::rounds(40); ++seed)
        checkReads(p, static_cast<std::uint64_t>(seed), compared);
    }
  }
  EXPECT_GT(compared, 100);
}

}  // namespace
}  // namespace gridloom::cost
