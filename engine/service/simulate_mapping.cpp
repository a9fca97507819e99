// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cost/model.h"
#include "kernel/rounding.h"
#include "kernel/value_error.h"
#include "report/numbers.h"
#include "service/lowering.h"
#include "service/schedule_input.h"
#include "service/workspace.h"
#include "timing/op_cycles.h"

namespace gridloom::service {

namespace {

/// Value mode stores and computes every element; larger kernels would take minutes.
constexpr double kMaxValueElements = 4e6;
constexpr double kMaxValueFlops = 1e9;
constexpr double kMaxInterpretedOps = 4e9;
constexpr std::uint64_t kValueSeed = 1;

double pointsOf(const kernel::Kernel& kernel, const std::vector<kernel::LoopId>& loops) {
  double count = 1;
  for (const kernel::LoopId loop : loops) count *= static_cast<double>(kernel.loop(loop).extent);
  return count;
}

// The operations of the interpreter for statements with sums in sums. It takes them as they are
// written: the inner sum is computed for each term of the outer one.
double nestedOps(const kernel::Kernel& kernel) {
  double ops = 0;
  for (const kernel::Statement& statement : kernel.statements) {
    const auto under = kernel::enclosingReductions(statement);
    double own = 0;
    bool isNested = false;
    for (std::size_t n = 0; n < statement.expr.size(); ++n) {
      const kernel::ExprNode& node = statement.expr[n];
      isNested = isNested || (!node.loops.empty() && !under[n].empty());
      if (!kernel::isLeaf(node.op))
        own += pointsOf(kernel, under[n]) * pointsOf(kernel, node.loops);
    }
    if (isNested) ops += own * pointsOf(kernel, kernel::targetLoops(statement));
  }
  return ops;
}

}  // namespace

base::Diagnostics checkValuesPossible(const Kernel& kernel) {
  double elements = 0;
  for (const kernel::Tensor& tensor : kernel.kernel.tensors) {
    double count = 1;
    for (const std::int64_t size : tensor.shape) count *= static_cast<double>(size);
    elements += count;
  }
  const double flops = kernel::flopCount(kernel.kernel);
  const double interpreted = nestedOps(kernel.kernel.asWritten());
  if (elements <= kMaxValueElements && flops <= kMaxValueFlops) {
    if (interpreted <= kMaxInterpretedOps) return {};
    return {base::plainError(
        fmt::format("sums in sums are computed anew for every term: {} operations are too many",
                    report::countText(interpreted)),
        "set smaller sizes, or write the inner sum in a `local`")};
  }
  return {base::plainError(
      fmt::format("values of {} elements in {}flop are too many to compute one by one",
                  report::countText(elements), report::countText(flops)),
      fmt::format("set smaller sizes: at most {} elements and {}flop",
                  report::countText(kMaxValueElements), report::countText(kMaxValueFlops)))};
}

base::Result<SimulationRunRef> simulateMapping(HardwareRef hardware, KernelRef kernel,
                                               const mapping::Mapping& mapping,
                                               const SimulateOptions& options,
                                               base::Progress& progress) {
  if (!kernel->nest) return kernel->notMapped;
  kernel = fitted(std::move(kernel), *hardware);
  auto schedule =
      verifiedSchedule(kernel->kernel, *kernel->nest, hardware->topology, mapping, progress);
  if (!schedule) return schedule.takeDiagnostics();
  return simulateSchedule(std::move(hardware), std::move(kernel), *schedule, options, progress);
}

base::Result<SimulationRunRef> simulateSchedule(HardwareRef hardware, KernelRef kernel,
                                                const schedule::VerifiedSchedule& schedule,
                                                const SimulateOptions& options,
                                                base::Progress& progress) {
  if (!kernel->nest) return kernel->notMapped;
  const hardware::Topology& hw = hardware->topology;
  auto compute = hw.compute(options.mode, timing::operandBits(*kernel->nest));
  if (!compute) return compute.takeDiagnostics();
  if (options.values) {
    if (auto errors = checkValuesPossible(*kernel); !errors.empty()) return errors;
  }

  kernel::TensorValues inputs = options.inputs;
  if (options.values && inputs.empty()) {
    inputs = kernel::sampleInputs(kernel->kernel, kValueSeed);
    kernel::roundToTypes(kernel->kernel, inputs);
  }
  simulate::Options simulateOptions = simulatorOptions(compute->mode, options.limits);
  simulateOptions.full = options.full;
  simulateOptions.trace = options.trace;
  simulateOptions.traceBegin = options.window.begin;
  simulateOptions.traceEnd = options.window.end;
  simulateOptions.slots = options.window.slots;
  if (options.window.spans > 0) simulateOptions.maxSpans = options.window.spans;
  simulateOptions.useBins =
      options.window.useBins > 0 ? options.window.useBins : simulate::Options{}.useBins;
  simulateOptions.values = options.values;
  simulateOptions.inputs = options.values ? &inputs : nullptr;
  auto simulation = simulate::simulate(schedule, simulateOptions, progress);
  if (!simulation) return simulation.takeDiagnostics();

  SimulationRun run;
  if (options.values) {
    auto reference = kernel::interpret(kernel->kernel, inputs);
    if (!reference) return reference.takeDiagnostics();
    run.valueError = kernel::valueError(kernel->kernel, simulation->outputs, *reference);
    kernel::roundToTypes(kernel->kernel, simulation->outputs);
  }
  run.mode = compute->mode;
  run.mapping = schedule->schedule.mapping;
  run.line = mapping::describe(kernel->kernel, *kernel->nest, hw, run.mapping);
  run.roofline = cost::roofline(kernel->kernel, *kernel->nest, hw, *compute,
                                mapping::residentTensors(*kernel->nest, run.mapping));
  run.predicted =
      cost::estimate(kernel->kernel, *kernel->nest, hw, *compute, run.mapping, &progress);
  if (progress.cancelled()) return base::plainError("cancelled");
  run.schedule = schedule->schedule;
  run.ofMapping = options.ofMapping;
  run.simulated = *std::move(simulation);
  run.hardware = std::move(hardware);
  run.kernel = std::move(kernel);
  return std::make_shared<const SimulationRun>(std::move(run));
}

}  // namespace gridloom::service
