// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "service/reproduce_tables.h"
#include "service/reproduce_text.h"

namespace gridloom::service {

ReproducedTable systolicCycles(CaseRunner& runner) {
  constexpr std::array<FigureColumn, 6> columns{
      {{"dataflow", false}, {"M"}, {"N"}, {"K"}, {"cycles"}, {"kind", false}}};
  auto file = FigureFile::openReference("systolic_cycles", columns);
  if (!file) return file.takeDiagnostics();

  report::Reproduction out;
  out.title = "Cycles of a 32 x 32 systolic array";
  out.source = "SCALE-Sim, golden traces and formulas; without stalls";
  out.remarks = {
      "published cycles assume that operands stand at the edge whenever they are needed, and leave "
      "out writing the results; ours fetch every word from the buffer's banks and write back",
      "an element of the array is a core here, with its own transfers (systolic_os, systolic_ws)"};
  for (std::size_t row = 0; row < file->rows(); ++row) {
    const std::string& dataflow = file->text(row, "dataflow");
    if (dataflow != "os" && dataflow != "ws") {
      return file->errorIn(row, "expected dataflow os or ws, got `" + dataflow + "`");
    }
    const CaseRequest request =
        gemmCase("systolic_32x32", *file, row, "systolic_" + dataflow, kProfiled);
    auto result = runner.run(request);
    if (!result) return result.takeDiagnostics();
    out.figures.push_back(
        {fmt::format("{} {} ({})", dataflow, sizesText(request), file->text(row, "kind")),
         "cycles, " + dataflow, file->number(row, "cycles"), result->predicted.cycles,
         result->simulated.cycles, result->mapping});
  }
  return out;
}

}  // namespace gridloom::service
