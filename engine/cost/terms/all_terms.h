// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cost/terms/all_reduce_behind.h"
#include "cost/terms/buffer_release.h"
#include "cost/terms/closed_form.h"
#include "cost/terms/dma_load.h"
#include "cost/terms/first_bursts.h"
#include "cost/terms/first_tiles.h"
#include "cost/terms/inner_bursts.h"
#include "cost/terms/joined_partials.h"
#include "cost/terms/last_tiles.h"
#include "cost/terms/multicast_pace.h"
#include "cost/terms/remaining_work.h"
#include "cost/terms/scope_ends.h"
#include "cost/terms/shared_chains.h"
#include "cost/terms/staggered_ends.h"
#include "cost/terms/stream_fill.h"

namespace gridloom::cost {

/// Remembers when levels begin and end; some terms look further inside.
struct LevelTimes {
  static constexpr bool kMonotone = false;
  static void endLevel(WholeCandidate& whole, const LevelNow& now, double time) {
    const auto level = static_cast<std::size_t>(now.level);
    whole.scratch().begun[level] = now.before;
    whole.scratch().ended[level] = time;
  }
};

/// The terms of a whole candidate; bounds use the monotone ones. The stall of a multicast further
/// inside is asked before this level's multicasts set the pace.
using AllTerms = TermList<ResourceLoads, Chains, SharedChains, BurstStall, MulticastPace,
                          InnerBursts, BufferRelease, DmaLoad, ScopeEnds, FirstBursts,
                          AllReduceBehind, JoinedPartials, FirstTiles, StreamFill, LateInputs,
                          LastTiles, StaggeredEnds, RemainingWork, LevelTimes>;
using BoundTerms = MonotoneTerms<AllTerms>;
static_assert(BoundTerms::kMonotone && !AllTerms::kMonotone);

}  // namespace gridloom::cost
