// SPDX-License-Identifier: Apache-2.0
#include "simulate/dma_engines.h"

#include <algorithm>
#include <array>

#include "network/queueing_network.h"
#include "schedule/engines.h"
#include "timing/dma_assignment.h"

namespace gridloom::simulate {

namespace {

using schedule::Direction;
using schedule::Schedule;

/// Cores that share the tiles a process takes through the memory on the way; finished tiles are
/// each core's own.
hardware::DimMask sharersOf(const Schedule& schedule, const schedule::Process& process) {
  for (const schedule::Instruction& i : process.code) {
    if (!i.buffer.valid()) continue;
    const schedule::Buffer& buffer = schedule.buffers[i.buffer.index()];
    if (buffer.use != schedule::Buffer::Use::SharedInput) continue;
    return schedule.inputs[static_cast<std::size_t>(buffer.operand)].along;
  }
  return 0;
}

}  // namespace

DmaEngines::DmaEngines(const schedule::PlacedSchedule& placed) {
  if (!schedule::limitsTransfers(placed.schedule, placed.hw)) return;
  for (auto& of : m_of) of.assign(static_cast<std::size_t>(placed.wiring.processCount()), -1);
  addCores(placed);
  if (placed.hw.hasSharedBuffer() && placed.hw.sharedBuffer().dma.limited())
    addSharedBuffer(placed);
}

void DmaEngines::addShared(const std::vector<Flows>& channels, std::size_t kind) {
  for (const Flows& flows : channels) {
    if (flows.size() < 2) continue;
    for (const std::int32_t process : flows) {
      m_of[kind][static_cast<std::size_t>(process)] = static_cast<std::int32_t>(m_engines.size());
    }
    m_engines.emplace_back();
  }
}

void DmaEngines::addCores(const schedule::PlacedSchedule& placed) {
  const Schedule& schedule = placed.schedule;
  const hardware::DmaChannels& dma = placed.hw.local().dma;
  for (const Direction direction : {Direction::In, Direction::Out}) {
    const bool out = direction == Direction::Out;
    std::vector<schedule::ChannelPlan> plans;
    for (const schedule::Program& program : schedule.programs) {
      plans.push_back(planChannels(schedule, program, direction, out ? dma.out : dma.in));
    }
    for (std::size_t core = 0; core < schedule.programOfCore.size(); ++core) {
      const schedule::ProgramId program = schedule.programOfCore[core];
      if (!program.valid()) continue;
      const std::vector<int>& channelOf = plans[program.index()].channelOf;
      const std::int32_t first = placed.wiring.firstProcess(static_cast<std::int32_t>(core));
      std::vector<Flows> channels;
      for (std::size_t p = 0; p < channelOf.size(); ++p) {
        if (channelOf[p] < 0) continue;
        const auto channel = static_cast<std::size_t>(channelOf[p]);
        channels.resize(std::max(channels.size(), channel + 1));
        channels[channel].push_back(first + static_cast<std::int32_t>(p));
      }
      addShared(channels, out ? 1 : 0);
    }
  }
}

void DmaEngines::addSharedBuffer(const schedule::PlacedSchedule& placed) {
  const Schedule& schedule = placed.schedule;
  const hardware::Topology& hw = placed.hw;
  const hardware::DmaChannels& dma = hw.sharedBuffer().dma;
  const std::array<std::int64_t, 2> limits{dma.in, dma.out};
  for (std::size_t out = 0; out < limits.size(); ++out) {
    if (limits[out] == 0) continue;
    std::vector<Flows> flows(static_cast<std::size_t>(hw.sharedBuffer().instances));
    for (std::size_t core = 0; core < schedule.programOfCore.size(); ++core) {
      const schedule::ProgramId program = schedule.programOfCore[core];
      if (!program.valid()) continue;
      const auto& processes = schedule.programs[program.index()].processes;
      const auto id = static_cast<std::int32_t>(core);
      for (std::size_t p = 0; p < processes.size(); ++p) {
        const schedule::Flows of = flowsOf(schedule, processes[p]);
        if (!(out == 1 ? of.sharedBufferOut : of.sharedBufferIn)) continue;
        const std::int32_t port =
            network::sharedBufferPort(hw, placed.placement, sharersOf(schedule, processes[p]), id);
        const std::int32_t instance = port - static_cast<std::int32_t>(hw.coreCount());
        flows[static_cast<std::size_t>(instance)].push_back(placed.wiring.firstProcess(id) +
                                                            static_cast<std::int32_t>(p));
      }
    }
    for (const Flows& all : flows) {
      std::vector<Flows> channels(static_cast<std::size_t>(limits[out]));
      for (std::size_t n = 0; n < all.size(); ++n) {
        channels[timing::dmaChannelOf(n, channels.size())].push_back(all[n]);
      }
      addShared(channels, 2 + out);
    }
  }
}

bool DmaEngines::take(std::int32_t process, std::span<const std::int32_t> engines) {
  for (const std::int32_t e : engines) {
    if (e < 0 || !m_engines[static_cast<std::size_t>(e)].busy) continue;
    m_engines[static_cast<std::size_t>(e)].waiting.push_back(process);
    return false;
  }
  for (const std::int32_t e : engines) {
    if (e >= 0) m_engines[static_cast<std::size_t>(e)].busy = true;
  }
  return true;
}

void DmaEngines::give(std::int32_t engine, std::vector<std::int32_t>& again) {
  if (engine < 0) return;
  Engine& freed = m_engines[static_cast<std::size_t>(engine)];
  freed.busy = false;
  again.insert(again.end(), freed.waiting.begin(), freed.waiting.end());
  freed.waiting.clear();
}

void DmaEngines::appendState(std::vector<std::int64_t>& words) const {
  for (const Engine& engine : m_engines) {
    words.push_back(engine.busy ? 1 : 0);
    words.push_back(static_cast<std::int64_t>(engine.waiting.size()));
    words.insert(words.end(), engine.waiting.begin(), engine.waiting.end());
  }
}

}  // namespace gridloom::simulate
