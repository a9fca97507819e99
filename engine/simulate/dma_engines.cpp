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

/// The first buffer of a process that is in a shared buffer.
const schedule::Buffer& sharedOf(const Schedule& schedule, const schedule::Process& process) {
  const auto at = std::ranges::find_if(process.code, [&](const schedule::Instruction& i) {
    return i.buffer.valid() && schedule::isInSharedBuffer(schedule.buffers[i.buffer.index()].use);
  });
  return schedule.buffers[at->buffer.index()];
}

}  // namespace

DmaEngines::DmaEngines(const schedule::PlacedSchedule& placed) {
  if (!schedule::limitsTransfers(placed.schedule, placed.hw)) return;
  for (auto& of : m_of) of.assign(static_cast<std::size_t>(placed.wiring.processCount()), -1);
  addCores(placed);
  for (std::size_t k = 0; k < placed.hw.sharedBuffers().size(); ++k) {
    if (placed.hw.sharedBuffer(k).dma.limited()) addSharedBuffer(placed, k);
  }
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

void DmaEngines::addSharedBuffer(const schedule::PlacedSchedule& placed, std::size_t level) {
  const Schedule& schedule = placed.schedule;
  const hardware::SharedBuffer& memory = placed.hw.sharedBuffer(level);
  const std::array<std::int64_t, 2> limits{memory.dma.in, memory.dma.out};
  for (std::size_t out = 0; out < limits.size(); ++out) {
    if (limits[out] == 0) continue;
    std::vector<Flows> flows(static_cast<std::size_t>(memory.instances));
    for (std::size_t core = 0; core < schedule.programOfCore.size(); ++core) {
      const schedule::ProgramId program = schedule.programOfCore[core];
      if (!program.valid()) continue;
      const auto& processes = schedule.programs[program.index()].processes;
      const auto id = static_cast<std::int32_t>(core);
      for (std::size_t p = 0; p < processes.size(); ++p) {
        const schedule::Flows of = flowsOf(schedule, processes[p]);
        if ((out == 1 ? of.sharedOut : of.sharedIn) != static_cast<int>(level)) continue;
        const std::int32_t port =
            network::sharedBufferPort(placed, sharedOf(schedule, processes[p]), id);
        const std::int64_t instance = port - placed.hw.coreCount() - memory.firstInstance;
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
