// SPDX-License-Identifier: Apache-2.0
#include "traffic/pattern_draft.h"

#include <algorithm>
#include <utility>

#include "traffic/dominant_resources.h"

namespace gridloom::traffic {

void PatternDraft::addStep(const KnownPhase& phase) {
  Pattern& p = pattern;
  p.stepPeak.push_back(std::max(phase.peak, phase.alone));
  p.stepAlone.push_back(phase.alone);
  p.stepLatency.push_back(phase.latency);
  ++p.stepCount;
  phase.moved.addTo(p);
  if (kind == nullptr) {
    kind = phase.load;
    return;
  }
  Load both = *kind;
  both.add(*phase.load);
  kind = std::make_shared<const Load>(std::move(both));
}

void PatternDraft::scaleLoad(double factor) {
  Load scaled = *load;
  scaled.scale(factor);
  load = std::make_shared<const Load>(std::move(scaled));
}

void PatternDraft::takeShares(double share) {
  Pattern& p = pattern;
  scaleLoad(share);
  for (double& x : p.together) x *= share;
  for (double* x : {&p.loadPeak, &p.network, &p.localIn, &p.localOut, &p.transfers}) *x *= share;
}

void PatternDraft::scaleStore(double tiles) {
  scaleLoad(tiles);
  pattern.network *= tiles;
  pattern.localOut *= tiles;
  pattern.transfers *= tiles;
}

std::size_t putDecisiveSumsFirst(std::span<const PatternDraft> drafts, bool finishing,
                                 std::vector<std::size_t>& kept, const base::Progress* progress) {
  std::vector<Load> sums;
  const auto add = [&](const auto& load) {
    Load& sum = sums.emplace_back(kept.size());
    for (std::size_t n = 0; n < kept.size(); ++n) sum[n] = load(kept[n]);
  };
  for (const PatternDraft& d : drafts) {
    // Partial results and tiles that rotate move other numbers of bytes than loads and stores.
    const bool reduces = !d.pattern.joins.empty();
    const bool rotates = !reduces && d.pattern.partialIn > 0;
    const bool apart = d.kind == nullptr || rotates || (finishing && reduces);
    if (apart) add([&](std::size_t r) { return (*d.load)[r]; });
    if (d.kind == nullptr) continue;
    if (apart) add([&](std::size_t r) { return (*d.kind)[r]; });
    if (!apart) add([&](std::size_t r) { return (*d.load)[r] + (*d.kind)[r]; });
  }
  std::vector<const Load*> each;
  for (const Load& sum : sums) each.push_back(&sum);
  const std::vector<std::size_t> first = dominantResources(each, progress);
  std::vector<std::size_t> ordered;
  for (const std::size_t n : first) ordered.push_back(kept[n]);
  for (std::size_t n = 0; n < kept.size(); ++n) {
    if (std::ranges::find(first, n) == first.end()) ordered.push_back(kept[n]);
  }
  kept = std::move(ordered);
  return first.size();
}

}  // namespace gridloom::traffic
