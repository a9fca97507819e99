// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "report/statistics.h"
#include "service/reproduce_gemm.h"
#include "service/reproduce_tables.h"
#include "service/rerank.h"
#include "service/result_records.h"

namespace gridloom::service {

namespace {

/// How much slower than the fastest of all ranked, in simulation: the first of the ranking, and the fastest of those
/// that `explore` simulates on its own.
struct Regret {
  double ofFirst = 1;
  double ofReranked = 1;
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
  const int samples = runner.options().samples;
  auto exploration =
      explore(*std::move(hardware), *std::move(kernel), {},
              {samples, runner.options().threads, "", rerankFirst(samples)}, runner.progress());
  if (!exploration) return exploration.takeDiagnostics();
  if (auto insane = checkSanity(**exploration); !insane.empty()) return insane;
  const std::vector<Ranked>& top = (*exploration)->top;
  if (top.empty()) return base::plainError("no mapping is feasible");
  for (const Ranked& ranked : top) {
    if (ranked.simulated) continue;
    return ranked.notSimulated.empty() ? base::Diagnostics{base::plainError("stopped")}
                                       : ranked.notSimulated;
  }
  const Ranked& fastest = top.front();
  const double best = fastest.simulated->cycles;
  return Regret{(*exploration)->reranked.firstCycles / best,
                fastestReranked(kQuickReranking, top) / best, top.size(), fastest.place,
                fastest.line};
}

}  // namespace

ReproducedTable rankingRegret(CaseRunner& runner) {
  auto shapes = openShapes("sweep");
  if (!shapes) return shapes.takeDiagnostics();
  report::Reproduction out;
  out.title = "The first of the ranking against the fastest of all ranked";
  out.source = "this engine; shapes of TL's sweep";
  std::vector<double> first, reranked;
  for (const char* hardware : {"wormhole_8x8", "wormhole_4x8", "wormhole_1x8"}) {
    for (const std::size_t row : shapes->rows) {
      const CaseRequest request = gemmCase(hardware, shapes->file, row);
      auto regret = regretOf(runner, request);
      if (!regret) return regret.takeDiagnostics();
      first.push_back(regret->ofFirst);
      reranked.push_back(regret->ofReranked);
      const std::string subject = fmt::format("{} {}", hardware, sizesText(request));
      out.figures.push_back(
          {subject, "x of the fastest, first by the model", std::nullopt, std::nullopt,
           regret->ofFirst,
           fmt::format("{} of {}: {}", regret->fastest + 1, regret->ranked, regret->mapping)});
      out.figures.push_back({subject, "x of the fastest, first when refined", std::nullopt,
                             std::nullopt, regret->ofReranked, ""});
    }
  }
  const auto slower = [](const char* what, const std::vector<double>& ratios) {
    return fmt::format("{}: on average {:.2f}% slower than the fastest, at most {:.2f}%", what,
                       100 * (report::geometricMean(ratios) - 1),
                       100 * (*std::ranges::max_element(ratios) - 1));
  };
  out.remarks = {
      fmt::format(
          "the best {} predicted of every shape are simulated (--samples); the detail names "
          "the fastest and its place",
          runner.options().samples),
      slower("first by the model", first),
      slower("fastest of as many of the model's first as `explore` simulates", reranked)};
  return out;
}

}  // namespace gridloom::service
