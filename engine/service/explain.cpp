// SPDX-License-Identifier: Apache-2.0
#include "cost/model.h"
#include "hardware/scaled_hardware.h"
#include "service/lowering.h"
#include "service/peak_run.h"
#include "service/workspace.h"
#include "timing/op_cycles.h"

namespace gridloom::service {

namespace {

/// The mapping's prediction and simulation on hardware that differs in one resource.
base::Result<WhatIf> evaluateOn(const hardware::ScaledHardware& scaled, const Kernel& kernel,
                                const mapping::Mapping& mapping, const std::string& mode,
                                const SimulationLimits& limits, base::Progress& progress) {
  auto topology = hardware::makeTopology(scaled.spec);
  if (!topology) return topology.takeDiagnostics();
  auto compute = topology->compute(mode, timing::operandBits(*kernel.nest));
  if (!compute) return compute.takeDiagnostics();
  WhatIf out{scaled.resource, 0, std::nullopt};
  out.predictedCycles =
      cost::estimate(kernel.kernel, *kernel.nest, *topology, *compute, mapping, &progress).cycles;
  auto schedule = verifiedSchedule(kernel.kernel, *kernel.nest, *topology, mapping, progress);
  if (!schedule) return schedule.takeDiagnostics();
  const simulate::Options options = simulatorOptions(mode, limits);
  auto simulation = simulate::simulate(*schedule, options, progress);
  if (!simulation) return simulation.takeDiagnostics();
  out.simulatedCycles = simulation->cycles;
  return out;
}

}  // namespace

base::Result<ExplanationRef> explain(HardwareRef hardware, KernelRef kernel,
                                     const mapping::Mapping& mapping,
                                     const SimulateOptions& options, base::Progress& progress) {
  auto run = simulateMapping(hardware, kernel, mapping, options, progress);
  if (!run) return run.takeDiagnostics();
  Explanation out{*std::move(run), {}, {}, false};
  out.waterfall = waterfallOf(out.run);
  for (const hardware::ScaledHardware& scaled :
       hardware::twiceOfEach(hardware->spec, hardware->topology)) {
    if (progress.cancelled()) break;
    auto whatIf = evaluateOn(scaled, *kernel, mapping, out.run->mode, options.limits, progress);
    if (whatIf) {
      out.twice.push_back(*std::move(whatIf));
    } else if (!progress.cancelled()) {
      return whatIf.takeDiagnostics();
    }
  }
  out.interrupted = progress.cancelled();
  return std::make_shared<const Explanation>(std::move(out));
}

}  // namespace gridloom::service
