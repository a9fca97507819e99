// SPDX-License-Identifier: Apache-2.0
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

/// Lower, verify and simulate one candidate; on failure the reasons stay with it.
void simulateRanked(Ranked& ranked, const Subject& subject, const std::string& mode,
                    base::Progress& progress) {
  const mapping::Mapping& mapping = ranked.candidate.mapping;
  auto schedule = verifiedSchedule(subject.kernel, subject.nest, subject.hw, mapping);
  if (!schedule) {
    ranked.notSimulated = schedule.takeDiagnostics();
    return;
  }
  simulate::Options options;
  options.mode = mode;
  auto simulation =
      simulate::simulate(*schedule, subject.kernel, subject.nest, subject.hw, options, progress);
  if (simulation) {
    ranked.simulated = *std::move(simulation);
  } else if (!progress.cancelled()) {
    ranked.notSimulated = simulation.takeDiagnostics();
  }
}

}  // namespace

base::Result<ExplorationRef> explore(HardwareRef hardware, KernelRef kernel,
                                     const mapping::Constraints& constraints,
                                     const ExploreOptions& options, base::Progress& progress) {
  if (!kernel->nest) return kernel->notMapped;
  const Subject subject{kernel->kernel, *kernel->nest, hardware->topology};
  auto compute = subject.hw.compute(options.mode, cost::operandBits(subject.nest));
  if (!compute) return compute.takeDiagnostics();

  // Enumerate and rank.
  const search::Options searchOptions{options.top, options.threads, options.mode};
  auto outcome =
      search::topK(subject.kernel, subject.nest, subject.hw, constraints, searchOptions, progress);
  if (!outcome) return outcome.takeDiagnostics();

  Exploration out;
  out.mode = compute->mode;
  out.roofline = cost::roofline(subject.kernel, subject.nest, subject.hw, *compute);
  out.space = std::move(outcome->space);
  out.seconds = outcome->seconds;
  for (search::Candidate& candidate : outcome->top) {
    std::string line =
        mapping::describe(subject.kernel, subject.nest, subject.hw, candidate.mapping);
    out.top.push_back({std::move(candidate), std::move(line), std::nullopt, {}});
  }
  if (options.simulate) {
    for (Ranked& ranked : out.top) {
      if (progress.cancelled()) break;
      simulateRanked(ranked, subject, out.mode, progress);
    }
  }
  out.interrupted = progress.cancelled();
  out.hardware = std::move(hardware);
  out.kernel = std::move(kernel);
  return std::make_shared<const Exploration>(std::move(out));
}

}  // namespace gridloom::service
