// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>

#include "service/reproduce_tables.h"
#include "service/reproduce_text.h"

namespace gridloom::service {

ReproducedTable systolicCycles(CaseRunner& runner) {
  constexpr std::array<FigureColumn, 6> columns{
      {{"hardware", false}, {"M"}, {"N"}, {"K"}, {"cycles"}, {"kind", false}}};
  auto file = FigureFile::openReference("systolic_cycles", columns);
  if (!file) return file.takeDiagnostics();

  report::Reproduction out;
  out.title = "Cycles of a 32 x 32 systolic array";
  out.source = "SCALE-Sim, golden traces and demand matrices; without stalls";
  out.remarks = {"predicted: by the model; simulated: the array clocked register by register, its "
                 "tiles loaded and "
                 "stored by a memory that is always fast enough",
                 "a fold crosses the whole array, and leaves it before the next one enters, as "
                 "SCALE-Sim has it"};
  for (std::size_t row = 0; row < file->rows(); ++row) {
    const std::string& hardware = file->text(row, "hardware");
    const CaseRequest request = gemmCase(hardware, *file, row, "", 1);
    auto result = runner.run(request);
    if (!result) return result.takeDiagnostics();
    out.figures.push_back(
        {fmt::format("{} {} ({})", hardware, sizesText(request), file->text(row, "kind")), "cycles",
         file->number(row, "cycles"), result->predicted.cycles, result->simulated.cycles,
         result->mapping});
  }
  return out;
}

}  // namespace gridloom::service
