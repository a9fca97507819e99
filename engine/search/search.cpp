// SPDX-License-Identifier: Apache-2.0
#include "search/search.h"

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <chrono>
#include <numeric>
#include <set>

#include "base/number_text.h"
#include "cost/model.h"
#include "search/branch.h"
#include "search/plan.h"

namespace gridloom::search {

namespace {

// The threshold is only raised between batches of this many items, in a fixed order: what is pruned is
// then the same on any number of threads.
constexpr std::size_t kFirstBatch = 16;
constexpr std::size_t kBatch = 512;

// Loads of single resources that traffic patterns are made of, for one movement: about a minute's work.
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

// Inputs and outputs stand in global memory at the same time.
base::Diagnostics checkTensorsFit(const kernel::Kernel& kernel, const hardware::Topology& hw) {
  const hardware::GlobalMemory& g = hw.global();
  const double capacity = static_cast<double>(g.channels) * static_cast<double>(g.bytesPerChannel);
  double needed = 0;
  const kernel::Tensor* largest = nullptr;
  for (const kernel::Tensor& tensor : kernel.tensors) {
    needed += bytesOf(tensor);
    if (!largest || bytesOf(tensor) > bytesOf(*largest)) largest = &tensor;
  }
  if (needed <= capacity) return {};
  return {base::errorAt(
      kernel.source, largest->span,
      fmt::format("the tensors of `{}` need {}, the memory `{}` of `{}` holds {}", kernel.name,
                  base::bytesText(needed), g.name, hw.name(), base::bytesText(capacity)),
      fmt::format("`{}` is the largest; set smaller sizes, or describe more memory",
                  largest->name))};
}

class Search {
 public:
  Search(const Plan& plan, const cost::Evaluator& evaluator, const Options& options,
         base::Progress& progress)
      : m_plan(plan),
        m_evaluator(evaluator),
        m_options(options),
        m_progress(progress),
        m_ranking(static_cast<std::size_t>(options.top)) {}

  /// Calls `improved` after each batch that changed the ranking.
  void run(const std::function<void()>& improved) {
    // Promising items first: they set the threshold that prunes the others.
    std::vector<std::uint64_t> byBound(m_plan.items.size());
    std::iota(byBound.begin(), byBound.end(), 0);
    std::stable_sort(byBound.begin(), byBound.end(), [&](std::uint64_t a, std::uint64_t b) {
      return m_plan.items[a].bound < m_plan.items[b].bound;
    });
    m_progress.setTotal(static_cast<std::int64_t>(byBound.size()));
    std::size_t begin = 0, batch = kFirstBatch;
    while (begin < byBound.size() && !m_progress.cancelled()) {
      const std::size_t end = std::min(begin + batch, byBound.size());
      const std::vector<Entry> before = m_ranking.best();
      runBatch(std::span(byBound).subspan(begin, end - begin));
      if (m_ranking.best() != before) improved();
      begin = end;
      batch = std::min(batch * 2, kBatch);
    }
    m_complete = begin == byBound.size() && !m_progress.cancelled();
  }

  const Ranking& ranking() const { return m_ranking; }
  const Tally& tally() const { return m_tally; }
  bool complete() const { return m_complete; }

 private:
  struct Local {
    Branch branch;
    Ranking ranking;
    Tally tally;
  };

  void runBatch(std::span<const std::uint64_t> items) {
    const double threshold = m_ranking.threshold();
    tbb::enumerable_thread_specific<Local> locals([&] {
      const auto top = static_cast<std::size_t>(m_options.top);
      return Local{Branch(m_plan, m_evaluator, m_options), Ranking(top), {}};
    });
    const auto body = [&](const tbb::blocked_range<std::size_t>& range) {
      Local& local = locals.local();
      for (std::size_t i = range.begin(); i != range.end() && !m_progress.cancelled(); ++i) {
        const Item& item = m_plan.items[items[i]];
        if (!m_options.exhaustive && item.bound > threshold) {
          local.tally.pruned += item.movements->points;
        } else {
          local.branch.run(items[i], threshold, local.ranking, local.tally, m_progress);
        }
        m_progress.add(1);
      }
    };
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, items.size()), body);
    for (const Local& local : locals) {
      for (const Entry& e : local.ranking.best()) m_ranking.add(e);
      m_tally.add(local.tally);
    }
  }

  const Plan& m_plan;
  const cost::Evaluator& m_evaluator;
  const Options& m_options;
  base::Progress& m_progress;
  Ranking m_ranking;
  Tally m_tally;
  bool m_complete = false;
};

mapping::Mapping mappingOf(const Plan& plan, const kernel::TileNest& nest, const Entry& entry) {
  const Item& item = plan.items[entry.item];
  const OrderPlan& order = item.movements->orders[entry.order];
  mapping::Mapping m = plan.mappingOf(item);
  m.order = order.order;
  std::uint64_t rest = entry.choice;
  for (const auto& options : order.inputs) {
    m.inputs.push_back(item.movements->inputs[options[rest % options.size()]]);
    rest /= options.size();
  }
  for (const auto& options : order.outputs) {
    m.outputs.push_back(item.movements->outputs[options[rest % options.size()]]);
    rest /= options.size();
  }
  m.allReduces.assign(nest.allReduces.size(), mapping::Combine::None);
  for (const MovementPlan::Meeting& meeting : item.movements->meetings) {
    m.allReduces[meeting.reduce] = meeting.joins[rest % meeting.joins.size()];
    rest /= meeting.joins.size();
  }
  return m;
}

using Clock = std::chrono::steady_clock;
double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

SpaceCount countOf(const Search& search, const Plan& plan, const kernel::Kernel& kernel,
                   const cost::Evaluator& evaluator) {
  const Tally& t = search.tally();
  SpaceCount count;
  count.size = plan.size;
  count.feasible = t.evaluated;
  count.evaluated = t.evaluated;
  count.pruned = t.pruned;
  count.exact = search.complete();
  const kernel::TileNest& nest = evaluator.nest();
  const hardware::Topology& hw = evaluator.hardware();
  // What the example needs, not what was known of it when it was left out.
  const auto add = [&](const char* reason, const Tally::Over& over, auto bytesOf,
                       std::int64_t available) {
    if (over.count == 0) return;
    const mapping::Mapping example = mappingOf(plan, nest, over.leastEntry);
    const std::int64_t needed = bytesOf(nest, example, tilingOf(example, kernel, hw), hw);
    count.rejected.push_back({reason, over.count, static_cast<double>(needed),
                              static_cast<double>(available), "bytes",
                              describe(kernel, nest, hw, example)});
  };
  add("capacity", t.local, mapping::localMemoryBytes, hw.local().bytes);
  add("capacity on the way", t.middle, mapping::middleMemoryBytes, hw.middle().bytes);
  if (plan.tooEarly > 0) {
    Rejection r;
    r.reason = "dependence";
    r.count = plan.tooEarly;
    r.example = plan.tooEarlyExample;
    count.rejected.push_back(std::move(r));
  }
  return count;
}

// What the traffic patterns must know: tiles outside of pages only where the space has them.
cost::PlaceScope scopeOf(const mapping::Constraints& constraints, const hardware::Topology& hw) {
  const auto chosen = [](const auto& entry) {
    const auto place = entry.second.place.value_or(mapping::Place::Page);
    return place == mapping::Place::Nearest || place == mapping::Place::Local;
  };
  if (std::any_of(constraints.inputs.begin(), constraints.inputs.end(), chosen) ||
      std::any_of(constraints.outputs.begin(), constraints.outputs.end(), chosen)) {
    return cost::PlaceScope::Every;
  }
  return hw.global().searchesPlaces ? cost::PlaceScope::Search : cost::PlaceScope::Pages;
}

cost::WantedPatterns wantedBy(const Plan& plan) {
  cost::WantedPatterns wanted;
  for (const auto& [key, movements] : plan.movements) {
    for (const mapping::InputMovement& movement : movements.inputs) wanted.add(movement);
    for (const mapping::OutputMovement& movement : movements.outputs) wanted.add(movement);
    for (const MovementPlan::Meeting& meeting : movements.meetings) {
      for (const mapping::Combine how : meeting.joins) wanted.add(how);
    }
  }
  return wanted;
}

// Every set of working cores has traffic patterns of its own, over all links: on a large mesh a search could
// not find those of many.
base::Diagnostics checkSize(const Plan& plan, const kernel::Kernel& kernel,
                            const hardware::Topology& hw) {
  const auto resources =
      static_cast<double>(hw.links().size()) + static_cast<double>(hw.coreCount());
  const auto most = static_cast<std::size_t>(std::max(1.0, kMostLoads / resources));
  if (resources * static_cast<double>(hw.coreCount()) <= kMostLoads) return {};
  std::set<std::vector<std::int64_t>> active;
  for (const Item& item : plan.items) {
    active.insert(mapping::tilingOf(plan.mappingOf(item), kernel, hw).active);
    if (active.size() <= most) continue;
    return {base::plainError(
        fmt::format("more than {} different numbers of working cores are left to choose from; on "
                    "the {} cores of `{}` that is too many to search",
                    most, hw.coreCount(), hw.name()),
        "pin what decides them: space(...) and tile(...) of the loops on the mesh, as in "
        "`--directives wafer_gemm`")};
  }
  return {};
}

}  // namespace

base::Result<Outcome> topK(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                           const hardware::Topology& hw, const mapping::Constraints& constraints,
                           const Options& options, base::Progress& progress) {
  const auto start = Clock::now();
  auto compute = hw.compute(options.mode, cost::operandBits(nest));
  if (!compute) return compute.takeDiagnostics();
  if (auto errors = checkHardware(nest, hw, *compute); !errors.empty()) return errors;
  if (auto errors = checkTensorsFit(kernel, hw); !errors.empty()) return errors;
  if (options.top < 1) return base::plainError("the number of mappings wanted is not positive");

  cost::Evaluator evaluator(kernel, nest, hw, *compute, &progress, scopeOf(constraints, hw));
  tbb::task_arena arena(options.threads > 0 ? options.threads : tbb::task_arena::automatic);
  Outcome outcome;
  base::Diagnostics errors;
  arena.execute([&] {
    auto plan = makePlan(kernel, evaluator, *compute, constraints, progress);
    if (!plan) {
      errors = plan.takeDiagnostics();
      return;
    }
    errors = checkSize(*plan, kernel, hw);
    if (!errors.empty()) return;
    evaluator.restrictTo(wantedBy(*plan));
    Search search(*plan, evaluator, options, progress);
    const auto found = [&] {
      Outcome sofar{countOf(search, *plan, kernel, evaluator), {}, secondsSince(start)};
      for (const Entry& e : search.ranking().best()) {
        const mapping::Mapping mapping = mappingOf(*plan, nest, e);
        sofar.top.push_back({mapping, evaluator.estimate(mapping)});
      }
      return sofar;
    };
    search.run([&] {
      if (options.onImproved) options.onImproved(found());
    });
    outcome = found();
  });
  if (!errors.empty()) return errors;
  return outcome;
}

}  // namespace gridloom::search
