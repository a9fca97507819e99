// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "cost/dma_channels.h"
#include "cost/recursion.h"
#include "cost/term_set.h"

namespace gridloom::cost {

/// Buffers of one thread, reused between candidates.
struct Scratch {
  Recursion stack;
  std::vector<double> waited;        ///< [resource]
  std::vector<double> begun, ended;  ///< [l]: cycles before and after level l of the recursion
  DmaFlows dma;
};

/// What terms of whole candidates read: which cores act together depends on all movements.
class WholeCandidate {
 public:
  WholeCandidate(const TiledCandidate& candidate, std::span<const LoadedCost> movements,
                 Scratch& scratch, TermSet terms);

  /// The loads and stores, and the all-reduces, which come last in a combination.
  std::span<const LoadedCost> transfers() const { return m_transfers; }
  std::span<const LoadedCost> allReduces() const { return m_allReduces; }
  const TiledCandidate& candidate() const { return m_candidate; }
  Scratch& scratch() { return m_scratch; }
  bool asks(TermId term) const { return m_terms.has(term); }
  /// TrafficPatterns::resourceCount, allResourceCount.
  std::size_t sumResources() const { return m_sumResources; }
  std::size_t allResources() const { return m_allResources; }

  /// Number of active cores along these dimensions.
  double activeAlong(mapping::DimMask dims) const;
  double iterations(int level) const;
  /// Cycles of one iteration of a level that has ended, with everything inside.
  double period(int level) const;
  double begun(int level) const { return m_scratch.begun[static_cast<std::size_t>(level)]; }
  double ended(int level) const { return m_scratch.ended[static_cast<std::size_t>(level)]; }

  /// The slowest multicast further inside, which synchronises cores: its time per transfer, and the
  /// time of an iteration without it.
  struct Pacer {
    const FlatCost* multicast = nullptr;
    double own = 0, inside = 0;
  } pacer;
  /// Most cycles between the first and the last core to end an iteration.
  double apart = std::numeric_limits<double>::infinity();
  bool scopeEnded = false;  ///< a level has counted what ends a scope (terms/scope_ends.h)

 private:
  const TiledCandidate& m_candidate;
  std::span<const LoadedCost> m_transfers, m_allReduces;
  Scratch& m_scratch;
  TermSet m_terms;
  std::size_t m_sumResources, m_allResources;
};

}  // namespace gridloom::cost
