// SPDX-License-Identifier: Apache-2.0
//
// How transfers begin and end.
#include <algorithm>
#include <utility>

#include "simulate/execution.h"
#include "values/value_machine.h"

namespace gridloom::simulate {

using schedule::Buffer;
using schedule::Code;
using schedule::Op;

bool Execution::isShared(int channel) const {
  return m_placed.schedule.channels[index(channel)].kind == schedule::Channel::Kind::Share;
}

// One copy of a tile for the cores of a local memory: nothing moves, the readers are notified.
void Execution::share(std::int32_t process) {
  const schedule::Code& code = m_tokens.at(process);
  for (const std::int32_t leaf : m_placed.wiring.leavesOf(code.channel, m_tokens.coreOf(process))) {
    if (!m_tokens.takesPart(leaf, process, code.depth)) continue;
    const std::int32_t arrival = m_network.arrivalIndex(code.channel, leaf);
    m_inbox.put(arrival, movementOf(process).timeline);
    if (m_values) m_values->post(process, leaf);
    m_queue.push(m_now, network::EventKind::Arrived, arrival);
  }
  m_processes[index(process)].stage = Stage::Finish;
  m_queue.push(m_now, network::EventKind::Process, process);
}

void Execution::begin(std::int32_t process) {
  ProcessTimes& times = m_processes[index(process)];
  if (m_options.trace) m_begins[index(process)] = m_now;
  times.stage = Stage::Start;
  const Op op = m_tokens.at(process).op;
  if ((op == Op::Load || op == Op::Store) && m_work.isInPlace(process)) {
    // The tile is where it has to be.
    times.stage = Stage::Finish;
    m_queue.push(m_now, network::EventKind::Process, process);
    return;
  }
  if (op == Op::Send && isShared(m_tokens.at(process).channel)) return share(process);
  if (op == Op::Take) return beginTake(process);
  if (op == Op::Load) {
    movementOf(process).timeline = {};
    movementOf(process).timeline.slot = m_now;
  }
  if (op == Op::Load || op == Op::Store || op == Op::Send) return beginTransfer(process);
  beginCompute(process, m_work.cycles(process));
}

// Runs again after a wait for a DMA channel.
void Execution::beginTransfer(std::int32_t process) {
  if (m_dma.any() && !m_dma.take(process, enginesOf(process))) return;
  if (m_tokens.at(process).op == Op::Send) return beginSend(process);
  m_queue.push(m_now + network::ticksOf(m_placed.hw.global().setup), network::EventKind::Process,
               process);
}

// The DMA channel at the process's own end, then those of the memories that a sent tile enters.
const std::vector<std::int32_t>& Execution::enginesOf(std::int32_t process) {
  const Code& code = m_tokens.at(process);
  const bool sharedBuffer =
      schedule::isInSharedBuffer(m_placed.schedule.buffers[index(code.buffer)].use);
  m_engines.assign(1, m_dma.of(process, code.op != Op::Load, sharedBuffer));
  if (code.op != Op::Send) return m_engines;
  for (const std::int32_t leaf : m_placed.wiring.leavesOf(code.channel, m_tokens.coreOf(process))) {
    if (!m_tokens.takesPart(leaf, process, code.depth)) continue;
    const std::int32_t receiver = m_placed.wiring.receivingProcess(
        code.channel, m_placed.wiring.receiverOf(code.channel, leaf));
    if (receiver >= 0) m_engines.push_back(engineInto(code.channel, receiver));
  }
  return m_engines;
}

// The DMA channel of the memory that a channel fills.
std::int32_t Execution::engineInto(int channel, std::int32_t receiver) const {
  const schedule::BufferId target = m_placed.schedule.channels[index(channel)].target;
  return m_dma.of(receiver, false,
                  schedule::isInSharedBuffer(m_placed.schedule.buffers[target.index()].use));
}

// The DMA channel at a process's own end, when its instruction is done.
std::int32_t Execution::engineHeld(std::int32_t process) {
  const Op op = m_tokens.at(process).op;
  if (op == Op::Send) {
    return isShared(m_tokens.at(process).channel) ? -1 : enginesOf(process).front();
  }
  const bool moved = op == Op::Load || op == Op::Store;
  return moved && !m_work.isInPlace(process) ? enginesOf(process).front() : -1;
}

void Execution::giveBack(std::int32_t engine) {
  std::vector<std::int32_t> again;
  m_dma.give(engine, again);
  for (const std::int32_t process : again) beginTransfer(process);
}

// A core handshakes with the cores it takes tiles from, as for a send. Its own tiles are in place.
void Execution::beginTake(std::int32_t process) {
  Timeline& timeline = movementOf(process).timeline;
  if (m_taken.empty()) m_taken.resize(m_processes.size());
  std::vector<network::QueueingNetwork::Taken>& taken = m_taken[index(process)];
  m_work.findTaken(process, taken);
  network::Ticks sync = 0, setup = 0;
  for (const hardware::Network& network : m_placed.hw.networks()) {
    sync = std::max(sync, network::ticksOf(network.sync));
    setup = std::max(setup, network::ticksOf(network.setup));
  }
  timeline = Timeline::at(m_now);
  if (taken.empty()) {
    m_processes[index(process)].stage = Stage::Finish;
    m_queue.push(m_now, network::EventKind::Process, process);
    return;
  }
  timeline.credited = m_now + sync;
  timeline.sent = timeline.credited + setup;
  m_queue.push(timeline.sent, network::EventKind::Process, process);
}

void Execution::beginSend(std::int32_t process) {
  Movement& movement = movementOf(process);
  Timeline& timeline = movement.timeline;
  const Code& code = m_tokens.at(process);
  const std::int32_t core = m_tokens.coreOf(process);
  const bool rotates =
      m_placed.schedule.channels[index(code.channel)].kind == schedule::Channel::Kind::Rotate;
  if (rotates || m_tokens.processOf(process).role != schedule::Process::Role::Mover) {
    timeline = Timeline::at(m_now);
  } else if (m_placed.schedule.buffers[index(code.buffer)].use == Buffer::Use::SharedInput) {
    // The timeline of its tile, unless the next one is already in flight.
    const Timeline& sharedBuffer =
        std::as_const(*this).movementOf(m_placed.wiring.publisher(code.buffer, core)).timeline;
    timeline = sharedBuffer.loaded < Timeline::kNever ? sharedBuffer : Timeline::at(m_now);
  } else if (m_processes[index(process)].forwards) {
    timeline.loaded = movement.arrived;
  }
  const network::MulticastTrees::SendCosts costs = m_network.sendCosts(code.channel, core);
  timeline.credited = m_now + costs.sync;
  timeline.sent = timeline.credited + costs.setup;
  for (const std::int32_t leaf : m_placed.wiring.leavesOf(code.channel, core)) {
    if (!m_tokens.takesPart(leaf, process, code.depth)) continue;
    m_inbox.put(m_network.arrivalIndex(code.channel, leaf), timeline);
    if (m_values) m_values->post(process, leaf);
  }
  m_queue.push(timeline.sent, network::EventKind::Process, process);
}

void Execution::start(std::int32_t process) {
  m_processes[index(process)].stage = Stage::Finish;
  const Code& code = m_tokens.at(process);
  const std::int32_t core = m_tokens.coreOf(process);
  if (code.op == Op::Take) {
    return m_network.take(m_now, process, core, m_taken[index(process)]);
  }
  const std::int64_t bytes = m_work.bytes(process);
  if (code.op == Op::Load) {
    return m_network.load(m_now, process, m_work.port(process), bytes,
                          m_work.layout(process, bytes));
  }
  if (code.op == Op::Store) {
    return m_network.store(m_now, process, m_work.port(process), bytes,
                           m_work.layout(process, bytes));
  }
  const auto leaves = m_placed.wiring.leavesOf(code.channel, core);
  m_partners.assign(leaves.size(), 0);
  for (std::size_t n = 0; n < leaves.size(); ++n) {
    m_partners[n] = m_tokens.takesPart(leaves[n], process, code.depth) ? 1 : 0;
  }
  m_network.send(m_now, process, code.channel, core, bytes, m_partners);
}

void Execution::onArrived(std::int32_t arrival) {
  const int channel = m_network.channelOf(arrival);
  const std::int32_t leaf = m_network.leafOf(arrival);
  const Timeline timeline = m_inbox.take(arrival);
  const std::int32_t receiver =
      m_placed.wiring.receivingProcess(channel, m_placed.wiring.receiverOf(channel, leaf));
  if (receiver < 0) return m_tokens.deliver(channel, leaf);
  Movement& movement = movementOf(receiver);
  movement.timeline = timeline;
  movement.arrived = m_now;
  if (isShared(channel)) return m_tokens.deliver(channel, leaf);
  m_trace.record(receiver, State::WaitLink, 2, movement.timeline.sent, m_now);
  if (m_values) m_values->receive(channel, leaf);
  m_tokens.deliver(channel, leaf);
  if (m_dma.any()) giveBack(engineInto(channel, receiver));
}

}  // namespace gridloom::simulate
