// SPDX-License-Identifier: Apache-2.0
#include "schedule/token_machine.h"

#include <fmt/format.h>

#include <algorithm>

namespace gridloom::schedule {

TokenMachine::TokenMachine(const Schedule& schedule, const Placement& placement,
                           const Wiring& wiring, std::int32_t waveCap,
                           const base::Progress* progress)
    : m_schedule(schedule),
      m_placement(placement),
      m_wiring(wiring),
      m_activeTiles(schedule, placement),
      m_windows(schedule),
      m_waveCap(waveCap),
      m_stride(schedule.mapping.order.size()),
      m_buffers(schedule.buffers.size()),
      m_cores(index(placement.coreCount())) {
  compile();
  if (!allocate(progress)) return;
  place(placement);
  prepareCopies();
  prepareStored();
}

// Each of these takes noticeable time on large machines.
bool TokenMachine::allocate(const base::Progress* progress) {
  const auto continues = [&] { return progress == nullptr || !progress->cancelled(); };
  if (continues()) m_processes.resize(index(m_wiring.processCount()));
  if (continues()) m_waves.assign(m_processes.size() * m_stride, 0);
  if (continues()) m_rings.resize(m_cores * m_buffers);
  if (continues()) m_leaves.resize(m_cores * m_schedule.channels.size());
  if (continues()) m_ready.reserve(2 * m_processes.size() + 16);
  return continues();
}

// In tiles without work, a core may add only neutral partial results to an output's tile.
bool TokenMachine::beginsNeutral(const Buffer& buffer) const {
  if (m_schedule.work.always()) return false;
  return m_schedule.mapping.outputs[index(buffer.operand)].reduction !=
         mapping::ReductionTopology::None;
}

void TokenMachine::compile() {
  for (std::size_t b = 0; b < m_buffers; ++b) {
    const Buffer::Use use = m_schedule.buffers[b].use;
    const std::uint64_t bit = std::uint64_t{1} << b;
    if (use == Buffer::Use::Output) m_outputs |= bit;
    if (use == Buffer::Use::Output && beginsNeutral(m_schedule.buffers[b])) m_neutral |= bit;
    if (use != Buffer::Use::Input && use != Buffer::Use::Local && use != Buffer::Use::Total) {
      m_results |= bit;
    }
  }
  findContributions();
  for (const Program& program : m_schedule.programs) {
    // Which processes release a buffer, as a mask over processes: those are its readers.
    std::vector<std::uint64_t> releases(m_buffers, 0);
    for (std::size_t p = 0; p < program.processes.size(); ++p) {
      for (const Instruction& i : program.processes[p].code) {
        if (i.op == Op::Release) releases[i.buffer.index()] |= std::uint64_t{1} << p;
      }
    }
    std::vector<std::uint8_t> readers;
    for (const std::uint64_t mask : releases) {
      readers.push_back(static_cast<std::uint8_t>(std::popcount(mask)));
    }
    m_readers.push_back(std::move(readers));
    m_entry.emplace_back();
    for (const Process& process : program.processes) {
      m_entry.back().push_back(static_cast<std::int32_t>(m_code.size()));
      compileProcess(program, process, releases);
    }
  }
}

void TokenMachine::compileProcess(const Program& program, const Process& process,
                                  std::span<const std::uint64_t> releases) {
  const auto self = static_cast<std::uint64_t>(&process - program.processes.data());
  // Reader 0 waits for full slots. Reader 1 is a mover that reads what it published itself.
  const auto readerOf = [&](BufferId buffer) {
    const bool waits = std::any_of(process.code.begin(), process.code.end(), [&](const auto& i) {
      return i.op == Op::WaitFull && i.buffer == buffer;
    });
    return static_cast<std::uint8_t>(waits ? 0 : 1);
  };
  std::vector<std::int32_t> begins;
  for (const Instruction& from : process.code) {
    Code code;
    code.op = from.op;
    code.arg = from.arg;
    code.buffer = from.buffer.value();
    code.guarded = from.buffer.valid()
                       ? !m_schedule.buffers[from.buffer.index()].need.guard.always()
                       : from.op == Op::Compute && !m_schedule.work.always();
    code.channel = from.channel.value();
    if (from.op == Op::LoopEnd && !begins.empty()) {
      code.jump = begins.back();
      begins.pop_back();
    }
    code.depth = static_cast<std::int16_t>(begins.size());
    if (from.op == Op::LoopBegin) begins.push_back(static_cast<std::int32_t>(m_code.size()) + 1);
    if (from.op == Op::Release) code.reader = readerOf(from.buffer);
    if (from.op == Op::Publish) code.keeps = (releases[from.buffer.index()] >> self & 1u) != 0;
    if (from.buffer.valid() && m_schedule.buffers[from.buffer.index()].use == Buffer::Use::Gather) {
      for (std::size_t c = 0; c < m_schedule.channels.size(); ++c) {
        if (m_schedule.channels[c].target == from.buffer) code.gate = static_cast<std::int32_t>(c);
      }
    }
    m_code.push_back(code);
  }
  Code end;
  end.end = true;
  m_code.push_back(end);
}

void TokenMachine::place(const Placement& placement) {
  for (std::size_t core = 0; core < m_cores; ++core) {
    for (const Token& token : m_schedule.tokens) m_counts.push_back({token.atStart, -1});
  }
  for (std::int32_t core = 0; core < placement.coreCount(); ++core) {
    const ProgramId program = m_schedule.programOfCore[index(core)];
    if (!program.valid()) continue;
    for (std::size_t b = 0; b < m_buffers; ++b) {
      m_rings[index(core) * m_buffers + b].readers = m_readers[program.index()][b];
    }
    for (std::size_t p = 0; p < m_entry[program.index()].size(); ++p) {
      const std::int32_t process = m_wiring.processAt(core, static_cast<int>(p));
      m_processes[index(process)].core = core;
      m_processes[index(process)].pc = m_entry[program.index()][p];
      m_ready.push_back(process);
    }
  }
}

std::int32_t TokenMachine::takeReady() {
  const std::int32_t process = m_ready[m_readyHead++];
  if (m_readyHead == m_ready.size()) {
    m_ready.clear();
    m_readyHead = 0;
  }
  return process;
}

void TokenMachine::wake(std::int32_t process) {
  ProcessState& state = m_processes[index(process)];
  if (state.status != Status::Blocked) return;
  state.status = Status::Ready;
  m_ready.push_back(process);
}

// Slots are counted from the last released one, so the number of turns of the ring does not matter.
void TokenMachine::appendState(std::vector<std::int64_t>& words) const {
  const auto pair = [&](std::int64_t high, std::int64_t low) {
    words.push_back(high * (std::int64_t{1} << 32) + low);
  };
  for (const ProcessState& state : m_processes) {
    pair(state.pc, (state.missing + 1) * std::int64_t{8} + static_cast<std::int64_t>(state.status));
    words.push_back(static_cast<std::int64_t>(state.held));
  }
  for (const Ring& r : m_rings) {
    const std::int32_t other = r.readers > 1 ? r.released[1] : r.released[0];
    pair(r.acquired - r.released[0], r.published - r.released[0]);
    pair(other - r.released[0], r.waitsForFree);
    words.push_back(r.waitsForFull);
  }
  for (const Leaf& l : m_leaves) pair(l.credit, l.arrived);
  for (const Count& c : m_counts) pair(c.there, c.waits);
  for (const Copy& c : m_copies) pair(c.reads, 2 * c.fills + (c.claimed ? 1 : 0));
}

TokenMachine::Outcome TokenMachine::block(ProcessState& state) {
  state.status = Status::Blocked;
  return Outcome::Blocked;
}

TokenMachine::Outcome TokenMachine::breakAt(std::int32_t process, const char* what) {
  m_fault = fmt::format("{}: {}", describeWait(process), what);
  m_processes[index(process)].status = Status::Finished;
  return Outcome::Broken;
}

bool TokenMachine::takesPart(std::int32_t leafCore, std::int32_t process, int depth) const {
  if (!m_placement.active(leafCore)) return false;
  const std::int32_t* at = m_waves.data() + index(process) * m_stride;
  for (int p = 0; p < depth; ++p) {
    if (at[p] >= m_placement.waves(leafCore, p)) return false;
  }
  return true;
}

std::int32_t TokenMachine::tileOwner(std::int32_t process) const {
  const Code& code = at(process);
  return code.gate < 0 ? coreOf(process) : leafOf(process, code);
}

std::int32_t TokenMachine::leafOf(std::int32_t process, const Code& code) const {
  const std::int32_t core = coreOf(process);
  return code.gate < 0 ? core : m_wiring.gatherLeaf(code.gate, core, code.arg);
}

bool TokenMachine::skipped(std::int32_t process, const Code& code) const {
  if (code.guarded) {
    return code.buffer >= 0 ? !m_activeTiles.isNeeded(m_schedule.buffers[index(code.buffer)].need,
                                                      coreOf(process), waves(process), code.depth)
                            : !m_activeTiles.hasWork(coreOf(process), waves(process));
  }
  return code.gate >= 0 && !takesPart(leafOf(process, code), process, code.depth);
}

std::int32_t TokenMachine::freeSlots(const Ring& r, int buffer) const {
  std::int32_t released = r.released[0];
  if (r.readers > 1) released = std::min(released, r.released[1]);
  return m_schedule.buffers[index(buffer)].slots - (r.acquired - released);
}

std::int32_t TokenMachine::slotToFill(std::int32_t core, int buffer) const {
  return (ring(core, buffer).acquired - 1) % m_schedule.buffers[index(buffer)].slots;
}

std::int32_t TokenMachine::slotToRead(std::int32_t core, int buffer, int reader) const {
  return ring(core, buffer).released[reader] % m_schedule.buffers[index(buffer)].slots;
}

TokenMachine::Outcome TokenMachine::advance(std::int32_t process) {
  ProcessState& state = m_processes[index(process)];
  state.status = Status::Ready;
  std::int32_t* waves = m_waves.data() + index(process) * m_stride;
  for (;; ++state.pc) {
    const Code& code = m_code[index(state.pc)];
    if (code.end) {
      state.status = Status::Finished;
      return Outcome::Finished;
    }
    if ((code.gate >= 0 || code.guarded) && skipped(process, code)) {
      if (code.op == Op::Compute) state.filled |= m_neutral;
      continue;
    }
    if (const char* what = objection(process, code)) return breakAt(process, what);
    if (overwritesCopy(process, code)) return Outcome::Broken;
    switch (code.op) {
    case Op::LoopBegin:
      waves[code.arg] = 0;
      break;
    case Op::LoopEnd:
      if (++waves[code.arg] < std::min(m_waveCap, m_placement.waves(state.core, code.arg))) {
        state.pc = code.jump - 1;
      } else {
        waves[code.arg] = 0;
      }
      break;
    case Op::Acquire:
      if (!acquire(process, code)) return block(state);
      noteTile(state, code);
      break;
    case Op::WaitFull:
      if (!waitFull(process, code)) return block(state);
      noteTile(state, code);
      break;
    case Op::Publish:
      publish(process, code);
      break;
    case Op::Release:
      release(process, code);
      break;
    case Op::Claim:
      if (!claim(process, code)) return block(state);
      break;
    case Op::Ready:
      ready(process, code);
      break;
    case Op::Receive:
      if (!receive(process, code)) return block(state);
      noteTile(state, code);
      break;
    case Op::Await:
      if (await(process, code)) break;
      return block(state);
    case Op::Signal:
      signal(process, code);
      break;
    case Op::AwaitToken:
      if (!takeToken(process, code)) return block(state);
      break;
    case Op::Send:
      if (!send(process, code)) return block(state);
      if (state.missing == 0) {
        state.missing = -1;
        break;  // no core is active in this iteration
      }
      noteTile(state, code);
      state.missing = -1;
      state.status = Status::Busy;
      return Outcome::Perform;
    case Op::Load:
    case Op::Take:
    case Op::Store:
    case Op::Compute:
    case Op::Epilogue:
    case Op::Reduce:
      noteTile(state, code);
      state.status = Status::Busy;
      return Outcome::Perform;
    }
  }
}

void TokenMachine::complete(std::int32_t process) {
  ProcessState& state = m_processes[index(process)];
  if (m_awaits && at(process).op == Op::Store) noteStored(process);
  if (at(process).op == Op::Take) noteTaken(process);
  ++state.pc;
  state.status = Status::Blocked;
  wake(process);
}

bool TokenMachine::acquire(std::int32_t process, const Code& code) {
  ProcessState& state = m_processes[index(process)];
  Ring& r = ring(state.core, code.buffer);
  if (freeSlots(r, code.buffer) <= 0) {
    r.waitsForFree = process;
    return false;
  }
  if (!hasRoom(process, code)) return false;
  ++r.acquired;
  state.held |= std::uint64_t{1} << code.buffer;
  return true;
}

bool TokenMachine::waitFull(std::int32_t process, const Code& code) {
  ProcessState& state = m_processes[index(process)];
  Ring& r = ring(state.core, code.buffer);
  if (r.published <= r.released[0]) {
    r.waitsForFull = process;
    return false;
  }
  state.held |= std::uint64_t{1} << code.buffer;
  return true;
}

void TokenMachine::publish(std::int32_t process, const Code& code) {
  ProcessState& state = m_processes[index(process)];
  Ring& r = ring(state.core, code.buffer);
  ++r.published;
  noteMade(process, code);
  if (!code.keeps) state.held &= ~(std::uint64_t{1} << code.buffer);
  if (r.waitsForFull >= 0) wake(std::exchange(r.waitsForFull, -1));
}

void TokenMachine::release(std::int32_t process, const Code& code) {
  ProcessState& state = m_processes[index(process)];
  Ring& r = ring(state.core, code.buffer);
  const std::int32_t free = freeSlots(r, code.buffer);
  ++r.released[code.reader];
  state.held &= ~(std::uint64_t{1} << code.buffer);
  if (freeSlots(r, code.buffer) == free) return;
  if (m_copyOfBuffer[index(code.buffer)] >= 0) noteRead(state.core, code.buffer);
  if (r.waitsForFree >= 0 && freeSlots(r, code.buffer) > 0) wake(std::exchange(r.waitsForFree, -1));
}

void TokenMachine::ready(std::int32_t process, const Code& code) {
  const std::int32_t leafCore = leafOf(process, code);
  Leaf& l = leaf(code.channel, leafCore);
  ++l.credit;
  const std::int32_t sender =
      m_wiring.sendingProcess(code.channel, m_wiring.senderOf(code.channel, leafCore));
  if (sender < 0) return;
  ProcessState& other = m_processes[index(sender)];
  const Code& waiting = m_code[index(other.pc)];
  const bool counts = other.status == Status::Blocked && !waiting.end && waiting.op == Op::Send &&
                      waiting.channel == code.channel && l.credit == 1 &&
                      takesPart(leafCore, sender, waiting.depth);
  if (counts && --other.missing == 0) {
    other.missing = -1;
    wake(sender);
  }
}

// True when the send may start. `missing` is then the number of active leaves.
bool TokenMachine::send(std::int32_t process, const Code& code) {
  ProcessState& state = m_processes[index(process)];
  const auto leaves = m_wiring.leavesOf(code.channel, state.core);
  std::int32_t missing = 0, partners = 0;
  for (const std::int32_t l : leaves) {
    if (!takesPart(l, process, code.depth)) continue;
    ++partners;
    if (leaf(code.channel, l).credit == 0) ++missing;
  }
  if (missing > 0) {
    state.missing = missing;
    return false;
  }
  for (const std::int32_t l : leaves) {
    if (takesPart(l, process, code.depth)) --leaf(code.channel, l).credit;
  }
  state.missing = partners;
  if (isShared(code.channel)) noteShared(process, code);
  return true;
}

void TokenMachine::deliver(int channel, std::int32_t leafCore) {
  ++leaf(channel, leafCore).arrived;
  const std::int32_t receiver =
      m_wiring.receivingProcess(channel, m_wiring.receiverOf(channel, leafCore));
  if (receiver < 0) return;
  const Code& waiting = at(receiver);
  if (!waiting.end && waiting.op == Op::Receive && waiting.channel == channel) wake(receiver);
}

bool TokenMachine::receive(std::int32_t process, const Code& code) {
  Leaf& l = leaf(code.channel, leafOf(process, code));
  if (l.arrived == 0) return false;
  --l.arrived;
  return true;
}

bool TokenMachine::takeToken(std::int32_t process, const Code& code) {
  Count& c = count(coreOf(process), code.arg);
  if (c.there == 0) {
    c.waits = process;
    return false;
  }
  --c.there;
  return true;
}

void TokenMachine::signal(std::int32_t process, const Code& code) {
  Count& c = count(coreOf(process), code.arg);
  ++c.there;
  if (c.waits >= 0) wake(std::exchange(c.waits, -1));
}

const Process& TokenMachine::processOf(std::int32_t process) const {
  const std::int32_t core = coreOf(process);
  const Program& program = m_schedule.programs[m_schedule.programOfCore[index(core)].index()];
  return program.processes[index(process - m_wiring.firstProcess(core))];
}

}  // namespace gridloom::schedule
