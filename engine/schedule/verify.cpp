// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "schedule/schedule.h"
#include "schedule/token_machine.h"

namespace gridloom::schedule {
namespace {

using base::Diagnostics;
using base::plainError;

std::string placeOf(const Program& program, std::size_t process, std::size_t instruction) {
  return fmt::format("program `{}`, process {}, instruction {}", program.name, process,
                     instruction);
}

/// What can be seen in a program alone: names inside range, loops that nest.
class ProgramCheck {
 public:
  ProgramCheck(const Schedule& schedule, Diagnostics& errors)
      : m_schedule(schedule), m_errors(errors) {}

  void run() {
    for (const Program& program : m_schedule.programs) {
      if (program.processes.size() > 64) {
        m_errors.push_back(
            plainError(fmt::format("program `{}` has {} processes, at most 64 are allowed",
                                   program.name, program.processes.size())));
      }
      for (std::size_t p = 0; p < program.processes.size(); ++p) checkProcess(program, p);
    }
  }

 private:
  void fail(const Program& program, std::size_t process, std::size_t i, const std::string& what) {
    m_errors.push_back(plainError(placeOf(program, process, i) + ": " + what));
  }

  void checkProcess(const Program& program, std::size_t process) {
    const std::vector<Instruction>& code = program.processes[process].code;
    std::vector<std::int32_t> open;
    for (std::size_t i = 0; i < code.size(); ++i) {
      if (checkNames(program, process, i)) checkPlace(program, process, i, open.size());
      if (code[i].op == Op::LoopBegin) {
        // Waves are counted by position: the loops around an instruction are the outermost ones.
        if (code[i].arg != static_cast<std::int32_t>(open.size()) ||
            open.size() >= m_schedule.mapping.order.size()) {
          fail(program, process, i,
               fmt::format("loop {} opens at depth {}", code[i].arg, open.size()));
        }
        open.push_back(code[i].arg);
      }
      if (code[i].op != Op::LoopEnd) continue;
      if (open.empty() || open.back() != code[i].arg) {
        fail(program, process, i, fmt::format("loop {} ends without having begun", code[i].arg));
        return;
      }
      open.pop_back();
    }
    if (!open.empty()) {
      fail(program, process, code.size(), fmt::format("loop {} is not ended", open.back()));
    }
  }

  static bool usesChannel(Op op) { return op == Op::Ready || op == Op::Send || op == Op::Receive; }
  static bool movesTile(Op op) {
    return op == Op::Load || op == Op::Store || op == Op::CombineWith || usesChannel(op);
  }
  static bool usesBuffer(Op op) {
    return movesTile(op) || op == Op::Acquire || op == Op::Publish || op == Op::WaitFull ||
           op == Op::Release;
  }

  bool checkNames(const Program& program, std::size_t process, std::size_t i) {
    const Instruction& at = program.processes[process].code[i];
    const auto inside = [](auto id, std::size_t size) { return id.valid() && id.index() < size; };
    if (usesBuffer(at.op) && !inside(at.buffer, m_schedule.buffers.size())) {
      fail(program, process, i, "it names a buffer that does not exist");
      return false;
    }
    if (usesChannel(at.op) && !inside(at.channel, m_schedule.channels.size())) {
      fail(program, process, i, "it names a channel that does not exist");
      return false;
    }
    return true;
  }

  // Sizes of tiles follow from the loops around: each buffer is filled at its own level only.
  void checkPlace(const Program& program, std::size_t process, std::size_t i, std::size_t depth) {
    const Instruction& at = program.processes[process].code[i];
    const auto outputLevel = static_cast<std::size_t>(m_schedule.outputLevel);
    std::size_t level = depth;
    if (at.op == Op::Compute) level = m_schedule.mapping.order.size();
    if (at.op == Op::Epilogue) level = outputLevel;
    if (usesBuffer(at.op)) {
      const Buffer& buffer = m_schedule.buffers[at.buffer.index()];
      const bool input = buffer.use == Buffer::Use::Input;
      if (movesTile(at.op)) {
        level = input ? m_schedule.mapping.inputs[static_cast<std::size_t>(buffer.operand)].level
                      : outputLevel;
      }
      const bool fits = buffer.use != Buffer::Use::Local && (at.op != Op::Load || input) &&
                        (at.op != Op::Store || !input) &&
                        (at.op != Op::CombineWith ||
                         (buffer.use == Buffer::Use::Partial && at.arg == buffer.operand));
      if (!fits) fail(program, process, i, fmt::format("it cannot use buffer {}", buffer.name));
    }
    if (level != depth) {
      fail(program, process, i,
           fmt::format("it stands inside {} loops, {} are wanted", depth, level));
    }
  }

  const Schedule& m_schedule;
  Diagnostics& m_errors;
};

void checkCapacity(const Schedule& schedule, const hardware::Topology& hw, Diagnostics& errors) {
  std::int64_t bytes = 0;
  for (const Buffer& buffer : schedule.buffers) {
    if (buffer.slots < 1 || buffer.bytes < 0) {
      errors.push_back(plainError(fmt::format("buffer {} has {} slots of {} bytes", buffer.name,
                                              buffer.slots, buffer.bytes)));
    }
    bytes += buffer.bytes * buffer.slots;
  }
  if (bytes > hw.local().bytes) {
    errors.push_back(
        plainError(fmt::format("the buffers need {} bytes of local memory on each core, {} has {}",
                               bytes, hw.local().name, hw.local().bytes),
                   "smaller blocks, transfers further inside, or single buffers"));
  }
}

// The tables that programs refer to must fit the nest and the mesh.
void checkTables(const Schedule& schedule, const kernel::TileNest& nest,
                 const hardware::Topology& hw, Diagnostics& errors) {
  if (schedule.programOfCore.size() != static_cast<std::size_t>(hw.coreCount())) {
    errors.push_back(plainError(fmt::format("the schedule is for {} cores, the hardware has {}",
                                            schedule.programOfCore.size(), hw.coreCount())));
  }
  if (schedule.mapping.inputs.size() != nest.inputs.size() ||
      schedule.mapping.outputs.size() != nest.outputs.size()) {
    errors.push_back(plainError("the schedule is for another kernel: the operands differ"));
  }
  for (const ProgramId program : schedule.programOfCore) {
    if (!program.valid() || program.index() < schedule.programs.size()) continue;
    errors.push_back(plainError("a core runs a program that does not exist"));
    break;
  }
  for (const Buffer& buffer : schedule.buffers) {
    const std::size_t operands = buffer.use == Buffer::Use::Input   ? nest.inputs.size()
                                 : buffer.use == Buffer::Use::Local ? nest.locals.size()
                                                                    : nest.outputs.size();
    if (buffer.operand >= 0 && static_cast<std::size_t>(buffer.operand) < operands) continue;
    errors.push_back(
        plainError(fmt::format("buffer {} is of an operand that does not exist", buffer.name)));
  }
  const auto dims = static_cast<unsigned>(hw.dims().size());
  for (const Channel& channel : schedule.channels) {
    const bool onMesh = channel.along != 0 && channel.along >> dims == 0;
    const bool lands = channel.target.valid() && channel.target.index() < schedule.buffers.size();
    if (onMesh && lands) continue;
    errors.push_back(plainError(
        fmt::format("channel {} has no mesh dimension or no buffer at its end", channel.name)));
  }
}

/// Runs the waiting alone over the first iterations.
class DryRun {
 public:
  DryRun(const Schedule& schedule, const kernel::TileNest& nest, const hardware::Topology& hw)
      : m_schedule(schedule),
        m_nest(nest),
        m_placement(schedule.mapping, schedule.tiling, hw),
        m_wiring(schedule, m_placement),
        m_machine(schedule, m_placement, m_wiring, wavesFor(m_placement)) {}

  Diagnostics run() {
    while (m_machine.hasReady()) {
      const std::int32_t process = m_machine.takeReady();
      const TokenMachine::Outcome outcome = m_machine.advance(process);
      if (outcome == TokenMachine::Outcome::Broken) return {plainError(m_machine.fault())};
      if (outcome != TokenMachine::Outcome::Perform) continue;
      const std::string missing = missingOperand(process);
      if (!missing.empty()) return {plainError(missing)};
      deliverAll(process);
      m_machine.complete(process);
    }
    const std::string stall = m_machine.explainStall();
    if (!stall.empty()) return {plainError(stall)};
    return {};
  }

 private:
  // Three trips show the first fill, the first reuse of each of two slots, and the last trip.
  static std::int32_t wavesFor(const Placement& placement) {
    return placement.activeCores() > 4096 ? 2 : 3;
  }

  void deliverAll(std::int32_t process) {
    const Code& code = m_machine.at(process);
    if (code.op != Op::Send) return;
    for (const std::int32_t leaf : m_wiring.leavesOf(code.channel, m_machine.coreOf(process))) {
      if (m_machine.takesPart(leaf, process, code.depth)) m_machine.deliver(code.channel, leaf);
    }
  }

  std::string missingOperand(std::int32_t process) const {
    const Code& code = m_machine.at(process);
    if (code.op != Op::Compute && code.op != Op::Epilogue) return {};
    const kernel::Phase phase =
        code.op == Op::Compute ? kernel::Phase::Every : kernel::Phase::Epilogue;
    for (std::size_t b = 0; b < m_schedule.buffers.size(); ++b) {
      const Buffer& buffer = m_schedule.buffers[b];
      const bool input = buffer.use == Buffer::Use::Input &&
                         m_nest.inputs[static_cast<std::size_t>(buffer.operand)].phase == phase;
      const bool output = buffer.use == Buffer::Use::Output;
      if ((!input && !output) || m_machine.holds(process, static_cast<int>(b))) continue;
      return fmt::format("{} uses {} without a slot of it", m_machine.nameOf(process), buffer.name);
    }
    return {};
  }

  const Schedule& m_schedule;
  const kernel::TileNest& m_nest;
  Placement m_placement;
  Wiring m_wiring;
  TokenMachine m_machine;
};

}  // namespace

base::Diagnostics checkPrograms(const Schedule& schedule, const kernel::TileNest& nest,
                                const hardware::Topology& hw) {
  Diagnostics errors;
  checkTables(schedule, nest, hw, errors);
  if (errors.empty()) ProgramCheck(schedule, errors).run();
  checkCapacity(schedule, hw, errors);
  return errors;
}

base::Diagnostics verify(const Schedule& schedule, const kernel::TileNest& nest,
                         const hardware::Topology& hw) {
  Diagnostics errors = checkPrograms(schedule, nest, hw);
  if (errors.empty()) errors = DryRun(schedule, nest, hw).run();
  return errors;
}

}  // namespace gridloom::schedule
