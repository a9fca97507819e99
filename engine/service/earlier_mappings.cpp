// SPDX-License-Identifier: Apache-2.0
#include "service/earlier_mappings.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "cost/model.h"
#include "mapping/space.h"

namespace gridloom::service {

namespace {

constexpr std::chrono::milliseconds kMostTime{10};

}  // namespace

search::Outcome stillLegal(std::span<const mapping::Mapping> earlier,
                           const ranking::Subject& subject, const hardware::ComputeModel& compute,
                           const mapping::Constraints& constraints,
                           const base::Progress& progress) {
  const auto& [kernel, nest, hw] = subject;
  const auto end = std::chrono::steady_clock::now() + kMostTime;
  search::Outcome known;
  for (const mapping::Mapping& each : earlier) {
    if (progress.cancelled()) return {};
    if (std::chrono::steady_clock::now() > end) break;
    if (!mapping::checkMapping(kernel, nest, hw, each).empty()) continue;
    if (!mapping::isAdmitted(nest, hw, each, constraints)) continue;
    known.top.push_back({each, cost::estimate(kernel, nest, hw, compute, each, &progress)});
  }
  if (progress.cancelled()) return {};
  std::ranges::stable_sort(known.top, {},
                           [](const search::Candidate& each) { return each.estimate.cycles; });
  return known;
}

}  // namespace gridloom::service
