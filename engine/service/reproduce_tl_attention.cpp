// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "service/reproduce_tables.h"
#include "service/reproduce_text.h"

namespace gridloom::service {

namespace {

CaseRequest attentionCase(const FigureFile& file, std::size_t row, std::string directives,
                          int top) {
  return {"wormhole_8x8",
          "flash_attention",
          {{"H", file.integer(row, "H")},
           {"SQ", file.integer(row, "S")},
           {"SK", file.integer(row, "S")},
           {"D", file.integer(row, "D")}},
          std::move(directives),
          "",
          top};
}

/// How many of the gains are at least the lowest published one.
std::string shareAbove(const std::vector<Pair>& gains, double Pair::*which, double low) {
  const auto count = std::ranges::count_if(gains, [&](const Pair& g) { return g.*which >= low; });
  return fmt::format("{} of {}", count, gains.size());
}

report::Claim gainClaim(const std::string& what, const std::vector<Pair>& gains, double low) {
  const auto most = [&](double Pair::*which) {
    return 10 * std::ranges::count_if(gains, [&](const Pair& g) { return g.*which >= low; }) >=
           static_cast<std::ptrdiff_t>(9 * gains.size());
  };
  return {
      "TL-8",
      fmt::format("at least {:.1f} times faster than {} in nearly every configuration", low, what),
      most(&Pair::predicted), most(&Pair::simulated),
      fmt::format("{} predicted, {} simulated; geometric mean {}",
                  shareAbove(gains, &Pair::predicted, low),
                  shareAbove(gains, &Pair::simulated, low), pairText(meanOf(gains)))};
}

}  // namespace

ReproducedTable tlAttention(CaseRunner& runner) {
  constexpr std::array<FigureColumn, 3> columns{{{"H"}, {"S"}, {"D"}}};
  auto file = FigureFile::openReference("tl_attention_shapes", columns);
  if (!file) return file.takeDiagnostics();
  auto mean = tlFigure("TL-8");
  if (!mean) return mean.takeDiagnostics();
  auto low = tlFigure("TL-8-low");
  if (!low) return low.takeDiagnostics();

  report::Reproduction out;
  out.title = "FlashAttention against reloading from DRAM (TL-8)";
  out.source = "TL (paper 000), 3.2, Figure 7; 8x8, not causal, hidden size 2048, 8192 tokens";
  out.remarks = {
      "reload: keys and values from DRAM on every core for every block of queries, best blocks "
      "(attention_reload)",
      "reload, chunks of 32: the same with TTNN's default chunks (attention_reload_32); which "
      "chunks "
      "TL's measurement used is not known",
      "heads x queries x keys x head dimension; heads include the batch"};
  std::vector<Pair> gains, gainsOver32;
  for (std::size_t row = 0; row < file->rows(); ++row) {
    const CaseRequest request = attentionCase(*file, row, "", kProfiled);
    auto results = runner.runAll({request, attentionCase(*file, row, "attention_reload", 1),
                                  attentionCase(*file, row, "attention_reload_32", 1)});
    if (!results) return results.takeDiagnostics();
    const CaseResult& best = (*results)[0];
    const std::string subject = sizesText(request);
    gains.push_back(speedup(best, (*results)[1]));
    gainsOver32.push_back(speedup(best, (*results)[2]));
    out.figures.push_back({subject, "TFLOP/s", std::nullopt, best.predicted.tflops,
                           best.simulated.tflops, best.mapping});
    out.figures.push_back(figure(subject, "x over reload", std::nullopt, gains.back()));
    out.figures.push_back(
        figure(subject, "x over reload, chunks of 32", std::nullopt, gainsOver32.back()));
  }
  out.figures.push_back(figure("geometric mean", "x over TTNN, as reload", *mean, meanOf(gains)));
  out.figures.push_back(figure("geometric mean", "x over TTNN, as reload in chunks of 32", *mean,
                               meanOf(gainsOver32)));
  out.claims.push_back(gainClaim("reloading with the best blocks", gains, *low));
  out.claims.push_back(gainClaim("reloading in chunks of 32", gainsOver32, *low));
  return out;
}

}  // namespace gridloom::service
