// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "ranking/further_search.h"
#include "ranking/ranked.h"
#include "ranking/subject.h"

namespace gridloom::ranking {

/// Re-ranks by simulation. `ranked` is ordered by the model, best first. Simulates some of its
/// mappings as `options.rerank` says, and puts these first, in the order of simulated cycles. Where
/// only some of the first are simulated, equivalent mappings (mapping_structure.h) fold into the
/// first of them. Neighbours of simulated mappings that are simulated, too, are added, and the
/// mappings of a longer ranking (further_search.h). `first` is the search that made `ranked`.
Reranked rerank(std::vector<Ranked>& ranked, const Subject& subject, const FirstSearch& first,
                const RerankOptions& options, base::Progress& progress);

/// The fewest cycles that `rerank` can find without neighbours. `ranked`: the model's first, as
/// many as it may simulate, all of them simulated, in any order. The work of verification is not
/// counted.
double fastestReranked(const Reranking& rerank, std::span<const Ranked> ranked);

}  // namespace gridloom::ranking
