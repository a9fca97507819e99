// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <bit>
#include <map>

#include "mapping/dependences.h"
#include "schedule/movements.h"
#include "schedule/passes.h"
#include "schedule/placement.h"

namespace gridloom::schedule {
namespace {

using mapping::DimMask;

/// Role of a core for a tile that all cores used to load.
enum class Part { LoadsAlone, LoadsAndSends, Receives };

/// At most two dimensions: a multicast takes no more.
DimMask firstTwo(DimMask dims) {
  const DimMask first = dims & (~dims + 1);
  const DimMask rest = dims & ~first;
  return first | (rest & (~rest + 1));
}

class Broadcast {
 public:
  Broadcast(Schedule& schedule, const Placement& placement, BufferId buffer, DimMask along)
      : m_out(schedule), m_placement(placement), m_buffer(buffer), m_along(along) {}

  void run(const hardware::Topology& hw) {
    addChannel(hw);
    std::vector<Program> programs;
    std::map<std::pair<ProgramId, Part>, ProgramId> known;
    for (std::int32_t core = 0; core < m_placement.coreCount(); ++core) {
      ProgramId& own = m_out.programOfCore[static_cast<std::size_t>(core)];
      if (!own.valid()) continue;
      const Part part = partOf(core);
      const auto [entry, added] = known.try_emplace({own, part}, ProgramId::of(programs.size()));
      if (added) programs.push_back(rewritten(m_out.programs[own.index()], part));
      ++programs[entry->second.index()].cores;
      own = entry->second;
    }
    m_out.programs = std::move(programs);
  }

 private:
  void addChannel(const hardware::Topology& hw) {
    const Buffer& buffer = m_out.buffers[m_buffer.index()];
    Channel channel;
    channel.name = buffer.name + " multicast";
    for (int d = 0; d < m_placement.dims(); ++d) {
      if ((m_along >> d & 1U) != 0)
        channel.name += " " + hw.dims()[static_cast<std::size_t>(d)].name;
    }
    channel.along = m_along;
    channel.first = static_cast<std::uint8_t>(std::countr_zero(m_along));
    channel.target = m_buffer;
    channel.depth = buffer.slots;
    m_channel = PortId::of(m_out.channels.size());
    m_out.channels.push_back(std::move(channel));
  }

  Part partOf(std::int32_t core) const {
    if (m_placement.rootOf(core, m_along) != core) return Part::Receives;
    for (int d = 0; d < m_placement.dims(); ++d) {
      if ((m_along >> d & 1U) != 0 && m_placement.activeAlong(core, d) > 1) {
        return Part::LoadsAndSends;
      }
    }
    return Part::LoadsAlone;
  }

  Program rewritten(const Program& from, Part part) const {
    Program to = from;
    to.cores = 0;
    const std::string& name = m_out.buffers[m_buffer.index()].name;
    if (part == Part::LoadsAndSends) to.name += "; sends on " + name;
    if (part == Part::Receives) to.name += "; is sent " + name;
    for (Process& process : to.processes) {
      std::vector<Instruction> code;
      for (const Instruction& i : process.code) {
        const bool load = i.op == Op::Load && i.buffer == m_buffer;
        if (load && part == Part::Receives) {
          code.push_back({Op::Ready, 0, m_buffer, m_channel});
          code.push_back({Op::Receive, 0, m_buffer, m_channel});
          continue;
        }
        code.push_back(i);
        if (load && part == Part::LoadsAndSends) {
          code.push_back({Op::Send, 0, m_buffer, m_channel});
        }
      }
      process.code = std::move(code);
    }
    return to;
  }

  Schedule& m_out;
  const Placement& m_placement;
  BufferId m_buffer;
  DimMask m_along;
  PortId m_channel;
};

bool hasChannel(const Schedule& schedule, BufferId buffer) {
  for (const Channel& channel : schedule.channels) {
    if (channel.target == buffer) return true;
  }
  return false;
}

}  // namespace

base::Result<Schedule> findBroadcasts(const Schedule& schedule, const kernel::TileNest& nest,
                                      const hardware::Topology& hw) {
  Schedule out = schedule;
  const Placement placement(schedule.mapping, schedule.tiling, hw);
  for (std::size_t b = 0; b < schedule.buffers.size(); ++b) {
    const Buffer& buffer = schedule.buffers[b];
    const BufferId id = BufferId::of(b);
    if (buffer.use != Buffer::Use::Input || hasChannel(schedule, id)) continue;
    // Cores that wait for each other's tiles must not run in lockstep. A tensor in local memory is
    // not moved.
    const auto place = schedule.mapping.inputs[static_cast<std::size_t>(buffer.operand)].layout;
    if (buffer.need.awaits >= 0 || place == mapping::TensorLayout::Local) continue;
    const kernel::Operand& operand = nest.inputs[static_cast<std::size_t>(buffer.operand)];
    const DimMask shared = mapping::sharedDims(operand, schedule.mapping) &
                           ~mapping::waitingDims(nest, schedule.mapping) &
                           ~mapping::finishingDims(nest, operand, schedule.mapping);
    if (shared == 0) continue;
    if (!hw.canMulticast(hw.readPlane())) {
      return base::plainError(
          fmt::format("several cores load the same tiles of {}, but {} has no network that can "
                      "multicast",
                      operand.name, hw.name()),
          "stream them from neighbour to neighbour");
    }
    Broadcast(out, placement, id, firstTwo(shared)).run(hw);
  }
  readMovements(out, nest);
  return out;
}

}  // namespace gridloom::schedule
