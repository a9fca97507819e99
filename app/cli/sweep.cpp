// SPDX-License-Identifier: Apache-2.0

// The best mapping at every value of one or two numbers of the inputs.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/interrupt.h"
#include "exchange/csv.h"
#include "exchange/sweep_json.h"
#include "inputs.h"
#include "option_values.h"
#include "output.h"
#include "progress_bar.h"
#include "sweep/explorer.h"
#include "sweep/vary.h"
#include "texts/presets.h"
#include "verbs.h"

namespace gridloom::cli {

namespace {

/// The inputs as texts, which were opened without errors before.
base::Result<service::InputTexts> inputTexts(const Options& options, const Inputs& inputs) {
  service::InputTexts texts{inputs.hardware->source, nullptr};
  auto kernel = texts::loadKernelText(options.kernel);
  if (!kernel) return kernel.takeDiagnostics();
  texts.kernel = *std::move(kernel);
  if (!options.directives.empty()) {
    auto directives = texts::loadDirectivesText(options.directives);
    if (!directives) return directives.takeDiagnostics();
    texts.directives = *std::move(directives);
  }
  const auto settings = settingsOf(options);
  if (!settings) return base::Diagnostics(settings.diagnostics());
  texts.parameters = {settings->begin(), settings->end()};
  texts.dtype = options.dtype;
  texts.entry = options.entry;
  texts.mode = options.mode;
  texts.threads = options.threads;
  texts.search = searchLimitsOf(options);
  return texts;
}

/// The numbers of a kernel in recurrences, or those that a file in MLIR was given.
service::KernelValues valuesOf(const service::InputTexts& texts, const Inputs& inputs) {
  if (service::isMlir(*texts.kernel)) return {texts.parameters.begin(), texts.parameters.end()};
  service::KernelValues values;
  for (const kernel::Parameter& each : inputs.kernel->kernel.parameters)
    values.emplace_back(each.name, each.value);
  return values;
}

base::Result<std::vector<report::SweepAxis>>
axesOf(const Options& options, const service::InputTexts& texts, const Inputs& inputs) {
  const auto parameters = sweep::sweepParameters(texts.hardware, valuesOf(texts, inputs));
  std::vector<report::SweepAxis> axes;
  base::Diagnostics errors;
  std::size_t points = 1;
  for (const std::string& words : options.vary) {
    auto axis = sweep::axisOf(words, parameters);
    for (base::Diagnostic& error : axis.takeDiagnostics()) errors.push_back(std::move(error));
    if (axis) points *= axis->values.size();
    if (axis) axes.push_back(*std::move(axis));
  }
  if (options.vary.size() > 2)
    errors.push_back(
        base::plainError("--vary is given more than twice", "vary one or two numbers"));
  if (axes.size() == 2 && axes[0].parameter.name == axes[1].parameter.name)
    errors.push_back(base::plainError("--vary names `" + axes[0].parameter.name + "` twice",
                                      "list all its values in one: --vary P=4,8,16"));
  if (points > report::kMostSweepPoints)
    errors.push_back(base::plainError(
        fmt::format("the sweep has {} points, more than {}", points, report::kMostSweepPoints),
        "take larger steps"));
  if (!errors.empty()) return errors;
  return axes;
}

/// Explores point after point until all are known, the time is over or it is interrupted.
void explorePoints(const Options& options, const service::InputTexts& texts,
                   report::SweepRecord& record, base::Progress& progress) {
  using Clock = std::chrono::steady_clock;
  const double limit = secondsOf(options.timeLimit).value();
  const auto begin = Clock::now();
  sweep::Explorer explorer(texts, record.axes, {rerankingOf(options), limitsOf(options)}, nullptr);
  for (std::size_t i = 0; i < record.points.size(); ++i) {
    report::SweepPoint& point = record.points[i];
    const ProgressBar bar(progress, fmt::format("point {} of {}", i + 1, record.points.size()));
    const auto left = [&] {
      return limit - std::chrono::duration<double>(Clock::now() - begin).count();
    };
    if (limit > 0 && left() <= 0) return;
    auto step = explorer.at(point, progress, limit > 0 ? left() : 0);
    // A search that ended for lack of time has not found the best mapping.
    if (!step || step->found.stopped == search::Stop::TimeLimit) return;
    point.known = true;
    point.found = std::move(step->found);
  }
}

/// Reports simulations that failed and searches that did not cover their space, each once for all
/// points.
Exit checkPoints(const report::SweepRecord& record) {
  Exit exit = Exit::Done;
  const report::SweepPoint* first = nullptr;
  std::size_t failed = 0, stopped = 0;
  for (const report::SweepPoint& point : record.points) {
    if (point.found.stopped == search::Stop::WorkLimit) ++stopped;
    if (point.found.notSimulated.empty()) continue;
    ++failed;
    exit = worse(exit, refused(point.found.notSimulated));
    if (first == nullptr) first = &point;
  }
  if (first != nullptr) {
    base::Diagnostics why = first->found.notSimulated;
    why.front().message = sweepTitle(record.axes, *first) + ": " + why.front().message;
    if (failed > 1) why.front().message += fmt::format("; {} points are not simulated", failed);
    printDiagnostics(why);
  }
  if (stopped > 0)
    printRemark(base::Severity::Warning,
                fmt::format("{} {}: the search stopped at its work limit", stopped,
                            stopped == 1 ? "point" : "points"),
                "`--work-limit 0` goes on");
  return exit;
}

Exit writeSweep(const Options& options, const report::SweepRecord& record) {
  const auto json = [&] { return exchange::sweepJson(record); };
  Exit exit = Exit::Done;
  if (!options.csv.empty())
    exit = writeOutput(options.csv, exchange::csvText(report::sweepTable(record)));
  exit = worse(exit, writeAnswer(options.json, json, [&] {
                 return options.csv == "-" ? std::string() : report::sweepText(record);
               }));
  if (!options.chart.empty()) exit = worse(exit, drawSweep(options.chart, json()));
  return exit;
}

}  // namespace

Exit sweep(const Options& options) {
  if (const Exit exit = checkChartFile(options.chart); exit != Exit::Done) return exit;
  auto inputs = openInputs(options);
  const Inputs* in = valueOf(inputs);
  if (in == nullptr) return std::get<Exit>(inputs);
  auto texts = inputTexts(options, *in);
  if (!texts) {
    printDiagnostics(texts.diagnostics());
    return Exit::BadInput;
  }
  auto axes = axesOf(options, *texts, *in);
  if (!axes) {
    printDiagnostics(axes.diagnostics());
    return Exit::BadInput;
  }
  report::SweepRecord record =
      sweep::sweepOf(*texts, in->kernel->kernel, options.rerank != 0, *std::move(axes));
  base::Progress progress;
  const base::InterruptGuard guard(progress);
  explorePoints(options, *texts, record, progress);
  const auto known = std::ranges::count_if(record.points, &report::SweepPoint::known);
  Exit exit = checkPoints(record);
  exit = worse(exit, writeSweep(options, record));
  const std::string extent = fmt::format("{} of {} points are known", known, record.points.size());
  if (progress.cancelled()) {
    printError("interrupted: " + extent);
    return base::stoppedStatus();
  }
  // Points that are not known may have mappings.
  if (known < static_cast<std::ptrdiff_t>(record.points.size())) {
    printRemark(base::Severity::Warning, "the time is over: " + extent);
    return exit;
  }
  const bool any =
      std::ranges::any_of(record.points, [](const auto& point) { return point.found.fits(); });
  return any ? exit : worse(exit, Exit::No);
}

}  // namespace gridloom::cli
