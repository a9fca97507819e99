// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "service/no_mapping.h"
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
  return found ? linesOf((*found)->whyNone) : std::vector<std::string>{};
}

// The element type counts: another one needs other sizes.
TEST(NoMapping, NamesTheLoopAndASizeThatHelps) {
  for (const char* dtype : {"", "f64"}) {
    const auto opened = [&](std::vector<std::pair<std::string, std::int64_t>> set) {
      const auto kernel =
          openKernel(base::makeSource("k.rec", kHalves), {std::move(set), dtype, ""});
      EXPECT_TRUE(kernel) << base::render(kernel.diagnostics());
      return *kernel;
    };
    const std::vector<std::string> lines = whyNone(opened({}));
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[0], "i is not tiled: `Y` is written at two positions along i");
    const std::string begin = "there are mappings with --set N=";
    ASSERT_EQ(lines[1].substr(0, begin.size()), begin);
    const std::int64_t size = std::stoll(lines[1].substr(begin.size()));
    EXPECT_TRUE(whyNone(opened({{"N", size}})).empty());
  }
}

// One size is named where one is enough, however small it gets.
TEST(NoMapping, ChangesOneSizeIfThatIsEnough) {
  std::string text = kHalves;
  text.replace(text.find("B = 4,"), 6, "B = 4, R = 8,");
  text.replace(text.find("X[B,"), 4, "X[R, B,");
  text.replace(text.find("Y[B,"), 4, "Y[R, B,");
  for (std::size_t at; (at = text.find("[b,")) != std::string::npos;) text.replace(at, 3, "[r, b,");
  const auto kernel = openKernel(base::makeSource("k.rec", text), {{{"N", 400000}}, "", ""});
  ASSERT_TRUE(kernel) << base::render(kernel.diagnostics());
  const std::vector<std::string> lines = whyNone(*kernel);
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(lines.back().substr(0, 32), "there are mappings with --set N=") << lines.back();
  EXPECT_EQ(lines.back().find(" --set", 30), std::string::npos) << lines.back();
}

}  // namespace
}  // namespace gridloom::service
