// SPDX-License-Identifier: Apache-2.0
#include "schedule/resolved_code.h"

#include <algorithm>
#include <span>

#include "mapping/rotation.h"
#include "schedule/rings.h"
#include "schedule/wiring.h"

namespace gridloom::schedule {

namespace {

// Bits of Demanded::demands.
constexpr std::size_t kMostDemands = 32;

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

bool isRotated(const Schedule& schedule, BufferId buffer) {
  return std::ranges::any_of(schedule.channels, [&](const Channel& channel) {
    return channel.kind == Channel::Kind::Rotate && channel.target == buffer;
  });
}

Turn turnOf(const Schedule& schedule, const Instruction& i) {
  if (i.op == Op::Load && isRotated(schedule, i.buffer)) return Turn::First;
  const bool rotates =
      i.channel.valid() && schedule.channels[i.channel.index()].kind == Channel::Kind::Rotate;
  if (!rotates) return Turn::Always;
  return i.op == Op::Send ? Turn::NotLast : Turn::NotFirst;
}

// Reader 0 waits for full slots. Reader 1 is a mover that reads what it published itself, or that
// sends tiles on while compute, reader 0, works on them.
std::uint8_t readerOf(const Schedule& schedule, const Process& process, BufferId buffer) {
  if (!has(process, Op::WaitFull, buffer)) return 1;
  return process.role == Process::Role::Mover && isRotated(schedule, buffer) ? 1 : 0;
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
    const bool ends = from.op == Op::LoopEnd && !bodies.empty();
    if (ends) {
      code.jump = bodies.back();
      bodies.pop_back();
    }
    code.depth = static_cast<std::int16_t>(bodies.size());
    if (from.op == Op::LoopBegin) bodies.push_back(static_cast<std::int32_t>(m_code.size()) + 1);
    code.turn = turnOf(schedule, from);
    code.conditional = code.guarded || code.gate >= 0 || code.turn != Turn::Always;
    const bool reads = from.op == Op::WaitFull || from.op == Op::Send || from.op == Op::Release;
    if (reads) code.reader = readerOf(schedule, process, from.buffer);
    if (from.op == Op::Publish) code.keeps = releasedHere[from.buffer.index()];
    m_code.push_back(code);
    if (ends) findDemands(schedule, code.jump - 1);
  }
  Code end;
  end.end = true;
  m_code.push_back(end);
}

// Of the loop from `begin` to the last instruction so far. Tiles of a loop that rotates do not
// ascend with its iterations: which are needed next does not follow from bounds.
void ResolvedCode::findDemands(const Schedule& schedule, std::int32_t begin) {
  const auto first = static_cast<std::size_t>(begin);
  m_code[first].jump = static_cast<std::int32_t>(m_code.size()) - 1;
  const auto body = std::span(m_code).subspan(first + 1, m_code.size() - first - 2);
  const auto position = static_cast<std::size_t>(m_code[first].arg);
  if (body.empty() || !std::ranges::all_of(body, &Code::guarded)) return;
  if (mapping::skewsOf(schedule.mapping, schedule.tiling)[position].along != 0) return;
  LoopDemands demands;
  for (const Code& code : body) {
    if (std::ranges::find(demands, code.buffer) == demands.end()) demands.push_back(code.buffer);
  }
  if (demands.size() > kMostDemands) return;
  for (Code& code : body) {
    const auto at = std::ranges::find(demands, code.buffer);
    code.demand = static_cast<std::int8_t>(at - demands.begin());
  }
  m_code[first].demands = m_code.back().demands = static_cast<std::int32_t>(m_demands.size());
  m_demands.push_back(std::move(demands));
}

}  // namespace gridloom::schedule
