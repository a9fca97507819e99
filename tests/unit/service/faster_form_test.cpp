// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "service/workspace.h"
#include "texts/presets.h"

namespace gridloom::service {
namespace {

KernelRef gridOfPaths(std::int64_t size) {
  auto kernel = openKernel(base::makeSource("paths.rec", R"(kernel paths(N = 64) {
    tensor s[N, N]: f32  tensor H[N, N]: f32  local h[N, N]: f32 = 0
    h[i, j] = max(h[i - 1, j], h[i, j - 1]) + s[i, j]
    H[i, j] = h[i, j]
  })"),
                           {{{"N", size}}, "", ""});
  EXPECT_TRUE(kernel) << base::render(kernel.diagnostics());
  return *kernel;
}

HardwareRef wormhole() { return *openHardware(*texts::loadHardwareText("wormhole_8x8")); }

bool hasState(const Kernel& kernel) { return !kernel.nest->locals.empty(); }

// The alternative as a kernel of its own.
KernelRef onlyWithState(const KernelRef& kernel) {
  Kernel state = *kernel;
  state.kernel = *kernel->kernel.alternative;
  state.nest = *kernel::tileNest(state.kernel);
  return std::make_shared<const Kernel>(std::move(state));
}

ExploreOptions firstOnly() {
  ExploreOptions options;
  options.top = 1;
  return options;
}

double fastest(const KernelRef& kernel) {
  base::Progress progress;
  const auto found = explore(wormhole(), kernel, {}, firstOnly(), progress);
  EXPECT_TRUE(found) << base::render(found.diagnostics());
  return (*found)->top.front().cycles();
}

TEST(FasterForm, IsStateInOneCoreOrAWavefrontAsTheSizeHasIt) {
  const KernelRef small = fitted(gridOfPaths(64), *wormhole());
  const KernelRef large = fitted(gridOfPaths(1024), *wormhole());
  EXPECT_TRUE(hasState(*small));
  EXPECT_FALSE(hasState(*large));
  EXPECT_EQ(fitted(small, *wormhole()), small);
  EXPECT_EQ(fitted(large, *wormhole()), large);
}

TEST(FasterForm, NoFormIsFaster) {
  for (const std::int64_t size : {16, 512}) {
    const KernelRef kernel = gridOfPaths(size);
    ASSERT_TRUE(kernel->kernel.alternative);
    Kernel wavefront = *kernel;
    wavefront.kernel.alternative = nullptr;
    const double both = fastest(kernel);
    EXPECT_LE(both, fastest(std::make_shared<const Kernel>(std::move(wavefront))));
    EXPECT_LE(both, fastest(onlyWithState(kernel)));
  }
}

TEST(FasterForm, ComputesTheSameValues) {
  const KernelRef kernel = gridOfPaths(16);
  Kernel wavefront = *kernel;
  wavefront.kernel.alternative = nullptr;
  for (const KernelRef& form :
       {onlyWithState(kernel), KernelRef(std::make_shared<const Kernel>(std::move(wavefront)))}) {
    base::Progress progress;
    const auto found = explore(wormhole(), form, {}, firstOnly(), progress);
    ASSERT_TRUE(found) << base::render(found.diagnostics());
    SimulateOptions options;
    options.values = true;
    const auto run = simulateMapping(wormhole(), form, mappingAt(**found, 0), options, progress);
    ASSERT_TRUE(run) << base::render(run.diagnostics());
    EXPECT_LT((*run)->valueError.value_or(1), 1e-6);
  }
}

}  // namespace
}  // namespace gridloom::service
