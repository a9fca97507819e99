// SPDX-License-Identifier: Apache-2.0
#include "schedule/check_programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "schedule/op_names.h"
#include "schedule/rings.h"

namespace gridloom::schedule {
namespace {

/// The checks on one program alone: its iterations are computed once, and every buffer and channel
/// has one process at each end.
class ProgramCheck {
 public:
  ProgramCheck(const Schedule& schedule, std::size_t program, Findings& findings)
      : m_schedule(schedule),
        m_program(program),
        m_processes(schedule.programs[program].processes),
        m_findings(findings) {}

  void run() {
    if (m_processes.size() > 64) {
      m_findings.atProgram(m_program,
                           fmt::format("program `{}` has {} processes, at most 64 are allowed",
                                       m_schedule.programs[m_program].name, m_processes.size()));
      return;
    }
    const std::size_t computes = static_cast<std::size_t>(
        std::ranges::count(m_processes, Process::Role::Compute, &Process::role));
    if (computes != 1) {
      m_findings.atProgram(m_program,
                           fmt::format("program `{}` has {} compute processes, one is wanted",
                                       m_schedule.programs[m_program].name, computes));
    }
    for (std::size_t p = 0; p < m_processes.size(); ++p) {
      findInProcess(m_schedule, m_program, p, m_findings);
    }
    if (!m_findings.empty()) return;
    checkParts();
    checkEpilogue();
    for (std::size_t p = 0; p < m_processes.size(); ++p) {
      checkReduced(p);
      checkHandedOn(p);
    }
    for (std::size_t b = 0; b < m_schedule.buffers.size(); ++b) checkEnds(b);
    for (const Op op : {Op::Send, Op::Receive}) {
      for (std::size_t c = 0; c < m_schedule.channels.size(); ++c) {
        onlyOne(op, [&](const Instruction& i) { return i.channel == PortId::of(c); });
      }
    }
  }

 private:
  void fail(std::size_t process, std::size_t i, const std::string& what, std::string hint = {}) {
    m_findings.atInstruction(m_program, process, i, what, std::move(hint));
  }

  // Sums and state would count an iteration as often as it is computed. Where all-reduces split
  // compute, its parts follow each other.
  void checkParts() {
    const auto none = [](mapping::ReductionTopology how) {
      return how == mapping::ReductionTopology::None;
    };
    const auto& reduces = m_schedule.mapping.allReduces;
    const auto last = static_cast<std::int32_t>(static_cast<std::ptrdiff_t>(reduces.size()) -
                                                std::ranges::count_if(reduces, none));
    std::int32_t next = 0;
    for (std::size_t p = 0; p < m_processes.size(); ++p) {
      const auto& code = m_processes[p].code;
      for (std::size_t i = 0; i < code.size(); ++i) {
        if (code[i].op != Op::Compute) continue;
        if (code[i].arg < next) {
          fail(p, i, "the iteration is computed a second time", "leave it out");
        } else if (code[i].arg > next) {
          fail(p, i, "a part of the iteration is left out before it",
               "write `compute until ...` for every local tensor that cores reduce together");
        }
        next = std::max(next, code[i].arg + 1);
      }
    }
    if (next > last) return;
    m_findings.atProgram(m_program,
                         fmt::format("`{}` never computes{}", m_schedule.programs[m_program].name,
                                     next > 0 ? " to the end" : ""),
                         "write `compute` inside all loops of its compute process");
  }

  void checkEpilogue() {
    bool any = false;
    for (std::size_t p = 0; p < m_processes.size(); ++p) {
      const auto& code = m_processes[p].code;
      for (std::size_t i = 0; i < code.size(); ++i) {
        if (code[i].op != Op::Epilogue) continue;
        if (any) fail(p, i, "the epilogue of the reduction is computed twice", "leave it out");
        any = true;
      }
    }
  }

  // A share for a reduction on another core is sent there exactly once between two waits for it.
  void checkHandedOn(std::size_t process) {
    struct Moves {
      int count = 0;
      bool toJoin = false;
    };
    std::map<BufferId, Moves> moves;
    const auto& code = m_processes[process].code;
    for (std::size_t i = 0; i < code.size(); ++i) {
      const Instruction& at = code[i];
      if (at.buffer.valid() && ringOf(m_schedule, at.buffer).valid()) continue;  // check_rings.cpp
      if (at.op == Op::WaitFull) moves[at.buffer] = {};
      if (at.op != Op::Send && at.op != Op::Store) continue;
      Moves& of = moves[at.buffer];
      ++of.count;
      if (at.op == Op::Send) {
        const BufferId target = m_schedule.channels[at.channel.index()].target;
        of.toJoin = of.toJoin || isJoined(m_schedule.buffers[target.index()].use);
      }
      if (of.count < 2 || !of.toJoin) continue;
      fail(process, i, "a partial result that another core reduces is sent twice",
           "leave one of them out");
    }
  }

  // A partial result is reduced exactly once between the wait for it and its release.
  void checkReduced(std::size_t process) {
    const auto& code = m_processes[process].code;
    std::vector<int> joined(m_schedule.buffers.size(), 0);
    for (std::size_t i = 0; i < code.size(); ++i) {
      const Instruction& at = code[i];
      if (!at.buffer.valid()) continue;
      const Buffer& buffer = m_schedule.buffers[at.buffer.index()];
      if (!isJoined(buffer.use)) continue;
      int& count = joined[at.buffer.index()];
      if (at.op == Op::WaitFull) count = 0;
      if (at.op == Op::Reduce && ++count > 1) {
        fail(process, i, fmt::format("the partial result in {} is reduced twice", buffer.name),
             "leave it out");
      }
      if (at.op == Op::Release && count == 0) {
        fail(process, i, fmt::format("the partial result in {} is not reduced", buffer.name),
             fmt::format("write `reduce \"{}\"` before it", buffer.name));
      }
    }
  }

  /// The process that has such an instruction, but for one that may also have it; an error at a
  /// second one.
  template <class Matches> int onlyOne(Op op, const Matches& matches, int besides = -1) {
    int first = -1;
    for (std::size_t p = 0; p < m_processes.size(); ++p) {
      if (static_cast<int>(p) == besides) continue;
      const auto& code = m_processes[p].code;
      const auto found = std::ranges::find_if(
          code, [&](const Instruction& i) { return i.op == op && matches(i); });
      if (found == code.end()) continue;
      if (first < 0) {
        first = static_cast<int>(p);
        continue;
      }
      fail(p, static_cast<std::size_t>(found - code.begin()),
           fmt::format("another process of this program has `{}` of the same already", nameOf(op)),
           "each end of a buffer or channel belongs to one process");
    }
    return first;
  }

  // The process that sends on the rotating tiles of a buffer; -1: none.
  int rotating(std::size_t b) const {
    const auto sends = [&](const Instruction& i) {
      return i.op == Op::Send && i.buffer == BufferId::of(b) &&
             m_schedule.channels[i.channel.index()].kind == Channel::Kind::Rotate;
    };
    for (std::size_t p = 0; p < m_processes.size(); ++p) {
      const Process& process = m_processes[p];
      if (process.role == Process::Role::Mover && std::ranges::any_of(process.code, sends))
        return static_cast<int>(p);
    }
    return -1;
  }

  // One process fills a buffer and one waits for it; where tiles rotate, one more, which sends them
  // on. A filling process that still reads the slot releases it, too.
  void checkEnds(std::size_t b) {
    const auto here = [&](const Instruction& i) { return i.buffer == BufferId::of(b); };
    const int acquires = onlyOne(Op::Acquire, here);
    const int publishes = onlyOne(Op::Publish, here);
    const int sends = rotating(b);
    const int waits = onlyOne(Op::WaitFull, here, sends);
    for (std::size_t p = 0; p < m_processes.size(); ++p) {
      const auto& code = m_processes[p].code;
      for (std::size_t i = 0; i < code.size(); ++i) {
        if (!code[i].buffer.valid() || !here(code[i])) continue;
        const int self = static_cast<int>(p);
        if (code[i].op == Op::Publish && acquires >= 0 && self != acquires) {
          fail(p, i, "it publishes a slot that another process acquires");
        }
        if (code[i].op == Op::Release && self != waits && self != publishes && self != sends) {
          fail(p, i, "it releases a slot that it neither waits for nor publishes");
        }
      }
    }
  }

  const Schedule& m_schedule;
  std::size_t m_program;
  const std::vector<Process>& m_processes;
  Findings& m_findings;
};

}  // namespace

void findInPrograms(const Schedule& schedule, Findings& findings) {
  for (std::size_t p = 0; p < schedule.programs.size(); ++p) {
    ProgramCheck(schedule, p, findings).run();
  }
}

}  // namespace gridloom::schedule
