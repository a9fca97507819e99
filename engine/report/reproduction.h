// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "report/table.h"

namespace gridloom::report {

/// One quantity of one case: the published, the predicted and the simulated value.
struct ReproducedFigure {
  std::string subject;   ///< "1024x1024x1024", "geometric mean of 18 shapes"
  std::string quantity;  ///< with its unit: "TFLOP/s", "x over TT-1D"
  std::optional<double> published;
  std::optional<double> predicted;
  std::optional<double> simulated;
  std::string detail;  ///< the mapping in one line; empty without one
};

/// A claim in words, checked with the model and with the simulator.
struct Claim {
  std::string id;
  std::string statement;
  std::optional<bool> predicted;
  std::optional<bool> simulated;
  std::string evidence;  ///< the numbers that support it
};

/// Difference between model and simulator over many mappings of one kernel.
struct Agreement {
  std::string subject;
  std::int64_t mappings = 0;
  double error = 0;  ///< geometric mean of the larger over the smaller, minus 1
  double bias = 0;   ///< geometric mean of predicted over simulated, minus 1
  double tau = 0;    ///< Kendall's rank correlation
  /// cycles of the mappings with the largest error, worst first
  std::vector<ReproducedFigure> worst;
};

/// The reproduction of one table of a publication.
struct Reproduction {
  std::string study;
  std::string title;
  std::string source;
  std::vector<std::string> remarks;
  std::vector<ReproducedFigure> figures;
  std::vector<Claim> claims;
  std::vector<Agreement> agreements;
};

/// Geometric means over the figures of one quantity.
struct QuantitySummary {
  std::string quantity;
  std::int64_t figures = 0;
  std::optional<double> predictedToPublished;
  std::optional<double> simulatedToPublished;
  std::optional<double> predictedError;  ///< against the published figures
  std::optional<double> simulatedError;
  std::optional<double> modelError;  ///< predicted against simulated
};
/// In the order of the first figure of each quantity.
std::vector<QuantitySummary> summarize(std::span<const ReproducedFigure> figures);

Table figureTable(const Reproduction& reproduction);
Table summaryTable(const Reproduction& reproduction);
Table agreementTable(const Reproduction& reproduction);
Table worstTable(const Reproduction& reproduction);
/// The whole reproduction as text for the screen.
std::string reproductionText(const Reproduction& reproduction);
/// Figures, claims and agreements of all studies, one row each, for files.
Table reproductionRows(std::span<const Reproduction> reproductions);

}  // namespace gridloom::report
