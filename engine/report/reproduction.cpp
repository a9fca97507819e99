// SPDX-License-Identifier: Apache-2.0
#include "report/reproduction.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/agreement_table.h"
#include "report/number_cells.h"
#include "report/numbers.h"
#include "report/statistics.h"

namespace gridloom::report {

namespace {

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
