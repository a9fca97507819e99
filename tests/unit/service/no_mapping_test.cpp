// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "service/workspace.h"
#include "support/problem.h"
#include "unit/service/chain_kernel.h"

namespace gridloom::service {
namespace {

// Written at two positions, so it stays whole, and is too large for a core.
const char* const kHalves = R"(kernel halves(B = 4, N = 65536) {
  tensor X[B, 2 * N]: f32
  tensor Y[B, 2 * N]: f32
  Y[b, i] = X[b, 2 * i] + X[b, 2 * i + 1]  where i < N
  Y[b, i + N] = X[b, 2 * i] - X[b, 2 * i + 1]  where i < N
}
)";

std::vector<std::string> whyNone(const KernelRef& kernel) {
  const HardwareRef hardware = *openHardware(base::makeSource("mesh.hw", test::smallMesh(2, 2)));
  ExploreOptions options;
  options.apart = true;
  base::Progress progress;
  const auto found = explore(hardware, kernel, {}, options, progress);
  EXPECT_TRUE(found) << base::render(found.diagnostics());
  return found ? (*found)->whyNone : std::vector<std::string>{};
}

TEST(NoMapping, NamesTheLoopAndASizeThatHelps) {
  const std::vector<std::string> lines = whyNone(openedKernel(kHalves));
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0], "i is not tiled: `Y` is written at two positions along i");
  const std::string begin = "there are mappings with --set N=";
  ASSERT_EQ(lines[1].substr(0, begin.size()), begin);
  const std::int64_t size = std::stoll(lines[1].substr(begin.size()));
  const auto smaller = openKernel(base::makeSource("k.rec", kHalves), {{{"N", size}}, "", ""});
  ASSERT_TRUE(smaller);
  EXPECT_TRUE(whyNone(*smaller).empty());
}

}  // namespace
}  // namespace gridloom::service
