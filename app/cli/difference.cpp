// SPDX-License-Identifier: Apache-2.0
#include "difference.h"

#include <algorithm>

#include "base/interrupt.h"
#include "base/progress.h"
#include "output.h"
#include "progress_bar.h"
#include "report/run_difference.h"
#include "service/result_records.h"
#include "service/units.h"
#include "texts/presets.h"

namespace gridloom::cli {

namespace {

/// The inputs with the units of the cores that a file pins.
std::variant<Inputs, Exit> ownUnits(const std::string& name, Inputs inputs) {
  auto text = texts::loadText(name);
  if (!text) return inputs;  // what opens it says why
  auto kernel = service::withUnitsOf(*text, inputs.kernel, *inputs.hardware);
  if (!kernel) {
    printDiagnostics(kernel.diagnostics());
    return Exit::BadInput;
  }
  inputs.kernel = *std::move(kernel);
  return inputs;
}

/// Simulates the mapping that a file names, as `explain --mapping` would.
std::variant<service::SimulationRunRef, Exit>
simulateNamed(const std::string& name, const Options& options, const Inputs& inputs,
              service::ExplorationRef& ranking, base::Progress& progress) {
  Options asked = options;
  asked.mapping = name;
  auto own = ownUnits(name, inputs);
  if (valueOf(own) == nullptr) return std::get<Exit>(own);
  auto mapping = openMapping(asked, *valueOf(own), progress, &ranking);
  if (valueOf(mapping) == nullptr) return std::get<Exit>(mapping);
  auto run = [&] {
    const ProgressBar bar(progress, "simulating");
    return service::simulateMapping(inputs.hardware, valueOf(own)->kernel, *valueOf(mapping),
                                    {options.mode, false, false, false, limitsOf(options)},
                                    progress);
  }();
  if (progress.cancelled()) {
    printError("interrupted before both mappings were simulated");
    return base::stoppedStatus();
  }
  if (!run) {
    printDiagnostics(run.diagnostics());
    return refused(run.diagnostics());
  }
  if (const Exit exit = checkSane(**run); exit != Exit::Done) return exit;
  return *std::move(run);
}

/// How far mappings are listed for a name: a rank that is none is refused later.
int furthest(const std::string& name) {
  const auto rank = rankNamed(name).value_or(1);
  return static_cast<int>(std::clamp<std::int64_t>(rank, 1, service::kMappingsInFull));
}

}  // namespace

Exit explainDifference(const Options& options, const Inputs& inputs) {
  if (!options.mapping.empty()) {
    printError("--mapping explains one mapping, and others are named beside it",
               "leave out --mapping; two names explain why one is faster than the other");
    return Exit::BadInput;
  }
  base::Progress progress;
  const base::InterruptGuard guard(progress);
  // One exploration as far as the larger of two ranks.
  Options asked = options;
  for (const std::string& name : options.names) asked.top = std::max(asked.top, furthest(name));
  service::ExplorationRef ranking;
  std::vector<service::SimulationRunRef> runs;
  for (const std::string& name : options.names) {
    auto run = simulateNamed(name, asked, inputs, ranking, progress);
    if (valueOf(run) == nullptr) return std::get<Exit>(run);
    runs.push_back(*valueOf(run));
  }
  const report::RunDifference difference =
      service::differenceOf({options.names[0], runs[0]}, {options.names[1], runs[1]});
  return writeAnswer(
      options.json, [&] { return service::jsonOf(difference); },
      [&] { return report::differenceText(difference); });
}

}  // namespace gridloom::cli
