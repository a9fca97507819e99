// SPDX-License-Identifier: Apache-2.0
#include "cost/model.h"
#include "mapping/space.h"
#include "report/agreement_table.h"
#include "service/fit.h"
#include "service/result_records.h"
#include "study/runs.h"
#include "timing/op_cycles.h"

namespace gridloom::study {

namespace {

constexpr int kBest = 50;

/// Mappings of one kernel, predicted and simulated.
struct Samples {
  std::vector<mapping::Mapping> mappings;
  std::vector<report::Sample> samples;

  void add(const mapping::Mapping& mapping, const cost::Estimate& predicted, double simulated,
           std::string line) {
    const bool computes = predicted.bottleneck == "matrix" || predicted.bottleneck == "vector";
    mappings.push_back(mapping);
    samples.push_back({predicted.cycles, simulated, std::move(line), computes});
  }
};

base::Diagnostics withMapping(const Run& run, const mapping::Mapping& mapping,
                              base::Diagnostics diagnostics) {
  diagnostics.push_back(base::noteAt(
      nullptr, {},
      "of the mapping\n" + service::directivesOf(*run.hardware, *run.kernel, mapping)));
  return diagnostics;
}

/// A mapping that cannot be simulated is an error: the space holds only what can run.
base::Result<Samples> randomSamples(const Run& run, const hardware::ComputeModel& compute) {
  const service::Kernel& kernel = *run.kernel;
  const mapping::Axes axes = mapping::makeAxes(kernel.kernel, *kernel.nest, run.hw(),
                                               compute.matrixShape, compute.vectorLanes, {});
  Samples samples;
  for (int i = 0; i < run.options.samples; ++i) {
    const std::uint64_t seed = run.options.seed + static_cast<std::uint64_t>(i);
    const auto mapping =
        mapping::sampleMapping(kernel.kernel, *kernel.nest, run.hw(), axes, {}, seed);
    if (!mapping) continue;
    auto simulated = service::simulateMapping(run.hardware, run.kernel, *mapping, {}, run.progress);
    if (!simulated) return withMapping(run, *mapping, simulated.takeDiagnostics());
    if (auto insane = service::checkSanity(**simulated); !insane.empty()) return insane;
    samples.add(*mapping, (*simulated)->predicted, (*simulated)->simulated.cycles,
                (*simulated)->line);
  }
  return samples;
}

// The same mappings and simulations, predicted without one correction after the other.
std::vector<report::Ablation> ablationsOf(const Run& run, const hardware::ComputeModel& compute,
                                          const Samples& samples) {
  std::vector<report::Ablation> out;
  for (const cost::TermId term : cost::allTerms()) {
    if (!run.options.ablate || run.progress.cancelled()) break;
    std::vector<report::Sample> without = samples.samples;
    for (std::size_t i = 0; i < without.size(); ++i) {
      const cost::Estimate estimate =
          cost::estimate(run.kernel->kernel, *run.kernel->nest, run.hw(), compute,
                         samples.mappings[i], nullptr, cost::TermSet{}.without(term));
      without[i].predicted = estimate.cycles;
    }
    const report::Agreement ablated = report::agreementOf("", std::move(without));
    out.push_back({std::string(cost::nameOf(term)), ablated.error, ablated.tau});
  }
  return out;
}

}  // namespace

base::Result<RunResult> runAgreement(Run run) {
  auto fit = service::fit(run.kernel, *run.hardware, {}, run.progress);
  if (!fit) return fit.takeDiagnostics();
  run.kernel = fit->kernel;
  auto compute = run.hw().compute("", timing::operandBits(*run.kernel->nest));
  if (!compute) return compute.takeDiagnostics();
  auto random = randomSamples(run, *compute);
  if (!random) return random.takeDiagnostics();
  auto exploration = exploreFirst(run, "", kBest);
  if (!exploration) return exploration.takeDiagnostics();
  Samples best;
  for (const ranking::Ranked& ranked : (*exploration)->top) {
    best.add(ranked.candidate.mapping, ranked.candidate.estimate, ranked.simulated->cycles,
             ranked.line);
  }
  const std::string subject =
      run.setting("kernel") + " " + run.setting("sizes") + " on " + run.setting("hardware");
  const auto agreement = [&](const std::string& name, const Samples& samples) {
    report::Agreement out = report::agreementOf(name, samples.samples);
    out.ablations = ablationsOf(run, *compute, samples);
    return out;
  };
  return RunResult{
      {}, {}, {agreement(subject + ", random", *random), agreement(subject + ", best", best)}};
}

}  // namespace gridloom::study
