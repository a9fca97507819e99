// SPDX-License-Identifier: Apache-2.0
#include "cost/model.h"
#include "mapping/space.h"
#include "service/result_records.h"
#include "study/runs.h"
#include "timing/op_cycles.h"

namespace gridloom::study {

namespace {

constexpr int kBest = 50;

report::Sample sampleOf(const cost::Estimate& predicted, double simulated, std::string mapping) {
  const bool computes = predicted.bottleneck == "matrix" || predicted.bottleneck == "vector";
  return {predicted.cycles, simulated, std::move(mapping), computes};
}

/// A mapping that cannot be simulated is an error: the space holds only what can run.
base::Result<std::vector<report::Sample>> randomSamples(Runner& runner,
                                                        const service::HardwareRef& hardware,
                                                        const service::KernelRef& kernel) {
  const hardware::Topology& hw = hardware->topology;
  auto compute = hw.compute("", timing::operandBits(*kernel->nest));
  if (!compute) return compute.takeDiagnostics();
  const mapping::Axes axes = mapping::makeAxes(kernel->kernel, *kernel->nest, hw,
                                               compute->matrixShape, compute->vectorLanes, {});
  std::vector<report::Sample> samples;
  for (int i = 0; i < runner.options().samples; ++i) {
    const std::uint64_t seed = runner.options().seed + static_cast<std::uint64_t>(i);
    const auto mapping = mapping::sampleMapping(kernel->kernel, *kernel->nest, hw, axes, {}, seed);
    if (!mapping) continue;
    auto run = service::simulateMapping(hardware, kernel, *mapping, {}, runner.progress());
    if (!run) return run.takeDiagnostics();
    if (auto insane = service::checkSanity(**run); !insane.empty()) return insane;
    samples.push_back(sampleOf((*run)->predicted, (*run)->simulated.cycles, (*run)->line));
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
  auto random = randomSamples(runner, *hardware, *kernel);
  if (!random) return random.takeDiagnostics();
  auto exploration = exploreFirst(runner, settings, "", kBest);
  if (!exploration) return exploration.takeDiagnostics();
  std::vector<report::Sample> best;
  for (const service::Ranked& ranked : (*exploration)->top) {
    best.push_back(sampleOf(ranked.candidate.estimate, ranked.simulated->cycles, ranked.line));
  }
  const std::string subject = setting(settings, "kernel") + " " + setting(settings, "sizes") +
                              " on " + setting(settings, "hardware");
  return RunResult{{},
                   {},
                   {report::agreementOf(subject + ", random", *std::move(random)),
                    report::agreementOf(subject + ", best", std::move(best))}};
}

}  // namespace gridloom::study
