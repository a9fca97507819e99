// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "report/statistics.h"
#include "service/reproduce_gemm.h"
#include "service/reproduce_tables.h"

namespace gridloom::service {

namespace {

/// How much slower the first of the ranking is than the fastest of all ranked, in simulation.
struct Regret {
  double ratio = 1;
  std::size_t ranked = 0;
  std::size_t fastest = 0;  ///< place of the fastest in the ranking, from 0
  std::string mapping;      ///< of the fastest
};

base::Result<Regret> regretOf(CaseRunner& runner, const CaseRequest& request) {
  auto hardware = runner.hardware(request.hardware);
  if (!hardware) return hardware.takeDiagnostics();
  auto text = loadKernelText(request.kernel);
  if (!text) return text.takeDiagnostics();
  auto kernel = openKernel(*std::move(text), {request.set, "", ""});
  if (!kernel) return kernel.takeDiagnostics();
  auto exploration =
      explore(*std::move(hardware), *std::move(kernel), {},
              {runner.options().samples, runner.options().threads, "", true}, runner.progress());
  if (!exploration) return exploration.takeDiagnostics();
  Regret out;
  double best = 0;
  for (const Ranked& ranked : (*exploration)->top) {
    if (!ranked.simulated) {
      return ranked.notSimulated.empty() ? base::Diagnostics{base::plainError("stopped")}
                                         : ranked.notSimulated;
    }
    if (out.ranked == 0 || ranked.simulated->cycles < best) {
      best = ranked.simulated->cycles;
      out.fastest = out.ranked;
      out.mapping = ranked.line;
    }
    ++out.ranked;
  }
  if (out.ranked == 0) return base::plainError("no mapping is feasible");
  out.ratio = (*exploration)->top.front().simulated->cycles / best;
  return out;
}

}  // namespace

ReproducedTable rankingRegret(CaseRunner& runner) {
  auto shapes = openShapes("sweep");
  if (!shapes) return shapes.takeDiagnostics();
  report::Reproduction out;
  out.title = "The first of the ranking against the fastest of all ranked";
  out.source = "this engine; shapes of TL's sweep";
  std::vector<double> ratios;
  for (const char* hardware : {"wormhole_8x8", "wormhole_4x8", "wormhole_1x8"}) {
    for (const std::size_t row : shapes->rows) {
      const CaseRequest request = gemmCase(hardware, shapes->file, row);
      auto regret = regretOf(runner, request);
      if (!regret) return regret.takeDiagnostics();
      ratios.push_back(regret->ratio);
      out.figures.push_back(
          {fmt::format("{} {}", hardware, sizesText(request)), "x of the fastest", std::nullopt,
           std::nullopt, regret->ratio,
           fmt::format("{} of {}: {}", regret->fastest + 1, regret->ranked, regret->mapping)});
    }
  }
  out.remarks = {
      fmt::format(
          "the best {} predicted of every shape are simulated (--samples); the detail names "
          "the fastest and its place",
          runner.options().samples),
      fmt::format("on average {:.2f}% slower than the fastest, at most {:.2f}%",
                  100 * (report::geometricMean(ratios) - 1),
                  100 * (*std::ranges::max_element(ratios) - 1))};
  return out;
}

}  // namespace gridloom::service
