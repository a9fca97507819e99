// SPDX-License-Identifier: Apache-2.0
#include "service/neighbour_search.h"

#include <algorithm>

#include "timing/op_cycles.h"

namespace gridloom::service {

namespace {

/// Events that checking and predicting one neighbour are charged with: an estimate.
constexpr std::int64_t kEventsPerNeighbour = 300;
/// Events that the loads of one resource in the patterns of one window are charged with: they take
/// 1.0 to 1.1 us, measured on conv2d and softmax on 64 to 130 cores, and an event up to 0.1 us.
constexpr std::int64_t kEventsPerResource = 10;

bool isIn(std::span<const Ranked> ranked, const search::Candidate& candidate) {
  return std::ranges::any_of(ranked, [&](const Ranked& each) {
    return each.candidate.estimate.cycles == candidate.estimate.cycles &&
           each.candidate.mapping == candidate.mapping;
  });
}

}  // namespace

NeighbourSearch::NeighbourSearch(const Subject& subject, const mapping::Constraints& constraints,
                                 const std::string& mode, const base::Progress& progress)
    : m_subject(subject), m_constraints(constraints), m_mode(mode), m_progress(progress) {}

void NeighbourSearch::prepare() {
  if (m_compute) return;
  const auto& [kernel, nest, hw] = m_subject;
  auto compute = hw.compute(m_mode, timing::operandBits(nest));
  if (!compute) return;
  m_compute = *std::move(compute);
  m_evaluator = std::make_unique<cost::Evaluator>(kernel, nest, hw, *m_compute, &m_progress);
  m_axes = mapping::makeAxes(kernel, nest, hw, m_compute->matrixShape, m_compute->vectorLanes,
                             m_constraints);
  m_neighbours.emplace(kernel, nest, hw, m_axes, m_constraints);
}

// Traffic patterns are charged with events per core and link, for all channels and for each window
// of them: an estimate, so that large meshes do not look at many numbers of working cores.
std::int64_t NeighbourSearch::workOf(const mapping::Mapping& mapping) {
  const auto [key, isNew] = m_patterns.insert(m_evaluator->patternsFor(mapping));
  if (!isNew) return kEventsPerNeighbour;
  const auto windows = static_cast<std::int64_t>(key->second.size());
  const auto resources =
      m_subject.hw.coreCount() + static_cast<std::int64_t>(m_subject.hw.links().size());
  return kEventsPerNeighbour + kEventsPerResource * (1 + windows) * resources;
}

NeighbourSearch::Found NeighbourSearch::of(std::span<const Ranked> ranked, std::size_t at,
                                           std::int64_t mostWork) {
  prepare();
  Found found;
  if (!m_compute) return found;
  for (mapping::Mapping& neighbour : m_neighbours->of(ranked[at].candidate.mapping)) {
    found.work += workOf(neighbour);
    if (found.work > mostWork) break;
    search::Candidate candidate{std::move(neighbour), {}};
    candidate.estimate = m_evaluator->estimate(candidate.mapping);
    if (m_progress.cancelled()) return {};
    if (!isIn(ranked, candidate)) found.neighbours.push_back(std::move(candidate));
  }
  return found;
}

}  // namespace gridloom::service
