// SPDX-License-Identifier: Apache-2.0
#include "search/prepared_search.h"

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "base/number_text.h"
#include "cost/model.h"
#include "search/found.h"
#include "search/rounds.h"
#include "timing/op_cycles.h"

namespace gridloom::search {

namespace {

// Limit on the resource loads in the traffic patterns of one movement: about a minute's work.
constexpr double kMostLoads = 1 << 27;

base::Diagnostics checkHardware(const kernel::TileNest& nest, const hardware::Topology& hw,
                                const hardware::ComputeModel& compute) {
  base::Diagnostics errors;
  if (!hw.hasGlobal()) {
    errors.push_back(base::plainError(fmt::format("hardware `{}` has no global memory", hw.name()),
                                      "operands are loaded from a memory with `kind = global`"));
  }
  for (const kernel::TileOp& op : nest.ops) {
    const bool matrix = op.unit == kernel::UnitKind::Matrix;
    const double rate = matrix ? std::max(compute.matrixSustained, compute.vectorDefault)
                               : compute.vectorRate(kernel::nameOf(op.fn));
    if (rate > 0) continue;
    errors.push_back(
        base::plainError(fmt::format("no unit of the cores of `{}` performs `{}`", hw.name(),
                                     matrix ? "matrix products" : kernel::nameOf(op.fn)),
                         "give `df.core` a `scalein` with a `df.mat` or `df.vec` that does"));
    break;
  }
  return errors;
}

double bytesOf(const kernel::Tensor& tensor) {
  double bits = kernel::bitsOf(tensor.dtype);
  for (const std::int64_t extent : tensor.shape) bits *= static_cast<double>(extent);
  return tensor.role == kernel::TensorRole::Local ? 0 : bits / 8;
}

double globalBytes(const hardware::Topology& hw) {
  const hardware::GlobalMemory& g = hw.global();
  return static_cast<double>(g.channels) * static_cast<double>(g.bytesPerChannel);
}

double bytesOf(const kernel::Kernel& kernel) {
  double bytes = 0;
  for (const kernel::Tensor& tensor : kernel.tensors) bytes += bytesOf(tensor);
  return bytes;
}

base::Diagnostics checkTensorsFit(const kernel::Kernel& kernel, const hardware::Topology& hw) {
  if (tensorsFit(kernel, hw)) return {};
  const kernel::Tensor& largest =
      *std::ranges::max_element(kernel.tensors, {}, [](const auto& t) { return bytesOf(t); });
  return {
      base::errorAt(kernel.source, largest.span,
                    fmt::format("the tensors of `{}` need {}, the memory `{}` of `{}` holds {}",
                                kernel.name, base::bytesText(bytesOf(kernel)), hw.global().name,
                                hw.name(), base::bytesText(globalBytes(hw))),
                    fmt::format("`{}` is the largest; describe more memory, or set smaller sizes",
                                largest.name))};
}

using Clock = std::chrono::steady_clock;
double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// The time that a search may take.
class TimeLimit {
 public:
  TimeLimit(base::Progress& progress, Clock::time_point start, double seconds)
      : m_progress(progress) {
    if (seconds <= 0) return;
    const std::chrono::duration<double> limit(std::min(seconds, kLongest));
    progress.setDeadline(start + std::chrono::duration_cast<Clock::duration>(limit));
  }
  ~TimeLimit() { m_progress.clearDeadline(); }
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

 private:
  static constexpr double kLongest = 1e8;  ///< years
  base::Progress& m_progress;
};

tbb::task_arena arenaOf(const Options& options) {
  return tbb::task_arena(options.threads > 0 ? options.threads : tbb::task_arena::automatic);
}

// The layouts that traffic patterns need: others than page-interleaved only where the space has
// them.
traffic::LayoutScope scopeOf(const mapping::Constraints& constraints,
                             const hardware::Topology& hw) {
  const auto chosen = [](const auto& entry) {
    const auto layout = entry.second.layout.value_or(mapping::TensorLayout::PageInterleaved);
    return layout == mapping::TensorLayout::NearestChannel ||
           layout == mapping::TensorLayout::Local;
  };
  if (std::any_of(constraints.inputs.begin(), constraints.inputs.end(), chosen) ||
      std::any_of(constraints.outputs.begin(), constraints.outputs.end(), chosen)) {
    return traffic::LayoutScope::Every;
  }
  return hw.global().searchesLayouts ? traffic::LayoutScope::Search : traffic::LayoutScope::Pages;
}

traffic::WantedPatterns wantedBy(const Plan& plan) {
  traffic::WantedPatterns wanted;
  for (const auto& [key, movements] : plan.movements) {
    for (const mapping::InputMovement& movement : movements.inputs) wanted.add(movement);
    for (const mapping::OutputMovement& movement : movements.outputs) wanted.add(movement);
    for (const MovementPlan::AllReduceChoice& splitAllReduce : movements.splitAllReduces) {
      for (const mapping::ReductionTopology how : splitAllReduce.joins) wanted.add(how);
    }
  }
  return wanted;
}

// Every set of active cores needs traffic patterns of its own. Where tiles are forwarded from any
// core to any other, those of many sets on a large mesh take too long.
base::Diagnostics checkSize(const Plan& plan, const kernel::Kernel& kernel,
                            const hardware::Topology& hw, const base::Progress& progress) {
  const auto resources =
      static_cast<double>(hw.links().size()) + static_cast<double>(hw.coreCount());
  const auto most = static_cast<std::size_t>(std::max(1.0, kMostLoads / resources));
  if (resources * static_cast<double>(hw.coreCount()) <= kMostLoads) return {};
  std::set<std::vector<std::int64_t>> active;
  double widest = 0;
  const Item* example = nullptr;
  for (const Item& item : plan.items) {
    if (progress.cancelled()) return {};
    const mapping::Tiling tiling = mapping::tilingOf(plan.mappingOf(item), kernel, hw);
    active.insert(tiling.active);
    double cores = 1;
    for (const std::int64_t coordinates : tiling.active) cores *= static_cast<double>(coordinates);
    if (cores <= widest) continue;
    widest = cores;
    example = &item;
  }
  if (active.size() <= most) return {};
  return {base::plainError(
      fmt::format("{} different numbers of working cores are left to choose from; on the {} cores "
                  "of `{}` more than {} are too many to search",
                  active.size(), hw.coreCount(), hw.name(), most),
      fmt::format("pin what decides them with `--directives FILE`: the most cores work with `{}`",
                  mapping::printPlacement(kernel, hw, plan.mappingOf(*example))))};
}

}  // namespace

bool tensorsFit(const kernel::Kernel& kernel, const hardware::Topology& hw) {
  return bytesOf(kernel) <= globalBytes(hw);
}

PreparedSearch::PreparedSearch(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                               const hardware::Topology& hw, hardware::ComputeModel compute,
                               const mapping::Constraints& constraints,
                               const base::Progress& progress)
    : m_begin(Clock::now()),
      m_kernel(kernel),
      m_compute(std::move(compute)),
      m_evaluator(kernel, nest, hw, m_compute, &progress, scopeOf(constraints, hw)) {}

base::Diagnostics PreparedSearch::plan(const mapping::Constraints& constraints,
                                       const base::Progress& progress) {
  auto narrowed = makeNarrowedPlan(m_kernel, m_evaluator, m_compute, constraints, progress);
  if (!narrowed) return narrowed.takeDiagnostics();
  m_narrowed = *std::move(narrowed);
  base::Diagnostics errors;
  if (m_evaluator.nest().hasProduced())
    errors = checkSize(m_narrowed.plan, m_kernel, m_evaluator.hardware(), progress);
  if (errors.empty()) m_evaluator.restrictTo(wantedBy(m_narrowed.plan));
  return errors;
}

base::Result<std::unique_ptr<PreparedSearch>>
PreparedSearch::over(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                     const hardware::Topology& hw, const mapping::Constraints& constraints,
                     const Options& options, base::Progress& progress) {
  auto compute = hw.compute(options.mode, timing::operandBits(nest));
  if (!compute) return compute.takeDiagnostics();
  if (auto errors = checkHardware(nest, hw, *compute); !errors.empty()) return errors;
  if (auto errors = checkTensorsFit(kernel, hw); !errors.empty()) return errors;
  if (options.top < 1) return base::plainError("the number of mappings wanted is not positive");

  std::unique_ptr<PreparedSearch> search(
      new PreparedSearch(kernel, nest, hw, *std::move(compute), constraints, progress));
  const TimeLimit limit(progress, search->m_begin, options.timeLimit);
  base::Diagnostics errors;
  arenaOf(options).execute([&] { errors = search->plan(constraints, progress); });
  if (!errors.empty()) return errors;
  return search;
}

Candidate PreparedSearch::candidate(const Entry& point, cost::RecentWalks* walks) const {
  mapping::Mapping mapping = mappingOf(m_narrowed.plan, m_evaluator.nest(), point);
  cost::Estimate estimate = m_evaluator.estimate(mapping, walks);
  return {std::move(mapping), std::move(estimate)};
}

Outcome PreparedSearch::found(const Rounds& rounds, const Options& options) const {
  Outcome sofar{countOf(rounds, m_narrowed.plan, m_kernel, m_evaluator), {}, secondsSince(m_begin)};
  for (const mapping::LoopId loop : m_narrowed.whole)
    sofar.space.whole.push_back(m_kernel.loop(loop).name);
  sofar.space.exact = sofar.space.exact && m_narrowed.whole.empty();
  const std::vector<Entry>& best = rounds.ranking().best();
  const std::size_t inFull = std::min(best.size(), static_cast<std::size_t>(options.inFull));
  sofar.top.reserve(inFull);
  cost::RecentWalks walks;
  for (std::size_t at = 0; at < inFull; ++at) sofar.top.push_back(candidate(best[at], &walks));
  return sofar;
}

Outcome PreparedSearch::topK(const Options& options, base::Progress& progress) const {
  Outcome outcome;
  arenaOf(options).execute([&] {
    Rounds rounds(m_narrowed.plan, m_evaluator, options, progress);
    {
      const TimeLimit limit(progress, m_begin, options.timeLimit);
      rounds.run([&] {
        if (options.onImproved) options.onImproved(found(rounds, options));
      });
    }
    outcome = found(rounds, options);
    const std::vector<Entry>& best = rounds.ranking().best();
    outcome.rest.assign(best.begin() + static_cast<std::ptrdiff_t>(outcome.top.size()), best.end());
  });
  return outcome;
}

}  // namespace gridloom::search
