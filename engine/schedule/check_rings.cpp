// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <set>

#include "schedule/check_programs.h"
#include "schedule/process_names.h"
#include "schedule/rings.h"
#include "schedule/wiring.h"

namespace gridloom::schedule {
namespace {

/// One ring of cores and one tile: follows its shares from core to core. Every iteration moves its
/// tile alike, so this decides for all of them. What never arrives is left to the dry run.
class RingRun {
 public:
  RingRun(const Schedule& schedule, const std::vector<std::size_t>& programs, PortId ring,
          Findings& findings)
      : m_schedule(schedule),
        m_ring(ring),
        m_scatters(targetUse() == Buffer::Use::Partial),
        m_findings(findings),
        m_sent(programs.size()) {
    for (const std::size_t program : programs) {
      m_cores.push_back({program, processesOf(program), {}, {}});
      m_cores.back().parts.assign(programs.size(), m_scatters ? 1 : 0);
    }
  }

  void run() {
    for (bool moves = true; moves;) {
      moves = false;
      for (std::size_t core = 0; core < m_cores.size(); ++core) {
        for (Events& events : m_cores[core].processes) {
          while (m_findings.empty() && step(core, events)) moves = true;
        }
      }
    }
    if (m_findings.empty()) checkStored();
  }

 private:
  /// The instructions of a process on the ring's tiles, and the next one.
  struct Events {
    std::size_t process = 0;
    std::vector<std::size_t> at;
    std::size_t next = 0;
    bool done() const { return next == at.size(); }
  };
  /// A share on its way, and the number of cores whose results are in it.
  struct Message {
    std::size_t share = 0;
    int parts = 0;
  };
  struct Core {
    std::size_t program = 0;
    std::vector<Events> processes;
    std::vector<int> parts;           ///< per share of its tile: as in a message; 0: it is not here
    std::optional<Message> received;  ///< to be reduced
  };

  Buffer::Use targetUse() const {
    return m_schedule.buffers[m_schedule.channels[m_ring.index()].target.index()].use;
  }

  std::vector<Events> processesOf(std::size_t program) {
    std::vector<Events> all;
    const auto& processes = m_schedule.programs[program].processes;
    for (std::size_t p = 0; p < processes.size(); ++p) {
      Events events{p, {}};
      for (std::size_t i = 0; i < processes[p].code.size(); ++i) {
        const Instruction& at = processes[p].code[i];
        if (!at.buffer.valid() || ringOf(m_schedule, at.buffer) != m_ring) continue;
        if (movesShare(at.op) || at.op == Op::Publish) events.at.push_back(i);
      }
      if (events.at.empty()) continue;
      checkLoops(program, events);
      all.push_back(std::move(events));
    }
    return all;
  }

  // Loops between the shares of a tile would repeat some of them.
  void checkLoops(std::size_t program, const Events& events) {
    const auto& code = m_schedule.programs[program].processes[events.process].code;
    for (std::size_t i = events.at.front(); i < events.at.back(); ++i) {
      if (code[i].op != Op::LoopBegin && code[i].op != Op::LoopEnd) continue;
      m_findings.atInstruction(program, events.process, i, "it repeats some shares of a tile",
                               "move all shares of a tile in one iteration");
    }
  }

  bool fail(const Core& core, const Events& events, const std::string& what,
            std::string hint = {}) {
    m_findings.atInstruction(core.program, events.process, events.at[events.next], what,
                             std::move(hint));
    return false;
  }

  const Instruction& instructionAt(const Core& core, const Events& events) const {
    const auto& process = m_schedule.programs[core.program].processes[events.process];
    return process.code[events.at[events.next]];
  }

  std::size_t shareAt(std::size_t core, std::int32_t arg) const {
    return (core + m_cores.size() - static_cast<std::size_t>(arg)) % m_cores.size();
  }

  // False when the process has nothing more to do, waits for another one, or is wrong.
  bool step(std::size_t number, Events& events) {
    if (events.done()) return false;
    Core& core = m_cores[number];
    const Instruction& at = instructionAt(core, events);
    if (at.arg < 0 || static_cast<std::size_t>(at.arg) >= m_cores.size()) {
      return fail(core, events,
                  fmt::format("a ring of {} cores has no share {}", m_cores.size(), at.arg),
                  "shares count from 0, the core's own");
    }
    if (!perform(number, events, at)) return false;
    ++events.next;
    return true;
  }

  bool perform(std::size_t number, Events& events, const Instruction& at) {
    Core& core = m_cores[number];
    const std::size_t share = shareAt(number, at.arg);
    if (at.op == Op::Receive) return receive(number, events, at.arg);
    if (at.op == Op::Reduce) return reduce(core, events, share, at.arg);
    if (at.op == Op::Store) return store(core, events, share, at.arg);
    if (at.op == Op::Publish) return m_scatters || isWhole(number, events);
    if (at.op == Op::Load) {
      if (core.parts[share] > 0) return failAgain(core, events, at.arg);
      core.parts[share] = 1;
      return true;
    }
    if (core.parts[share] == 0)
      return fail(core, events, fmt::format("the core does not have share {}", at.arg));
    m_sent[(number + 1) % m_cores.size()].push_back({share, core.parts[share]});
    if (m_scatters) core.parts[share] = 0;
    return true;
  }

  bool failAgain(const Core& core, const Events& events, std::int32_t arg) {
    return fail(core, events, fmt::format("the core has share {} already", arg));
  }

  bool receive(std::size_t number, const Events& events, std::int32_t arg) {
    Core& core = m_cores[number];
    std::deque<Message>& sent = m_sent[number];
    if (sent.empty() || core.received) return false;
    const Message message = sent.front();
    sent.pop_front();
    if (message.share != shareAt(number, arg)) {
      return fail(core, events,
                  fmt::format("the core before sends share {} here, not {}",
                              (number + m_cores.size() - message.share) % m_cores.size(), arg));
    }
    if (m_scatters) {
      core.received = message;
      return true;
    }
    if (core.parts[message.share] > 0) return failAgain(core, events, arg);
    core.parts[message.share] = 1;
    return true;
  }

  bool reduce(Core& core, const Events& events, std::size_t share, std::int32_t arg) {
    if (!core.received) return false;
    if (core.received->share != share)
      return fail(core, events, fmt::format("it received another share than {}", arg));
    if (core.parts[share] == 0)
      return fail(core, events, fmt::format("the core's own part of share {} has left it", arg));
    core.parts[share] += core.received->parts;
    core.received.reset();
    return true;
  }

  bool store(const Core& core, const Events& events, std::size_t share, std::int32_t arg) {
    const auto isOpen = [](const Events& other) { return !other.done(); };
    const auto others = std::ranges::count_if(core.processes, isOpen);
    if (others > 1) return false;  // compute has not finished the tile
    if (core.parts[share] != static_cast<int>(m_cores.size())) {
      return fail(core, events,
                  fmt::format("share {} holds the results of {} cores of {}", arg,
                              core.parts[share], m_cores.size()));
    }
    m_stored.insert(share);
    return true;
  }

  bool isWhole(std::size_t number, const Events& events) {
    for (std::int32_t arg = 0; static_cast<std::size_t>(arg) < m_cores.size(); ++arg) {
      if (m_cores[number].parts[shareAt(number, arg)] > 0) continue;
      return fail(m_cores[number], events, fmt::format("share {} of the tile is missing", arg),
                  "load or receive every share of it");
    }
    return true;
  }

  void checkStored() {
    const bool done = std::ranges::all_of(m_cores, [](const Core& core) {
      return std::ranges::all_of(core.processes, [](const Events& e) { return e.done(); });
    });
    if (!m_scatters || !done || m_stored.size() == m_cores.size()) return;
    m_findings.atChannel(
        m_ring.index(),
        fmt::format("{} of {} shares of a tile are stored", m_stored.size(), m_cores.size()),
        "each core stores the share that it reduced last");
  }

  const Schedule& m_schedule;
  PortId m_ring;
  bool m_scatters;  ///< partial results are reduced; otherwise, a tile is gathered
  Findings& m_findings;
  std::vector<Core> m_cores;
  std::vector<std::deque<Message>> m_sent;  ///< per receiver: shares on their way to it
  std::set<std::size_t> m_stored;
};

}  // namespace

void findInRings(const Schedule& schedule, const hardware::Topology& hw, Findings& findings) {
  const Placement placement(schedule, hw);
  for (std::size_t c = 0; c < schedule.channels.size(); ++c) {
    const Channel& channel = schedule.channels[c];
    if (channel.kind != Channel::Kind::Ring) continue;
    std::set<std::vector<std::size_t>> seen;  // rings with equal programs behave alike
    const int dim = dimOf(channel.along);
    for (std::int32_t core = 0; core < placement.coreCount(); ++core) {
      if (placement.coordinate(core, dim) != 0 || !placement.active(core)) continue;
      std::vector<std::size_t> programs;
      for (std::int32_t at = 0; at < placement.activeAlong(core, dim); ++at) {
        const std::int32_t mate = placement.moved(core, dim, at);
        programs.push_back(schedule.programOfCore[static_cast<std::size_t>(mate)].index());
      }
      if (seen.insert(programs).second) RingRun(schedule, programs, PortId::of(c), findings).run();
      if (!findings.empty()) return;
    }
  }
}

}  // namespace gridloom::schedule
