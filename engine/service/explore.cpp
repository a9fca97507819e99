// SPDX-License-Identifier: Apache-2.0
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>

#include "cost/model.h"
#include "service/lowering.h"
#include "service/workspace.h"

namespace gridloom::service {

namespace {

/// What every step after the parsers works on.
struct Subject {
  const kernel::Kernel& kernel;
  const kernel::TileNest& nest;
  const hardware::Topology& hw;
};

std::vector<Ranked> rankedOf(const std::vector<search::Candidate>& best, const Subject& subject) {
  std::vector<Ranked> ranked;
  for (const search::Candidate& candidate : best) {
    ranked.push_back(
        {candidate,
         mapping::describe(subject.kernel, subject.nest, subject.hw, candidate.mapping),
         std::nullopt,
         {}});
  }
  return ranked;
}

/// Lower, verify and simulate one candidate; on failure the reasons stay with it.
void simulateRanked(Ranked& ranked, const Subject& subject, const std::string& mode,
                    const SimulationLimits& limits, base::Progress& progress) {
  const mapping::Mapping& mapping = ranked.candidate.mapping;
  auto schedule = verifiedSchedule(subject.kernel, subject.nest, subject.hw, mapping, progress);
  if (!schedule) {
    ranked.notSimulated = schedule.takeDiagnostics();
    return;
  }
  const simulate::Options options = simulatorOptions(mode, limits);
  auto simulation =
      simulate::simulate(*schedule, subject.kernel, subject.nest, subject.hw, options, progress);
  if (simulation) {
    ranked.simulated = *std::move(simulation);
  } else if (!progress.cancelled()) {
    ranked.notSimulated = simulation.takeDiagnostics();
  }
}

/// The best first; candidates are independent of each other, so they share the cores.
void simulateAll(std::vector<Ranked>& ranked, const Subject& subject, const std::string& mode,
                 const ExploreOptions& options, base::Progress& progress) {
  tbb::task_arena arena(options.threads > 0 ? options.threads : tbb::task_arena::automatic);
  std::atomic<std::size_t> next = 0;
  const auto lanes = static_cast<std::size_t>(arena.max_concurrency());
  arena.execute([&] {
    tbb::parallel_for(std::size_t{0}, lanes, [&](std::size_t) {
      while (!progress.cancelled()) {
        const std::size_t at = next++;
        if (at >= ranked.size()) return;
        simulateRanked(ranked[at], subject, mode, options.limits, progress);
      }
    });
  });
}

}  // namespace

base::Result<ExplorationRef> explore(HardwareRef hardware, KernelRef kernel,
                                     const mapping::Constraints& constraints,
                                     const ExploreOptions& options, base::Progress& progress) {
  if (!kernel->nest) return kernel->notMapped;
  const Subject subject{kernel->kernel, *kernel->nest, hardware->topology};
  auto compute = subject.hw.compute(options.mode, cost::operandBits(subject.nest));
  if (!compute) return compute.takeDiagnostics();

  Exploration out;
  out.hardware = hardware;
  out.kernel = kernel;
  out.mode = compute->mode;
  const auto adopt = [&](const search::Outcome& found, Exploration& into) {
    into.roofline = cost::roofline(subject.kernel, subject.nest, subject.hw, *compute,
                                   mapping::residentTensors(subject.nest, constraints));
    into.space = found.space;
    into.seconds = found.seconds;
    into.top = rankedOf(found.top, subject);
  };

  // Enumerate and rank.
  search::Options searchOptions{options.top, options.threads, options.mode};
  if (options.onImproved) {
    searchOptions.onImproved = [&](const search::Outcome& found) {
      Exploration partial = out;
      partial.interrupted = true;
      adopt(found, partial);
      options.onImproved(std::make_shared<const Exploration>(std::move(partial)));
    };
  }
  auto outcome =
      search::topK(subject.kernel, subject.nest, subject.hw, constraints, searchOptions, progress);
  if (!outcome) return outcome.takeDiagnostics();
  adopt(*outcome, out);
  if (options.simulate) simulateAll(out.top, subject, out.mode, options, progress);
  out.interrupted = progress.cancelled();
  return std::make_shared<const Exploration>(std::move(out));
}

}  // namespace gridloom::service
