// SPDX-License-Identifier: Apache-2.0
#include "schedule/wiring.h"

#include <bit>

namespace gridloom::schedule {

int dimOf(mapping::DimMask along) { return along == 0 ? 0 : std::countr_zero(along); }

Wiring::Wiring(const Schedule& schedule, const Placement& placement, const base::Progress* progress)
    : m_schedule(&schedule), m_placement(&placement), m_cores(index(placement.coreCount())) {
  indexPrograms();
  m_leafStart.resize(schedule.channels.size());
  m_leaves.resize(schedule.channels.size());
  for (std::size_t channel = 0; channel < schedule.channels.size(); ++channel) {
    if (progress != nullptr && progress->cancelled()) return;
    joinLeaves(placement, channel);
  }
}

void Wiring::indexPrograms() {
  for (const Program& program : m_schedule->programs) {
    std::vector<std::int32_t> sends(m_schedule->channels.size(), -1);
    std::vector<std::int32_t> receives(m_schedule->channels.size(), -1);
    std::vector<std::int32_t> publishes(m_schedule->buffers.size(), -1);
    for (std::size_t p = 0; p < program.processes.size(); ++p) {
      const auto process = static_cast<std::int32_t>(p);
      for (const Instruction& instruction : program.processes[p].code) {
        if (instruction.op == Op::Send) sends[instruction.channel.index()] = process;
        if (instruction.op == Op::Receive) receives[instruction.channel.index()] = process;
        if (instruction.op == Op::Publish) publishes[instruction.buffer.index()] = process;
      }
    }
    m_sends.push_back(std::move(sends));
    m_receives.push_back(std::move(receives));
    m_publishes.push_back(std::move(publishes));
  }
  m_firstProcess.assign(m_cores + 1, 0);
  for (std::size_t core = 0; core < m_cores; ++core) {
    const ProgramId program = m_schedule->programOfCore[core];
    const std::size_t processes =
        program.valid() ? m_schedule->programs[program.index()].processes.size() : 0;
    m_firstProcess[core + 1] = m_firstProcess[core] + static_cast<std::int32_t>(processes);
  }
}

void Wiring::joinLeaves(const Placement& placement, std::size_t c) {
  const int channel = static_cast<int>(c);
  base::LargeVector<std::int32_t>& start = m_leafStart[c];
  start.assign(m_cores + 1, 0);
  base::LargeVector<std::int32_t> senders(m_cores, -1);
  for (std::int32_t core = 0; core < placement.coreCount(); ++core) {
    const std::int32_t atLeaf =
        gathers(channel) ? sendingProcess(channel, core) : receivingProcess(channel, core);
    if (atLeaf < 0) continue;
    senders[index(core)] = senderOf(channel, core);
    if (senders[index(core)] >= 0) ++start[index(senders[index(core)]) + 1];
  }
  for (std::size_t core = 0; core < m_cores; ++core) start[core + 1] += start[core];
  m_leaves[c].resize(index(start[m_cores]));
  base::LargeVector<std::int32_t> next(start.begin(), start.end() - 1);
  for (std::size_t leaf = 0; leaf < m_cores; ++leaf) {
    if (senders[leaf] < 0) continue;
    m_leaves[c][index(next[index(senders[leaf])]++)] = static_cast<std::int32_t>(leaf);
  }
}

std::span<const std::int32_t> Wiring::leavesOf(int channel, std::int32_t sender) const {
  const auto c = static_cast<std::size_t>(channel);
  const std::int32_t begin = m_leafStart[c][index(sender)];
  const std::int32_t end = m_leafStart[c][index(sender) + 1];
  return std::span(m_leaves[c]).subspan(index(begin), index(end - begin));
}

bool Wiring::joins(const Channel& wire) const {
  return isJoined(m_schedule->buffers[wire.target.index()].use);
}

std::int32_t Wiring::senderOf(int channel, std::int32_t leaf) const {
  const Channel& wire = m_schedule->channels[static_cast<std::size_t>(channel)];
  const int dim = dimOf(wire.along);
  const std::int32_t at = m_placement->coordinate(leaf, dim);
  switch (wire.kind) {
  case Channel::Kind::Multicast:
  case Channel::Kind::Feed:
  case Channel::Kind::Share:
    return m_placement->rootOf(leaf, wire.along);
  case Channel::Kind::Neighbour:
    if (at == 0 && wire.step > 0 && joins(wire)) {
      return m_placement->moved(leaf, dim, m_placement->activeAlong(leaf, dim) - 1);
    }
    return m_placement->moved(leaf, dim, at - wire.step);
  case Channel::Kind::Ring:
  case Channel::Kind::Rotate:
    return m_placement->moved(leaf, dim, (at > 0 ? at : m_placement->activeAlong(leaf, dim)) - 1);
  case Channel::Kind::Pair:
    return m_placement->moved(leaf, dim, at + wire.step);
  case Channel::Kind::ToRoot:
  case Channel::Kind::Drain:
    return leaf;
  }
  return -1;
}

std::int32_t Wiring::receiverOf(int channel, std::int32_t leaf) const {
  if (!gathers(channel)) return leaf;
  return m_placement->rootOf(leaf, m_schedule->channels[static_cast<std::size_t>(channel)].along);
}

std::int32_t Wiring::gatherLeaf(int channel, std::int32_t hub, std::int32_t coordinate) const {
  const int dim = dimOf(m_schedule->channels[static_cast<std::size_t>(channel)].along);
  return m_placement->moved(hub, dim, coordinate);
}

std::int32_t Wiring::sendingProcess(int channel, std::int32_t core) const {
  if (core < 0 || programOf(core) < 0) return -1;
  return processAt(core, m_sends[index(programOf(core))][static_cast<std::size_t>(channel)]);
}

std::int32_t Wiring::receivingProcess(int channel, std::int32_t core) const {
  if (core < 0 || programOf(core) < 0) return -1;
  return processAt(core, m_receives[index(programOf(core))][static_cast<std::size_t>(channel)]);
}

std::int32_t Wiring::publisher(int buffer, std::int32_t core) const {
  if (core < 0 || programOf(core) < 0) return -1;
  return processAt(core, m_publishes[index(programOf(core))][static_cast<std::size_t>(buffer)]);
}

}  // namespace gridloom::schedule
