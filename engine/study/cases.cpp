// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/assignments.h"
#include "ranking/rerank.h"
#include "report/core_use.h"
#include "service/fit.h"
#include "service/result_records.h"
#include "study/quantity.h"
#include "study/runs.h"
#include "texts/presets.h"

namespace gridloom::study {

namespace {

using ranking::Ranked;

/// The mapping stands in for the directives when the text holds any itself: `tile(i, 64);
/// space(i->x)`.
base::Result<base::SourceRef> directivesText(const std::string& name, const Run& run) {
  base::SourceRef text = base::makeSource("", "");
  if (name.find('(') != std::string::npos) {
    text = base::makeSource("directives", name);
  } else if (!name.empty()) {
    auto loaded = texts::loadDirectivesText(name);
    if (!loaded) return loaded;
    text = *std::move(loaded);
  }
  auto tiles = base::sizesIn(run.setting("tiles"));
  if (!tiles) return tiles.takeDiagnostics();
  if (tiles->empty()) return text;
  std::string more(text->text());
  for (const auto& [loop, size] : *tiles) more += fmt::format("\ntile({}, {})", loop, size);
  return base::makeSource(text->name(), more + "\n");
}

}  // namespace

base::Result<service::ExplorationRef> exploreFirst(const Run& run, const std::string& directives,
                                                   int top) {
  auto text = directivesText(directives, run);
  if (!text) return text.takeDiagnostics();
  auto fit =
      service::fit(run.kernel, *run.hardware,
                   {.directives = *std::move(text), .mode = run.setting("mode")}, run.progress);
  if (!fit) return fit.takeDiagnostics();
  auto exploration = service::explore(
      run.hardware, fit->kernel, fit->constraints,
      {top, run.options.threads, run.setting("mode"), ranking::rerankFirst(top)}, run.progress);
  if (!exploration) return exploration;
  if (auto insane = service::checkSanity(**exploration); !insane.empty()) return insane;
  if ((*exploration)->top.empty()) {
    return base::plainError(fmt::format(
        "{} {} on {}{}{}: no mapping is feasible", run.setting("kernel"), run.setting("sizes"),
        run.setting("hardware"), directives.empty() ? "" : ", ", directives));
  }
  for (const Ranked& ranked : (*exploration)->top) {
    if (ranked.simulated) continue;
    return ranked.notSimulated.empty() ? base::Diagnostics{base::plainError("stopped")}
                                       : ranked.notSimulated;
  }
  return exploration;
}

base::Result<RunResult> runCase(Run run) {
  const int candidates = static_cast<int>(std::clamp(run.number("top", 5), 1.0, 1000.0));
  if (!run.errors.empty()) return run.errors;
  auto exploration = exploreFirst(run, run.setting("directives"), candidates);
  if (!exploration && !run.setting("otherwise").empty()) {
    auto second = exploreFirst(run, run.setting("otherwise"), candidates);
    if (second) exploration = std::move(second);
  }
  if (!exploration) return exploration.takeDiagnostics();
  const Ranked& best = (*exploration)->top.front();
  const auto first = std::ranges::find((*exploration)->top, std::size_t{0}, &Ranked::place);
  const cost::Estimate& predicted = best.candidate.estimate;
  const simulate::Simulation& simulated = *best.simulated;
  const hardware::Topology& hw = run.hw();
  const auto cores = base::sizesIn(run.setting("cores"));
  if (!cores) return cores.diagnostics();
  const double perMicrosecond = hw.clock() / 1e6;
  const auto both = [](double value) { return std::array{value, value}; };
  RunResult out;
  out.numbers = {
      {"cycles", {predicted.cycles, simulated.cycles}},
      {"us", {predicted.cycles / perMicrosecond, simulated.cycles / perMicrosecond}},
      {"tflops", {predicted.tflops, simulated.tflops}},
      {"gflops", {1000 * predicted.tflops, 1000 * simulated.tflops}},
      {"utilization", {predicted.utilization, simulated.utilization}},
      {"dram_bytes",
       {predicted.traffic.dramRead + predicted.traffic.dramWrite,
        simulated.traffic.dramRead + simulated.traffic.dramWrite}},
      {"computing", {kNone, report::computingShare(simulated, hw, *cores).value_or(kNone)}},
      {"balance", {kNone, report::computingBalance(simulated)}},
      {"first", both(first->simulated->cycles)},
      {"clock", both(hw.clock())},
      {"launch", both(hw.launch())},
      {"reload", both(hw.reload())}};
  const auto waits = std::max_element(simulated.states.begin() + 1, simulated.states.end() - 1);
  const auto state = static_cast<simulate::State>(waits - simulated.states.begin());
  out.texts = {{"mapping", best.line}, {"waits", std::string(nameOf(state))}};
  return out;
}

base::Result<RunResult> runRanking(Run run) {
  auto exploration = exploreFirst(run, "", run.options.samples);
  if (!exploration) return exploration.takeDiagnostics();
  const std::vector<Ranked>& top = (*exploration)->top;
  const double best = top.front().simulated->cycles;
  const double reranked = ranking::fastestReranked(ranking::kQuickReranking, top);
  return RunResult{{{"first", {kNone, (*exploration)->reranked.firstCycles / best}},
                    {"refined", {kNone, reranked / best}}},
                   {{"mapping", fmt::format("{} of {}: {}", top.front().place.value_or(0) + 1,
                                            top.size(), top.front().line)}}};
}

}  // namespace gridloom::study
