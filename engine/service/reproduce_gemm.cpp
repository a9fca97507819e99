// SPDX-License-Identifier: Apache-2.0
#include "service/reproduce_gemm.h"

#include "report/statistics.h"

namespace gridloom::service {

CaseRequest gemmCase(std::string hardware, const FigureFile& file, std::size_t row,
                     std::string directives, int top) {
  CaseRequest request{std::move(hardware), "gemm", {}, std::move(directives), "", top};
  for (const FigureColumn& column : kGemmColumns) {
    request.set.emplace_back(column.name, file.integer(row, column.name));
  }
  return request;
}

base::Result<ShapeFamily> openShapes(const std::string& family) {
  constexpr std::array<FigureColumn, 4> columns{{{"family", false}, {"M"}, {"N"}, {"K"}}};
  auto file = FigureFile::openReference("tl_gemm_shapes", columns);
  if (!file) return file.takeDiagnostics();
  ShapeFamily shapes{*std::move(file), {}};
  for (std::size_t row = 0; row < shapes.file.rows(); ++row) {
    if (shapes.file.text(row, "family") == family) shapes.rows.push_back(row);
  }
  if (shapes.rows.empty()) {
    return base::plainError("tl_gemm_shapes has no shapes of the family `" + family + "`");
  }
  return shapes;
}

Pair TemplateCase::oneDOverTwoD() const { return speedup(oneD, twoD); }

namespace {

/// One direction of TT-1D: over the whole array, or over one row where that has more cores than blocks.
base::Result<CaseResult> runOneD(CaseRunner& runner, const std::string& hardware,
                                 const FigureFile& file, std::size_t row,
                                 const std::string& direction) {
  auto whole = runner.run(gemmCase(hardware, file, row, direction, kProfiled));
  if (whole) return whole;
  auto oneRow = runner.run(gemmCase(hardware, file, row, direction + "_row", kProfiled));
  return oneRow ? std::move(oneRow) : std::move(whole);
}

}  // namespace

base::Result<TemplateCase> runTemplates(CaseRunner& runner, const std::string& hardware,
                                        const FigureFile& file, std::size_t row) {
  auto a = runOneD(runner, hardware, file, row, "tt_1d_a");
  if (!a) return a.takeDiagnostics();
  auto b = runOneD(runner, hardware, file, row, "tt_1d_b");
  if (!b) return b.takeDiagnostics();
  auto twoD = runner.run(gemmCase(hardware, file, row, "tt_2d", kProfiled));
  if (!twoD) return twoD.takeDiagnostics();
  const bool aIsSmaller = file.number(row, "M") <= file.number(row, "N");
  const bool aIsFaster = a->simulated.cycles <= b->simulated.cycles;
  TemplateCase out{gemmCase(hardware, file, row), aIsFaster ? *a : *b, aIsSmaller ? *a : *b, *twoD};
  return out;
}

Pair speedup(const CaseResult& a, const CaseResult& b) {
  return {b.predicted.cycles / a.predicted.cycles, b.simulated.cycles / a.simulated.cycles};
}

Pair meanOf(const std::vector<Pair>& pairs) {
  std::vector<double> predicted, simulated;
  for (const Pair& pair : pairs) {
    predicted.push_back(pair.predicted);
    simulated.push_back(pair.simulated);
  }
  return {report::geometricMean(predicted), report::geometricMean(simulated)};
}

}  // namespace gridloom::service
