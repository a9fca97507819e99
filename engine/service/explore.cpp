// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ctime>
#include <limits>
#include <utility>

#include "cost/model.h"
#include "ranking/rerank.h"
#include "service/apart.h"
#include "service/earlier_mappings.h"
#include "service/fitting_sizes.h"
#include "service/long_ranking.h"
#include "service/lowering.h"
#include "service/no_mapping.h"
#include "service/repeated_work.h"
#include "service/units.h"
#include "service/workspace.h"
#include "timing/op_cycles.h"

namespace gridloom::service {

namespace {

std::vector<ranking::Ranked> rankedOf(const std::vector<search::Candidate>& best,
                                      const ranking::Subject& subject) {
  std::vector<ranking::Ranked> ranked;
  ranked.reserve(best.size());
  for (const search::Candidate& candidate : best) {
    ranked.push_back(
        {candidate,
         mapping::describe(subject.kernel, subject.nest, subject.hw, candidate.mapping),
         ranked.size(),
         0,
         std::nullopt,
         {}});
  }
  return ranked;
}

/// Of the searches for parts of a kernel that has a mapping, in steps: an eighth of the default.
constexpr std::int64_t kWorkOfParts = 1'000'000;

// Whether most cores are idle, or repeat what the others do.
bool leavesCoresIdle(const Exploration& whole) {
  const search::Candidate& best = whole.top.front().candidate;
  const hardware::Topology& hw = whole.hardware->topology;
  if (2 * best.estimate.activeCores <= hw.coreCount()) return true;
  if (hw.coreCount() == 1) return false;
  const kernel::TileNest& nest = *whole.kernel->nest;
  const auto compute = hw.compute(whole.mode, timing::operandBits(nest));
  return compute && 2 * repeatedShare(nest, best.mapping, *compute) >= 1;
}

// Statements without products between them gain from being apart where no loop is free in all of
// them, so that most cores are idle: as long as that makes the kernel twice as fast, since all
// parts are searched for.
std::optional<Apart> partsOf(const Exploration& whole, const ExploreOptions& options,
                             base::Progress& progress) {
  const auto apart = [&](const Cutting& cutting) {
    return exploreApart(whole.hardware, whole.kernel->kernel, cutting, options, progress);
  };
  if (whole.top.empty()) return apart({.work = options.search.work});
  const ranking::Ranked& best = whole.top.front();
  const double cycles = best.cycles();
  // Parts are chosen by their predictions: what simulation says of the whole may be less than any
  // prediction of theirs.
  const double expected = std::max(cycles, best.candidate.estimate.cycles);
  if (leavesCoresIdle(whole)) {
    auto found = apart({true, cycles / 2, expected / 2, kWorkOfParts});
    if (found) return found;
  }
  return apart({false, cycles, expected, options.search.work});
}

}  // namespace

base::Result<ExplorationRef> explore(HardwareRef hardware, KernelRef kernel,
                                     const mapping::Constraints& constraints,
                                     const ExploreOptions& options, base::Progress& progress) {
  if (!kernel->nest) return kernel->notMapped;
  kernel = withUnits(fitted(std::move(kernel), *hardware), constraints);
  const ranking::Subject subject{kernel->kernel, *kernel->nest, hardware->topology};
  auto compute = subject.hw.compute(options.mode, timing::operandBits(subject.nest));
  if (!compute) return compute.takeDiagnostics();

  Exploration out;
  out.hardware = hardware;
  out.kernel = kernel;
  out.mode = compute->mode;
  out.roofline = cost::roofline(subject.kernel, subject.nest, subject.hw, *compute,
                                mapping::residentTensors(subject.nest, constraints));
  const auto adopt = [&, roofline = out.roofline](const search::Outcome& found, Exploration& into) {
    into.roofline = roofline;
    into.space = found.space;
    into.space.formChoice = kernel->formChoice;
    into.space.margin = std::max(into.space.margin, kernel->formMargin);
    const bool isChosen = kernel->formChoice == search::Stop::None && kernel->formMargin == 0;
    into.space.exact = into.space.exact && isChosen;
    into.seconds = found.seconds;
    into.top = rankedOf(found.top, subject);
  };

  const auto keepTop = [&](Exploration& of) {
    const auto wanted = static_cast<std::size_t>(std::max(0, options.top));
    of.top.resize(std::min(of.top.size(), wanted));
    of.more.truncate(wanted - of.top.size());
  };

  // Enumerate and rank.
  const ranking::Reranking& reranking = options.rerank;
  const int searched = std::max({options.top, reranking.least, reranking.most, reranking.furthest});
  search::Options wanted;
  wanted.top = searched;
  wanted.inFull = std::max({kMappingsInFull, reranking.least, reranking.most, reranking.furthest});
  wanted.threads = options.threads;
  wanted.mode = out.mode;
  wanted.workLimit = options.search.work;
  wanted.timeLimit = options.search.seconds;
  wanted.margin = options.search.margin;
  wanted.least = out.roofline.cycles;
  if (options.onImproved) {
    wanted.onImproved = [&](const search::Outcome& found) {
      Exploration partial = out;
      partial.interrupted = true;
      adopt(found, partial);
      keepTop(partial);
      options.onImproved(std::make_shared<const Exploration>(std::move(partial)));
    };
    const search::Outcome known =
        stillLegal(options.earlier, subject, *compute, constraints, progress);
    if (!known.top.empty()) wanted.onImproved(known);
  }
  const std::clock_t begin = std::clock();
  auto search = search::PreparedSearch::over(subject.kernel, subject.nest, subject.hw, constraints,
                                             wanted, progress);
  if (!search) return withFittingSizes(search.takeDiagnostics(), *kernel, *hardware);
  const search::Outcome found = (*search)->topK(wanted, progress);
  adopt(found, out);
  out.searchCpuSeconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  // A single mapping needs no ranking.
  if (reranking.least > 0 || out.top.size() > 1) {
    const ranking::FirstSearch first{**search, constraints, wanted, out.space};
    out.reranked = ranking::rerank(
        out.top, subject, first,
        {reranking, options.threads, simulatorOptions(out.mode, options.limits)}, progress);
  }
  const bool folded = reranking.least == 0 && reranking.most > 0;
  listMore(out, **search, found, folded, options.threads, progress);
  keepTop(out);
  if (options.apart && !progress.cancelled()) out.apart = partsOf(out, options, progress);
  const bool isCovered = options.apart && out.space.stopped == search::Stop::None;
  if (out.listed() == 0 && !out.apart && isCovered)
    out.whyNone = whyNoMapping(out, constraints, progress);
  out.interrupted = progress.cancelled();
  return std::make_shared<const Exploration>(std::move(out));
}

}  // namespace gridloom::service
