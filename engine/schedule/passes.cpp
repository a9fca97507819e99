// SPDX-License-Identifier: Apache-2.0
#include "schedule/passes.h"

#include <fmt/format.h>

#include <algorithm>

#include "schedule/movements.h"
#include "schedule/op_names.h"
#include "schedule/shared_copies.h"

namespace gridloom::schedule {
namespace {

using Instructions = std::vector<Instruction>;

bool isInputMover(const Schedule& schedule, const Process& process) {
  if (process.role != Process::Role::Mover) return false;
  return std::ranges::all_of(process.code, [&](const Instruction& i) {
    return !i.buffer.valid() || schedule.buffers[i.buffer.index()].use == Buffer::Use::Input;
  });
}

/// Number of loops around a straight-line body; -1 for any other structure.
int loopsAround(const Instructions& code) {
  const auto isEnd = [](const Instruction& i) { return i.op == Op::LoopEnd; };
  const auto isLoop = [&](const Instruction& i) { return i.op == Op::LoopBegin || isEnd(i); };
  const auto body = std::ranges::find_if_not(code, isLoop);
  const auto end = std::ranges::find_if(body, code.end(), isLoop);
  if (body == code.end() || !std::all_of(end, code.end(), isEnd)) return -1;
  return static_cast<int>(body - code.begin());
}

/// Appends the body of `from` to the body of `into`.
void append(Instructions& into, const Instructions& from, int loops) {
  into.insert(into.end() - loops, from.begin() + loops, from.end() - loops);
}

/// A token has one end in each program, so a process that uses one stays separate. So does one
/// that sends rotating tiles on: a ring of cores that send before they receive waits forever.
bool isSeparate(const Process& process) {
  return std::ranges::any_of(
      process.code, [](const Instruction& i) { return namesToken(i.op) || i.op == Op::WaitFull; });
}

void mergeIn(const Schedule& schedule, Program& program, int movers) {
  const auto mergeable = [&](const Process& p) {
    return isInputMover(schedule, p) && !isSeparate(p);
  };
  const auto count = [&] {
    return std::ranges::count_if(program.processes,
                                 [&](const Process& p) { return isInputMover(schedule, p); });
  };
  for (std::size_t p = 0; p < program.processes.size(); ++p) {
    const int loops = loopsAround(program.processes[p].code);
    if (loops < 0 || !mergeable(program.processes[p])) continue;
    for (std::size_t q = p + 1; q < program.processes.size() && count() > movers;) {
      const Process& other = program.processes[q];
      if (!mergeable(other) || loopsAround(other.code) != loops) {
        ++q;
        continue;
      }
      append(program.processes[p].code, other.code, loops);
      program.processes.erase(program.processes.begin() + static_cast<std::ptrdiff_t>(q));
    }
  }
}

std::vector<BufferId> buffersOf(const Process& process) {
  std::vector<BufferId> buffers;
  for (const Instruction& i : process.code) {
    if (i.buffer.valid() && std::ranges::find(buffers, i.buffer) == buffers.end()) {
      buffers.push_back(i.buffer);
    }
  }
  return buffers;
}

/// The instructions on one buffer, with the loops around them.
Process partOn(const Schedule& schedule, const Process& process, BufferId buffer) {
  Process part{process.role, schedule.buffers[buffer.index()].operand, {}};
  for (const Instruction& i : process.code) {
    const bool emptyLoop = i.op == Op::LoopEnd && part.code.back().op == Op::LoopBegin;
    if (emptyLoop) {
      part.code.pop_back();
    } else if (!i.buffer.valid() || i.buffer == buffer) {
      part.code.push_back(i);
    }
  }
  return part;
}

}  // namespace

bool changesTile(const Schedule& schedule, const Buffer& buffer) {
  if (buffer.bytes == 0) return false;
  if (buffer.use == Buffer::Use::Output || buffer.use == Buffer::Use::SharedOutput) {
    return schedule.outputLevel > 0;
  }
  const auto& inputs = schedule.mapping.inputs;
  if (buffer.use == Buffer::Use::SharedInput) {
    const auto& uses = inputs[static_cast<std::size_t>(buffer.operand)].sharedBuffers;
    return uses[buffer.sharedLevel].level > 0;
  }
  return buffer.use == Buffer::Use::Input &&
         inputs[static_cast<std::size_t>(buffer.operand)].level > 0;
}

Schedule withSlots(const Schedule& schedule, const kernel::TileNest& nest,
                   const hardware::Topology& hw, BufferId buffer, int slots) {
  Schedule out = schedule;
  Buffer& changed = out.buffers[buffer.index()];
  changed.slots = slots;
  out.localBytes = localBytesOf(out, hw);
  for (Channel& channel : out.channels) {
    if (channel.target == buffer) channel.depth = slots;
  }
  readMovements(out, nest);
  return out;
}

base::Result<Schedule> pingPong(const Schedule& schedule, const kernel::TileNest& nest,
                                const hardware::Topology& hw) {
  std::vector<BufferId> single;
  for (std::size_t b = 0; b < schedule.buffers.size(); ++b) {
    const Buffer& buffer = schedule.buffers[b];
    if (buffer.slots == 1 && changesTile(schedule, buffer)) single.push_back(BufferId::of(b));
  }
  std::ranges::stable_sort(single, {},
                           [&](BufferId b) { return schedule.buffers[b.index()].bytes; });
  Schedule out = schedule;
  bool any = single.empty();
  for (const BufferId buffer : single) {
    Schedule more = withSlots(out, nest, hw, buffer, 2);
    const bool fits = more.localBytes <= hw.local().bytes &&
                      mapping::overfullSharedBuffer(nest, more.mapping, more.tiling, hw) ==
                          hw.sharedBuffers().size();
    if (!fits) continue;
    out = std::move(more);
    any = true;
  }
  if (any) return out;
  const Buffer& smallest = schedule.buffers[single.front().index()];
  const bool shared = isInSharedBuffer(smallest.use);
  const std::size_t level = smallest.sharedLevel;
  return base::plainError(
      fmt::format("no buffer fits twice: {} would need {} bytes more, {} has {} in all, {} in use",
                  smallest.name, smallest.bytes,
                  shared ? hw.sharedBuffer(level).name : hw.local().name,
                  shared ? hw.sharedBuffer(level).bytes : hw.local().bytes,
                  shared ? mapping::sharedBufferBytes(level, nest, out.mapping, out.tiling, hw)
                         : out.localBytes),
      "smaller tile sizes leave room for a second slot");
}

base::Result<Schedule> mergeMovers(const Schedule& schedule, int movers) {
  Schedule out = schedule;
  for (Program& program : out.programs) {
    mergeIn(out, program, movers);
    const auto left = std::ranges::count_if(program.processes,
                                            [&](const Process& p) { return isInputMover(out, p); });
    if (left <= movers) continue;
    return base::plainError(
        fmt::format("`{}` keeps {} movers, {} are wanted: their loops differ, or tokens order them",
                    program.name, left, movers),
        "hoist the inputs to the same loop");
  }
  return out;
}

base::Result<Schedule> splitMovers(const Schedule& schedule) {
  Schedule out = schedule;
  for (Program& program : out.programs) {
    std::vector<Process> processes;
    for (Process& process : program.processes) {
      const std::vector<BufferId> buffers = buffersOf(process);
      if (!isInputMover(out, process) || buffers.size() < 2 || isSeparate(process)) {
        processes.push_back(std::move(process));
        continue;
      }
      for (const BufferId buffer : buffers) processes.push_back(partOn(out, process, buffer));
    }
    program.processes = std::move(processes);
  }
  return out;
}

}  // namespace gridloom::schedule
