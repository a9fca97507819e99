// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "schedule/op_names.h"
#include "schedule/token_machine.h"

namespace gridloom::schedule {

std::string TokenMachine::placeOf(std::int32_t core) const {
  std::string place;
  for (int d = 0; d < m_placement.dims(); ++d) {
    place += fmt::format("{}{}", d == 0 ? "" : ",", m_placement.coordinate(core, d));
  }
  return place;
}

std::string TokenMachine::nameOf(std::int32_t process) const {
  const std::string place = placeOf(coreOf(process));
  const Process& program = processOf(process);
  std::string_view role = "compute";
  if (program.role == Process::Role::Mover) role = "mover";
  if (program.role == Process::Role::Writer) role = "writer";
  // The operand is that of the first buffer that the process uses.
  for (const Instruction& instruction : program.code) {
    if (program.role == Process::Role::Compute || !instruction.buffer.valid()) continue;
    return fmt::format("{} of {} on core ({})", role,
                       m_schedule.buffers[instruction.buffer.index()].name, place);
  }
  return fmt::format("{} on core ({})", role, place);
}

std::string TokenMachine::describeWait(std::int32_t process) const {
  const Code& code = at(process);
  if (code.end) return nameOf(process) + " (finished)";
  std::string text = fmt::format("{} at `{}", nameOf(process), schedule::nameOf(code.op));
  if (code.buffer >= 0) text += " " + m_schedule.buffers[index(code.buffer)].name;
  if (namesToken(code.op)) text += " " + m_schedule.tokens[index(code.arg)].name;
  if (code.channel >= 0) text += " via " + m_schedule.channels[index(code.channel)].name;
  return text + "`";
}

std::int32_t TokenMachine::processWith(std::int32_t core, Op op, std::int32_t token) const {
  const ProgramId program = m_schedule.programOfCore[index(core)];
  const auto& processes = m_schedule.programs[program.index()].processes;
  const auto found = std::ranges::find_if(processes, [&](const Process& process) {
    return std::ranges::any_of(process.code,
                               [&](const Instruction& i) { return i.op == op && i.arg == token; });
  });
  if (found == processes.end()) return -1;
  return m_wiring.processAt(core, static_cast<int>(found - processes.begin()));
}

std::int32_t TokenMachine::releaserOf(std::int32_t core, int buffer, int reader) const {
  const ProgramId program = m_schedule.programOfCore[index(core)];
  const auto& processes = m_schedule.programs[program.index()].processes;
  for (std::size_t p = 0; p < processes.size(); ++p) {
    for (std::int32_t pc = m_entry[program.index()][p]; !m_code[index(pc)].end; ++pc) {
      const Code& code = m_code[index(pc)];
      if (code.op == Op::Release && code.buffer == buffer && code.reader == reader) {
        return m_wiring.processAt(core, static_cast<int>(p));
      }
    }
  }
  return -1;
}

// The process that must act before this one can continue; -1 when there is none.
std::int32_t TokenMachine::awaited(std::int32_t process) const {
  const Code& code = at(process);
  const std::int32_t core = coreOf(process);
  switch (code.op) {
  case Op::WaitFull:
    return m_wiring.publisher(code.buffer, core);
  case Op::Acquire: {
    const Ring& r = ring(core, code.buffer);
    if (freeSlots(r, code.buffer) > 0) return -1;
    const bool second = r.readers > 1 && r.released[1] < r.released[0];
    return releaserOf(core, code.buffer, second ? 1 : 0);
  }
  case Op::Claim:
    return readerAwaited(process, code);
  case Op::Send:
    for (const std::int32_t l : m_wiring.leavesOf(code.channel, core)) {
      if (takesPart(l, process, code.depth) && leaf(code.channel, l).credit == 0) {
        return m_wiring.receivingProcess(code.channel, m_wiring.receiverOf(code.channel, l));
      }
    }
    return -1;
  case Op::AwaitToken:
    return processWith(core, Op::Signal, code.arg);
  case Op::Receive:
    return m_wiring.sendingProcess(code.channel,
                                   m_wiring.senderOf(code.channel, leafOf(process, code)));
  case Op::LoopBegin:
  case Op::LoopEnd:
  case Op::Publish:
  case Op::Release:
  case Op::Await:
  case Op::Signal:
  case Op::Load:
  case Op::Take:
  case Op::Store:
  case Op::Ready:
  case Op::Compute:
  case Op::Epilogue:
  case Op::Reduce:
    break;
  }
  return -1;
}

// The cause of a wait that no other process can end.
std::string TokenMachine::absentCause(std::int32_t process) const {
  const Code& code = at(process);
  if (code.op == Op::Await) return "tiles that are stored or made only later";
  const bool room =
      code.op == Op::Acquire && freeSlots(ring(coreOf(process), code.buffer), code.buffer) > 0;
  return room ? "tiles to be taken that are taken only later" : "a process that does not exist";
}

int TokenMachine::numberOf(std::int32_t process) const {
  return process - m_wiring.firstProcess(coreOf(process));
}

std::size_t TokenMachine::instructionOf(std::int32_t process) const {
  const ProgramId program = m_schedule.programOfCore[index(coreOf(process))];
  const std::int32_t entry = m_entry[program.index()][index(numberOf(process))];
  return index(m_processes[index(process)].pc - entry);
}

TokenMachine::Stall TokenMachine::stall() const {
  std::int32_t start = -1;
  for (std::int32_t p = 0; p < processCount() && start < 0; ++p) {
    if (m_processes[index(p)].status != Status::Finished) start = p;
  }
  if (start < 0) return leftovers();
  std::vector<std::int32_t> chain;
  std::int32_t next = start;
  while (next >= 0 && m_processes[index(next)].status != Status::Finished &&
         std::find(chain.begin(), chain.end(), next) == chain.end()) {
    chain.push_back(next);
    next = awaited(next);
  }
  const auto circle = std::find(chain.begin(), chain.end(), next);
  const bool closed = circle != chain.end();
  std::string text = closed ? "deadlock: " : "stuck: ";
  for (auto it = closed ? circle : chain.begin(); it != chain.end(); ++it) {
    text += describeWait(*it) + ", which waits for ";
  }
  if (next >= 0) {
    text += describeWait(next);
  } else {
    text += chain.empty() ? "a process that does not exist" : absentCause(chain.back());
  }
  return {std::move(text), closed ? *circle : chain.back()};
}

TokenMachine::Stall TokenMachine::leftovers() const {
  for (std::size_t c = 0; c < m_schedule.channels.size(); ++c) {
    for (std::size_t core = 0; core < m_cores; ++core) {
      const Leaf& l = m_leaves[c * m_cores + core];
      if (l.credit == 0 && l.arrived == 0) continue;
      const auto at = static_cast<std::int32_t>(core);
      const std::int32_t process = m_wiring.receivingProcess(
          static_cast<int>(c), m_wiring.receiverOf(static_cast<int>(c), at));
      const std::string who = process >= 0 ? nameOf(process) : fmt::format("core {}", core);
      return {fmt::format(
                  "channel {}: {} tile(s) sent to {} are never received, {} awaited are never sent",
                  m_schedule.channels[c].name, l.arrived, who, l.credit),
              -1, static_cast<int>(c)};
    }
  }
  for (std::size_t n = 0; n < m_counts.size(); ++n) {
    const std::size_t token = n % m_schedule.tokens.size();
    const auto core = static_cast<std::int32_t>(n / m_schedule.tokens.size());
    const Token& of = m_schedule.tokens[token];
    if (m_counts[n].there == of.atStart || !m_schedule.programOfCore[index(core)].valid()) continue;
    Stall stall{
        fmt::format("token {}: {} signal(s) are left on core {}, there were {} at the start",
                    of.name, m_counts[n].there, core, of.atStart)};
    stall.token = static_cast<int>(token);
    return stall;
  }
  for (std::size_t core = 0; core < m_cores; ++core) {
    for (std::size_t b = 0; b < m_buffers; ++b) {
      const Ring& r = m_rings[core * m_buffers + b];
      const bool even = r.acquired == r.published && r.published == r.released[0] &&
                        (r.readers < 2 || r.published == r.released[1]);
      if (even) continue;
      return {fmt::format("buffer {} of core {}: {} slots acquired, {} published, {} released",
                          m_schedule.buffers[b].name, core, r.acquired, r.published, r.released[0]),
              -1, -1, static_cast<int>(b)};
    }
  }
  return {};
}

}  // namespace gridloom::schedule
