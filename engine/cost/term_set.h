// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace gridloom::cost {

/// Corrections to the closed form, each with a physical reason in the header that holds it
/// (cost/terms). What each is worth: `gridloom study agreement --ablate`.
enum class TermId : std::uint8_t {
  SharedChains,     ///< terms/shared_chains.h
  BurstStall,       ///< terms/multicast_pace.h
  MulticastPace,    ///< terms/multicast_pace.h
  InnerBursts,      ///< terms/inner_bursts.h
  FirstBursts,      ///< terms/first_bursts.h
  FirstTiles,       ///< terms/first_tiles.h
  LastTiles,        ///< terms/last_tiles.h
  StaggeredEnds,    ///< terms/staggered_ends.h
  LateInputs,       ///< terms/scope_ends.h
  ScopeEnds,        ///< terms/scope_ends.h
  JoinedPartials,   ///< terms/joined_partials.h
  AllReduceBehind,  ///< terms/all_reduce_behind.h
  BufferRelease,    ///< terms/buffer_release.h
  StreamFill,       ///< terms/stream_fill.h
  RemainingWork,    ///< terms/remaining_work.h
  DmaChannels,      ///< terms/dma_load.h
  Dependence,       ///< dependence_critical_path.h
  StepContention,   ///< Transfer::together
  EdgeTiles,        ///< edge_tile_fraction.h
  PortShare,        ///< Load::PortShare
  FewPages,         ///< Transfer::least
};

/// "shared chains", ...
std::string_view nameOf(TermId term);
std::span<const TermId> allTerms();

/// Which corrections a prediction has. Bounds are admissible for the same set.
class TermSet {
 public:
  constexpr bool has(TermId term) const {
    return (m_without >> static_cast<unsigned>(term) & 1U) == 0;
  }
  constexpr TermSet without(TermId term) const {
    TermSet set = *this;
    set.m_without |= 1U << static_cast<unsigned>(term);
    return set;
  }

 private:
  std::uint32_t m_without = 0;
};

}  // namespace gridloom::cost
