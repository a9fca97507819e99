// SPDX-License-Identifier: Apache-2.0
#include "line/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "mapping/space.h"
#include "report/sanity.h"
#include "service/result_records.h"
#include "service/schedule_input.h"

namespace gridloom::fuzz {

namespace {

constexpr double kSame = 1e-9;
/// Steps of a search: long ones are like short ones, only later.
constexpr std::int64_t kSearchWork = 500'000;
/// What the best of two machines are compared by takes as long as it takes.
constexpr std::int64_t kFullSearchWork = service::kUsualSearchWork;

bool near(double a, double b) {
  return std::abs(a - b) <= kSame * std::max(std::abs(a), std::abs(b));
}

base::Result<service::ExplorationRef> explored(const Inputs& inputs, int threads,
                                               const mapping::Constraints& constraints = {},
                                               std::int64_t work = kSearchWork) {
  service::ExploreOptions options;
  options.threads = threads;
  options.rerank = ranking::kQuickReranking;
  options.search.work = work;
  base::Progress progress;
  return service::explore(inputs.hardware, inputs.kernel, constraints, options, progress);
}

class LineChecker {
 public:
  explicit LineChecker(const Inputs& inputs) : m_in(inputs) {}

  std::vector<Failure> run() {
    const auto one = explored(m_in, 1);
    const auto two = explored(m_in, 2);
    if (one.ok() != two.ok())
      fail("threads", "one thread ends in an error, two do not, or the other way round");
    if (!one || !two) return std::move(m_failures);
    compare(**one, **two);
    checkCounts((*one)->space);
    m_roofline = (*one)->roofline;
    for (const ranking::Ranked& ranked : (*one)->top) checkMapping(ranked);
    if (!(*one)->top.empty()) checkExplanation((*one)->top.front());
    checkRotations();
    return std::move(m_failures);
  }

 private:
  void fail(std::string check, std::string seen) {
    m_failures.push_back(
        {std::move(check), m_line + (m_line.empty() ? "" : ": ") + std::move(seen)});
  }

  void compare(const service::Exploration& a, const service::Exploration& b) {
    if (a.top.size() != b.top.size()) {
      return fail("threads", fmt::format("{} and {} mappings", a.top.size(), b.top.size()));
    }
    for (std::size_t n = 0; n < a.top.size(); ++n) {
      const double x = a.top[n].simulated ? a.top[n].simulated->cycles : 0;
      const double y = b.top[n].simulated ? b.top[n].simulated->cycles : 0;
      if (a.top[n].line == b.top[n].line && x == y) continue;
      fail("threads", fmt::format("no. {}: {} with {} cycles, and {} with {}", n + 1, a.top[n].line,
                                  x, b.top[n].line, y));
    }
  }

  void checkCounts(const search::SpaceCount& space) {
    std::int64_t sum = space.evaluated + space.pruned;
    for (const search::Rejection& rejection : space.rejected) sum += rejection.count;
    if (space.stopped == search::Stop::None && sum != space.size) {
      fail("counts", fmt::format("{} of {} mappings are counted", sum, space.size));
    }
  }

  void checkMapping(const ranking::Ranked& ranked) {
    m_line = ranked.line;
    for (const base::Diagnostic& finding : ranked.notSimulated) {
      if (finding.severity == base::Severity::Error) fail("verify", finding.message);
    }
    service::SimulateOptions options;
    options.values = true;
    base::Progress progress;
    const auto run = service::simulateMapping(m_in.hardware, m_in.kernel, ranked.candidate.mapping,
                                              options, progress);
    if (!run) return fail("simulate", run.diagnostics().front().message);
    checkRun(**run, ranked);
    checkText((*run)->schedule, (*run)->simulated.cycles);
    checkRings(ranked.candidate.mapping);
    m_line.clear();
  }

  // The same with inputs that go around rings, which a search does not offer by itself.
  void checkRings(mapping::Mapping mapping) {
    const kernel::TileNest& nest = *m_in.kernel->nest;
    const mapping::Mapping before = mapping;
    for (std::size_t i = 0; i < nest.inputs.size(); ++i) {
      mapping::InputMovement& movement = mapping.inputs[i];
      mapping::Constraints rings;
      rings.inputs[static_cast<int>(i)].kind = mapping::MovementKind::AllGather;
      if (nest.inputs[i].produced) continue;
      for (const auto& option : inputOptions(nest, i, mapping, topology(), rings)) {
        if (option.level == movement.level && option.buffers == movement.buffers) movement = option;
      }
    }
    if (mapping == before ||
        !mapping::checkMapping(m_in.kernel->kernel, nest, topology(), mapping).empty()) {
      return;
    }
    m_line = describe(m_in.kernel->kernel, nest, topology(), mapping);
    service::SimulateOptions options;
    options.values = true;
    base::Progress progress;
    const auto run =
        service::simulateMapping(m_in.hardware, m_in.kernel, mapping, options, progress);
    if (!run) return fail("simulate", run.diagnostics().front().message);
    checkSound(**run);
    checkText((*run)->schedule, (*run)->simulated.cycles);
  }

  const hardware::Topology& topology() const { return m_in.hardware->topology; }

  // They are rarely among the best.
  void checkRotations() {
    for (std::size_t i = 0; i < m_in.kernel->nest->inputs.size(); ++i) {
      mapping::Constraints rotates;
      rotates.inputs[static_cast<int>(i)].kind = mapping::MovementKind::Rotate;
      const auto found = explored(m_in, 1, rotates);
      if (!found) continue;
      for (const ranking::Ranked& ranked : (*found)->top) checkMapping(ranked);
    }
  }

  void checkRun(const service::SimulationRun& run, const ranking::Ranked& ranked) {
    const double explored = ranked.candidate.estimate.cycles;
    if (!near(run.predicted.cycles, explored)) {
      fail("prediction",
           fmt::format("explore says {}, simulate {}", explored, run.predicted.cycles));
    }
    if (ranked.simulated && ranked.simulated->cycles != run.simulated.cycles) {
      fail("simulation", fmt::format("explore simulates {} cycles, simulate {}",
                                     ranked.simulated->cycles, run.simulated.cycles));
    }
    checkSound(run);
  }

  void checkSound(const service::SimulationRun& run) {
    const double bound = std::max(run.roofline.computeCycles, run.roofline.memoryCycles);
    if (run.simulated.cycles < bound * (1 - kSame)) {
      fail("bound", fmt::format("{} cycles, bound {}", run.simulated.cycles, bound));
    }
    if (run.valueError && !(*run.valueError <= kSame)) {
      fail("values", fmt::format("off by {}", *run.valueError));
    }
    for (const base::Diagnostic& finding : service::checkSanity(run))
      fail("sanity", finding.message);
  }

  void checkText(const schedule::Schedule& schedule, double cycles) {
    const std::string text = service::textOf(schedule, *m_in.kernel, *m_in.hardware);
    auto back = service::openSchedule(base::makeSource("schedule.prog", text), *m_in.kernel,
                                      *m_in.hardware);
    if (!back) return fail("text", back.diagnostics().front().message);
    base::Progress progress;
    const auto run = service::simulateSchedule(m_in.hardware, m_in.kernel, *back, {}, progress);
    if (!run) return fail("text", run.diagnostics().front().message);
    if ((*run)->simulated.cycles != cycles) {
      fail("text", fmt::format("{} cycles become {}", cycles, (*run)->simulated.cycles));
    }
  }

  void checkExplanation(const ranking::Ranked& first) {
    m_line = first.line;
    base::Progress progress;
    const auto explained =
        service::explain(m_in.hardware, m_in.kernel, first.candidate.mapping, {}, progress);
    if (!explained) return fail("explain", explained.diagnostics().front().message);
    const double cycles = (*explained)->run->predicted.cycles;
    if (!near(cycles, first.candidate.estimate.cycles)) {
      fail("explain",
           fmt::format("explore says {}, explain {}", first.candidate.estimate.cycles, cycles));
    }
  }

  const Inputs& m_in;
  cost::Roofline m_roofline;
  std::string m_line;
  std::vector<Failure> m_failures;
};

}  // namespace

std::vector<Failure> checkLine(const Inputs& inputs) { return LineChecker(inputs).run(); }

std::optional<Best> bestOf(const Inputs& inputs) {
  const auto found = explored(inputs, 1, {}, kFullSearchWork);
  if (!found || (*found)->top.empty()) return std::nullopt;
  const ranking::Ranked& first = (*found)->top.front();
  if (!first.simulated || first.simulated->cycles <= 0) return std::nullopt;
  return Best{first.candidate.mapping, first.simulated->cycles, first.candidate.estimate.cycles};
}

double cyclesOf(const Inputs& inputs, const mapping::Mapping& mapping) {
  base::Progress progress;
  const auto run =
      service::simulateMapping(inputs.hardware, inputs.kernel, mapping, {}, progress);
  return run ? (*run)->simulated.cycles : 0;
}

}  // namespace gridloom::fuzz
