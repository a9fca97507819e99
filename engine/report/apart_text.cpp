// SPDX-License-Identifier: Apache-2.0
#include "report/apart_text.h"

#include <fmt/format.h>

#include "report/number_cells.h"
#include "report/numbers.h"

namespace gridloom::report {

namespace {

/// "2.1 times as fast as the best mapping", or that there is none.
std::string gainText(const ApartRecord& apart, const ExplorationRecord& exploration) {
  if (exploration.top.empty()) return "the whole kernel has no mapping";
  const RankedRecord& best = exploration.top.front();
  const double whole = best.simulated ? best.simulated->cycles : best.predicted.cycles;
  return fmt::format("{:.2f} times as fast as the best mapping of the whole kernel",
                     whole / apart.cycles);
}

}  // namespace

std::string apartText(const ApartRecord& apart, const ExplorationRecord& exploration) {
  Table parts;
  parts.columns = {
      {"kernel", "kernel", Align::Left}, {"cycles", "cycles"}, {"mapping", "mapping", Align::Left}};
  for (const ApartRecord::Part& part : apart.parts) {
    const RankedRecord& best = part.best;
    parts.rows.push_back(
        {textCell(part.kernel.name),
         cyclesCell(best.simulated ? best.simulated->cycles : best.predicted.cycles),
         textCell(best.mapping.line)});
  }
  return fmt::format("\nApart, as {} kernels one after the other: {} {} cycles, {}.\n\n{}",
                     apart.parts.size(), cyclesText(apart.cycles),
                     apart.simulated ? "simulated" : "predicted", gainText(apart, exploration),
                     tableText(parts)) +
         fmt::format("\nEvery command takes such a part: --entry {}\n",
                     apart.parts.front().kernel.name);
}

}  // namespace gridloom::report
