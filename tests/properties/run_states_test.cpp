// SPDX-License-Identifier: Apache-2.0
//
// The state of a run at a cycle: on random mappings, what the index finds is what a walk over all
// spans finds, a trace of that cycle alone gives the same, and the states over time add up to what
// the simulator counted for each core without a trace.
#include "report/run_states.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "support/problem.h"
#include "support/verified.h"

namespace gridloom::report::run_states_property {
namespace {

using simulate::Simulation;
using simulate::Span;
using simulate::State;

struct Run {
  schedule::Schedule schedule;
  Simulation simulated;
};

Run ran(const test::Problem& p, const mapping::Mapping& m, const simulate::Options& options) {
  auto lowered = schedule::lower(p.kernel, p.nest, p.hw, m);
  if (!lowered) throw std::runtime_error(render(lowered.diagnostics()));
  const auto verified = schedule::verify(*lowered, p.kernel, p.nest, p.hw);
  if (!verified) throw std::runtime_error(render(verified.diagnostics()));
  base::Progress progress;
  auto simulated = simulate::simulate(*verified, options, progress);
  if (!simulated) throw std::runtime_error(render(simulated.diagnostics()));
  return {std::move(*lowered), std::move(*simulated)};
}

simulate::Options traced() {
  simulate::Options options;
  options.trace = true;
  options.slots = true;
  return options;
}

bool covers(const Span& span, double cycle) { return span.begin <= cycle && cycle < span.end; }

std::string textOf(const RunState& state) {
  std::string text = fmt::format("{}:", state.cycle);
  for (const ProcessState& p : state.processes)
    text +=
        fmt::format(" {} {} {} {};", nameOf(p.activity), simulate::nameOf(p.state), p.begin, p.end);
  for (const std::int64_t total : state.totals) text += fmt::format(" {}", total);
  for (const TileInFlight& t : state.tiles)
    text += fmt::format("; {} {} {} {} {} {}", t.core.value(), t.process, nameOf(t.activity),
                        t.begin, t.end, t.done);
  for (const BufferFill& fill : state.buffers)
    text += fmt::format("; {} holds {} of {}", fill.core.value(), fill.slots, fill.buffer.value());
  return text;
}

/// Slots in use, by a walk over all events; never more than there are, and none after the run.
std::vector<BufferFill> walkedFills(const Run& run, double cycle) {
  std::map<std::pair<hardware::CoreId, schedule::BufferId>, int> used;
  for (const simulate::SlotEvent& event : run.simulated.trace.slotEvents) {
    if (event.cycle > cycle) continue;
    const schedule::BufferId buffer(event.buffer);
    int& slots = used[{event.core, buffer}];
    if (event.kind == schedule::SlotTurn::Kind::Acquire) slots += event.slots;
    if (event.kind == schedule::SlotTurn::Kind::Free) --slots;
  }
  std::vector<BufferFill> fills;
  for (const auto& [key, slots] : used) {
    EXPECT_GE(slots, 0);
    EXPECT_LE(slots, run.schedule.buffers[key.second.index()].slots);
    if (slots > 0) fills.push_back({key.first, key.second, slots});
  }
  return fills;
}

/// The same by a walk over all spans of the trace.
RunState walked(const Run& run, std::span<const ActiveCore> cores, double cycle) {
  RunState out;
  out.cycle = cycle;
  for (const ActiveCore& core : cores) {
    for (std::size_t p = 0; p < core.processes; ++p) {
      const bool computes = core.first + p == core.compute;
      ProcessState own, arrival;
      for (const Span& span : run.simulated.trace.spans) {
        if (span.core != core.core || static_cast<std::size_t>(span.process) != p) continue;
        if (!covers(span, cycle)) continue;
        const Activity activity = activityOf(span, computes);
        ProcessState& state = activity == Activity::Receive ? arrival : own;
        if (activity != Activity::Receive || state.activity == Activity::Idle)
          state = {activity, span.state, span.begin, span.end};
        if (activity >= Activity::Load && activity <= Activity::Store)
          out.tiles.push_back({span.core, span.process, activity, span.begin, span.end,
                               (cycle - span.begin) / (span.end - span.begin)});
      }
      const bool arrives = own.activity == Activity::Idle && !computes;
      out.processes.push_back(arrives ? arrival : own);
      if (computes) ++out.totals[static_cast<std::size_t>(own.state)];
    }
  }
  out.buffers = walkedFills(run, cycle);
  return out;
}

/// Cycles at which spans begin and end, between them, and the ends of the run.
std::vector<double> cyclesToSeek(const Simulation& run, std::uint64_t seed) {
  std::vector<double> out{0, run.cycles};
  std::mt19937_64 random(seed);
  for (int n = 0; n < 6 && !run.trace.spans.empty(); ++n) {
    const Span& span = run.trace.spans[random() % run.trace.spans.size()];
    out.insert(out.end(), {span.begin, span.end, (span.begin + span.end) / 2});
  }
  return out;
}

void expectStates(const test::Problem& p, std::uint64_t seed) {
  const mapping::Mapping m = test::randomOrRing(p, seed);
  if (m.inputs.empty()) return;
  const std::string what =
      fmt::format("seed {}: {}", seed, mapping::describe(p.kernel, p.nest, p.hw, m));
  const Run run = ran(p, m, traced());
  const RunStates states(run.schedule, run.simulated);
  const std::vector<double> cycles = cyclesToSeek(run.simulated, seed);
  for (const double cycle : cycles) {
    ASSERT_EQ(textOf(states.at(cycle)), textOf(walked(run, states.cores(), cycle))) << what;
  }
  simulate::Options window = traced();
  window.traceBegin = cycles.back();
  window.traceEnd = std::nextafter(cycles.back(), HUGE_VAL);
  const Run part = ran(p, m, window);
  ASSERT_EQ(textOf(RunStates(part.schedule, part.simulated).at(cycles.back())),
            textOf(states.at(cycles.back())))
      << what;
}

/// Sums the states of every core over all stretches between the ends of spans.
void expectSums(const test::Problem& p, std::uint64_t seed) {
  const mapping::Mapping m = test::randomOrRing(p, seed);
  if (m.inputs.empty()) return;
  const Run run = ran(p, m, traced());
  const Run untraced = ran(p, m, {});
  const RunStates states(run.schedule, run.simulated);
  std::vector<double> times{0, run.simulated.cycles};
  for (const Span& span : run.simulated.trace.spans)
    times.insert(times.end(), {span.begin, span.end});
  std::ranges::sort(times);
  std::vector<std::array<double, simulate::kStates>> sums(run.schedule.programOfCore.size());
  for (std::size_t n = 1; n < times.size(); ++n) {
    if (times[n] <= times[n - 1]) continue;
    const RunState state = states.at((times[n] + times[n - 1]) / 2);
    for (const ActiveCore& core : states.cores()) {
      const State its = state.processes[core.compute].state;
      sums[core.core.index()][static_cast<std::size_t>(its)] += times[n] - times[n - 1];
    }
  }
  for (const ActiveCore& core : states.cores()) {
    for (std::size_t s = 0; s < simulate::kStates; ++s) {
      EXPECT_NEAR(sums[core.core.index()][s], untraced.simulated.coreStates[core.core.index()][s],
                  1e-6 * run.simulated.cycles)
          << "seed " << seed << " core " << core.core.value() << ' '
          << simulate::nameOf(static_cast<State>(s));
    }
  }
}

struct Case {
  const char* kernel;
  test::Settings settings;
};

const Case kCases[] = {
    {"gemm", {{"M", 13}, {"N", 11}, {"K", 10}}},
    {"vector_add", {{"N", 67}}},
    {"softmax", {{"M", 11}, {"N", 9}}},
    {"flash_attention", {{"H", 2}, {"SQ", 7}, {"SK", 9}, {"D", 5}}},
    {"jacobi2d", {{"T", 4}, {"N", 11}}},
    {"cholesky", {{"N", 13}}},
};

class StatesOfRandomMappings : public testing::TestWithParam<Case> {};

TEST_P(StatesOfRandomMappings, SeekToWhatAWalkFinds) {
  const auto& [kernel, settings] = GetParam();
  const std::string meshes[] = {test::smallMesh(3, 2), test::smallTorus(2, 3),
                                test::meshWithSharedBuffer(3, 2),
                                test::withSharedMemories(test::smallMesh(3, 2), "y")};
  for (const std::string& mesh : meshes) {
    const test::Problem p = test::makeProblem(mesh, kernel, settings);
    for (std::uint64_t seed = 0; seed < 12; ++seed) expectStates(p, seed);
  }
}

TEST_P(StatesOfRandomMappings, AddUpToTheStatesOfTheRun) {
  const test::Problem p =
      test::makeProblem(test::smallMesh(2, 2), GetParam().kernel, GetParam().settings);
  for (std::uint64_t seed = 0; seed < 12; ++seed) expectSums(p, seed);
}

INSTANTIATE_TEST_SUITE_P(RunStates, StatesOfRandomMappings, testing::ValuesIn(kCases),
                         [](const auto& each) { return std::string(each.param.kernel); });

}  // namespace
}  // namespace gridloom::report::run_states_property
