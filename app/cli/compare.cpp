// SPDX-License-Identifier: Apache-2.0
#include "exchange/csv.h"
#include "exchange/summary_json.h"
#include "inputs.h"
#include "option_values.h"
#include "output.h"
#include "report/comparison.h"
#include "report/numbers.h"
#include "texts/presets.h"
#include "verbs.h"
#include "verdict.h"

namespace gridloom::cli {

namespace {

base::Result<report::Summary> openSummary(const std::string& path) {
  auto text = texts::loadText(path);
  if (!text) return text.takeDiagnostics();
  return exchange::readSummary(*std::move(text));
}

void noteUnsimulated(const report::Summary& with, const report::Summary& without) {
  if (!with.isSimulated() || without.isSimulated()) return;
  printRemark(base::Severity::Note, with.title + " has simulated cycles, " + without.title +
                                        " has none: only predicted ones are compared");
}

}  // namespace

Exit compare(const Options& options) {
  auto tolerance = shareOf("--tolerance", options.tolerance);
  auto before = openSummary(options.names[0]);
  auto after = openSummary(options.names[1]);
  if (!tolerance) printDiagnostics(tolerance.diagnostics());
  if (!before) printDiagnostics(before.diagnostics());
  if (!after) printDiagnostics(after.diagnostics());
  if (!tolerance || !before || !after) return Exit::BadInput;

  const base::Diagnostics findings = report::checkComparable(*before, *after);
  printDiagnostics(findings);
  if (base::hasError(findings)) return Exit::BadInput;
  noteUnsimulated(*before, *after);
  noteUnsimulated(*after, *before);

  const report::Comparison comparison = report::compare(*std::move(before), *std::move(after));
  if (!options.csv.empty()) {
    const std::string table = exchange::csvText(report::comparisonTable(comparison));
    if (const Exit exit = writeOutput(options.csv, table); exit != Exit::Done) return exit;
  }
  if (options.junit != "-" && options.csv != "-") {
    const Exit exit = printAnswer(report::comparisonText(comparison));
    if (exit != Exit::Done) return exit;
  }
  if (options.tolerance.empty()) return Exit::Done;
  const auto worse = report::regressions(comparison, *tolerance);
  for (const report::Difference& difference : worse) {
    printError(difference.name + " got worse by more than " + report::percentText(*tolerance));
  }
  const Exit verdict = worse.empty() ? Exit::Done : Exit::No;
  return cli::worse(verdict, writeVerdict(options, comparison, *tolerance));
}

}  // namespace gridloom::cli
