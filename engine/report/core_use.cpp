// SPDX-License-Identifier: Apache-2.0
#include "report/core_use.h"

#include <algorithm>
#include <vector>

namespace gridloom::report {

namespace {

constexpr auto kCompute = static_cast<std::size_t>(simulate::State::Compute);

}  // namespace

std::optional<double>
computingShare(const simulate::Simulation& run, const hardware::Topology& hw,
               std::span<const std::pair<std::string, std::int64_t>> coordinates) {
  if (coordinates.empty()) return run.states[kCompute] / run.cycles;
  double sum = 0, cores = 0;
  std::vector<std::int64_t> at(hw.dims().size());
  for (std::size_t core = 0; core < run.coreStates.size(); ++core) {
    hw.coordinatesOf(hardware::CoreId(static_cast<std::int32_t>(core)), at);
    bool counts = true;
    for (std::size_t d = 0; d < at.size(); ++d) {
      for (const auto& [dim, place] : coordinates) {
        counts = counts && (hw.dims()[d].name != dim || at[d] == place);
      }
    }
    if (!counts) continue;
    sum += run.coreStates[core][kCompute] / run.cycles;
    ++cores;
  }
  return cores > 0 ? std::optional(sum / cores) : std::nullopt;
}

double computingBalance(const simulate::Simulation& run) {
  double least = run.cycles, most = 0;
  for (const auto& states : run.coreStates) {
    least = std::min(least, states[kCompute]);
    most = std::max(most, states[kCompute]);
  }
  return most > 0 ? least / most : 0;
}

}  // namespace gridloom::report
