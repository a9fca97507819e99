// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "report/table.h"

namespace gridloom::report {

/// One quantity of one case: what was published, what the model predicts, what the simulator
/// measures.
struct ReproducedFigure {
  std::string subject;   ///< "1024x1024x1024", "geometric mean of 18 shapes"
  std::string quantity;  ///< with its unit: "TFLOP/s", "x over TT-1D"
  std::optional<double> published;
  std::optional<double> predicted;
  std::optional<double> simulated;
  std::string detail;                   ///< the mapping in one line; empty without one
  std::optional<std::size_t> row = {};  ///< of the study; none for a figure of all rows
};

/// Tie: the two sides of a claim differ by less than its margin.
enum class Answer { No, Tie, Yes };

/// A claim in words, answered by the model and by the simulator.
struct Claim {
  std::string id;
  std::string statement;
  double margin = 0;  ///< share by which two numbers have to differ to count as different
  std::optional<Answer> predicted;
  std::optional<Answer> simulated;
  std::string evidence;  ///< the numbers behind
};

/// Cycles of one mapping by the model and by the simulator.
struct Sample {
  double predicted = 0;
  double simulated = 0;
  std::string mapping;
  bool computeBound = false;  ///< the predicted bottleneck is a unit of the cores
};

/// A part of the mappings, and how far the model is from the simulator over them.
struct PartError {
  std::int64_t mappings = 0;
  double error = 0;  ///< geometric mean of the larger over the smaller, minus 1
};

/// The same mappings predicted without one correction of the model.
struct Ablation {
  std::string term;
  double error = 0;  ///< as of the agreement
  double tau = 0;
};

/// How far the model is from the simulator over many mappings of one kernel.
struct Agreement {
  std::string subject;
  std::int64_t mappings = 0;
  double error = 0;                     ///< geometric mean of the larger over the smaller, minus 1
  double bias = 0;                      ///< geometric mean of predicted over simulated, minus 1
  double tau = 0;                       ///< Kendall's rank correlation
  std::vector<ReproducedFigure> worst;  ///< cycles of the mappings predicted worst, the worst first
  PartError computeBound = {};  ///< model and simulator share the cycles of a tile operation
  PartError movementBound = {};
  std::vector<Ablation> ablations = {};  ///< the same terms in all agreements of a table
};

/// One table of a publication worked through anew.
struct Reproduction {
  std::string study;
  std::string title;
  std::string source;
  std::vector<std::string> remarks;
  std::vector<ReproducedFigure> figures;
  std::vector<Claim> claims;
  std::vector<Agreement> agreements;
  /// What the first run of each row was told, by name: `hardware`, `kernel`, `sizes`, ...
  std::vector<std::map<std::string, std::string, std::less<>>> settings = {};
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
  std::optional<double>
      predictedRanks;  ///< Kendall's tau with the published figures, of three and more
  std::optional<double> simulatedRanks;
};
/// In the order of the first figure of each quantity.
std::vector<QuantitySummary> summarize(std::span<const ReproducedFigure> figures);

Table figureTable(const Reproduction& reproduction);
Table summaryTable(const Reproduction& reproduction);
/// The whole reproduction as text for the screen.
std::string reproductionText(const Reproduction& reproduction);
/// Figures, claims and agreements of all studies, one row each, for files.
Table reproductionRows(std::span<const Reproduction> reproductions);

}  // namespace gridloom::report
