// SPDX-License-Identifier: Apache-2.0
#include "service/reproduce.h"

#include "base/interrupt.h"
#include "base/progress.h"
#include "exchange/csv.h"
#include "output.h"
#include "simulate/simulation.h"
#include "verbs.h"

namespace gridloom::cli {

namespace {

Exit listStudies() {
  report::Table table;
  table.columns = {{"study", "study", report::Align::Left},
                   {"what it holds against what", "summary", report::Align::Left}};
  for (const service::Study& study : service::studies()) {
    table.rows.push_back({report::textCell(study.name), report::textCell(study.summary)});
  }
  return printAnswer(report::tableText(table));
}

}  // namespace

Exit reproduce(const Options& options) {
  if (options.names.empty()) return listStudies();
  const bool onScreen = options.csv != "-";
  std::vector<report::Reproduction> tables;
  Exit exit = Exit::Done;
  base::Progress progress;
  const base::InterruptGuard guard(progress);
  // A study takes minutes: prints each table as soon as it is complete.
  const auto take = [&](report::Reproduction table) {
    if (onScreen) exit = worse(exit, printAnswer(report::reproductionText(table)));
    tables.push_back(std::move(table));
  };
  service::ReproduceOptions wanted;
  wanted.threads = options.threads;
  wanted.samples = options.samples;
  for (const std::string& study : options.names) {
    const base::Diagnostics errors = service::reproduce(study, wanted, take, progress);
    printDiagnostics(errors);
    if (errors.empty()) continue;
    exit = worse(exit, simulate::hasInternalError(errors) ? Exit::Internal : Exit::BadInput);
  }
  if (progress.cancelled()) {
    printError(options.csv.empty() ? "interrupted: the tables that were complete by then are shown"
                                   : "interrupted: no CSV was written");
    return base::stoppedStatus();
  }
  if (options.csv.empty()) return exit;
  return worse(exit, writeOutput(options.csv, exchange::csvText(report::reproductionRows(tables))));
}

}  // namespace gridloom::cli
