// SPDX-License-Identifier: Apache-2.0
#include "simulate/execution.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "schedule/stall.h"
#include "values/value_machine.h"

namespace gridloom::simulate {

using schedule::Buffer;
using schedule::Code;
using schedule::Op;
using Outcome = schedule::TokenMachine::Outcome;

namespace {

// Events between two checks for cancellation; some hundred microseconds.
constexpr std::int64_t kEventsPerLook = 4096;

// Bytes that the token machine and the wiring need per process, approximately.
constexpr std::size_t kTokensPerProcess = 160;

std::size_t binsOf(const Options& options) {
  if (options.useBins == 0) return 0;
  return static_cast<std::size_t>(std::clamp<std::int64_t>(options.useBins, 8, 65536));
}

}  // namespace

Execution::Execution(const schedule::VerifiedSchedule& schedule, const Setting& setting,
                     const TileWork& work, Effort& effort, base::Progress& progress)
    : m_placed(*schedule),
      m_options(setting.options),
      m_compute(setting.compute),
      m_progress(progress),
      m_tokens(m_placed, &progress),
      m_work(m_tokens, work, setting.compute),
      m_network(schedule, m_queue, progress),
      m_dma(m_placed),
      m_clock(m_placed.placement.coreCount(), network::ticksOf(m_placed.hw.launch())),
      m_bufferWaits(m_placed.schedule.buffers.size()),
      m_now(network::ticksOf(m_placed.hw.launch())),
      m_rates(workRates(m_placed.schedule)),
      m_effort(effort),
      m_workLeft(effort.maxWork),
      m_use(m_network.resourceCount() + index(m_placed.placement.coreCount()),
            binsOf(setting.options)),
      m_trace(m_tokens, setting.options) {
  if (progress.cancelled()) return;
  placeProcesses();
  if (progress.cancelled()) return;
  m_inbox = Inbox(m_placed.schedule.channels.size() * index(m_placed.placement.coreCount()));
  if (m_options.values) {
    m_values = std::make_unique<values::ValueMachine>(schedule, m_tokens, *m_options.inputs);
  }
  if (m_options.trace && m_options.slots) m_tokens.watchSlots(&m_turns);
  watchForPeriods();
}

void Execution::placeProcesses() {
  m_processes.resize(index(m_tokens.processCount()));
  if (m_options.trace) m_begins.resize(m_processes.size());
  std::int32_t movements = 0;
  for (std::int32_t p = 0; p < m_tokens.processCount(); ++p) {
    const schedule::Process& process = m_tokens.processOf(p);
    const auto has = [&](Op op) {
      return std::any_of(process.code.begin(), process.code.end(),
                         [&](const schedule::Instruction& i) { return i.op == op; });
    };
    ProcessTimes& times = m_processes[index(p)];
    times.computes = process.role == schedule::Process::Role::Compute;
    times.forwards = has(Op::Receive);
    const bool moves = times.forwards || has(Op::Load) || has(Op::Take) || has(Op::Send);
    if (moves) times.movement = movements++;
  }
  m_movements.resize(index(movements));
}

Execution::~Execution() { m_effort.work = work(); }

base::Result<Simulation> Execution::run() {
  if (!runEvents()) return m_errors;
  const std::string stall = schedule::stallOf(m_tokens).message;
  if (!stall.empty()) {
    fail(fmt::format("at cycle {:.0f}: {}", network::inCycles(m_now + m_skipped), stall),
         "the schedule is not legal; verify it");
    return m_errors;
  }
  return summarize();
}

void Execution::fail(std::string message, std::string hint) {
  m_errors.push_back(base::plainError(std::move(message), std::move(hint)));
}

bool Execution::runEvents() {
  checkLimits();
  drainReady();
  while (m_errors.empty() && !m_queue.empty()) {
    const network::Event event = m_queue.pop();
    if (event.time + m_skipped >= m_use.next()) recordUse(event.time);
    m_now = event.time;
    if (m_now >= network::kEndOfTime) {
      fail(fmt::format("the run takes more than {:.0f} cycles",
                       network::inCycles(network::kEndOfTime)),
           "look for a bandwidth, latency or rate of another order of magnitude");
      break;
    }
    ++m_events;
    m_workLeft -= m_rates.event;
    if (m_executed++ % kEventsPerLook == 0 || isAtLimit()) checkLimits();
    switch (event.what()) {
    case network::EventKind::Process:
      onProcess(event.who());
      break;
    case network::EventKind::Arrived:
      onArrived(event.who());
      break;
    case network::EventKind::ReadNext:
    case network::EventKind::WriteNext:
    case network::EventKind::PieceHop:
    case network::EventKind::SendNext:
    case network::EventKind::CastHop:
      m_network.handle(event);
    }
    drainReady();
    if (m_atReference) lookForPeriod();
    if (m_values && !m_values->error().empty()) fail(m_values->error());
  }
  return m_errors.empty();
}

void Execution::checkLimits() {
  if (m_progress.cancelled()) return fail("cancelled");
  if (m_executed > m_options.maxEvents) {
    return fail(fmt::format("stopped after {} events, the limit, at {}", m_options.maxEvents,
                            progressText()),
                "raise it with `--event-limit`, or simulate larger tiles or a smaller problem");
  }
  if (m_workLeft < 0) {
    m_effort.isTooLong = true;
    return fail(fmt::format("stopped at the limit of work, at {}", progressText()));
  }
  if (memoryBytes() > m_options.maxBytes) {
    fail(fmt::format("stopped at {} MiB of memory, the limit, at {}", m_options.maxBytes >> 20,
                     progressText()),
         "raise it with `--memory-limit`, or simulate larger tiles or fewer cores");
  }
}

std::string Execution::progressText() const {
  const auto total = static_cast<double>(std::max<std::int64_t>(1, m_progress.total()));
  return fmt::format("cycle {:.0f}, with {:.1f}% of the tiles computed",
                     network::inCycles(m_now + m_skipped),
                     100 * static_cast<double>(m_bodies) / total);
}

std::int64_t Execution::memoryBytes() const {
  const std::size_t bytes = m_processes.size() * (sizeof(ProcessTimes) + kTokensPerProcess) +
                            m_movements.size() * sizeof(Movement) + m_inbox.memoryBytes() +
                            m_network.memoryBytes();
  return static_cast<std::int64_t>(bytes) + m_trace.memoryBytes();
}

void Execution::drainReady() {
  while (m_errors.empty() && m_tokens.hasReady()) advance(m_tokens.takeReady());
}

void Execution::advance(std::int32_t process) {
  m_workLeft -= m_rates.step;
  if (m_processes[index(process)].computes) settleBlocked(process);
  const Outcome outcome = m_tokens.advance(process);
  recordSlots();
  switch (outcome) {
  case Outcome::Perform:
    return begin(process);
  case Outcome::Broken:
    return fail(m_tokens.fault(), "the schedule is not legal; verify it");
  case Outcome::Finished:
    if (m_processes[index(process)].computes) {
      m_clock.close(m_tokens.coreOf(process), m_now + m_skipped);
    }
    return;
  case Outcome::Blocked:
    return;
  }
}

void Execution::recordSlots() {
  for (const schedule::SlotTurn& turn : m_turns) m_trace.record(turn, m_now);
  m_turns.clear();
}

// Attributes the time since the compute process's mark to its state, which its current instruction
// determines.
void Execution::settleBlocked(std::int32_t process) {
  const std::int32_t core = m_tokens.coreOf(process);
  if (m_clock.mark(core) >= m_now) return;
  const Code& code = m_tokens.at(process);
  if (code.op != Op::WaitFull) {
    const network::Ticks from = m_clock.mark(core);
    const State state = code.op == Op::AwaitToken ? State::WaitSync : State::WaitStore;
    m_clock.settle(core, m_now, state);
    addWait(code, state, m_now - from);
    return m_trace.record(process, state, 0, from, m_now);
  }
  const std::int32_t filler = m_placed.wiring.publisher(code.buffer, core);
  m_clock.settleWait(core, m_now, std::as_const(*this).movementOf(filler).timeline,
                     [&](network::Ticks from, network::Ticks to, State state) {
                       addWait(code, state, to - from);
                       m_trace.record(process, state, 0, from, to);
                     });
}

void Execution::addWait(const Code& code, State state, network::Ticks time) {
  if (code.buffer >= 0) m_bufferWaits[index(code.buffer)][static_cast<std::size_t>(state)] += time;
}

void Execution::beginCompute(std::int32_t process, network::Ticks time) {
  if (process == m_reference && beginsBody(process)) m_atReference = true;
  m_processes[index(process)].stage = Stage::Finish;
  if (m_processes[index(process)].computes) {
    m_clock.endFill(m_tokens.coreOf(process));
    m_clock.settle(m_tokens.coreOf(process), m_now + time, State::Compute);
  }
  m_queue.push(m_now + time, network::EventKind::Process, process);
}

void Execution::onProcess(std::int32_t process) {
  if (m_processes[index(process)].stage == Stage::Start) return start(process);
  finish(process);
}

void Execution::finish(std::int32_t process) {
  switch (m_tokens.at(process).op) {
  case Op::Load: {
    Timeline& timeline = movementOf(process).timeline;
    if (m_work.isInPlace(process)) {
      timeline = Timeline::at(m_now);
      break;
    }
    timeline.first = m_network.firstServed(process);
    timeline.served = m_network.lastServed(process);
    timeline.loaded = m_now;
    recordUntilNow(process, State::WaitLoad, 0);
    break;
  }
  case Op::Take:
    recordUntilNow(process, State::WaitLink, 2);
    break;
  case Op::Store:
    recordUntilNow(process, State::WaitStore, 3);
    break;
  case Op::Send:
    if (m_processes[index(process)].computes)
      m_clock.settle(m_tokens.coreOf(process), m_now, State::WaitLink);
    recordUntilNow(process, State::WaitLink, 1);
    break;
  case Op::Compute:
    if (beginsBody(process)) {
      ++m_bodies;
      m_progress.add(1);
    }
    recordUntilNow(process, State::Compute, 0);
    break;
  case Op::Epilogue:
    recordUntilNow(process, State::Compute, 1);
    break;
  case Op::LoopBegin:
  case Op::LoopEnd:
  case Op::Acquire:
  case Op::Publish:
  case Op::WaitFull:
  case Op::Release:
  case Op::Await:
  case Op::Signal:
  case Op::AwaitToken:
  case Op::Ready:
  case Op::Claim:
  case Op::Receive:
  case Op::Reduce:
    recordUntilNow(process, State::Compute, 2);
  }
  if (m_values) m_values->perform(process);
  const std::int32_t engine = m_dma.any() ? engineHeld(process) : -1;
  m_tokens.complete(process);
  giveBack(engine);
}

// An iteration of compute that all-reduces split has several parts.
bool Execution::beginsBody(std::int32_t process) const {
  return m_tokens.at(process).op == Op::Compute && m_tokens.at(process).arg == 0;
}

}  // namespace gridloom::simulate
