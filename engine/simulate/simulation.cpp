// SPDX-License-Identifier: Apache-2.0
#include "simulate/simulation.h"

#include <algorithm>

#include "simulate/execution.h"
#include "simulate/summary.h"
#include "timing/op_cycles.h"
#include "values/value_machine.h"

namespace gridloom::simulate {

std::string_view nameOf(State state) {
  constexpr std::string_view kNames[kStates] = {"compute",   "wait-load",  "wait-link", "wait-dram",
                                                "wait-sync", "wait-store", "idle"};
  return kNames[static_cast<std::size_t>(state)];
}

namespace {

/// A total for display: more could not be counted, nor be simulated.
constexpr double kMostBodies = 9e18;

std::int64_t bodies(const schedule::Placement& placement, const schedule::Schedule& schedule) {
  double total = 0;
  for (std::int32_t core = 0; core < placement.coreCount(); ++core) {
    if (!placement.active(core)) continue;
    double mine = 1;
    for (std::size_t p = 0; p < schedule.order.size(); ++p) {
      mine *= placement.waves(core, static_cast<int>(p));
    }
    total += mine;
  }
  return static_cast<std::int64_t>(std::min(total, kMostBodies));
}

}  // namespace

bool hasInternalError(const base::Diagnostics& errors) {
  return std::any_of(errors.begin(), errors.end(), [](const base::Diagnostic& error) {
    return error.message.starts_with(kInternalError);
  });
}

base::Result<Simulation> simulate(const schedule::Schedule& schedule, const kernel::Kernel& kernel,
                                  const kernel::TileNest& nest, const hardware::Topology& hw,
                                  const Options& options, base::Progress& progress) {
  if (!hw.hasGlobal()) {
    return base::plainError("the hardware has no global memory to load from",
                            "add a df.memory with `kind = global` and interconnects to it");
  }
  base::Result<hardware::ComputeModel> compute =
      hw.compute(options.mode, timing::operandBits(nest));
  if (!compute) return compute.takeDiagnostics();
  base::Diagnostics errors = schedule::checkPrograms(schedule, nest, hw);
  if (options.values && options.inputs == nullptr) {
    errors.push_back(base::plainError("values are to be computed, but no inputs are given"));
  } else if (options.values) {
    const base::Diagnostics found = values::ValueMachine::check(kernel, *options.inputs);
    errors.insert(errors.end(), found.begin(), found.end());
  }
  if (base::hasError(errors)) return errors;
  if (progress.cancelled()) return base::plainError("cancelled");
  const schedule::Placement placement(schedule, hw);
  base::Result<TileWork> work = TileWork::make(schedule, placement, nest, *compute);
  if (!work) return work.takeDiagnostics();
  progress.setTotal(bodies(placement, schedule));
  const Setting setting{schedule, kernel, nest, hw, options, *compute};
  base::Result<Simulation> out = Execution(setting, placement, *work, progress).run();
  // Tiles without work are skipped and still count as progress.
  if (out && !schedule.work.always()) progress.add(progress.total() - progress.done());
  return out;
}

}  // namespace gridloom::simulate
