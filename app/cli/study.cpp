// SPDX-License-Identifier: Apache-2.0
#include "study/study.h"

#include "base/interrupt.h"
#include "base/progress.h"
#include "exchange/csv.h"
#include "exchange/study_json.h"
#include "output.h"
#include "simulate/simulation.h"
#include "verbs.h"

namespace gridloom::cli {

namespace {

Exit listStudies() {
  report::Table table;
  table.columns = {{"study", "study", report::Align::Left},
                   {"what it holds against what", "summary", report::Align::Left}};
  for (const study::StudyEntry& entry : study::listStudies()) {
    table.rows.push_back({report::textCell(entry.name), report::textCell(entry.title)});
  }
  return printAnswer(report::tableText(table));
}

Exit writeFiles(const Options& options, const std::vector<report::Reproduction>& tables) {
  Exit exit = Exit::Done;
  if (!options.csv.empty()) {
    exit = writeOutput(options.csv, exchange::csvText(report::reproductionRows(tables)));
  }
  if (!options.json.empty()) {
    exit = worse(exit, writeOutput(options.json, exchange::studyJson(tables)));
  }
  return exit;
}

}  // namespace

Exit study(const Options& options) {
  if (options.names.empty()) return listStudies();
  const bool onScreen = options.csv != "-" && options.json != "-";
  const bool toFiles = !options.csv.empty() || !options.json.empty();
  std::vector<report::Reproduction> tables;
  Exit exit = Exit::Done;
  base::Progress progress;
  const base::InterruptGuard guard(progress);
  // A study takes minutes: prints each table as soon as it is complete.
  const auto take = [&](report::Reproduction table) {
    if (onScreen) exit = worse(exit, printAnswer(report::reproductionText(table)));
    tables.push_back(std::move(table));
  };
  for (const std::string& name : options.names) {
    const base::Diagnostics errors = study::runStudy(
        name, {.threads = options.threads, .samples = options.samples, .ablate = options.ablate},
        take, progress);
    printDiagnostics(errors);
    if (errors.empty()) continue;
    exit = worse(exit, simulate::hasInternalError(errors) ? Exit::Internal : Exit::BadInput);
  }
  if (progress.cancelled()) {
    printError(toFiles ? "interrupted: no file was written"
                       : "interrupted: the tables that were complete by then are shown");
    return base::stoppedStatus();
  }
  return worse(exit, writeFiles(options, tables));
}

}  // namespace gridloom::cli
