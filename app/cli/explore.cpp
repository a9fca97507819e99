// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include "base/interrupt.h"
#include "base/progress.h"
#include "cost/model.h"
#include "exchange/json_text.h"
#include "exchange/summary_json.h"
#include "html.h"
#include "inputs.h"
#include "option_values.h"
#include "output.h"
#include "progress_bar.h"
#include "report/comparison.h"
#include "report/exploration_text.h"
#include "report/numbers.h"
#include "report/recording.h"
#include "service/result_records.h"
#include "texts/presets.h"
#include "timing/op_cycles.h"
#include "verbs.h"
#include "verdict.h"

namespace gridloom::cli {

namespace {

struct Baseline {
  report::Summary summary;
  double tolerance = 0;
};

/// Read before the work starts, so that a wrong file costs no time.
std::variant<std::optional<Baseline>, Exit> openBaseline(const Options& options) {
  auto tolerance = shareOf("--tolerance", options.tolerance);
  if (!tolerance) {
    printDiagnostics(tolerance.diagnostics());
    return Exit::BadInput;
  }
  if (options.baseline.empty()) return std::nullopt;
  auto text = texts::loadText(options.baseline);
  if (!text) {
    printDiagnostics(text.diagnostics());
    return Exit::BadInput;
  }
  auto summary = exchange::readSummary(*std::move(text));
  if (!summary) {
    printDiagnostics(summary.diagnostics());
    return Exit::BadInput;
  }
  return Baseline{*std::move(summary), *tolerance};
}

/// Checks, before the work starts, that the run can be compared with the baseline.
Exit checkBaseline(const Baseline& baseline, const Inputs& in) {
  report::ExplorationRecord planned;
  planned.hardware =
      service::hardwareRecord(*in.hardware, in.mode, timing::operandBits(*in.kernel->nest));
  planned.kernel = report::recordOf(in.kernel->kernel);
  planned.mode = in.mode;
  const base::Diagnostics findings =
      report::checkComparable(baseline.summary, report::summaryOf(planned, "this run"));
  printDiagnostics(findings);
  if (base::hasError(findings)) return Exit::BadInput;
  return Exit::Done;
}

/// Candidates to simulate; none beside a baseline of predictions alone, unless options ask for it.
ranking::Reranking rerankingBeside(const std::optional<Baseline>& baseline,
                                   const Options& options) {
  const bool asked = options.rerank >= 0 || options.simulate;
  if (baseline && !baseline->summary.isSimulated() && !asked) return {};
  return rerankingOf(options);
}

/// The command that shows more about the best mapping, with its options.
std::string nextStep(const Options& options, const report::RerankedRecord& reranked) {
  std::string out = "\nnext: " + commandOf("explain", options);
  if (options.rerank >= 0 || reranked.wanted == 0) {
    out += " --rerank " + std::to_string(reranked.wanted);
  } else if (options.simulate) {
    out += " --rerank " + std::to_string(reranked.simulated);
  }
  return out + "\n";
}

std::string answerText(const Options& options, const report::ExplorationRecord& record) {
  return report::explorationText(record) +
         (record.top.empty() ? "" : nextStep(options, record.reranked));
}

/// Reports simulations that failed.
Exit checkSimulations(const service::Exploration& exploration) {
  Exit exit = Exit::Done;
  for (const ranking::Ranked& ranked : exploration.top) {
    printDiagnostics(ranked.notSimulated);
    if (!ranked.notSimulated.empty()) exit = worse(exit, refused(ranked.notSimulated));
  }
  return exit;
}

bool usesStdout(const Options& options) {
  return options.json == "-" || options.junit == "-" || options.html == "-";
}

/// Also returns the comparison as text, for the report.
Exit compareWithBaseline(const Options& options, const Baseline& baseline,
                         const report::ExplorationRecord& record, std::string& text) {
  const report::Comparison comparison =
      report::compare(baseline.summary, report::summaryOf(record, "this run"));
  text = report::comparisonText(comparison);
  if (comparison.before.isSimulated() && !comparison.after.isSimulated() && !record.top.empty()) {
    printRemark(base::Severity::Warning,
                "the simulated cycles of " + options.baseline + " are not compared",
                "`--rerank 10` simulates, however long it takes");
  }
  if (!usesStdout(options)) {
    const Exit exit = printAnswer("\n" + text);
    if (exit != Exit::Done) return exit;
  }
  const auto worse = report::regressions(comparison, baseline.tolerance);
  for (const report::Difference& difference : worse) {
    printError(failureText(difference, baseline.tolerance),
               "if this is intended, write a new baseline with --json");
  }
  const Exit verdict = worse.empty() ? Exit::Done : Exit::No;
  return cli::worse(verdict, writeVerdict(options, comparison, baseline.tolerance));
}

}  // namespace

Exit explore(const Options& options) {
  auto baseline = openBaseline(options);
  if (const Exit* exit = std::get_if<Exit>(&baseline)) return *exit;
  auto inputs = openInputs(options);
  const Inputs* in = valueOf(inputs);
  if (in == nullptr) return std::get<Exit>(inputs);

  const auto& wanted = std::get<std::optional<Baseline>>(baseline);
  if (wanted) {
    if (const Exit exit = checkBaseline(*wanted, *in); exit != Exit::Done) return exit;
  }

  base::Progress progress;
  const base::InterruptGuard guard(progress);
  base::Result<service::ExplorationRef> result = [&] {
    const ProgressBar bar(progress, "exploring");
    return service::explore(in->hardware, in->kernel, in->constraints,
                            {options.top, options.threads, options.mode,
                             rerankingBeside(wanted, options), limitsOf(options), in->search,
                             options.directives.empty()},
                            progress);
  }();
  if (!result) {
    printDiagnostics(result.diagnostics());
    return progress.cancelled() ? base::stoppedStatus() : Exit::BadInput;
  }

  const service::Exploration& exploration = **result;
  if (const Exit exit = checkSane(exploration); exit != Exit::Done) return exit;
  report::ExplorationRecord record = service::recordOf(exploration);
  if (options.noTiming) record.seconds = 0;
  Exit exit = checkSimulations(exploration);
  const bool toStdout = options.junit == "-" || options.html == "-";
  exit = worse(exit, writeAnswer(
                         options.json, [&] { return exchange::explorationJson(record); },
                         [&] { return toStdout ? "" : answerText(options, record); }));
  if (progress.cancelled()) {
    printError("interrupted: what was found by then is shown");
    return base::stoppedStatus();
  }
  std::string comparison;
  if (wanted) exit = worse(exit, compareWithBaseline(options, *wanted, record, comparison));
  exit = worse(exit, writeHtml(options, *in, exploration, record, comparison, progress));
  return record.top.empty() && !record.apart ? worse(exit, Exit::No) : exit;
}

}  // namespace gridloom::cli
