// SPDX-License-Identifier: Apache-2.0
#include "state_at.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "exchange/state_json.h"
#include "output.h"
#include "report/numbers.h"
#include "service/result_records.h"

namespace gridloom::cli {

base::Result<double> cycleOf(const std::string& text) {
  double cycle = 0;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, cycle);
  if (error == std::errc() && end == last && std::isfinite(cycle) && cycle >= 0) return cycle;
  return base::plainError("--at " + text + ": expected a cycle of at least 0", "write --at 50000");
}

Exit writeStateAt(double cycle, const Options& options, const service::SimulationRun& run) {
  const double cycles = run.simulated.cycles;
  if (cycle > cycles) {
    printError(fmt::format("--at {}: the run has no such cycle", options.at),
               fmt::format("it takes the cycles 0 to {}", report::exactText(cycles)));
    return Exit::BadInput;
  }
  if (run.simulated.trace.isTruncated()) {
    base::Diagnostic note = base::plainError("the state is not complete",
                                             "more processes are at work than a trace holds");
    note.severity = base::Severity::Warning;
    printDiagnostics({note});
  }
  const report::RunStates states(run.schedule, run.simulated);
  const report::RunState state = states.at(cycle);
  const report::StateView view{
      run.schedule, *run.kernel->nest, run.hardware->topology, run.simulated, states, state};
  return writeAnswer(
      options.json, [&] { return exchange::stateJson(service::recordOf(run), view); },
      [&] { return report::stateText(view); });
}

}  // namespace gridloom::cli
