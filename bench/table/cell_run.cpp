// SPDX-License-Identifier: Apache-2.0
#include "cell_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "ranking/rerank.h"
#include "service/fit.h"
#include "service/lowering.h"
#include "service/workspace.h"
#include "texts/presets.h"

namespace gridloom::bench {

namespace {

/// A search that takes longer ends with the best so far, and its row says so.
constexpr double kMostSeconds = 20;

/// Mappings of a cell that are checked.
constexpr std::size_t kListed = 20;

/// Work of a simulation that is repeated with twice of each resource.
constexpr std::int64_t kMostWork = 5'000'000;

/// CPU seconds of this process.
double cpuSeconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::string firstOf(const base::Diagnostics& diagnostics) {
  for (const base::Diagnostic& d : diagnostics) {
    if (d.severity != base::Severity::Error) continue;
    return d.hint.empty() ? d.message : d.message + "; help: " + d.hint;
  }
  return "no reason";
}

std::string rejectedText(const search::SpaceCount& space) {
  std::string text = space.stopped == search::Stop::None
                         ? "no mapping is feasible"
                         : fmt::format("no mapping was found, {}", nameOf(space.stopped));
  for (const search::Rejection& r : space.rejected) {
    text += fmt::format("; {}: {}", r.reason, r.count);
    if (r.needed > 0)
      text += fmt::format(", the nearest needs {:.0f} of {:.0f}", r.needed, r.available);
  }
  return text;
}

class CellRun {
 public:
  CellRun(Cell cell, bool twice) : m_twice(twice) { m_row.cell = std::move(cell); }

  Row run() {
    if (open()) explore();
    return std::move(m_row);
  }

 private:
  template <class T> bool take(base::Result<T> result, T& to) {
    if (!result) {
      m_row.refusal = firstOf(result.diagnostics());
      return false;
    }
    to = *std::move(result);
    return true;
  }

  bool open() {
    base::SourceRef text;
    if (!take(texts::loadHardwareText(m_row.cell.hardware), text)) return false;
    if (!take(service::openHardware(text), m_hardware)) return false;
    if (!take(texts::loadKernelText(m_row.cell.kernel), text)) return false;
    return take(service::openKernel(text, {m_row.cell.sizes, "", ""}), m_kernel);
  }

  void explore() {
    service::ExploreOptions options;
    options.top = kListed;
    options.threads = 1;
    options.rerank = ranking::kQuickReranking;
    base::Progress progress;
    service::Asked asked;
    asked.threads = options.threads;
    asked.search.seconds = kMostSeconds;
    service::Fit fit;
    if (!take(service::fit(m_kernel, *m_hardware, asked, progress), fit)) return;
    m_kernel = fit.kernel;
    options.search = fit.left;
    const double begin = cpuSeconds();
    service::ExplorationRef found;
    if (!take(service::explore(m_hardware, m_kernel, {}, options, progress), found)) return;
    m_row.searchSeconds = found->searchCpuSeconds;
    m_row.rerankSeconds = cpuSeconds() - begin - found->searchCpuSeconds;
    m_row.simulatedMappings = found->reranked.simulated;
    m_row.tooLong = found->reranked.tooLong;
    m_row.exact = found->space.exact;
    checkCounts(found->space);
    if (found->top.empty()) {
      m_row.refusal = rejectedText(found->space);
      return;
    }
    for (const ranking::Ranked& each : found->top) checkMapping(each, found->roofline);
    describe(found->top.front());
  }

  void describe(const ranking::Ranked& best) {
    m_row.mapping = best.line;
    m_row.predicted = best.candidate.estimate.cycles;
    m_row.named = best.candidate.estimate.bottleneck;
    m_row.simulated = best.simulated ? best.simulated->cycles : 0;
    m_row.utilization =
        best.simulated ? best.simulated->utilization : best.candidate.estimate.utilization;
    if (!best.simulated) return;
    m_row.busiest = best.simulated->bottleneck;
    if (m_twice && best.simulated->work <= kMostWork) findDecisive(best.candidate.mapping);
  }

  void findDecisive(const mapping::Mapping& mapping) {
    base::Progress progress;
    const auto explained = service::explain(m_hardware, m_kernel, mapping, {}, progress);
    require(bool(explained), "no explanation");
    if (!explained) return;
    const double cycles = (*explained)->run->simulated.cycles;
    for (const service::WhatIf& whatIf : (*explained)->twice) {
      const double saved = 1 - whatIf.simulatedCycles.value_or(cycles) / cycles;
      if (saved <= m_row.saved) continue;
      m_row.saved = saved;
      m_row.decisive = whatIf.resource;
    }
  }

  void require(bool holds, std::string what) {
    if (!holds) m_row.faults.push_back(std::move(what));
  }

  void checkCounts(const search::SpaceCount& space) {
    std::int64_t sum = space.evaluated + space.pruned;
    for (const search::Rejection& rejection : space.rejected) sum += rejection.count;
    require(space.stopped != search::Stop::None || sum == space.size,
            fmt::format("{} of {} mappings are counted", sum, space.size));
  }

  void checkMapping(const ranking::Ranked& ranked, const cost::Roofline& roofline) {
    constexpr double kSame = 1e-9;
    require(ranked.candidate.estimate.utilization <= 1 + kSame,
            fmt::format("predicted at {:.1f}% of peak: {}",
                        100 * ranked.candidate.estimate.utilization, ranked.line));
    require(ranked.notSimulated.empty(), firstOf(ranked.notSimulated) + ": " + ranked.line);
    if (!ranked.simulated) return;
    require(ranked.simulated->utilization <= 1 + kSame,
            fmt::format("simulated at {:.1f}% of peak: {}", 100 * ranked.simulated->utilization,
                        ranked.line));
    require(ranked.simulated->cycles >= roofline.cycles * (1 - kSame),
            fmt::format("{} cycles, the bound is {}: {}", ranked.simulated->cycles, roofline.cycles,
                        ranked.line));
  }

  Row m_row;
  bool m_twice;
  service::HardwareRef m_hardware;
  service::KernelRef m_kernel;
};

}  // namespace

Row runCell(Cell cell, bool twice) { return CellRun(std::move(cell), twice).run(); }

}  // namespace gridloom::bench
