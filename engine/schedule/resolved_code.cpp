// SPDX-License-Identifier: Apache-2.0
#include "schedule/resolved_code.h"

#include <algorithm>

#include "schedule/rings.h"
#include "schedule/wiring.h"

namespace gridloom::schedule {

namespace {

bool has(const Process& process, Op op, BufferId buffer) {
  return std::ranges::any_of(process.code, [&](const Instruction& instruction) {
    return instruction.op == op && instruction.buffer == buffer;
  });
}

bool isGuarded(const Schedule& schedule, const Instruction& instruction) {
  if (!instruction.buffer.valid()) {
    return instruction.op == Op::Compute && !schedule.work.always();
  }
  return !schedule.buffers[instruction.buffer.index()].need.guard.always();
}

// The channel that fills a gather buffer.
std::int32_t gateOf(const Schedule& schedule, BufferId buffer) {
  if (!buffer.valid() || schedule.buffers[buffer.index()].use != Buffer::Use::Gather) return -1;
  std::int32_t gate = -1;
  for (std::size_t c = 0; c < schedule.channels.size(); ++c) {
    if (schedule.channels[c].target == buffer) gate = static_cast<std::int32_t>(c);
  }
  return gate;
}

std::int8_t ringDim(const Schedule& schedule, BufferId buffer) {
  const PortId ring = buffer.valid() ? ringOf(schedule, buffer) : PortId();
  return ring.valid() ? static_cast<std::int8_t>(dimOf(schedule.channels[ring.index()].along)) : -1;
}

}  // namespace

ResolvedCode::ResolvedCode(const Schedule& schedule) {
  for (const Program& program : schedule.programs) {
    m_entries.emplace_back();
    m_readers.emplace_back(schedule.buffers.size(), std::uint8_t{0});
    for (const Process& process : program.processes) {
      std::vector<bool> released(schedule.buffers.size());
      for (std::size_t b = 0; b < released.size(); ++b) {
        released[b] = has(process, Op::Release, BufferId::of(b));
        if (released[b]) ++m_readers.back()[b];
      }
      m_entries.back().push_back(static_cast<std::int32_t>(m_code.size()));
      append(schedule, process, released);
    }
  }
}

void ResolvedCode::append(const Schedule& schedule, const Process& process,
                          const std::vector<bool>& releasedHere) {
  std::vector<std::int32_t> bodies;
  for (const Instruction& from : process.code) {
    Code code;
    code.op = from.op;
    code.arg = from.arg;
    code.buffer = from.buffer.value();
    code.channel = from.channel.value();
    code.guarded = isGuarded(schedule, from);
    code.gate = gateOf(schedule, from.buffer);
    code.ring = ringDim(schedule, from.buffer);
    if (from.op == Op::LoopEnd && !bodies.empty()) {
      code.jump = bodies.back();
      bodies.pop_back();
    }
    code.depth = static_cast<std::int16_t>(bodies.size());
    if (from.op == Op::LoopBegin) bodies.push_back(static_cast<std::int32_t>(m_code.size()) + 1);
    // Reader 0 waits for full slots. Reader 1 is a mover that reads what it published itself.
    if (from.op == Op::Release) code.reader = has(process, Op::WaitFull, from.buffer) ? 0 : 1;
    if (from.op == Op::Publish) code.keeps = releasedHere[from.buffer.index()];
    m_code.push_back(code);
  }
  Code end;
  end.end = true;
  m_code.push_back(end);
}

}  // namespace gridloom::schedule
