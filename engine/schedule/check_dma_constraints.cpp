// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "schedule/check_programs.h"
#include "schedule/engines.h"
#include "schedule/op_names.h"

namespace gridloom::schedule {
namespace {

class DmaConstraintCheck {
 public:
  DmaConstraintCheck(const Schedule& schedule, const kernel::TileNest& nest,
                     const hardware::Topology& hw, Findings& findings)
      : m_schedule(schedule), m_nest(nest), m_hw(hw), m_findings(findings) {}

  void run() {
    for (std::size_t t = 0; t < m_schedule.tokens.size(); ++t) checkToken(t);
    for (std::size_t b = 0; b < m_schedule.dmaConstraints.size(); ++b) checkMembers(b);
    if (m_findings.hasError()) return;
    checkChannels(Direction::In, m_hw.local().dma.in);
    checkChannels(Direction::Out, m_hw.local().dma.out);
  }

 private:
  /// Where a program signals or awaits a token: process and instruction of the first one.
  struct End {
    int process = -1;
    std::size_t instruction = 0;
  };

  End endOf(std::size_t program, Op op, std::size_t token) {
    End end;
    const auto& processes = m_schedule.programs[program].processes;
    for (std::size_t p = 0; p < processes.size(); ++p) {
      const auto found = std::ranges::find_if(processes[p].code, [&](const Instruction& i) {
        return i.op == op && i.arg == static_cast<std::int32_t>(token);
      });
      if (found == processes[p].code.end()) continue;
      const auto at = static_cast<std::size_t>(found - processes[p].code.begin());
      if (end.process >= 0) {
        m_findings.atInstruction(program, p, at,
                                 fmt::format("another process of this program has `{} {}` already",
                                             schedule::nameOf(op), m_schedule.tokens[token].name),
                                 "each end of a token belongs to one process");
      } else {
        end = {static_cast<int>(p), at};
      }
    }
    return end;
  }

  void checkToken(std::size_t token) {
    const std::string& name = m_schedule.tokens[token].name;
    bool used = false;
    for (std::size_t program = 0; program < m_schedule.programs.size(); ++program) {
      const End from = endOf(program, Op::Signal, token),
                to = endOf(program, Op::AwaitToken, token);
      used = used || from.process >= 0 || to.process >= 0;
      if ((from.process < 0) == (to.process < 0)) {
        if (from.process < 0 || from.process != to.process) continue;
        m_findings.atInstruction(
            program, static_cast<std::size_t>(to.process), to.instruction,
            fmt::format("a process does not wait for its own signal of {}", name),
            "what it does is in order already");
        continue;
      }
      const bool signalled = from.process >= 0;
      const End& one = signalled ? from : to;
      m_findings.atInstruction(
          program, static_cast<std::size_t>(one.process), one.instruction,
          fmt::format("token {} is {} here, and no process of this program {} it", name,
                      signalled ? "signalled" : "awaited", signalled ? "awaits" : "signals"),
          fmt::format("write `{} {}` in the process that {}", signalled ? "await" : "signal", name,
                      signalled ? "depends on it" : "it depends on"));
    }
    if (!used) {
      m_findings.atToken(token, fmt::format("token {} is neither signalled nor awaited", name),
                         "leave it out");
    }
  }

  std::string nameOf(const DmaConstraint::Member& member) const {
    const auto o = static_cast<std::size_t>(member.operand);
    return fmt::format("{} {}", member.writes ? "writer" : "mover",
                       (member.ofInput ? m_nest.inputs : m_nest.outputs)[o].name);
  }

  void checkMembers(std::size_t dmaConstraint) {
    for (const DmaConstraint::Member& member : m_schedule.dmaConstraints[dmaConstraint].members) {
      std::size_t most = 0, where = 0;
      for (std::size_t p = 0; p < m_schedule.programs.size(); ++p) {
        const auto& processes = m_schedule.programs[p].processes;
        const auto matches =
            static_cast<std::size_t>(std::ranges::count_if(processes, [&](const Process& process) {
              return isMember(m_schedule, process, member);
            }));
        if (matches > most) where = p;
        most = std::max(most, matches);
      }
      if (most == 0) {
        m_findings.atDmaConstraint(dmaConstraint,
                                   fmt::format("no program has a {}", nameOf(member)),
                                   "name movers and writers that there are");
      }
      if (most < 2) continue;
      m_findings.noteAtProgram(
          where,
          fmt::format("`{}` of the {} means {} processes here: it holds for "
                      "all of them",
                      nameOf(member),
                      schedule::nameOf(m_schedule.dmaConstraints[dmaConstraint].kind), most),
          "tiles that go through a shared buffer have movers into it and "
          "out of it");
    }
  }

  void checkChannels(Direction direction, std::int64_t limit) {
    bool told = false;
    for (std::size_t p = 0; p < m_schedule.programs.size(); ++p) {
      const ChannelPlan plan = planChannels(m_schedule, m_schedule.programs[p], direction, limit);
      if (!plan.feasible) return refuse(p, direction, plan, limit);
      if (limit == 0 || plan.flows <= limit || told) continue;
      told = true;
      noteShared(p, direction, plan);
    }
  }

  static std::string_view sideOf(Direction direction) {
    return direction == Direction::In ? "into" : "out of";
  }

  void refuse(std::size_t program, Direction direction, const ChannelPlan& plan,
              std::int64_t limit) {
    const auto dmaConstraint = std::ranges::find(
        m_schedule.dmaConstraints, DmaConstraint::Kind::Concurrency, &DmaConstraint::kind);
    const auto at = static_cast<std::size_t>(dmaConstraint - m_schedule.dmaConstraints.begin());
    if (limit == 0 || plan.needed <= limit) {
      return m_findings.atDmaConstraint(
          at,
          "a process that has DMA channels to itself cannot share them with "
          "others, too",
          "take it out of `affinity` or of `concurrency`");
    }
    m_findings.atDmaConstraint(
        at,
        fmt::format("`{}` needs {} DMA channels {} {}, there are {}: {} processes move tiles, and "
                    "those of `concurrency` share none",
                    m_schedule.programs[program].name, plan.needed, sideOf(direction),
                    m_hw.local().name, limit, plan.flows),
        "name fewer processes in `concurrency`, or let one process make their transfers");
  }

  // Notes the processes of the channel with the most of them.
  void noteShared(std::size_t program, Direction direction, const ChannelPlan& plan) {
    const auto& processes = m_schedule.programs[program].processes;
    std::vector<std::string> sharing;
    for (const int channel : plan.channelOf) {
      std::vector<std::string> names;
      for (std::size_t p = 0; p < processes.size() && channel >= 0; ++p) {
        if (plan.channelOf[p] == channel) names.push_back(describe(processes[p]));
      }
      if (names.size() > sharing.size()) sharing = std::move(names);
    }
    m_findings.noteAtProgram(
        program,
        fmt::format("`{}` moves tiles {} {} in {} processes: {} share a DMA channel and take turns",
                    m_schedule.programs[program].name, sideOf(direction), m_hw.local().name,
                    plan.flows, fmt::join(sharing, " and ")),
        "`affinity` chooses which processes share one, `--pass merge` in which order");
  }

  std::string describe(const Process& process) const {
    for (const Instruction& i : process.code) {
      if (!i.buffer.valid()) continue;
      return fmt::format("{} {}", schedule::nameOf(process.role),
                         m_schedule.buffers[i.buffer.index()].name);
    }
    return std::string(schedule::nameOf(process.role));
  }

  const Schedule& m_schedule;
  const kernel::TileNest& m_nest;
  const hardware::Topology& m_hw;
  Findings& m_findings;
};

}  // namespace

void findInDmaConstraints(const Schedule& schedule, const kernel::TileNest& nest,
                          const hardware::Topology& hw, Findings& findings) {
  DmaConstraintCheck(schedule, nest, hw, findings).run();
}

}  // namespace gridloom::schedule
