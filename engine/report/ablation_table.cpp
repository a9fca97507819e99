// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <functional>

#include "report/agreement_table.h"
#include "report/number_cells.h"
#include "report/numbers.h"

namespace gridloom::report {

namespace {

using Without = std::function<Ablation(const Agreement&)>;

/// What the model without a correction comes to over all cases.
struct Worth {
  double error = 0;  ///< over all mappings: the mean of the logarithms
  double tau = 0;    ///< mean over the cases
  std::int64_t rankings = 0;
  double most = 0;  ///< largest change of the error in one case
  std::string where;
};

Worth worthOf(std::span<const Agreement> all, const Without& without) {
  Worth out;
  double mappings = 0, logarithms = 0;
  for (const Agreement& a : all) {
    const Ablation ablated = without(a);
    const auto count = static_cast<double>(a.mappings);
    mappings += count;
    logarithms += count * std::log1p(ablated.error);
    out.tau += ablated.tau / static_cast<double>(all.size());
    out.rankings += ablated.tau != a.tau ? 1 : 0;
    if (std::abs(ablated.error - a.error) <= std::abs(out.most)) continue;
    out.most = ablated.error - a.error;
    out.where = a.subject;
  }
  if (mappings > 0) out.error = std::expm1(logarithms / mappings);
  return out;
}

Cell numberIn(double value, fmt::format_string<double&> format, double scale = 1) {
  double shown = value * scale;
  return {fmt::format(format, shown), exactText(value)};
}

}  // namespace

Table ablationTable(const Reproduction& reproduction) {
  Table table;
  table.columns = {{"without", "term", Align::Left}, {"error", "error"},
                   {"change", "error_change"},       {"mean tau", "kendall_tau"},
                   {"change", "kendall_tau_change"}, {"rankings changed", "rankings_changed"},
                   {"most in one case", "most"},     {"case", "case", Align::Left}};
  const std::span<const Agreement> all = reproduction.agreements;
  if (all.empty() || all.front().ablations.empty()) return table;
  const Without whole = [](const Agreement& a) { return Ablation{"", a.error, a.tau}; };
  const Worth base = worthOf(all, whole);
  const auto add = [&](const std::string& term, const Without& without) {
    const Worth worth = worthOf(all, without);
    const std::string rankings = std::to_string(worth.rankings);
    table.rows.push_back({textCell(term),
                          numberIn(worth.error, "{:.3f}%", 100),
                          numberIn(worth.error - base.error, "{:+.3f}%", 100),
                          numberIn(worth.tau, "{:.4f}"),
                          numberIn(worth.tau - base.tau, "{:+.4f}"),
                          {rankings, rankings},
                          numberIn(worth.most, "{:+.3f}%", 100),
                          textCell(worth.where)});
  };
  add("nothing", whole);
  for (std::size_t t = 0; t < all.front().ablations.size(); ++t) {
    add(all.front().ablations[t].term, [t](const Agreement& a) { return a.ablations[t]; });
  }
  return table;
}

}  // namespace gridloom::report
