// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "exchange/json_text.h"
#include "report/exploration_text.h"
#include "service/fit.h"
#include "service/result_records.h"
#include "support/problem.h"
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

// Recurrences that are written on the output.
constexpr const char* kBorders = R"(kernel borders(N = 64) {
    tensor s[N, N]: f32  tensor H[N, N]: f32
    H[0, 0] = s[0, 0]
    H[0, j] = H[0, j - 1] + s[0, j]  where j >= 1
    H[i, 0] = H[i - 1, 0] + s[i, 0]  where i >= 1
    H[i, j] = max(H[i - 1, j], H[i, j - 1]) + s[i, j]  where i >= 1, j >= 1
  })";
constexpr const char* kChoices = R"(kernel choices(N = 64) {
    tensor s[N, N]: f32  tensor H[N, N]: f32
    H[i, j] = max(select(i >= 1, H[i - 1, j], 0), select(j >= 1, H[i, j - 1], 0)) + s[i, j]
  })";
constexpr const char* kGaps = R"(kernel gaps(N = 64) {
    tensor s[N, N]: f32  tensor H[N, N]: f32  tensor E[N, N]: f32  tensor Y[N, N]: f32
    E[i, j] = select(j >= 1, max(E[i, j - 1] - 1, H[i, j - 1] - 4), 0)
    H[i, j] = max(select(i >= 1, H[i - 1, j], 0), E[i, j]) + s[i, j]
    Y[i, j] = H[i, j] * 2
  })";

// Only what lies before the first index is the initial value of state.
constexpr const char* kOtherChoices = R"(kernel choices(N = 64) {
    tensor s[N, N]: f32  tensor H[N, N]: f32
    H[i, j] = select(i == 0, 7, H[i - 1, j]) + select(j >= 1, H[i, j - 1], 0) + s[i, j]
      + select(i >= 1 and j >= 1, H[i - 1, j - 1], 7) + select(i >= 3, H[i - 1, j], 7)
      + select(0 == j, 7, H[i, j - 1])
  })";

KernelRef kernelOf(const char* text, std::int64_t size) {
  auto kernel = openKernel(base::makeSource("k.rec", text), {{{"N", size}}, "", ""});
  EXPECT_TRUE(kernel) << base::render(kernel.diagnostics());
  return *kernel;
}

HardwareRef wormhole() { return *openHardware(*texts::loadHardwareText("wormhole_8x8")); }

bool hasState(const Kernel& kernel) { return !kernel.nest->locals.empty(); }

Fit fitOf(const KernelRef& kernel, const Asked& asked = {}) {
  base::Progress progress;
  auto fit = service::fit(kernel, *wormhole(), asked, progress);
  EXPECT_TRUE(fit) << base::render(fit.diagnostics());
  return *std::move(fit);
}

Asked directives(const std::string& text) { return {base::makeSource("d.sched", text)}; }

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

double fastest(const KernelRef& kernel, const Asked& asked = {}) {
  base::Progress progress;
  const Fit fit = fitOf(kernel, asked);
  const auto found = explore(wormhole(), fit.kernel, fit.constraints, firstOnly(), progress);
  EXPECT_TRUE(found) << base::render(found.diagnostics());
  return (*found)->top.front().cycles();
}

// The best mapping of one form as a file.
base::SourceRef savedMapping(const KernelRef& form) {
  base::Progress progress;
  const auto found = explore(wormhole(), form, {}, firstOnly(), progress);
  EXPECT_TRUE(found) << base::render(found.diagnostics());
  return base::makeSource("m.json", exchange::explorationJson(recordOf(**found)));
}

TEST(FasterForm, IsStateInOneCoreOrAWavefrontAsTheSizeHasIt) {
  const KernelRef small = fitOf(gridOfPaths(64)).kernel;
  const KernelRef large = fitOf(gridOfPaths(1024)).kernel;
  EXPECT_TRUE(hasState(*small));
  EXPECT_FALSE(hasState(*large));
  EXPECT_EQ(fitOf(small).kernel, small);
  EXPECT_EQ(fitOf(large).kernel, large);
}

TEST(FasterForm, IsTheOneThatDirectivesName) {
  for (const char* text : {"space(i -> x)", "forwarded(H@2)"}) {
    EXPECT_FALSE(hasState(*fitOf(gridOfPaths(64), directives(text)).kernel)) << text;
  }
}

TEST(FasterForm, IsFasterUnderTheDirectives) {
  const char* const pinned = "tile(i, 1) tile(j, 1)";
  EXPECT_LT(fastest(gridOfPaths(638), directives(pinned)), 4e6);
  const KernelRef named = fitOf(gridOfPaths(638), directives(pinned)).kernel;
  const Asked saved{.saved = {base::makeSource("saved.sched", pinned)}};
  EXPECT_EQ(hasState(*fitOf(gridOfPaths(638), saved).kernel), hasState(*named));
  EXPECT_NE(hasState(*fitOf(gridOfPaths(638)).kernel), hasState(*named)) << "without directives";
}

TEST(FasterForm, IsThatOfASavedMapping) {
  const base::SourceRef state = savedMapping(onlyWithState(gridOfPaths(1024)));
  const base::SourceRef wavefront = savedMapping(gridOfPaths(64));
  EXPECT_TRUE(hasState(*fitOf(gridOfPaths(1024), {.saved = {state}}).kernel));
  EXPECT_FALSE(hasState(*fitOf(gridOfPaths(64), {.saved = {wavefront}}).kernel));
}

TEST(FasterForm, SaysWhyNoFormFits) {
  base::Progress progress;
  const auto errorsFor = [&](const Asked& asked) {
    return base::render(fit(gridOfPaths(64), *wormhole(), asked, progress).takeDiagnostics());
  };
  Asked both = directives("space(i -> x)");
  both.saved = {savedMapping(onlyWithState(gridOfPaths(64)))};
  const std::string message = errorsFor(both);
  EXPECT_NE(message.find("`H@2` is missing here"), std::string::npos) << message;
  EXPECT_NE(message.find("note: it does not fit the form of `paths` with state in one core"),
            std::string::npos)
      << message;
  const std::string inBoth = errorsFor(directives("tile(a, 4)"));
  EXPECT_NE(inBoth.find("no loop `a`"), std::string::npos) << inBoth;
  EXPECT_EQ(inBoth.find("note:"), std::string::npos) << inBoth;
}

TEST(FasterForm, IsFoundWithinTheLimits) {
  const SearchLimits limits{.work = 20'000, .seconds = 100};
  const SearchLimits left = fitOf(gridOfPaths(64), {.search = limits}).left;
  EXPECT_LT(left.seconds, 100);
  EXPECT_GT(left.seconds, 50);
  EXPECT_LT(left.work, 20'000);
  EXPECT_GT(left.work, 10'000);
  // Making the points of both forms is work, too.
  const SearchLimits little{.work = 400};
  EXPECT_LT(fitOf(gridOfPaths(64), {.search = little}).left.work, 100);
  base::Progress cancelled;
  cancelled.cancel();
  EXPECT_FALSE(hasState(*fit(gridOfPaths(64), *wormhole(), {}, cancelled)->kernel));
}

TEST(FasterForm, SaysThatTheChoiceStopped) {
  const auto explored = [](const SearchLimits& limits) {
    base::Progress progress;
    const Fit fit = fitOf(gridOfPaths(64), {.search = limits});
    ExploreOptions options = firstOnly();
    options.search = {.work = 0, .margin = 0};
    return *explore(wormhole(), fit.kernel, fit.constraints, options, progress);
  };
  const report::ExplorationRecord stopped = recordOf(*explored({.work = 4'000}));
  EXPECT_EQ(stopped.space.stopped, search::Stop::None);
  EXPECT_EQ(stopped.space.formChoice, search::Stop::WorkLimit);
  EXPECT_FALSE(stopped.space.exact);
  const std::string text = report::explorationText(stopped);
  EXPECT_NE(text.find("between two forms of the kernel stopped at its work limit"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("exact by the model"), std::string::npos) << text;
  const std::string json = exchange::explorationJson(stopped);
  EXPECT_NE(json.find(R"("form_choice_stopped": "work limit")"), std::string::npos) << json;
  const report::ExplorationRecord whole = recordOf(*explored({.work = 0}));
  EXPECT_EQ(whole.space.formChoice, search::Stop::None);
  EXPECT_TRUE(whole.space.exact);
  EXPECT_EQ(report::formChoiceText(whole.space), "");
}

TEST(FasterForm, SaysByHowMuchTheOtherMayBeFaster) {
  Kernel chosen = *fitOf(gridOfPaths(64), {.search = {.work = 0, .margin = 0}}).kernel;
  EXPECT_EQ(chosen.formMargin, 0);
  chosen.formMargin = 0.01;  // of a search that was longer than its patience
  ExploreOptions options = firstOnly();
  options.search = {.work = 0, .margin = 0};
  base::Progress progress;
  const auto kernel = std::make_shared<const Kernel>(std::move(chosen));
  const auto found = explore(wormhole(), kernel, {}, options, progress);
  EXPECT_FALSE((*found)->space.exact);
  const std::string text = report::explorationText(recordOf(**found));
  EXPECT_NE(text.find("within 1.0% of exact by the model"), std::string::npos) << text;
}

// Products of state take the matrix unit; those of outputs that are passed on, the vector unit.
TEST(FasterForm, IsFasterInTheNumericMode) {
  std::string text = test::smallMesh(2, 1);
  const std::string rate = "128 flop/cycle";
  text.replace(text.find(rate), rate.size(), "{ fast = 128 flop/cycle, slow = 1 flop/cycle }");
  const HardwareRef hardware = *openHardware(base::makeSource("modes.hw", text));
  const KernelRef cell = kernelOf(R"(kernel cell(N = 16) {
    tensor x[N, 32, 32]: f32  tensor U[32, 32]: f32  tensor Y[N, 32, 32]: f32
    local h[N, 32, 32]: f32 = 0
    h[t, b, n] = tanh(x[t, b, n] + sum(m) U[n, m] * h[t - 1, b, m])
    Y[t, b, n] = h[t, b, n]
  })",
                                  16);
  const auto hasStateIn = [&](const char* mode) {
    base::Progress progress;
    return hasState(*fit(cell, *hardware, {.mode = mode}, progress)->kernel);
  };
  EXPECT_TRUE(hasStateIn("fast"));
  EXPECT_FALSE(hasStateIn("slow"));
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

TEST(FasterForm, IsStateInPlaceOfAnOutputToo) {
  for (const char* text : {kBorders, kChoices, kGaps}) {
    const KernelRef kernel = kernelOf(text, 64);
    ASSERT_TRUE(kernel->kernel.alternative) << text;
    EXPECT_TRUE(hasState(*fitOf(kernel).kernel)) << text;
  }
  EXPECT_LT(fastest(kernelOf(kBorders, 64)), 3'000);
  EXPECT_LT(fastest(kernelOf(kChoices, 64)), 3'000);
}

TEST(FasterForm, IsNoStateWhereStepsAreParallel) {
  const auto sweeps = openKernel(*texts::loadKernelText("jacobi2d"), {});
  ASSERT_TRUE(sweeps);
  EXPECT_FALSE((*sweeps)->kernel.alternative);
}

void checkValuesOfBothForms(const KernelRef& kernel) {
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

TEST(FasterForm, ComputesTheSameValues) {
  checkValuesOfBothForms(gridOfPaths(16));
  for (const char* text : {kBorders, kChoices, kOtherChoices, kGaps}) {
    SCOPED_TRACE(text);
    checkValuesOfBothForms(kernelOf(text, 16));
  }
}

}  // namespace
}  // namespace gridloom::service
