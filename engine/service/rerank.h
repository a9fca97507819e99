// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "service/workspace.h"

namespace gridloom::service {

/// The inputs of every step after the parsers.
struct Subject {
  const kernel::Kernel& kernel;
  const kernel::TileNest& nest;
  const hardware::Topology& hw;
};

/// Re-ranks by simulation. `ranked` is ordered by the model, best first. Simulates some of its
/// mappings as `options.rerank` says, and puts these first, in the order of simulated cycles. Where
/// only some of the first are simulated, equivalent mappings (reranking_plan.h) fold into the first
/// of them.
Reranked rerank(std::vector<Ranked>& ranked, const Subject& subject, const std::string& mode,
                const ExploreOptions& options, base::Progress& progress);

/// The fewest cycles that `rerank` can find. `ranked`: the model's first, as many as it may
/// simulate, all of them simulated, in any order. The work of verification is not counted.
double fastestReranked(const Reranking& rerank, std::span<const Ranked> ranked);

}  // namespace gridloom::service
