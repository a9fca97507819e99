// SPDX-License-Identifier: Apache-2.0
#include "simulate/simulation.h"

#include <algorithm>

#include "schedule/repeats.h"
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

std::int64_t bodies(const schedule::PlacedSchedule& placed) {
  double total = 0;
  for (std::int32_t core = 0; core < placed.placement.coreCount(); ++core) {
    if (!placed.placement.active(core)) continue;
    double mine = 1;
    for (std::size_t p = 0; p < placed.schedule.order.size(); ++p) {
      mine *= placed.placement.waves(core, static_cast<int>(p));
    }
    total += mine;
  }
  return static_cast<std::int64_t>(std::min(total, kMostBodies));
}

}  // namespace

WorkRates workRates(const schedule::Schedule& schedule) {
  return schedule::mayRepeat(schedule) ? WorkRates{2, 3} : WorkRates{2, 6};
}

bool hasInternalError(const base::Diagnostics& errors) {
  return std::any_of(errors.begin(), errors.end(), [](const base::Diagnostic& error) {
    return error.message.starts_with(kInternalError);
  });
}

base::Result<Simulation> simulate(const schedule::VerifiedSchedule& schedule,
                                  const Options& options, base::Progress& progress,
                                  Effort* effort) {
  if (!schedule->hw.hasGlobal()) {
    return base::plainError("the hardware has no global memory to load from",
                            "add a df.memory with `kind = global` and interconnects to it");
  }
  base::Result<hardware::ComputeModel> compute =
      schedule->hw.compute(options.mode, timing::operandBits(schedule->nest));
  if (!compute) return compute.takeDiagnostics();
  base::Diagnostics errors;
  if (options.values && options.inputs == nullptr) {
    errors.push_back(base::plainError("values are to be computed, but no inputs are given"));
  } else if (options.values) {
    errors = values::ValueMachine::check(schedule->kernel, *options.inputs);
  }
  if (base::hasError(errors)) return errors;
  if (progress.cancelled()) return base::plainError("cancelled");
  base::Result<TileWork> work = TileWork::make(*schedule, *compute);
  if (!work) return work.takeDiagnostics();
  progress.setTotal(bodies(*schedule));
  Effort unlimited;
  Effort& spent = effort != nullptr ? *effort : unlimited;
  base::Result<Simulation> out =
      Execution(schedule, {options, *compute}, *work, spent, progress).run();
  // Tiles without work are skipped and still count as progress.
  if (out && !schedule->schedule.work.always()) progress.add(progress.total() - progress.done());
  return out;
}

}  // namespace gridloom::simulate
