// SPDX-License-Identifier: Apache-2.0
#include "ranking/neighbour_search.h"

#include <algorithm>

#include "timing/op_cycles.h"

namespace gridloom::ranking {

namespace {

/// Work of checking and predicting one neighbour: with its patterns, it takes 0.01 to 0.03 us per
/// unit on the kernels and presets of bench/table.
constexpr std::int64_t kWorkPerNeighbour = 300;
/// Work of the loads of one resource in the patterns of one window: 1.0 to 1.1 us, measured on
/// conv2d and softmax on 64 to 130 cores.
constexpr std::int64_t kWorkPerResource = 60;

/// Work of a step of the critical path, with what builds its trace: a prediction takes 0.15 to
/// 0.25 us per step, measured on cholesky, trsm and jacobi2d on 64 and 354 cores.
constexpr std::int64_t kWorkPerWalkedStep = 10;

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

// Traffic patterns are charged with work per core and link, for all channels and for each window
// of them: an estimate, so that large meshes do not look at many numbers of working cores.
std::int64_t NeighbourSearch::workOf(const mapping::Mapping& mapping) {
  const std::int64_t walked = kWorkPerWalkedStep * m_evaluator->walkSteps(mapping);
  const auto [key, isNew] = m_patterns.insert(m_evaluator->patternsFor(mapping));
  if (!isNew) return kWorkPerNeighbour + walked;
  const auto windows = static_cast<std::int64_t>(key->second.size());
  const auto resources =
      m_subject.hw.coreCount() + static_cast<std::int64_t>(m_subject.hw.links().size());
  return kWorkPerNeighbour + walked + kWorkPerResource * (1 + windows) * resources;
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
    candidate.estimate = m_evaluator->estimate(candidate.mapping, &m_walks);
    if (m_progress.cancelled()) return {};
    if (!isIn(ranked, candidate)) found.neighbours.push_back(std::move(candidate));
  }
  return found;
}

}  // namespace gridloom::ranking
