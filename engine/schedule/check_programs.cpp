// SPDX-License-Identifier: Apache-2.0
#include "schedule/check_programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "schedule/op_names.h"

namespace gridloom::schedule {
namespace {

/// The checks on one program alone: names in range, loops nest, every buffer and channel has one
/// process at each end.
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
    for (std::size_t p = 0; p < m_processes.size(); ++p) checkProcess(p);
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

  void checkProcess(std::size_t process) {
    const std::vector<Instruction>& code = m_processes[process].code;
    std::vector<std::int32_t> open;
    for (std::size_t i = 0; i < code.size(); ++i) {
      if (checkNames(process, i)) {
        checkLayout(process, i, open.size());
        checkAwaited(process, i);
      }
      if (code[i].op == Op::LoopBegin) {
        // Waves are counted by position: the loops around an instruction must be the outermost
        // ones.
        if (code[i].arg != static_cast<std::int32_t>(open.size()) ||
            open.size() >= m_schedule.mapping.order.size()) {
          fail(process, i, fmt::format("loop {} opens at depth {}", code[i].arg, open.size()));
        }
        open.push_back(code[i].arg);
      }
      if (code[i].op != Op::LoopEnd) continue;
      if (open.empty() || open.back() != code[i].arg) {
        fail(process, i, fmt::format("loop {} ends without having begun", code[i].arg));
        return;
      }
      open.pop_back();
    }
    if (!open.empty()) fail(process, code.size(), fmt::format("loop {} is not ended", open.back()));
  }

  static bool movesTile(Op op) {
    return op == Op::Load || op == Op::Take || op == Op::Store || op == Op::Reduce ||
           namesChannel(op);
  }

  bool checkNames(std::size_t process, std::size_t i) {
    const Instruction& at = m_processes[process].code[i];
    const auto inside = [](auto id, std::size_t size) { return id.valid() && id.index() < size; };
    if (namesBuffer(at.op) && !inside(at.buffer, m_schedule.buffers.size())) {
      fail(process, i, "it names a buffer that does not exist");
      return false;
    }
    if (namesChannel(at.op) && !inside(at.channel, m_schedule.channels.size())) {
      fail(process, i, "it names a channel that does not exist");
      return false;
    }
    if (namesToken(at.op) &&
        (at.arg < 0 || static_cast<std::size_t>(at.arg) >= m_schedule.tokens.size())) {
      fail(process, i, "it names a token that does not exist");
      return false;
    }
    if (at.op == Op::Await && m_schedule.buffers[at.buffer.index()].need.awaits < 0) {
      fail(process, i, "it awaits tiles of a buffer that reads nothing the kernel makes");
      return false;
    }
    if (at.op == Op::Take && m_schedule.buffers[at.buffer.index()].need.awaits < 0) {
      fail(process, i, "it takes tiles of a buffer that reads nothing the kernel makes");
      return false;
    }
    return !namesChannel(at.op) || checkTyped(process, i);
  }

  // A load of tiles that the kernel computes needs its own Await in the same iteration. Without it,
  // only timing would put the tiles there.
  void checkAwaited(std::size_t process, std::size_t i) {
    const std::vector<Instruction>& code = m_processes[process].code;
    if (code[i].op != Op::Load && code[i].op != Op::Take) return;
    const Buffer& buffer = m_schedule.buffers[code[i].buffer.index()];
    if (buffer.need.awaits < 0) return;
    if (buffer.need.passed != (code[i].op == Op::Take)) {
      fail(process, i, fmt::format("tiles of {} are not where it looks for them", buffer.name),
           buffer.need.passed ? "`take` them: the buffer takes what other cores make"
                              : "`load` them: the buffer awaits what is stored");
      return;
    }
    for (std::size_t before = i; before-- > 0;) {
      const Instruction& at = code[before];
      if (at.op == Op::Await && at.buffer == code[i].buffer) return;
      const bool again = at.op == code[i].op && at.buffer == code[i].buffer;
      if (again || at.op == Op::LoopBegin || at.op == Op::LoopEnd) break;
    }
    fail(process, i,
         fmt::format("it {} tiles of {} that may not be {} yet",
                     buffer.need.passed ? "takes" : "loads", buffer.name,
                     buffer.need.passed ? "made" : "stored"),
         fmt::format("write `await \"{}\"` before it, in the same loop", buffer.name));
  }

  static bool holdsInput(const Buffer& buffer) {
    return buffer.use == Buffer::Use::Input || buffer.use == Buffer::Use::SharedInput;
  }

  // Channels are typed: the receiver's buffer matches the sender's.
  bool checkTyped(std::size_t process, std::size_t i) {
    const Instruction& at = m_processes[process].code[i];
    const Channel& channel = m_schedule.channels[at.channel.index()];
    const Buffer& target = m_schedule.buffers[channel.target.index()];
    const Buffer& own = m_schedule.buffers[at.buffer.index()];
    const bool same = at.op == Op::Send ? own.operand == target.operand &&
                                              holdsInput(own) == holdsInput(target) &&
                                              isOfAllReduce(own.use) == isOfAllReduce(target.use)
                                        : at.buffer == channel.target;
    if ((at.op == Op::Claim && channel.kind != Channel::Kind::Share) ||
        (same && at.op == Op::Send && channel.kind == Channel::Kind::Share &&
         at.buffer != channel.target)) {
      fail(process, i,
           at.op == Op::Claim ? "only slots that cores share are claimed"
                              : fmt::format("cores share slots of {} only", target.name));
      return false;
    }
    const bool feeds = channel.kind == Channel::Kind::Feed;
    if (same && at.op == Op::Send && feeds != (own.use == Buffer::Use::SharedInput)) {
      fail(process, i,
           "only a feed reads tiles from a shared buffer, and it reads no others");
      return false;
    }
    if (same && at.op == Op::Send && own.use == Buffer::Use::SharedOutput) {
      fail(process, i, "tiles in a shared buffer can only be stored to global memory");
      return false;
    }
    if (same) return true;
    fail(process, i,
         fmt::format("channel {} carries tiles for buffer {}, not of {}", channel.name, target.name,
                     own.name));
    return false;
  }

  // Tile sizes follow from the surrounding loops: each buffer is filled at its own level only.
  void checkLayout(std::size_t process, std::size_t i, std::size_t depth) {
    const Instruction& at = m_processes[process].code[i];
    const auto outputLevel = static_cast<std::size_t>(m_schedule.outputLevel);
    std::size_t level = depth;
    if (at.op == Op::Compute) level = m_schedule.mapping.order.size();
    if (at.op == Op::Epilogue) level = outputLevel;
    if (namesBuffer(at.op)) {
      const Buffer& buffer = m_schedule.buffers[at.buffer.index()];
      const bool sharedBuffer = buffer.use == Buffer::Use::SharedInput;
      const bool input = buffer.use == Buffer::Use::Input || sharedBuffer;
      if (movesTile(at.op) && input) {
        const auto& movement = m_schedule.mapping.inputs[static_cast<std::size_t>(buffer.operand)];
        level = sharedBuffer && at.op == Op::Load
                    ? static_cast<std::size_t>(movement.sharedBuffer.level)
                    : movement.level;
      } else if (movesTile(at.op)) {
        level = outputLevel;
      }
      const bool moves = buffer.use != Buffer::Use::Local &&
                         buffer.use != Buffer::Use::Stationary &&
                         buffer.use != Buffer::Use::Resident &&
                         buffer.use != Buffer::Use::Remaining && buffer.use != Buffer::Use::Held;
      const bool fits = moves && ((at.op != Op::Load && at.op != Op::Take) || input) &&
                        (at.op != Op::Store || (!input && !isOfAllReduce(buffer.use))) &&
                        (at.op != Op::Reduce || (isJoined(buffer.use) && at.arg == buffer.operand));
      if (!fits) fail(process, i, fmt::format("it cannot use buffer {}", buffer.name));
    }
    if ((at.op == Op::Compute || at.op == Op::Epilogue || at.op == Op::Reduce) &&
        m_processes[process].role != Process::Role::Compute) {
      fail(process, i, fmt::format("`{}` stands in the compute process only", nameOf(at.op)));
    }
    if (level != depth) {
      fail(process, i, fmt::format("it stands inside {} loops, {} are wanted", depth, level));
    }
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
        fail(process, i,
             fmt::format("the partial result in {} is reduced twice", buffer.name),
             "leave it out");
      }
      if (at.op == Op::Release && count == 0) {
        fail(process, i, fmt::format("the partial result in {} is not reduced", buffer.name),
             fmt::format("write `reduce \"{}\"` before it", buffer.name));
      }
    }
  }

  /// The process that has such an instruction; an error at a second one.
  template <class Matches> int onlyOne(Op op, const Matches& matches) {
    int first = -1;
    for (std::size_t p = 0; p < m_processes.size(); ++p) {
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

  // One process fills a buffer and one waits for it. A filling process that still reads the slot
  // releases it, too.
  void checkEnds(std::size_t b) {
    const auto here = [&](const Instruction& i) { return i.buffer == BufferId::of(b); };
    const int acquires = onlyOne(Op::Acquire, here);
    const int publishes = onlyOne(Op::Publish, here);
    const int waits = onlyOne(Op::WaitFull, here);
    for (std::size_t p = 0; p < m_processes.size(); ++p) {
      const auto& code = m_processes[p].code;
      for (std::size_t i = 0; i < code.size(); ++i) {
        if (!code[i].buffer.valid() || !here(code[i])) continue;
        const int self = static_cast<int>(p);
        if (code[i].op == Op::Publish && acquires >= 0 && self != acquires) {
          fail(p, i, "it publishes a slot that another process acquires");
        }
        if (code[i].op == Op::Release && self != waits && self != publishes) {
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
