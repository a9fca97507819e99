// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "service/workspace.h"

namespace gridloom::service {

/// What every step after the parsers works on.
struct Subject {
  const kernel::Kernel& kernel;
  const kernel::TileNest& nest;
  const hardware::Topology& hw;
};

/// Takes a ranking by the model, best first; simulates some of its mappings as `options.refine` says, and puts those
/// in the order of simulated cycles, in front of the others. Where only some of the first are simulated, twins
/// (refinement_plan.h) are folded into the first of them.
Reranked rerank(std::vector<Ranked>& ranked, const Subject& subject, const std::string& mode,
                const ExploreOptions& options, base::Progress& progress);

/// The fewest cycles that `rerank` finds. `ranked`: the model's first, as many as it may simulate, all simulated, in any
/// order; their verification is not counted.
double fastestReranked(const Reranking& rerank, std::span<const Ranked> ranked);

}  // namespace gridloom::service
