// SPDX-License-Identifier: Apache-2.0
#include "report/run_states.h"

#include <tbb/parallel_invoke.h>

#include <algorithm>

#include "schedule/op_names.h"

namespace gridloom::report {

namespace {

using schedule::Op;
using schedule::Process;
using simulate::Span;
using simulate::State;

constexpr std::array kWork{Activity::Compute, Activity::Epilogue, Activity::Reduce};
constexpr std::array kMoves{Activity::Load, Activity::Send, Activity::Receive, Activity::Store};

schedule::BufferId bufferOf(const schedule::Instruction& instruction,
                            const schedule::Schedule& schedule) {
  if (instruction.buffer.valid()) return instruction.buffer;
  return instruction.channel.valid() ? schedule.channels[instruction.channel.index()].target
                                     : schedule::BufferId();
}

}  // namespace

std::span<const BufferFill> RunState::buffersOf(hardware::CoreId core) const {
  const auto found = std::ranges::equal_range(buffers, core, {}, &BufferFill::core);
  return {found.begin(), found.end()};
}

bool isTransfer(Activity activity) {
  return activity >= Activity::Load && activity <= Activity::Store;
}

bool moves(Op op, Activity activity) {
  switch (activity) {
  case Activity::Load:
    return op == Op::Load;
  case Activity::Send:
    return op == Op::Send;
  case Activity::Receive:
    return op == Op::Receive || op == Op::Take;
  case Activity::Store:
    return op == Op::Store;
  default:
    return false;
  }
}

const Process& processOf(const TileInFlight& tile, const schedule::Schedule& schedule) {
  const auto program = schedule.programOfCore[tile.core.index()].index();
  return schedule.programs[program].processes[static_cast<std::size_t>(tile.process)];
}

schedule::BufferId bufferOf(const TileInFlight& tile, const schedule::Schedule& schedule) {
  for (const schedule::Instruction& instruction : processOf(tile, schedule).code) {
    if (!moves(instruction.op, tile.activity)) continue;
    if (const schedule::BufferId id = bufferOf(instruction, schedule); id.valid()) return id;
  }
  return {};
}

std::string_view nameOf(Activity activity) {
  constexpr std::array<std::string_view, 9> kNames{"compute", "epilogue", "reduce", "load", "send",
                                                   "receive", "store",    "wait",   "idle"};
  return kNames[static_cast<std::size_t>(activity)];
}

Activity activityOf(const Span& span, bool computes) {
  const auto what = static_cast<std::size_t>(span.what);
  if (span.state == State::Compute) return kWork[what];
  // A compute process sends and receives partial results itself; 0 is a wait there, not a load.
  return computes && what == 0 ? Activity::Wait : kMoves[what];
}

RunStates::RunStates(const schedule::Schedule& schedule, const simulate::Simulation& simulation)
    : m_spans(simulation.trace.spans), m_slots(simulation.trace.slotEvents) {
  std::size_t first = 0;
  for (std::size_t c = 0; c < schedule.programOfCore.size(); ++c) {
    const schedule::ProgramId program = schedule.programOfCore[c];
    if (!program.valid()) continue;
    const auto& processes = schedule.programs[program.index()].processes;
    const auto compute = std::ranges::find(processes, Process::Role::Compute, &Process::role);
    m_cores.push_back({hardware::CoreId::of(c), first, processes.size(),
                       first + static_cast<std::size_t>(compute - processes.begin())});
    first += processes.size();
  }
  m_ranges.reserve(first);
  for (const ActiveCore& core : m_cores) {
    for (std::size_t p = 0; p < core.processes; ++p)
      m_ranges.push_back(m_spans.rangeOf(core.core, static_cast<std::int16_t>(p)));
  }
}

void RunStates::add(const ActiveCore& core, std::size_t process, RunState& out) const {
  ProcessState& state = out.processes[process];
  const auto index = static_cast<std::int16_t>(process - core.first);
  m_spans.at(m_ranges[process], out.cycle, [&](const Span& span) {
    const Activity activity = activityOf(span, process == core.compute);
    if (isTransfer(activity)) {
      const double done = (out.cycle - span.begin) / (span.end - span.begin);
      out.tiles.push_back({core.core, index, activity, span.begin, span.end, done});
    }
    // A tile arrives on its own. The process does what else it does, if anything; and to a compute
    // process, an arrival alone is not work.
    const bool own = activity != Activity::Receive;
    if (own || (process != core.compute && state.activity == Activity::Idle)) {
      state = {activity, span.state, span.begin, span.end};
    }
  });
}

// Both halves wait for memory most of the time.
RunState RunStates::at(double cycle) const {
  RunState out;
  out.cycle = cycle;
  tbb::parallel_invoke([&] { addProcesses(out); }, [&] { out.buffers = m_slots.at(cycle); });
  return out;
}

void RunStates::addProcesses(RunState& out) const {
  if (!m_cores.empty()) out.processes.resize(m_cores.back().first + m_cores.back().processes);
  out.tiles.reserve(out.processes.size());
  for (const ActiveCore& core : m_cores) {
    const std::size_t end = core.first + core.processes;
    for (std::size_t process = core.first; process < end; ++process) {
      if (process + kSearchedAhead < m_ranges.size())
        m_spans.prefetch(m_ranges[process + kSearchedAhead], out.cycle);
      add(core, process, out);
    }
    const State state = core.compute < end ? out.processes[core.compute].state : State::Idle;
    ++out.totals[static_cast<std::size_t>(state)];
  }
}

const std::string& operandOf(const TileInFlight& tile, const schedule::Schedule& schedule,
                             const kernel::TileNest& nest) {
  const schedule::BufferId id = bufferOf(tile, schedule);
  if (!id.valid()) return schedule::operandName(schedule, nest, processOf(tile, schedule));
  const schedule::Buffer& buffer = schedule.buffers[id.index()];
  return schedule::operandName(nest, buffer.use, buffer.operand);
}

}  // namespace gridloom::report
