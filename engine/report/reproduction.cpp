// SPDX-License-Identifier: Apache-2.0
#include "report/reproduction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "report/numbers.h"
#include "report/statistics.h"

namespace gridloom::report {

namespace {

using Number = std::optional<double>;

Number ratioOf(Number a, Number b) {
  if (!a || !b || *a <= 0 || *b <= 0) return std::nullopt;
  return *a / *b;
}

/// Four significant digits for small numbers, whole numbers for large ones.
std::string shownNumber(double value) {
  if (std::abs(value) >= 1000) return cyclesText(value);
  return trimmed(value, std::abs(value) >= 100 ? 1 : (std::abs(value) >= 10 ? 2 : 3));
}

Cell numberCell(Number value) {
  return value ? Cell{shownNumber(*value), exactText(*value)} : Cell{"-", ""};
}

Cell ratioCell(Number value) {
  return value ? Cell{fmt::format("{:.2f}", *value), exactText(*value)} : Cell{"-", ""};
}

Cell shareCell(Number value) {
  return value ? Cell{percentText(*value), exactText(*value)} : Cell{"-", ""};
}

std::string answerText(const std::optional<Answer>& answer) {
  if (!answer) return "-";
  return *answer == Answer::Yes ? "yes" : *answer == Answer::No ? "no" : "tie";
}

/// Kendall's tau of the figures of one quantity with the published ones.
Number ranksOf(std::span<const ReproducedFigure> figures, const std::string& quantity,
               Number ReproducedFigure::*of) {
  std::vector<double> published, ours;
  for (const ReproducedFigure& figure : figures) {
    if (figure.quantity != quantity || !figure.published || !(figure.*of)) continue;
    published.push_back(*figure.published);
    ours.push_back(*(figure.*of));
  }
  return ours.size() < 3 ? Number() : Number(kendallTau(published, ours));
}

std::vector<double> ratiosOf(std::span<const ReproducedFigure> figures, const std::string& quantity,
                             Number ReproducedFigure::*a, Number ReproducedFigure::*b) {
  std::vector<double> ratios;
  for (const ReproducedFigure& figure : figures) {
    if (figure.quantity != quantity) continue;
    if (const Number ratio = ratioOf(figure.*a, figure.*b)) ratios.push_back(*ratio);
  }
  return ratios;
}

Number meanOf(const std::vector<double>& ratios) {
  return ratios.empty() ? Number() : Number(geometricMean(ratios));
}

Number errorOf(const std::vector<double>& ratios) {
  return ratios.empty() ? Number() : Number(geometricError(ratios));
}

constexpr std::size_t kWorst = 3;

double missOf(const Sample& sample) {
  return std::abs(std::log(sample.predicted / sample.simulated));
}

PartError errorAmong(const std::vector<Sample>& samples, bool computeBound) {
  std::vector<double> ratios;
  for (const Sample& sample : samples) {
    if (sample.computeBound == computeBound) ratios.push_back(sample.predicted / sample.simulated);
  }
  return {static_cast<std::int64_t>(ratios.size()), geometricError(ratios)};
}

/// Over all mappings of several parts: the mean of the logarithms, by their numbers.
template <class Part> PartError together(std::span<const Agreement> agreements, const Part& part) {
  PartError all;
  double sum = 0;
  for (const Agreement& agreement : agreements) {
    const PartError one = std::invoke(part, agreement);
    all.mappings += one.mappings;
    sum += static_cast<double>(one.mappings) * std::log1p(one.error);
  }
  if (all.mappings > 0) all.error = std::expm1(sum / static_cast<double>(all.mappings));
  return all;
}

std::vector<Cell> partCells(const PartError& part) {
  return {{grouped(part.mappings), std::to_string(part.mappings)},
          shareCell(part.mappings > 0 ? Number(part.error) : Number())};
}

/// Predictions of compute-bound and of movement-bound mappings, apart.
Table partsTable(const Reproduction& reproduction) {
  Table table;
  table.columns = {{"kernel and hardware", "case", Align::Left},
                   {"compute-bound", "compute_bound"},
                   {"error", "compute_bound_error"},
                   {"movement-bound", "movement_bound"},
                   {"error", "movement_bound_error"}};
  const auto add = [&](const std::string& subject, const PartError& compute,
                       const PartError& movement) {
    std::vector<Cell> row{textCell(subject)};
    for (const PartError& part : {compute, movement}) {
      for (Cell& cell : partCells(part)) row.push_back(std::move(cell));
    }
    table.rows.push_back(std::move(row));
  };
  for (const Agreement& a : reproduction.agreements) {
    add(a.subject, a.computeBound, a.movementBound);
  }
  if (!table.rows.empty()) {
    add("all", together(reproduction.agreements, &Agreement::computeBound),
        together(reproduction.agreements, &Agreement::movementBound));
  }
  return table;
}

std::string claimsText(const std::vector<Claim>& claims) {
  Table table;
  table.columns = {{"claim", "id", Align::Left},
                   {"predicted", "predicted", Align::Left},
                   {"simulated", "simulated", Align::Left},
                   {"margin", "margin"},
                   {"what is claimed, and the numbers behind the answers", "claim", Align::Left}};
  for (const Claim& claim : claims) {
    table.rows.push_back({textCell(claim.id),
                          textCell(answerText(claim.predicted)),
                          textCell(answerText(claim.simulated)),
                          {percentText(claim.margin), exactText(claim.margin)},
                          textCell(claim.statement + ": " + claim.evidence)});
  }
  return tableText(table);
}

void appendTable(std::string& out, const Table& table) {
  if (!table.rows.empty()) out += "\n" + tableText(table);
}

}  // namespace

Agreement agreementOf(std::string subject, std::vector<Sample> samples) {
  Agreement out;
  out.subject = std::move(subject);
  out.mappings = static_cast<std::int64_t>(samples.size());
  std::vector<double> predicted, simulated, ratios;
  for (const Sample& sample : samples) {
    predicted.push_back(sample.predicted);
    simulated.push_back(sample.simulated);
    ratios.push_back(sample.predicted / sample.simulated);
  }
  out.error = geometricError(ratios);
  out.bias = geometricMean(ratios) - 1;
  out.tau = kendallTau(predicted, simulated);
  out.computeBound = errorAmong(samples, true);
  out.movementBound = errorAmong(samples, false);
  std::ranges::stable_sort(samples, std::greater<>(), missOf);
  samples.resize(std::min(samples.size(), kWorst));
  for (const Sample& sample : samples) {
    out.worst.push_back({out.subject, "cycles of the mapping predicted worst", std::nullopt,
                         sample.predicted, sample.simulated, sample.mapping});
  }
  return out;
}

std::vector<QuantitySummary> summarize(std::span<const ReproducedFigure> figures) {
  using Figure = ReproducedFigure;
  std::vector<QuantitySummary> out;
  for (const Figure& figure : figures) {
    const auto known = std::ranges::find(out, figure.quantity, &QuantitySummary::quantity);
    if (known != out.end()) {
      ++known->figures;
      continue;
    }
    const auto ratios = [&](Number Figure::*a, Number Figure::*b) {
      return ratiosOf(figures, figure.quantity, a, b);
    };
    const auto predicted = ratios(&Figure::predicted, &Figure::published);
    const auto simulated = ratios(&Figure::simulated, &Figure::published);
    out.push_back({figure.quantity, 1, meanOf(predicted), meanOf(simulated), errorOf(predicted),
                   errorOf(simulated), errorOf(ratios(&Figure::predicted, &Figure::simulated)),
                   ranksOf(figures, figure.quantity, &Figure::predicted),
                   ranksOf(figures, figure.quantity, &Figure::simulated)});
  }
  return out;
}

Table figureTable(const Reproduction& reproduction) {
  Table table;
  table.columns = {{"case", "case", Align::Left},
                   {"quantity", "quantity", Align::Left},
                   {"published", "published"},
                   {"predicted", "predicted"},
                   {"simulated", "simulated"},
                   {"pred/pub", "predicted_to_published"},
                   {"sim/pub", "simulated_to_published"},
                   {"pred/sim", "predicted_to_simulated"},
                   {"mapping", "mapping", Align::Left}};
  for (const ReproducedFigure& f : reproduction.figures) {
    table.rows.push_back({textCell(f.subject), textCell(f.quantity), numberCell(f.published),
                          numberCell(f.predicted), numberCell(f.simulated),
                          ratioCell(ratioOf(f.predicted, f.published)),
                          ratioCell(ratioOf(f.simulated, f.published)),
                          ratioCell(ratioOf(f.predicted, f.simulated)), textCell(f.detail)});
  }
  return table;
}

Table summaryTable(const Reproduction& reproduction) {
  Table table;
  table.columns = {{"geometric means", "quantity", Align::Left},
                   {"figures", "figures"},
                   {"pred/pub", "predicted_to_published"},
                   {"sim/pub", "simulated_to_published"},
                   {"pred error", "predicted_error"},
                   {"sim error", "simulated_error"},
                   {"pred to sim", "model_error"},
                   {"pred tau", "predicted_kendall_tau"},
                   {"sim tau", "simulated_kendall_tau"}};
  for (const QuantitySummary& s : summarize(reproduction.figures)) {
    table.rows.push_back({textCell(s.quantity),
                          {grouped(s.figures), std::to_string(s.figures)},
                          ratioCell(s.predictedToPublished),
                          ratioCell(s.simulatedToPublished),
                          shareCell(s.predictedError),
                          shareCell(s.simulatedError),
                          shareCell(s.modelError),
                          ratioCell(s.predictedRanks),
                          ratioCell(s.simulatedRanks)});
  }
  return table;
}

Table agreementTable(const Reproduction& reproduction) {
  Table table;
  table.columns = {{"kernel and hardware", "case", Align::Left},
                   {"mappings", "mappings"},
                   {"error", "error"},
                   {"bias", "bias"},
                   {"Kendall tau", "kendall_tau"}};
  for (const Agreement& a : reproduction.agreements) {
    table.rows.push_back({textCell(a.subject),
                          {grouped(a.mappings), std::to_string(a.mappings)},
                          shareCell(a.error),
                          {changeText(a.bias), exactText(a.bias)},
                          {fmt::format("{:.3f}", a.tau), exactText(a.tau)}});
  }
  return table;
}

Table worstTable(const Reproduction& reproduction) {
  Table table;
  table.columns = {{"predicted worst", "case", Align::Left},
                   {"predicted", "predicted"},
                   {"simulated", "simulated"},
                   {"pred/sim", "predicted_to_simulated"},
                   {"mapping", "mapping", Align::Left}};
  for (const Agreement& a : reproduction.agreements) {
    for (const ReproducedFigure& f : a.worst) {
      table.rows.push_back({textCell(f.subject), numberCell(f.predicted), numberCell(f.simulated),
                            ratioCell(ratioOf(f.predicted, f.simulated)), textCell(f.detail)});
    }
  }
  return table;
}

Table ablationTable(const Reproduction& reproduction) {
  Table table;
  table.columns = {{"without", "term", Align::Left}, {"error", "error"},
                   {"change", "error_change"},       {"mean tau", "kendall_tau"},
                   {"change", "kendall_tau_change"}, {"rankings changed", "rankings_changed"},
                   {"most in one case", "most"},     {"case", "case", Align::Left}};
  const std::span<const Agreement> all = reproduction.agreements;
  if (all.empty() || all.front().ablations.empty()) return table;
  const auto cell = [](std::string text, double value) {
    return Cell{std::move(text), exactText(value)};
  };
  const auto add = [&](const std::string& term, const auto& without) {
    double tau = 0, before = 0, most = 0;
    std::int64_t changed = 0;
    std::string where;
    for (const Agreement& a : all) {
      const Ablation ablated = without(a);
      tau += ablated.tau / static_cast<double>(all.size());
      before += a.tau / static_cast<double>(all.size());
      changed += ablated.tau != a.tau ? 1 : 0;
      if (std::abs(ablated.error - a.error) <= std::abs(most)) continue;
      most = ablated.error - a.error;
      where = a.subject;
    }
    const auto errorWith = [&](const auto& errorOf) {
      return together(all,
                      [&](const Agreement& a) {
                        return PartError{a.mappings, errorOf(a)};
                      })
          .error;
    };
    const double error = errorWith([&](const Agreement& a) { return without(a).error; });
    const double change = error - errorWith([](const Agreement& a) { return a.error; });
    table.rows.push_back({textCell(term),
                          cell(fmt::format("{:.3f}%", 100 * error), error),
                          cell(fmt::format("{:+.3f}%", 100 * change), change),
                          cell(fmt::format("{:.4f}", tau), tau),
                          cell(fmt::format("{:+.4f}", tau - before), tau - before),
                          {std::to_string(changed), std::to_string(changed)},
                          cell(fmt::format("{:+.3f}%", 100 * most), most),
                          textCell(where)});
  };
  add("nothing", [](const Agreement& a) { return Ablation{"", a.error, a.tau}; });
  for (std::size_t t = 0; t < all.front().ablations.size(); ++t) {
    add(all.front().ablations[t].term, [t](const Agreement& a) { return a.ablations[t]; });
  }
  return table;
}

std::string reproductionText(const Reproduction& reproduction) {
  std::string out = reproduction.title + "\n" + std::string(reproduction.title.size(), '=') + "\n";
  if (!reproduction.source.empty()) out += "source  " + reproduction.source + "\n";
  for (const std::string& remark : reproduction.remarks) out += "note    " + remark + "\n";
  appendTable(out, figureTable(reproduction));
  if (reproduction.figures.size() > 1) appendTable(out, summaryTable(reproduction));
  appendTable(out, agreementTable(reproduction));
  appendTable(out, partsTable(reproduction));
  appendTable(out, worstTable(reproduction));
  appendTable(out, ablationTable(reproduction));
  if (!reproduction.claims.empty()) out += "\n" + claimsText(reproduction.claims);
  return out + "\n";
}

Table reproductionRows(std::span<const Reproduction> reproductions) {
  Table table;
  table.columns = {{"study", "study"},         {"table", "table"},
                   {"case", "case"},           {"quantity", "quantity"},
                   {"published", "published"}, {"predicted", "predicted"},
                   {"simulated", "simulated"}, {"detail", "detail"}};
  const auto add = [&](const Reproduction& r, const std::string& subject,
                       const std::string& quantity, Cell published, Cell predicted, Cell simulated,
                       const std::string& detail) {
    table.rows.push_back({textCell(r.study), textCell(r.title), textCell(subject),
                          textCell(quantity), std::move(published), std::move(predicted),
                          std::move(simulated), textCell(detail)});
  };
  const Cell none = textCell("");
  for (const Reproduction& r : reproductions) {
    for (const ReproducedFigure& f : r.figures) {
      add(r, f.subject, f.quantity, numberCell(f.published), numberCell(f.predicted),
          numberCell(f.simulated), f.detail);
    }
    for (const Claim& c : r.claims) {
      add(r, c.id, c.statement, textCell("yes"), textCell(answerText(c.predicted)),
          textCell(answerText(c.simulated)), c.evidence);
    }
    for (const Agreement& a : r.agreements) {
      add(r, a.subject, "geometric mean error", none, numberCell(a.error), none, "");
      add(r, a.subject, "bias", none, numberCell(a.bias), none, "");
      add(r, a.subject, "Kendall tau", none, numberCell(a.tau), none, "");
      for (const Ablation& without : a.ablations) {
        add(r, a.subject, "geometric mean error without " + without.term, none,
            numberCell(without.error), none, "");
        add(r, a.subject, "Kendall tau without " + without.term, none, numberCell(without.tau),
            none, "");
      }
      for (const ReproducedFigure& f : a.worst) {
        add(r, f.subject, f.quantity, none, numberCell(f.predicted), numberCell(f.simulated),
            f.detail);
      }
    }
  }
  return table;
}

}  // namespace gridloom::report
