// SPDX-License-Identifier: Apache-2.0
#include "schedule/token_machine.h"

#include <fmt/format.h>

#include <algorithm>

#include "schedule/process_names.h"

namespace gridloom::schedule {

using Status = ProcessState::Status;

std::int32_t ReadyQueue::take() {
  // In long runs the queue is never empty. Dropping the front half costs one move per process.
  constexpr std::size_t kFewest = 1024;
  const std::int32_t process = m_processes[m_head++];
  if (empty()) {
    m_processes.clear();
    m_head = 0;
  } else if (m_head >= kFewest && 2 * m_head >= m_processes.size()) {
    const auto front = m_processes.begin();
    m_processes.erase(front, front + static_cast<std::ptrdiff_t>(m_head));
    m_head = 0;
  }
  return process;
}

bool operator==(const ReadyQueue& a, const ReadyQueue& b) {
  return std::ranges::equal(std::span(a.m_processes).subspan(a.m_head),
                            std::span(b.m_processes).subspan(b.m_head));
}

TokenMachine::TokenMachine(const PlacedSchedule& placed, const base::Progress* progress)
    : m_placed(placed),
      m_loops(placed.schedule.order.size()),
      m_rules(placed.schedule),
      m_activeTiles(placed.schedule, placed.placement),
      m_outputs(placed.outputsAtStart) {
  if (allocate(progress)) place();
}

// Each of these takes noticeable time on large machines.
bool TokenMachine::allocate(const base::Progress* progress) {
  const Schedule& s = m_placed.schedule;
  const std::size_t cores = index(m_placed.placement.coreCount());
  const auto continues = [&] { return progress == nullptr || !progress->cancelled(); };
  if (continues()) m_state.processes.resize(index(m_placed.wiring.processCount()));
  if (continues()) m_state.waves.assign(m_state.processes.size() * m_loops, 0);
  if (m_placed.code.skipsIterations()) m_state.demanded.resize(m_state.processes.size());
  if (continues()) m_state.rings = SlotRings(s, cores);
  if (continues()) m_state.leaves = Table<Leaf>(s.channels.size(), cores);
  if (continues()) m_state.copies = CopyReaders(s, cores);
  if (continues()) m_state.tokens = Table<TokenCount>(cores, s.tokens.size());
  return continues();
}

void TokenMachine::place() {
  const Schedule& s = m_placed.schedule;
  for (std::int32_t core = 0; core < m_placed.placement.coreCount(); ++core) {
    for (std::size_t t = 0; t < s.tokens.size(); ++t) {
      m_state.tokens.at(core, static_cast<std::int32_t>(t)).there = s.tokens[t].atStart;
    }
    const ProgramId program = s.programOfCore[index(core)];
    if (!program.valid()) continue;
    for (std::size_t b = 0; b < s.buffers.size(); ++b) {
      m_state.rings.setReaders(core, static_cast<std::int32_t>(b),
                               m_placed.code.readers(program, b));
    }
    std::int32_t process = m_placed.wiring.firstProcess(core);
    for (const std::int32_t entry : m_placed.code.entries(program)) {
      m_state.processes[index(process)].core = core;
      m_state.processes[index(process)].pc = entry;
      m_state.ready.push(process++);
    }
  }
}

const Process& TokenMachine::processOf(std::int32_t process) const {
  const std::int32_t core = coreOf(process);
  const ProgramId program = m_placed.schedule.programOfCore[index(core)];
  return m_placed.schedule.programs[program.index()]
      .processes[index(process - m_placed.wiring.firstProcess(core))];
}

bool TokenMachine::takesPart(std::int32_t leaf, std::int32_t process, int depth) const {
  const Placement& placement = m_placed.placement;
  if (!placement.active(leaf)) return false;
  const std::int32_t* at = m_state.waves.data() + index(process) * m_loops;
  for (int p = 0; p < depth; ++p) {
    if (at[p] >= placement.waves(leaf, p)) return false;
  }
  return true;
}

void TokenMachine::wake(std::int32_t process) {
  if (process < 0) return;
  ProcessState& state = m_state.processes[index(process)];
  if (state.status != Status::Blocked) return;
  state.status = Status::Ready;
  m_state.ready.push(process);
}

void TokenMachine::wakeIfAt(std::int32_t process, Op op, std::int32_t channel) {
  if (process < 0) return;
  const Code& waiting = at(process);
  if (!waiting.end && waiting.op == op && waiting.channel == channel) wake(process);
}

void TokenMachine::appendState(std::vector<std::int64_t>& words) const {
  const auto pair = [&](std::int64_t high, std::int64_t low) {
    words.push_back(high * (std::int64_t{1} << 32) + low);
  };
  for (const ProcessState& state : m_state.processes) {
    pair(state.pc, (state.missing + 1) * std::int64_t{8} + static_cast<std::int64_t>(state.status));
    words.push_back(static_cast<std::int64_t>(state.slots.held()));
  }
  m_state.rings.appendState(words);
  for (const Leaf& l : m_state.leaves) pair(l.credit, l.arrived);
  for (const TokenCount& c : m_state.tokens) pair(c.there, c.waits);
  m_state.copies.appendState(words);
}

bool TokenMachine::isBroken(std::int32_t process, const ProcessState& state, const Code& code,
                            const char* what) {
  if (what == nullptr && code.op == Op::Claim &&
      m_state.copies.isClaimed(code.buffer, state.core)) {
    what = "the tile of the slot it claimed before was not sent";
  }
  if (what == nullptr) return overwritesCopy(process, state, code);
  m_fault = fmt::format("{}: {}", describeWait(*this, process), what);
  return true;
}

TokenMachine::Outcome TokenMachine::advance(std::int32_t process) {
  ProcessState& state = m_state.processes[index(process)];
  state.status = Status::Ready;
  for (;; ++state.pc) {
    const Code& code = m_placed.code.at(state.pc);
    if (code.end) {
      state.status = Status::Finished;
      return Outcome::Finished;
    }
    if (code.conditional && isSkipped(process, state, code)) {
      if (code.op == Op::Compute) m_rules.skipCompute(state.slots);
      continue;
    }
    const char* objection = m_rules.objection(state.slots, code);
    const bool mayFillCopy = code.op == Op::Load || code.op == Op::Ready || code.op == Op::Claim;
    if ((objection != nullptr || mayFillCopy) && isBroken(process, state, code, objection)) {
      state.status = Status::Finished;
      return Outcome::Broken;
    }
    switch (execute(process, state, code)) {
    case Step::Done:
      break;
    case Step::Wait:
      state.status = Status::Blocked;
      return Outcome::Blocked;
    case Step::Perform:
      state.status = Status::Busy;
      return Outcome::Perform;
    }
  }
}

void TokenMachine::complete(std::int32_t process) {
  ProcessState& state = m_state.processes[index(process)];
  const Code& code = at(process);
  if (m_outputs.areAwaited() && code.op == Op::Store) {
    wake(m_outputs.store(code.buffer, iterationOf(process, leafOf(state, code))));
  }
  if (code.op == Op::Take) wake(m_outputs.take(code.buffer, iterationOf(process, state.core)));
  ++state.pc;
  state.status = Status::Blocked;
  wake(process);
}

TokenMachine::Step TokenMachine::execute(std::int32_t process, ProcessState& state,
                                         const Code& code) {
  switch (code.op) {
  case Op::LoopBegin:
    beginLoop(process, state, code);
    return Step::Done;
  case Op::LoopEnd:
    endIteration(process, state, code);
    return Step::Done;
  case Op::Acquire:
    return acquire(process, state, code);
  case Op::WaitFull:
    return waitFull(process, state, code);
  case Op::Publish:
    publish(process, state, code);
    return Step::Done;
  case Op::Release:
    release(process, state, code);
    return Step::Done;
  case Op::Claim:
    return claim(state, code);
  case Op::Ready:
    ready(state, code);
    return Step::Done;
  case Op::Receive:
    return receive(state, code);
  case Op::Await: {
    const bool isThere = m_outputs.await(process, code.buffer, iterationOf(process, state.core));
    return isThere ? Step::Done : Step::Wait;
  }
  case Op::Signal: {
    TokenCount& token = m_state.tokens.at(state.core, code.arg);
    ++token.there;
    wake(std::exchange(token.waits, -1));
    return Step::Done;
  }
  case Op::AwaitToken:
    return awaitToken(process, state, code);
  case Op::Send:
    return send(process, state, code);
  case Op::Load:
  case Op::Take:
  case Op::Store:
  case Op::Compute:
  case Op::Epilogue:
  case Op::Reduce:
    m_rules.apply(state.slots, code);
    return Step::Perform;
  }
  return Step::Done;
}

TokenMachine::Step TokenMachine::acquire(std::int32_t process, ProcessState& state,
                                         const Code& code) {
  if (!m_state.rings.awaitFree(state.core, code.buffer, numberOf(process, state)))
    return Step::Wait;
  if (m_outputs.areAwaited() &&
      !m_outputs.awaitRoom(process, code.buffer, iterationOf(process, state.core))) {
    return Step::Wait;
  }
  m_state.rings.acquire(state.core, code.buffer);
  note(process, code, SlotTurn::Kind::Acquire);
  m_rules.apply(state.slots, code);
  return Step::Done;
}

TokenMachine::Step TokenMachine::waitFull(std::int32_t process, ProcessState& state,
                                          const Code& code) {
  if (!m_state.rings.awaitFull(state.core, code.buffer, code.reader, numberOf(process, state)))
    return Step::Wait;
  m_rules.apply(state.slots, code);
  return Step::Done;
}

void TokenMachine::publish(std::int32_t process, ProcessState& state, const Code& code) {
  const auto readers = m_state.rings.publish(state.core, code.buffer);
  if (m_outputs.areAwaited()) {
    wake(m_outputs.compute(code.buffer, iterationOf(process, leafOf(state, code))));
  }
  m_rules.apply(state.slots, code);
  for (const std::int32_t reader : readers) wake(m_placed.wiring.processAt(state.core, reader));
}

void TokenMachine::release(std::int32_t process, ProcessState& state, const Code& code) {
  m_rules.apply(state.slots, code);
  const bool frees = m_state.rings.release(state.core, code.buffer, code.reader);
  note(process, code, frees ? SlotTurn::Kind::Free : SlotTurn::Kind::Release);
  if (!frees) return;
  const std::int32_t sharing = m_state.copies.channelOf(code.buffer);
  if (sharing >= 0 && m_state.copies.release(code.buffer, state.core)) {
    const std::int32_t owner = m_placed.wiring.senderOf(sharing, state.core);
    wakeIfAt(m_placed.wiring.sendingProcess(sharing, owner), Op::Claim, sharing);
  }
  wake(m_placed.wiring.processAt(state.core, m_state.rings.takeWaiting(state.core, code.buffer)));
}

TokenMachine::Step TokenMachine::awaitToken(std::int32_t process, const ProcessState& state,
                                            const Code& code) {
  TokenCount& token = m_state.tokens.at(state.core, code.arg);
  if (token.there == 0) {
    token.waits = process;
    return Step::Wait;
  }
  --token.there;
  return Step::Done;
}

}  // namespace gridloom::schedule
