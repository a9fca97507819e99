// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "schedule/check_programs.h"
#include "schedule/op_names.h"
#include "schedule/rings.h"

namespace gridloom::schedule {
namespace {

bool holdsInput(const Buffer& buffer) {
  return buffer.use == Buffer::Use::Input || buffer.use == Buffer::Use::SharedInput;
}

bool movesTile(Op op) {
  return op == Op::Load || op == Op::Take || op == Op::Store || op == Op::Reduce ||
         namesChannel(op);
}

bool computes(Op op) { return op == Op::Compute || op == Op::Epilogue || op == Op::Reduce; }

/// Whether tiles of such buffers are moved by instructions.
bool isUsed(Buffer::Use use) {
  return use != Buffer::Use::Local && use != Buffer::Use::Stationary &&
         use != Buffer::Use::Resident && use != Buffer::Use::Remaining && use != Buffer::Use::Held;
}

bool suits(const Instruction& at, const Buffer& buffer, bool inShares) {
  if (!isUsed(buffer.use)) return false;
  if (at.op == Op::Load || at.op == Op::Take) return holdsInput(buffer);
  if (at.op == Op::Store) return !holdsInput(buffer) && !isOfAllReduce(buffer.use);
  return at.op != Op::Reduce || (isJoined(buffer.use) && (inShares || at.arg == buffer.operand));
}

/// The checks on each instruction of one process: loops nest, names are in range, and buffers and
/// channels are of the kind that it uses.
class ProcessCheck {
 public:
  ProcessCheck(const Schedule& schedule, std::size_t program, std::size_t process,
               Findings& findings)
      : m_schedule(schedule),
        m_program(program),
        m_process(process),
        m_role(schedule.programs[program].processes[process].role),
        m_code(schedule.programs[program].processes[process].code),
        m_findings(findings) {}

  void run() {
    std::vector<std::int32_t> open;
    for (std::size_t i = 0; i < m_code.size(); ++i) {
      if (checkNames(i)) {
        checkPlace(i, open.size());
        checkAwaited(i);
      }
      if (m_code[i].op == Op::LoopBegin) {
        // Waves are counted by position: the loops around an instruction must be the outermost
        // ones.
        if (m_code[i].arg != static_cast<std::int32_t>(open.size()) ||
            open.size() >= m_schedule.order.size()) {
          fail(i, fmt::format("loop {} opens at depth {}", m_code[i].arg, open.size()));
        }
        open.push_back(m_code[i].arg);
      }
      if (m_code[i].op != Op::LoopEnd) continue;
      if (open.empty() || open.back() != m_code[i].arg) {
        fail(i, fmt::format("loop {} ends without having begun", m_code[i].arg));
        return;
      }
      open.pop_back();
    }
    if (!open.empty()) fail(m_code.size(), fmt::format("loop {} is not ended", open.back()));
  }

 private:
  void fail(std::size_t i, const std::string& what, std::string hint = {}) {
    m_findings.atInstruction(m_program, m_process, i, what, std::move(hint));
  }
  const Buffer& bufferOf(const Instruction& at) const {
    return m_schedule.buffers[at.buffer.index()];
  }

  bool checkNames(std::size_t i) {
    const Instruction& at = m_code[i];
    const auto inside = [](auto id, std::size_t size) { return id.valid() && id.index() < size; };
    if (namesBuffer(at.op) && !inside(at.buffer, m_schedule.buffers.size())) {
      fail(i, "it names a buffer that does not exist");
      return false;
    }
    if (namesChannel(at.op) && !inside(at.channel, m_schedule.channels.size())) {
      fail(i, "it names a channel that does not exist");
      return false;
    }
    if (namesToken(at.op) &&
        (at.arg < 0 || static_cast<std::size_t>(at.arg) >= m_schedule.tokens.size())) {
      fail(i, "it names a token that does not exist");
      return false;
    }
    const bool awaits = at.op == Op::Await || at.op == Op::Take;
    if (awaits && bufferOf(at).need.awaits < 0) {
      fail(i, fmt::format("it {} tiles of a buffer that reads nothing the kernel makes",
                          at.op == Op::Await ? "awaits" : "takes"));
      return false;
    }
    return !namesChannel(at.op) || checkTyped(i);
  }

  // A load of tiles that the kernel computes needs its own Await in the same iteration. Without it,
  // only timing would put the tiles there.
  void checkAwaited(std::size_t i) {
    if (m_code[i].op != Op::Load && m_code[i].op != Op::Take) return;
    const Buffer& buffer = bufferOf(m_code[i]);
    if (buffer.need.awaits < 0) return;
    if (buffer.need.passed != (m_code[i].op == Op::Take)) {
      fail(i, fmt::format("tiles of {} are not where it looks for them", buffer.name),
           buffer.need.passed ? "`take` them: the buffer takes what other cores make"
                              : "`load` them: the buffer awaits what is stored");
      return;
    }
    for (std::size_t before = i; before-- > 0;) {
      const Instruction& at = m_code[before];
      if (at.op == Op::Await && at.buffer == m_code[i].buffer) return;
      const bool again = at.op == m_code[i].op && at.buffer == m_code[i].buffer;
      if (again || at.op == Op::LoopBegin || at.op == Op::LoopEnd) break;
    }
    fail(i,
         fmt::format("it {} tiles of {} that may not be {} yet",
                     buffer.need.passed ? "takes" : "loads", buffer.name,
                     buffer.need.passed ? "made" : "stored"),
         fmt::format("write `await \"{}\"` before it, in the same loop", buffer.name));
  }

  // Channels are typed: the receiver's buffer matches the sender's.
  bool checkTyped(std::size_t i) {
    const Instruction& at = m_code[i];
    const Channel& channel = m_schedule.channels[at.channel.index()];
    const Buffer& target = m_schedule.buffers[channel.target.index()];
    const Buffer& own = bufferOf(at);
    const bool shares = channel.kind == Channel::Kind::Share;
    const bool sends = at.op == Op::Send;
    const bool same = !sends ? at.buffer == channel.target
                             : own.operand == target.operand &&
                                   holdsInput(own) == holdsInput(target) &&
                                   isOfAllReduce(own.use) == isOfAllReduce(target.use);
    std::string what;
    if (at.op == Op::Claim && !shares) {
      what = "only slots that cores share are claimed";
    } else if (!same) {
      what = fmt::format("channel {} carries tiles for buffer {}, not of {}", channel.name,
                         target.name, own.name);
    } else if (sends && shares && at.buffer != channel.target) {
      what = fmt::format("cores share slots of {} only", target.name);
    } else if (sends &&
               (channel.kind == Channel::Kind::Feed) != (own.use == Buffer::Use::SharedInput)) {
      what = "only a feed reads tiles from a shared buffer, and it reads no others";
    } else if (sends && channel.kind == Channel::Kind::Feed &&
               sourceOf(m_schedule, channel) != at.buffer) {
      what = fmt::format("{} takes tiles from the next shared buffer outwards", target.name);
    } else if (sends && own.use == Buffer::Use::SharedOutput &&
               (channel.kind != Channel::Kind::Drain ||
                sourceOf(m_schedule, channel) != at.buffer)) {
      what = "finished tiles in a shared buffer go to the next one outwards or to global memory";
    }
    if (!what.empty()) fail(i, what);
    return what.empty();
  }

  // Tile sizes follow from the surrounding loops: each buffer is filled at its own level only.
  std::size_t wantedDepth(const Instruction& at, std::size_t depth) const {
    if (at.op == Op::Compute) return m_schedule.order.size();
    const auto outputLevel = static_cast<std::size_t>(m_schedule.outputLevel);
    if (at.op == Op::Epilogue) return outputLevel;
    if (!namesBuffer(at.op) || !movesTile(at.op)) return depth;
    const Buffer& buffer = bufferOf(at);
    if (!holdsInput(buffer)) return outputLevel;
    // A tile is sent as often as the buffer it goes to is filled.
    if (at.op != Op::Send) return fillDepth(buffer);
    return fillDepth(m_schedule.buffers[m_schedule.channels[at.channel.index()].target.index()]);
  }

  // Loops around the transfers that fill an input's buffer.
  std::size_t fillDepth(const Buffer& buffer) const {
    const OperandTransfer& input = m_schedule.inputs[static_cast<std::size_t>(buffer.operand)];
    return static_cast<std::size_t>(buffer.use == Buffer::Use::SharedInput
                                        ? input.sharedLevels[buffer.sharedLevel]
                                        : input.hoistLevel);
  }

  void checkPlace(std::size_t i, std::size_t depth) {
    const Instruction& at = m_code[i];
    const bool inShares = namesBuffer(at.op) && ringOf(m_schedule, at.buffer).valid();
    if (namesBuffer(at.op) && !suits(at, bufferOf(at), inShares)) {
      fail(i, fmt::format("it cannot use buffer {}", bufferOf(at).name));
    }
    if (computes(at.op) && m_role != Process::Role::Compute) {
      fail(i, fmt::format("`{}` stands in the compute process only", nameOf(at.op)));
    }
    const std::size_t wanted = wantedDepth(at, depth);
    if (wanted != depth) {
      fail(i, fmt::format("it stands inside {} loops, {} are wanted", depth, wanted));
    }
  }

  const Schedule& m_schedule;
  std::size_t m_program, m_process;
  Process::Role m_role;
  const std::vector<Instruction>& m_code;
  Findings& m_findings;
};

}  // namespace

void findInProcess(const Schedule& schedule, std::size_t program, std::size_t process,
                   Findings& findings) {
  ProcessCheck(schedule, program, process, findings).run();
}

}  // namespace gridloom::schedule
