// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/assignments.h"
#include "service/rerank.h"
#include "service/result_records.h"
#include "study/quantity.h"
#include "study/runs.h"

namespace gridloom::study {

namespace {

using service::Ranked;

constexpr auto kCompute = static_cast<std::size_t>(simulate::State::Compute);

/// The mapping stands in for the directives when the text holds any itself: `tile(i, 64);
/// space(i->x)`.
base::Result<base::SourceRef> directivesText(const std::string& name, const Settings& settings) {
  base::SourceRef text = base::makeSource("", "");
  if (name.find('(') != std::string::npos) {
    text = base::makeSource("directives", name);
  } else if (!name.empty()) {
    auto loaded = service::loadDirectivesText(name);
    if (!loaded) return loaded;
    text = *std::move(loaded);
  }
  auto tiles = base::sizesIn(setting(settings, "tiles"));
  if (!tiles) return tiles.takeDiagnostics();
  if (tiles->empty()) return text;
  std::string more(text->text());
  for (const auto& [loop, size] : *tiles) more += fmt::format("\ntile({}, {})", loop, size);
  return base::makeSource(text->name(), more + "\n");
}

/// Share of the time that the cores at the given coordinates compute: `y=3`; of all cores with work
/// without any.
base::Result<double> computingShare(const simulate::Simulation& run, const hardware::Topology& hw,
                                    const Settings& settings) {
  auto at = base::sizesIn(setting(settings, "cores"));
  if (!at) return at.takeDiagnostics();
  if (at->empty()) return run.states[kCompute] / run.cycles;
  double sum = 0, cores = 0;
  std::vector<std::int64_t> coordinates(hw.dims().size());
  for (std::size_t core = 0; core < run.coreStates.size(); ++core) {
    hw.coordinatesOf(hardware::CoreId(static_cast<std::int32_t>(core)), coordinates);
    bool counts = true;
    for (std::size_t d = 0; d < coordinates.size(); ++d) {
      for (const auto& [dim, place] : *at) {
        counts = counts && (hw.dims()[d].name != dim || coordinates[d] == place);
      }
    }
    if (!counts) continue;
    sum += run.coreStates[core][kCompute] / run.cycles;
    ++cores;
  }
  return cores > 0 ? sum / cores : kNone;
}

/// Least over most computing time of a core.
double balanceOf(const simulate::Simulation& run) {
  double least = run.cycles, most = 0;
  for (const auto& states : run.coreStates) {
    least = std::min(least, states[kCompute]);
    most = std::max(most, states[kCompute]);
  }
  return most > 0 ? least / most : 0;
}

}  // namespace

base::Result<service::ExplorationRef> exploreFirst(Runner& runner, const Settings& settings,
                                                   const std::string& directives, int top) {
  auto hardware = runner.hardware(settings);
  if (!hardware) return hardware.takeDiagnostics();
  auto kernel = runner.kernel(settings);
  if (!kernel) return kernel.takeDiagnostics();
  auto text = directivesText(directives, settings);
  if (!text) return text.takeDiagnostics();
  auto constraints = service::openDirectives(*std::move(text), **kernel, **hardware);
  if (!constraints) return constraints.takeDiagnostics();
  auto exploration = service::explore(
      *hardware, *kernel, *constraints,
      {top, runner.options().threads, setting(settings, "mode"), service::rerankFirst(top)},
      runner.progress());
  if (!exploration) return exploration;
  if (auto insane = service::checkSanity(**exploration); !insane.empty()) return insane;
  if ((*exploration)->top.empty()) {
    return base::plainError(fmt::format("{} {} on {}, {}: no mapping is feasible",
                                        setting(settings, "kernel"), setting(settings, "sizes"),
                                        setting(settings, "hardware"), directives));
  }
  for (const Ranked& ranked : (*exploration)->top) {
    if (ranked.simulated) continue;
    return ranked.notSimulated.empty() ? base::Diagnostics{base::plainError("stopped")}
                                       : ranked.notSimulated;
  }
  return exploration;
}

base::Result<RunResult> runCase(Runner& runner, const Settings& settings) {
  const auto top = numberSetting(settings, "top", 5);
  if (!top) return top.diagnostics();
  const int candidates = static_cast<int>(std::clamp(*top, 1.0, 1000.0));
  auto exploration = exploreFirst(runner, settings, setting(settings, "directives"), candidates);
  if (!exploration && !setting(settings, "otherwise").empty()) {
    auto second = exploreFirst(runner, settings, setting(settings, "otherwise"), candidates);
    if (second) exploration = std::move(second);
  }
  if (!exploration) return exploration.takeDiagnostics();
  const Ranked& best = (*exploration)->top.front();
  const auto first = std::ranges::find((*exploration)->top, std::size_t{0}, &Ranked::place);
  const cost::Estimate& predicted = best.candidate.estimate;
  const simulate::Simulation& simulated = *best.simulated;
  const hardware::Topology& hw = (*exploration)->hardware->topology;
  const auto computing = computingShare(simulated, hw, settings);
  if (!computing) return computing.diagnostics();
  const double perMicrosecond = hw.clock() / 1e6;
  const auto both = [](double value) { return std::array{value, value}; };
  RunResult out;
  out.numbers = {{"cycles", {predicted.cycles, simulated.cycles}},
                 {"us", {predicted.cycles / perMicrosecond, simulated.cycles / perMicrosecond}},
                 {"tflops", {predicted.tflops, simulated.tflops}},
                 {"gflops", {1000 * predicted.tflops, 1000 * simulated.tflops}},
                 {"utilization", {predicted.utilization, simulated.utilization}},
                 {"dram_bytes",
                  {predicted.traffic.dramRead + predicted.traffic.dramWrite,
                   simulated.dramRead + simulated.dramWrite}},
                 {"computing", {kNone, *computing}},
                 {"balance", {kNone, balanceOf(simulated)}},
                 {"first", both(first->simulated->cycles)},
                 {"clock", both(hw.clock())},
                 {"launch", both(hw.launch())},
                 {"reload", both(hw.reload())}};
  const auto waits = std::max_element(simulated.states.begin() + 1, simulated.states.end() - 1);
  const auto state = static_cast<simulate::State>(waits - simulated.states.begin());
  out.texts = {{"mapping", best.line}, {"waits", std::string(nameOf(state))}};
  return out;
}

base::Result<RunResult> runRanking(Runner& runner, const Settings& settings) {
  auto exploration = exploreFirst(runner, settings, "", runner.options().samples);
  if (!exploration) return exploration.takeDiagnostics();
  const std::vector<Ranked>& top = (*exploration)->top;
  const double best = top.front().simulated->cycles;
  const double reranked = service::fastestReranked(service::kQuickReranking, top);
  return RunResult{{{"first", {kNone, (*exploration)->reranked.firstCycles / best}},
                    {"refined", {kNone, reranked / best}}},
                   {{"mapping", fmt::format("{} of {}: {}", top.front().place + 1, top.size(),
                                            top.front().line)}}};
}

}  // namespace gridloom::study
