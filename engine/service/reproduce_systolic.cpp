// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <optional>

#include "service/count.h"
#include "service/reproduce_figures.h"
#include "service/reproduce_tables.h"
#include "service/reproduce_text.h"

namespace gridloom::service {

namespace {

/// Accesses of the outermost memory.
std::optional<double> wordsAt(const NestCount& count, const std::string& tensor,
                              const std::string& quantity) {
  for (std::size_t i = 0; i < count.counts.tensors.size(); ++i) {
    if (count.kernel->kernel.tensor(count.counts.tensors[i]).name != tensor) continue;
    const access::TensorAccesses& accesses = count.counts.levels.front().tensors[i];
    if (quantity == "reads") return accesses.reads;
    if (quantity == "updates") return accesses.updates;
  }
  return std::nullopt;
}

}  // namespace

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

ReproducedTable systolicWords(CaseRunner& runner) {
  constexpr std::array<FigureColumn, 4> columns{
      {{"nest", false}, {"tensor", false}, {"quantity", false}, {"words"}}};
  auto file = FigureFile::openReference("scalesim_words", columns);
  if (!file) return file.takeDiagnostics();
  auto array = runner.hardware("scalesim_32x32");
  if (!array) return array.takeDiagnostics();
  auto text = loadKernelText("scalesim_gemm");
  if (!text) return text.takeDiagnostics();
  auto gemm = openKernel(*std::move(text), {});
  if (!gemm) return gemm.takeDiagnostics();

  report::Reproduction out;
  out.title = "Words at the buffers of the array";
  out.source = "SCALE-Sim, golden traces";
  out.remarks = {"counted from nests (gridloom count), as in the study timeloop; simulated: every "
                 "iteration walked",
                 "the golden trace of the output stationary array writes 2,048 words more than the "
                 "result has"};
  for (std::size_t row = 0; row < file->rows(); ++row) {
    report::ReproducedFigure figure{
        fmt::format("{} {}", file->text(row, "nest"), file->text(row, "tensor")),
        file->text(row, "quantity"),
        file->number(row, "words"),
        std::nullopt,
        std::nullopt,
        ""};
    for (const access::Sweep sweep : {access::Sweep::Steady, access::Sweep::Full}) {
      auto nest = loadNestText(file->text(row, "nest"));
      if (!nest) return nest.takeDiagnostics();
      const auto counted = countNest(*array, *gemm, *std::move(nest), sweep);
      if (!counted) return counted.diagnostics();
      const auto words = wordsAt(*counted, file->text(row, "tensor"), file->text(row, "quantity"));
      if (!words)
        return file->errorIn(row, "expected a tensor of the kernel, and reads or updates");
      (sweep == access::Sweep::Full ? figure.simulated : figure.predicted) = *words;
    }
    out.figures.push_back(std::move(figure));
  }
  return out;
}

}  // namespace gridloom::service
