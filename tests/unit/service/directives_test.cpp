// SPDX-License-Identifier: Apache-2.0

// The directives of kernels/directives, by their names.

#include <gtest/gtest.h>

#include "service/workspace.h"
#include "texts/presets.h"

namespace gridloom::service {
namespace {

struct BuiltInDirectives : testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(BuiltInDirectives, IsFoundByNameAndHasAMapping) {
  const auto [name, kernelName] = GetParam();
  base::Progress progress;
  const bool systolic = std::string(name).starts_with("systolic");
  const auto hardware =
      openHardware(*texts::loadHardwareText(systolic ? "systolic_mesh_32x32" : "wormhole_8x8"));
  const KernelOptions size =
      kernelName == std::string("gemm")
          ? KernelOptions{{{"M", systolic ? 32 : 2048}, {"N", systolic ? 32 : 2048}, {"K", 64}},
                          "",
                          ""}
          : KernelOptions{{{"H", 8}, {"SQ", 512}, {"D", 64}}, "", ""};
  const auto kernel = openKernel(*texts::loadKernelText(kernelName), size);
  ASSERT_TRUE(kernel) << base::render(kernel.diagnostics());
  const auto text = texts::loadDirectivesText(name);
  ASSERT_TRUE(text) << base::render(text.diagnostics());
  const auto constraints = openDirectives(*text, **kernel, **hardware);
  ASSERT_TRUE(constraints) << base::render(constraints.diagnostics());
  const auto mapping = mappingFromDirectives(*hardware, *kernel, *constraints, "", progress);
  EXPECT_TRUE(mapping) << base::render(mapping.diagnostics());
}

INSTANTIATE_TEST_SUITE_P(
    Shipped, BuiltInDirectives,
    testing::Values(std::pair{"tt_1d_a", "gemm"}, std::pair{"tt_1d_b", "gemm"},
                    std::pair{"tt_1d_a_row", "gemm"}, std::pair{"tt_1d_b_row", "gemm"},
                    std::pair{"tt_2d", "gemm"}, std::pair{"dram_only", "gemm"},
                    std::pair{"no_temporal_reuse", "gemm"}, std::pair{"systolic_os", "gemm"},
                    std::pair{"systolic_ws", "gemm"},
                    std::pair{"attention_reload", "flash_attention"},
                    std::pair{"attention_reload_32", "flash_attention"}),
    [](const auto& directives) { return std::string(directives.param.first); });

TEST(Directives, SayWhichLoopAJoinedOneHasBecome) {
  const auto kernel = openKernel(base::makeSource("rows.rec", R"(kernel rows(N = 64) {
    tensor X[N]: f32  tensor Z[N]: f32  tensor Y[2 * N]: f32
    Y[2 * a] = X[a]
    Y[2 * b + 1] = Z[b]
  })"),
                                 {});
  ASSERT_TRUE(kernel) << base::render(kernel.diagnostics());
  const auto hardware = openHardware(*texts::loadHardwareText("wormhole_8x8"));
  for (const char* text : {"tile(b, 4)", "map p(b) -> (x = b)"}) {
    const auto found = openDirectives(base::makeSource("d.sched", text), **kernel, **hardware);
    ASSERT_FALSE(found) << text;
    EXPECT_EQ(found.diagnostics().front().hint, "`a` and `b` are mapped as one loop: write `a`");
  }
  EXPECT_TRUE(openDirectives(base::makeSource("d.sched", "tile(a, 4)"), **kernel, **hardware));
}

TEST(Directives, SayWhichLoopOfAnIndexOfSeveralAJoinedOneHasBecome) {
  const auto kernel = openKernel(base::makeSource("rows.rec", R"(kernel rows(N = 64) {
    tensor X[N, 4]: f32  tensor Z[N, 4]: f32  tensor Y[8 * N]: f32
    for r in 0..4
    for s in 0..4
    Y[8 * a + r] = X[a, r]
    Y[8 * b + s + 4] = Z[b, s]
  })"),
                                 {});
  ASSERT_TRUE(kernel) << base::render(kernel.diagnostics());
  const auto hardware = openHardware(*texts::loadHardwareText("wormhole_8x8"));
  const auto found =
      openDirectives(base::makeSource("d.sched", "tile(b, 4)"), **kernel, **hardware);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.diagnostics().front().hint, "`a` and `b` are mapped as one loop: write `a`");
  EXPECT_TRUE(openDirectives(base::makeSource("d.sched", "tile(a, 4)"), **kernel, **hardware));
}

}  // namespace
}  // namespace gridloom::service
