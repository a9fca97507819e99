// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "service/reproduce_gemm.h"
#include "service/reproduce_tables.h"
#include "service/reproduce_text.h"

namespace gridloom::service {

namespace {

/// Share of the DRAM bytes of `without` that `with` does not move.
Pair bytesRemoved(const CaseResult& with, const CaseResult& without) {
  return {1 - with.predicted.dramBytes / without.predicted.dramBytes,
          1 - with.simulated.dramBytes / without.simulated.dramBytes};
}

Pair arithmeticMean(const std::vector<Pair>& pairs) {
  Pair sum;
  for (const Pair& pair : pairs) {
    sum.predicted += pair.predicted;
    sum.simulated += pair.simulated;
  }
  const double count = static_cast<double>(pairs.size());
  return {sum.predicted / count, sum.simulated / count};
}

}  // namespace

ReproducedTable tlSpatialReuse(CaseRunner& runner) {
  constexpr std::array<FigureColumn, 5> columns{
      {{"M"}, {"N"}, {"K"}, {"dram_only_tflops"}, {"tl_tflops"}}};
  auto file = FigureFile::openReference("tl_table1", columns);
  if (!file) return file.takeDiagnostics();
  auto removedMean = tlFigure("TL-9");
  if (!removedMean) return removedMean.takeDiagnostics();

  report::Reproduction out;
  out.title = "Spatial reuse: GEMM with and without (Table 1, TL-9)";
  out.source = "TL (paper 000), 3.3, Table 1; one Wormhole n300d socket, 8x8, FP16";
  out.remarks = {
      "without: every core loads what it needs from DRAM (bench/cases/dram_only.sched)",
      "ours is the fastest in simulation of the 5 best predicted, as TL keeps the fastest "
      "of 5 on the card"};
  std::vector<Pair> removed, gains;
  for (std::size_t row = 0; row < file->rows(); ++row) {
    const CaseRequest request = gemmCase("wormhole_8x8", *file, row, "", kProfiled);
    auto with = runner.run(request);
    if (!with) return with.takeDiagnostics();
    auto without = runner.run(gemmCase("wormhole_8x8", *file, row, "dram_only", kProfiled));
    if (!without) return without.takeDiagnostics();
    const std::string subject = sizesText(request);
    const double dramOnly = file->number(row, "dram_only_tflops");
    const double reuse = file->number(row, "tl_tflops");
    gains.push_back(speedup(*with, *without));
    removed.push_back(bytesRemoved(*with, *without));
    out.figures.push_back({subject, "TFLOP/s from DRAM only", dramOnly, without->predicted.tflops,
                           without->simulated.tflops, without->mapping});
    out.figures.push_back({subject, "TFLOP/s with spatial reuse", reuse, with->predicted.tflops,
                           with->simulated.tflops, with->mapping});
    out.figures.push_back(figure(subject, "x by spatial reuse", reuse / dramOnly, gains.back()));
    out.figures.push_back(
        figure(subject, "share of DRAM bytes removed", std::nullopt, removed.back()));
  }
  out.figures.push_back(figure("mean of the shapes", "share of DRAM bytes removed", *removedMean,
                               arithmeticMean(removed)));
  out.claims.push_back({"Table 1", "the gain is smaller at the largest size than at the smallest",
                        gains.back().predicted < gains.front().predicted,
                        gains.back().simulated < gains.front().simulated,
                        "by size: " + pairsText(gains)});
  return out;
}

ReproducedTable tlTemporalReuse(CaseRunner& runner) {
  auto shapes = openShapes("temporal");
  if (!shapes) return shapes.takeDiagnostics();
  auto largest = tlFigure("TL-10");
  if (!largest) return largest.takeDiagnostics();

  report::Reproduction out;
  out.title = "Temporal reuse (TL-10)";
  out.source = "TL (paper 000), 3.3, Figure 8; 8x8";
  out.remarks = {
      "without: tiles are loaded in every iteration (bench/cases/no_temporal_reuse.sched)",
      "the paper gives the largest gain only; the sizes are ours, K falls as M and N grow"};
  std::vector<Pair> gains;
  for (const std::size_t row : shapes->rows) {
    const CaseRequest request = gemmCase("wormhole_8x8", shapes->file, row, "", kProfiled);
    auto with = runner.run(request);
    if (!with) return with.takeDiagnostics();
    auto without =
        runner.run(gemmCase("wormhole_8x8", shapes->file, row, "no_temporal_reuse", kProfiled));
    if (!without) return without.takeDiagnostics();
    gains.push_back(speedup(*with, *without));
    report::ReproducedFigure entry =
        figure(sizesText(request), "x by temporal reuse", std::nullopt, gains.back());
    entry.detail = with->mapping;
    out.figures.push_back(std::move(entry));
  }
  Pair most;
  for (const Pair& gain : gains) {
    most.predicted = std::max(most.predicted, gain.predicted);
    most.simulated = std::max(most.simulated, gain.simulated);
  }
  out.figures.push_back(figure("largest", "largest gain", *largest, most));
  out.claims.push_back({"TL-10", "the gain is larger at large M, N and small K than at 1024",
                        gains.back().predicted > gains.front().predicted,
                        gains.back().simulated > gains.front().simulated,
                        "by size: " + pairsText(gains)});
  return out;
}

}  // namespace gridloom::service
