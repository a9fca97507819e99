// SPDX-License-Identifier: Apache-2.0
#include "schedule/stall.h"

#include <fmt/format.h>

#include <algorithm>

#include "schedule/process_names.h"

namespace gridloom::schedule {

namespace {

class Waits {
 public:
  explicit Waits(const TokenMachine& machine)
      : m_machine(machine), m_placed(machine.placed()), m_state(machine.state()) {}

  Stall chain() const {
    std::int32_t next = 0;
    while (next < m_machine.processCount() && m_machine.finished(next)) ++next;
    if (next == m_machine.processCount()) return {};
    std::vector<std::int32_t> chain;
    while (next >= 0 && !m_machine.finished(next) &&
           std::ranges::find(chain, next) == chain.end()) {
      chain.push_back(next);
      next = awaited(next);
    }
    const auto cycle = std::ranges::find(chain, next);
    const bool isDeadlock = cycle != chain.end();
    std::string text = isDeadlock ? "deadlock: " : "stuck: ";
    for (auto it = isDeadlock ? cycle : chain.begin(); it != chain.end(); ++it) {
      text += describeWait(m_machine, *it) + ", which waits for ";
    }
    text += next >= 0 ? describeWait(m_machine, next) : absentCause(chain.back());
    return {std::move(text), isDeadlock ? *cycle : chain.back()};
  }

 private:
  /// The process that must act before this one can continue; -1 when there is none.
  std::int32_t awaited(std::int32_t process) const {
    const Code& code = m_machine.at(process);
    const std::int32_t core = m_machine.coreOf(process);
    switch (code.op) {
    case Op::WaitFull:
      return m_placed.wiring.publisher(code.buffer, core);
    case Op::Acquire: {
      if (m_state.rings.free(core, code.buffer) > 0) return -1;
      const Ring& ring = m_state.rings.at(core, code.buffer);
      const bool second = ring.readers > 1 && ring.held[1] > ring.held[0];
      return releaserOf(core, code.buffer, second ? 1 : 0);
    }
    case Op::Claim: {
      const auto readers = m_placed.wiring.leavesOf(code.channel, core);
      const std::int32_t reader = m_state.copies.occupant(code.buffer, readers);
      return reader < 0 ? -1 : releaserOf(reader, code.buffer, 0);
    }
    case Op::Send:
      return receiverWithoutCredit(process, code);
    case Op::AwaitToken:
      return processWith(core,
                         [&](const Code& c) { return c.op == Op::Signal && c.arg == code.arg; });
    case Op::Receive: {
      const std::int32_t leaf = m_machine.tileOwner(process);
      return m_placed.wiring.sendingProcess(code.channel,
                                            m_placed.wiring.senderOf(code.channel, leaf));
    }
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

  std::int32_t receiverWithoutCredit(std::int32_t process, const Code& code) const {
    const Wiring& wiring = m_placed.wiring;
    for (const std::int32_t leaf : wiring.leavesOf(code.channel, m_machine.coreOf(process))) {
      if (m_machine.takesPart(leaf, process, code.depth) &&
          m_state.leaves.at(code.channel, leaf).credit == 0) {
        return wiring.receivingProcess(code.channel, wiring.receiverOf(code.channel, leaf));
      }
    }
    return -1;
  }

  std::int32_t releaserOf(std::int32_t core, std::int32_t buffer, int reader) const {
    return processWith(core, [&](const Code& c) {
      return c.op == Op::Release && c.buffer == buffer && c.reader == reader;
    });
  }

  template <class Matches>
  std::int32_t processWith(std::int32_t core, const Matches& matches) const {
    const ProgramId program = m_placed.schedule.programOfCore[index(core)];
    std::int32_t process = m_placed.wiring.firstProcess(core);
    for (const std::int32_t entry : m_placed.code.entries(program)) {
      for (std::int32_t pc = entry; !m_placed.code.at(pc).end; ++pc) {
        if (matches(m_placed.code.at(pc))) return process;
      }
      ++process;
    }
    return -1;
  }

  /// The cause of a wait that no other process can end.
  std::string absentCause(std::int32_t process) const {
    const Code& code = m_machine.at(process);
    if (code.op == Op::Await) return "tiles that are stored or made only later";
    const bool isRoom =
        code.op == Op::Acquire && m_state.rings.free(m_machine.coreOf(process), code.buffer) > 0;
    return isRoom ? "tiles to be taken that are taken only later" : "a process that does not exist";
  }

  const TokenMachine& m_machine;
  const PlacedSchedule& m_placed;
  const TokenMachine::State& m_state;
};

std::int32_t coresOf(const TokenMachine& machine) { return machine.placed().placement.coreCount(); }

Stall leftInChannels(const TokenMachine& machine) {
  const auto& channels = machine.placed().schedule.channels;
  const Wiring& wiring = machine.placed().wiring;
  for (std::int32_t c = 0; c < static_cast<std::int32_t>(channels.size()); ++c) {
    for (std::int32_t core = 0; core < coresOf(machine); ++core) {
      const Leaf& leaf = machine.state().leaves.at(c, core);
      if (leaf == Leaf{}) continue;
      const std::int32_t receiver = wiring.receivingProcess(c, wiring.receiverOf(c, core));
      const std::string who =
          receiver >= 0 ? nameOf(machine, receiver) : fmt::format("core {}", core);
      return {fmt::format("channel {}: {} tile(s) sent to {} are never received, {} awaited are "
                          "never sent",
                          channels[index(c)].name, leaf.arrived, who, leaf.credit),
              -1, c};
    }
  }
  return {};
}

Stall leftInTokens(const TokenMachine& machine) {
  const Schedule& schedule = machine.placed().schedule;
  for (std::int32_t core = 0; core < coresOf(machine); ++core) {
    if (!schedule.programOfCore[index(core)].valid()) continue;
    for (std::int32_t t = 0; t < static_cast<std::int32_t>(schedule.tokens.size()); ++t) {
      const Token& token = schedule.tokens[index(t)];
      const std::int32_t there = machine.state().tokens.at(core, t).there;
      if (there == token.atStart) continue;
      return {fmt::format("token {}: {} signal(s) are left on core {}, there were {} at the start",
                          token.name, there, core, token.atStart),
              -1, -1, -1, t};
    }
  }
  return {};
}

Stall leftInRings(const TokenMachine& machine) {
  const auto& buffers = machine.placed().schedule.buffers;
  for (std::int32_t core = 0; core < coresOf(machine); ++core) {
    for (std::int32_t b = 0; b < static_cast<std::int32_t>(buffers.size()); ++b) {
      const Ring& ring = machine.state().rings.at(core, b);
      if (ring.isEmpty()) continue;
      return {fmt::format("buffer {} of core {}: {} slots are not published, {} not released",
                          buffers[index(b)].name, core, ring.unpublished, ring.taken()),
              -1, -1, b};
    }
  }
  return {};
}

}  // namespace

Stall stallOf(const TokenMachine& machine) {
  Stall stall = Waits(machine).chain();
  for (const auto look : {leftInChannels, leftInTokens, leftInRings}) {
    if (stall.message.empty()) stall = look(machine);
  }
  return stall;
}

}  // namespace gridloom::schedule
