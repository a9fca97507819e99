// SPDX-License-Identifier: Apache-2.0
#include "cost/model.h"
#include "mapping/space.h"
#include "report/agreement_table.h"
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

/// A mapping that cannot be simulated is an error: the space holds only what can run.
base::Result<Samples> randomSamples(Runner& runner, const service::HardwareRef& hardware,
                                    const service::KernelRef& kernel,
                                    const hardware::ComputeModel& compute) {
  const hardware::Topology& hw = hardware->topology;
  const mapping::Axes axes = mapping::makeAxes(kernel->kernel, *kernel->nest, hw,
                                               compute.matrixShape, compute.vectorLanes, {});
  Samples samples;
  for (int i = 0; i < runner.options().samples; ++i) {
    const std::uint64_t seed = runner.options().seed + static_cast<std::uint64_t>(i);
    const auto mapping = mapping::sampleMapping(kernel->kernel, *kernel->nest, hw, axes, {}, seed);
    if (!mapping) continue;
    auto run = service::simulateMapping(hardware, kernel, *mapping, {}, runner.progress());
    if (!run) return run.takeDiagnostics();
    if (auto insane = service::checkSanity(**run); !insane.empty()) return insane;
    samples.add(*mapping, (*run)->predicted, (*run)->simulated.cycles, (*run)->line);
  }
  return samples;
}

}  // namespace

base::Result<RunResult> runAgreement(Runner& runner, const Settings& settings) {
  auto hardware = runner.hardware(settings);
  if (!hardware) return hardware.takeDiagnostics();
  auto kernel = runner.kernel(settings);
  if (!kernel) return kernel.takeDiagnostics();
  if (!(*kernel)->nest) return (*kernel)->notMapped;
  const kernel::TileNest& nest = *(*kernel)->nest;
  const hardware::Topology& hw = (*hardware)->topology;
  auto compute = hw.compute("", timing::operandBits(nest));
  if (!compute) return compute.takeDiagnostics();
  auto random = randomSamples(runner, *hardware, *kernel, *compute);
  if (!random) return random.takeDiagnostics();
  auto exploration = exploreFirst(runner, settings, "", kBest);
  if (!exploration) return exploration.takeDiagnostics();
  Samples best;
  for (const service::Ranked& ranked : (*exploration)->top) {
    best.add(ranked.candidate.mapping, ranked.candidate.estimate, ranked.simulated->cycles,
             ranked.line);
  }
  const std::string subject = setting(settings, "kernel") + " " + setting(settings, "sizes") +
                              " on " + setting(settings, "hardware");
  // The same mappings and simulations, predicted without one correction.
  const auto agreement = [&](const std::string& name, const Samples& samples) {
    report::Agreement out = report::agreementOf(name, samples.samples);
    for (const cost::TermId term : cost::allTerms()) {
      if (!runner.options().ablate || runner.progress().cancelled()) break;
      std::vector<report::Sample> without = samples.samples;
      for (std::size_t i = 0; i < without.size(); ++i) {
        without[i].predicted =
            cost::estimate((*kernel)->kernel, nest, hw, *compute, samples.mappings[i], nullptr,
                           cost::TermSet{}.without(term))
                .cycles;
      }
      const report::Agreement ablated = report::agreementOf(name, std::move(without));
      out.ablations.push_back({std::string(cost::nameOf(term)), ablated.error, ablated.tau});
    }
    return out;
  };
  return RunResult{
      {}, {}, {agreement(subject + ", random", *random), agreement(subject + ", best", best)}};
}

}  // namespace gridloom::study
