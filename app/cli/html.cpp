// SPDX-License-Identifier: Apache-2.0
#include "html.h"

#include "base/interrupt.h"
#include "exchange/html_report.h"
#include "output.h"
#include "progress_bar.h"
#include "service/result_records.h"

namespace gridloom::cli {

namespace {

std::string askedOf(const Options& options) {
  std::string asked = commandOf(options.verb, options);
  if (!options.mapping.empty()) asked += " --mapping " + options.mapping;
  if (options.rerank >= 0) asked += " --rerank " + std::to_string(options.rerank);
  return asked;
}

void explainIn(exchange::HtmlReport& report, const Inputs& inputs,
               const service::Explanation& explanation, const mapping::Mapping& mapping) {
  report.best = service::recordOf(explanation);
  report.loopNest = service::loopNestOf(*inputs.hardware, *inputs.kernel, mapping);
}

}  // namespace

Exit writeHtml(const Options& options, const Inputs& inputs,
               const service::Exploration& exploration, const report::ExplorationRecord& record,
               const std::string& comparison, base::Progress& progress) {
  if (options.html.empty()) return Exit::Done;
  exchange::HtmlReport report;
  report.version = service::version();
  report.asked = askedOf(options);
  report.ranking = record;
  report.comparison = comparison;
  if (!exploration.top.empty()) {
    const mapping::Mapping& best = exploration.top.front().candidate.mapping;
    auto explanation = [&] {
      const ProgressBar bar(progress, "explaining");
      return service::explain(inputs.hardware, inputs.kernel, best,
                              {exploration.mode, false, false, false, limitsOf(options)}, progress);
    }();
    if (progress.cancelled()) {
      printError("interrupted: no report was written");
      return base::stoppedStatus();
    }
    if (!explanation) {
      printDiagnostics(explanation.diagnostics());
      return refused(explanation.diagnostics());
    }
    explainIn(report, inputs, **explanation, best);
  }
  return writeOutput(options.html, exchange::htmlText(report));
}

Exit writeHtml(const Options& options, const Inputs& inputs,
               const service::Explanation& explanation, const mapping::Mapping& mapping) {
  if (options.html.empty()) return Exit::Done;
  exchange::HtmlReport report;
  report.version = service::version();
  report.asked = askedOf(options);
  explainIn(report, inputs, explanation, mapping);
  return writeOutput(options.html, exchange::htmlText(report));
}

}  // namespace gridloom::cli
