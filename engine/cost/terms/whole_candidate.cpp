// SPDX-License-Identifier: Apache-2.0
#include "cost/terms/whole_candidate.h"

#include "cost/terms/dma_load.h"
#include "cost/tiled_candidate.h"

namespace gridloom::cost {

WholeCandidate::WholeCandidate(const TiledCandidate& candidate,
                               std::span<const LoadedCost> movements, Scratch& scratch,
                               TermSet terms)
    : m_candidate(candidate),
      m_scratch(scratch),
      m_terms(terms),
      m_sumResources(candidate.patterns->resourceCount()),
      m_allResources(candidate.patterns->allResourceCount()) {
  std::size_t transfers = movements.size();
  while (transfers > 0 && movements[transfers - 1].cost->isAllReduce) --transfers;
  m_transfers = movements.first(transfers);
  m_allReduces = movements.subspan(transfers);
  m_scratch.begun.resize(candidate.iterations.size());
  m_scratch.ended.resize(candidate.iterations.size());
}

double WholeCandidate::iterations(int level) const {
  return m_candidate.iterations[static_cast<std::size_t>(level)];
}

double WholeCandidate::activeAlong(mapping::DimMask dims) const {
  double cores = 1;
  for (std::size_t d = 0; d < m_candidate.active.size(); ++d) {
    if ((dims >> d & 1U) != 0) cores *= static_cast<double>(m_candidate.active[d]);
  }
  return cores;
}

double WholeCandidate::period(int level) const { return ended(level) / iterations(level); }

const DmaChannels* DmaLoad::channelsOf(const WholeCandidate& whole) {
  return whole.asks(TermId::DmaChannels) ? whole.candidate().dma : nullptr;
}

}  // namespace gridloom::cost
