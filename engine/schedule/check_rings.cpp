// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <deque>
#include <map>

#include "schedule/check_programs.h"
#include "schedule/process_names.h"
#include "schedule/rings.h"
#include "schedule/wiring.h"

namespace gridloom::schedule {
namespace {

/// An instruction on a tile that is moved in shares.
struct Event {
  Op op = Op::Publish;
  std::int32_t arg = 0;
  std::size_t process = 0, instruction = 0;
};

/// One ring of cores and one tile: follows its shares from core to core. Every iteration moves its
/// tile alike, so this decides for all of them.
class RingRun {
 public:
  RingRun(const Schedule& schedule, std::vector<std::size_t> programs, PortId ring,
          Findings& findings)
      : m_schedule(schedule), m_ring(ring), m_findings(findings) {
    for (const std::size_t program : programs) {
      m_cores.push_back({program, eventsOf(program), 0, std::vector<bool>(programs.size())});
    }
    m_sent.resize(programs.size());
  }

  void run() {
    for (bool moves = true; moves && m_findings.empty();) {
      moves = false;
      for (std::size_t core = 0; core < m_cores.size(); ++core) {
        while (m_findings.empty() && step(core)) moves = true;
      }
    }
  }

 private:
  struct Core {
    std::size_t program = 0;
    std::vector<Event> events;
    std::size_t next = 0;
    std::vector<bool> has;  ///< per share of the tile
  };

  // Loops between the parts of a tile would repeat some of them.
  std::vector<Event> eventsOf(std::size_t program) {
    std::vector<Event> events;
    const BufferId buffer = m_schedule.channels[m_ring.index()].target;
    const auto& processes = m_schedule.programs[program].processes;
    for (std::size_t p = 0; p < processes.size(); ++p) {
      bool open = false;
      for (std::size_t i = 0; i < processes[p].code.size(); ++i) {
        const Instruction& at = processes[p].code[i];
        const bool loops = at.op == Op::LoopBegin || at.op == Op::LoopEnd;
        if (open && loops)
          m_findings.atInstruction(program, p, i, "it repeats some of the shares of a tile",
                                   "move all shares of a tile in one iteration");
        if (at.buffer != buffer) continue;
        open = at.op != Op::Publish && (open || at.op == Op::Acquire);
        if (movesShare(at.op) || at.op == Op::Publish) events.push_back({at.op, at.arg, p, i});
      }
    }
    return events;
  }

  void fail(const Core& core, const Event& event, const std::string& what, std::string hint = {}) {
    m_findings.atInstruction(core.program, event.process, event.instruction, what, std::move(hint));
  }

  std::size_t shareAt(std::size_t core, std::int32_t arg) const {
    return (core + m_cores.size() - static_cast<std::size_t>(arg)) % m_cores.size();
  }

  // False when the core has nothing more to do, or waits for the one before it.
  bool step(std::size_t number) {
    Core& core = m_cores[number];
    if (core.next == core.events.size()) return false;
    const Event& event = core.events[core.next];
    if (event.arg < 0 || static_cast<std::size_t>(event.arg) >= m_cores.size()) {
      fail(core, event,
           fmt::format("a ring of {} cores has no share {}", m_cores.size(), event.arg),
           "shares count from 0, the core's own");
      return false;
    }
    const std::size_t share = shareAt(number, event.arg);
    if (event.op == Op::Receive && !arrives(number, event, share)) return false;
    if (event.op == Op::Load || event.op == Op::Receive) {
      if (core.has[share])
        fail(core, event, fmt::format("the core has share {} already", event.arg));
      core.has[share] = true;
    } else if (event.op == Op::Send) {
      if (!core.has[share])
        fail(core, event, fmt::format("the core does not have share {} yet", event.arg));
      m_sent[(number + 1) % m_cores.size()].push_back(share);
    } else {
      checkWhole(core, event, number);
    }
    ++core.next;
    return true;
  }

  bool arrives(std::size_t number, const Event& event, std::size_t share) {
    std::deque<std::size_t>& sent = m_sent[number];
    if (sent.empty()) return false;
    if (sent.front() != share) {
      fail(m_cores[number], event,
           fmt::format("the core before sends share {} here, not {}",
                       (number + m_cores.size() - sent.front()) % m_cores.size(), event.arg));
    }
    sent.pop_front();
    return true;
  }

  void checkWhole(const Core& core, const Event& event, std::size_t number) {
    for (std::int32_t arg = 0; static_cast<std::size_t>(arg) < m_cores.size(); ++arg) {
      if (core.has[shareAt(number, arg)]) continue;
      return fail(core, event, fmt::format("share {} of the tile is missing", arg),
                  "load or receive every share of it");
    }
  }

  const Schedule& m_schedule;
  PortId m_ring;
  Findings& m_findings;
  std::vector<Core> m_cores;
  std::vector<std::deque<std::size_t>> m_sent;  ///< per receiver: shares on their way to it
};

}  // namespace

void findInRings(const Schedule& schedule, const hardware::Topology& hw, Findings& findings) {
  const Placement placement(schedule, hw);
  for (std::size_t c = 0; c < schedule.channels.size(); ++c) {
    const Channel& channel = schedule.channels[c];
    if (channel.kind != Channel::Kind::Ring) continue;
    std::map<std::vector<std::size_t>, bool> seen;  // rings with equal programs behave alike
    const int dim = dimOf(channel.along);
    for (std::int32_t core = 0; core < placement.coreCount(); ++core) {
      if (placement.coordinate(core, dim) != 0 || !placement.active(core)) continue;
      std::vector<std::size_t> programs;
      for (std::int32_t at = 0; at < placement.activeAlong(core, dim); ++at) {
        const std::int32_t mate = placement.moved(core, dim, at);
        programs.push_back(schedule.programOfCore[static_cast<std::size_t>(mate)].index());
      }
      if (!std::exchange(seen[programs], true))
        RingRun(schedule, programs, PortId::of(c), findings).run();
      if (!findings.empty()) return;
    }
  }
}

}  // namespace gridloom::schedule
