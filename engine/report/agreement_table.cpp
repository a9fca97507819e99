// SPDX-License-Identifier: Apache-2.0
#include "report/agreement_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "report/number_cells.h"
#include "report/numbers.h"
#include "report/statistics.h"

namespace gridloom::report {

namespace {

constexpr std::size_t kWorst = 3;

double missOf(const Sample& sample) {
  return std::abs(std::log(predictionRatio(sample.predicted, sample.simulated)));
}

PartError errorAmong(const std::vector<Sample>& samples, bool computeBound) {
  std::vector<double> ratios;
  for (const Sample& sample : samples) {
    if (sample.computeBound == computeBound)
      ratios.push_back(predictionRatio(sample.predicted, sample.simulated));
  }
  return {static_cast<std::int64_t>(ratios.size()), geometricError(ratios)};
}

/// Over all mappings of several parts: the mean of the logarithms, by their numbers.
PartError together(std::span<const Agreement> agreements, PartError Agreement::*part) {
  PartError all;
  double sum = 0;
  for (const Agreement& agreement : agreements) {
    const PartError& one = agreement.*part;
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

}  // namespace

Agreement agreementOf(std::string subject, std::vector<Sample> samples) {
  Agreement out;
  out.subject = std::move(subject);
  out.mappings = static_cast<std::int64_t>(samples.size());
  std::vector<double> predicted, simulated, ratios;
  for (const Sample& sample : samples) {
    predicted.push_back(sample.predicted);
    simulated.push_back(sample.simulated);
    ratios.push_back(predictionRatio(sample.predicted, sample.simulated));
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

}  // namespace gridloom::report
