// SPDX-License-Identifier: Apache-2.0
//
// The resource that a prediction names as the bottleneck is the one of which twice as much helps
// most in simulation.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "service/workspace.h"
#include "texts/presets.h"

namespace gridloom::service::bottleneck_property {
namespace {

struct Cell {
  std::string hardware, kernel;
  std::vector<std::pair<std::string, std::int64_t>> sizes;
};

std::ostream& operator<<(std::ostream& out, const Cell& cell) {
  return out << cell.kernel << " on " << cell.hardware;
}

/// Two resources of which twice as much helps equally, as a share of the cycles.
constexpr double kTie = 0.03;

// What makes a resource twice as good; none where no single figure of the description does.
std::vector<std::string> remediesFor(const std::string& bottleneck) {
  if (bottleneck == "matrix") return {"matrix rate", "matrix issue"};
  if (bottleneck == "vector") return {"vector rate"};
  if (bottleneck == "dram") return {"dram bandwidth"};
  if (bottleneck.ends_with(" port")) return {"memory port bandwidth"};
  if (bottleneck.starts_with("noc")) return {"network bandwidth"};
  return {};
}

class Bottleneck : public testing::TestWithParam<Cell> {};

TEST_P(Bottleneck, IsWhatTwiceAsMuchHelpsMost) {
  const auto hardware = *openHardware(*texts::loadHardwareText(GetParam().hardware));
  const auto kernel =
      *openKernel(*texts::loadKernelText(GetParam().kernel), {GetParam().sizes, "", ""});
  ExploreOptions options{1, 1, ""};
  options.search.work = 100'000;
  base::Progress progress;
  const auto found = explore(hardware, kernel, {}, options, progress);
  ASSERT_TRUE(found) << base::render(found.diagnostics());
  const auto explained =
      explain(hardware, kernel, (*found)->top.front().candidate.mapping, {}, progress);
  ASSERT_TRUE(explained) << base::render(explained.diagnostics());

  const std::string& named = (*explained)->run->predicted.bottleneck;
  const std::vector<std::string> remedies = remediesFor(named);
  ASSERT_FALSE(remedies.empty()) << named;
  const double cycles = (*explained)->run->simulated.cycles;
  double ofNamed = 0, ofOthers = 0;
  for (const WhatIf& more : (*explained)->twice) {
    const double saved = 1 - more.simulatedCycles.value_or(cycles) / cycles;
    const bool isNamed = std::ranges::any_of(remedies, [&](const std::string& remedy) {
      return more.resource.find(remedy) != std::string::npos;
    });
    double& most = isNamed ? ofNamed : ofOthers;
    most = std::max(most, saved);
  }
  EXPECT_GE(ofNamed + kTie, ofOthers) << named;
}

INSTANTIATE_TEST_SUITE_P(
    Cells, Bottleneck,
    testing::Values(Cell{"wormhole_4x8", "gemm", {{"M", 512}, {"N", 512}, {"K", 512}}},
                    Cell{"wormhole_4x8", "softmax", {{"M", 512}, {"N", 1024}}},
                    Cell{"wormhole_4x8", "layernorm", {}}, Cell{"wormhole_4x8", "mha", {}},
                    Cell{"wormhole_1x8", "ttm", {}}, Cell{"wormhole_1x8", "gemv", {}},
                    Cell{"blackhole_p150", "vector_add", {}}, Cell{"npu_strix_4x8", "gemv", {}}));

}  // namespace
}  // namespace gridloom::service::bottleneck_property
