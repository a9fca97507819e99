// SPDX-License-Identifier: Apache-2.0
#include "simulate/execution.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "values/value_machine.h"

namespace gridloom::simulate {

using schedule::Buffer;
using schedule::Code;
using schedule::Op;
using Outcome = schedule::TokenMachine::Outcome;

namespace {

// Events between two checks for cancellation; some hundred microseconds.
constexpr std::int64_t kEventsPerLook = 4096;

// Bytes that the token machine and the wiring need per process, approximately.
constexpr std::size_t kTokensPerProcess = 160;

bool isInput(const Buffer& buffer) {
  return buffer.use == Buffer::Use::Input || buffer.use == Buffer::Use::SharedInput;
}

}  // namespace

Execution::Execution(const Setting& setting, const schedule::Placement& placement,
                     const TileWork& work, base::Progress& progress)
    : m_in(setting),
      m_placement(placement),
      m_work(work),
      m_guarded(setting.schedule, placement, setting.nest, setting.compute),
      m_progress(progress),
      m_wiring(setting.schedule, placement, &progress),
      m_tokens(setting.schedule, placement, m_wiring, std::numeric_limits<std::int32_t>::max(),
               &progress),
      m_network(setting.schedule, m_wiring, setting.hw, m_queue, progress),
      m_dma(setting.schedule, m_wiring, setting.hw),
      m_clock(placement.coreCount(), network::ticksOf(setting.hw.launch())),
      m_now(network::ticksOf(setting.hw.launch())),
      m_use(m_network.resourceCount() + index(placement.coreCount())) {
  if (progress.cancelled()) return;
  m_processes.resize(index(m_tokens.processCount()));
  for (std::int32_t p = 0; p < m_tokens.processCount(); ++p) {
    const schedule::Process& process = m_tokens.processOf(p);
    m_processes[index(p)].computes = process.role == schedule::Process::Role::Compute;
    m_processes[index(p)].forwards =
        std::any_of(process.code.begin(), process.code.end(),
                    [](const schedule::Instruction& i) { return i.op == Op::Receive; });
  }
  if (progress.cancelled()) return;
  m_inbox.resize(setting.schedule.channels.size() * index(placement.coreCount()));
  if (setting.options.values) {
    m_values = std::make_unique<values::ValueMachine>(setting.schedule, placement, m_wiring,
                                                      m_tokens, setting.kernel, setting.nest,
                                                      *setting.options.inputs);
  }
  watchForPeriods();
}

Execution::~Execution() = default;

base::Result<Simulation> Execution::run() {
  if (!runEvents()) return m_errors;
  const std::string stall = m_tokens.explainStall();
  if (!stall.empty()) {
    fail(fmt::format("at cycle {:.0f}: {}", network::inCycles(m_now + m_skipped), stall),
         "the schedule is not legal; verify it");
    return m_errors;
  }
  return summarize();
}

void Execution::fail(std::string message, std::string hint) {
  m_errors.push_back(base::plainError(std::move(message), std::move(hint)));
}

bool Execution::runEvents() {
  checkLimits();
  drainReady();
  while (m_errors.empty() && !m_queue.empty()) {
    const network::Event event = m_queue.pop();
    if (event.time + m_skipped >= m_use.next()) recordUse(event.time);
    m_now = event.time;
    if (m_now >= network::kEndOfTime) {
      fail(fmt::format("the run takes more than {:.0f} cycles",
                       network::inCycles(network::kEndOfTime)),
           "look for a bandwidth, latency or rate of another order of magnitude");
      break;
    }
    ++m_events;
    if (m_executed++ % kEventsPerLook == 0 || m_executed > m_in.options.maxEvents) checkLimits();
    switch (event.what()) {
    case network::EventKind::Process:
      onProcess(event.who());
      break;
    case network::EventKind::Arrived:
      onArrived(event.who());
      break;
    case network::EventKind::ReadNext:
    case network::EventKind::WriteNext:
    case network::EventKind::PieceHop:
    case network::EventKind::SendNext:
    case network::EventKind::CastHop:
      m_network.handle(event);
    }
    drainReady();
    if (m_atReference) lookForPeriod();
    if (m_values && !m_values->error().empty()) fail(m_values->error());
  }
  return m_errors.empty();
}

void Execution::checkLimits() {
  if (m_progress.cancelled()) return fail("cancelled");
  if (m_executed > m_in.options.maxEvents) {
    return fail(fmt::format("stopped after {} events, the limit, at {}", m_in.options.maxEvents,
                            progressText()),
                "raise it with `--event-limit`, or simulate larger tiles or a smaller problem");
  }
  if (memoryBytes() > m_in.options.maxBytes) {
    fail(fmt::format("stopped at {} MiB of memory, the limit, at {}", m_in.options.maxBytes >> 20,
                     progressText()),
         "raise it with `--memory-limit`, or simulate larger tiles or fewer cores");
  }
}

std::string Execution::progressText() const {
  const auto total = static_cast<double>(std::max<std::int64_t>(1, m_progress.total()));
  return fmt::format("cycle {:.0f}, with {:.1f}% of the tiles computed",
                     network::inCycles(m_now + m_skipped),
                     100 * static_cast<double>(m_bodies) / total);
}

std::int64_t Execution::memoryBytes() const {
  const std::size_t bytes = m_processes.size() * (sizeof(ProcessTimes) + kTokensPerProcess) +
                            m_inbox.size() * sizeof(Timeline) + m_trace.size() * sizeof(Span) +
                            m_network.memoryBytes();
  return static_cast<std::int64_t>(bytes);
}

void Execution::drainReady() {
  while (m_errors.empty() && m_tokens.hasReady()) advance(m_tokens.takeReady());
}

void Execution::advance(std::int32_t process) {
  if (m_processes[index(process)].computes) settleBlocked(process);
  switch (m_tokens.advance(process)) {
  case Outcome::Perform:
    return begin(process);
  case Outcome::Broken:
    return fail(m_tokens.fault(), "the schedule is not legal; verify it");
  case Outcome::Finished:
    if (m_processes[index(process)].computes) {
      m_clock.close(m_tokens.coreOf(process), m_now + m_skipped);
    }
    return;
  case Outcome::Blocked:
    return;
  }
}

// Attributes the time since the compute process's mark to its state, which its current instruction
// determines.
void Execution::settleBlocked(std::int32_t process) {
  const std::int32_t core = m_tokens.coreOf(process);
  if (m_clock.mark(core) >= m_now) return;
  const Code& code = m_tokens.at(process);
  if (code.op != Op::WaitFull) {
    const network::Ticks from = m_clock.mark(core);
    const State state = code.op == Op::AwaitToken ? State::WaitSync : State::WaitStore;
    m_clock.settle(core, m_now, state);
    return record(process, state, 0, from, m_now);
  }
  const std::int32_t filler = m_wiring.publisher(code.buffer, core);
  m_clock.settleWait(core, m_now, m_processes[index(filler)].timeline,
                     [&](network::Ticks from, network::Ticks to, State state) {
                       record(process, state, 0, from, to);
                     });
}

void Execution::begin(std::int32_t process) {
  ProcessTimes& times = m_processes[index(process)];
  times.begin = m_now;
  times.stage = Stage::Start;
  const Op op = m_tokens.at(process).op;
  if ((op == Op::Load || op == Op::Store) &&
      tensorLayoutOf(process) == hardware::TensorLayout::Local) {
    // The tile is where it has to be.
    times.stage = Stage::Finish;
    m_queue.push(m_now, network::EventKind::Process, process);
    return;
  }
  if (op == Op::Send && isShared(m_tokens.at(process).channel)) return share(process);
  if (op == Op::Take) return beginTake(process);
  if (op == Op::Load) {
    times.timeline = {};
    times.timeline.slot = m_now;
  }
  if (op == Op::Load || op == Op::Store || op == Op::Send) return beginTransfer(process);
  beginCompute(process, computeTime(process));
}

// Runs again after a wait for a DMA channel.
void Execution::beginTransfer(std::int32_t process) {
  if (m_dma.any() && !m_dma.take(process, enginesOf(process))) return;
  if (m_tokens.at(process).op == Op::Send) return beginSend(process);
  m_queue.push(m_now + network::ticksOf(m_in.hw.global().setup), network::EventKind::Process,
               process);
}

// The DMA channel at the process's own end, then those of the memories that a sent tile enters.
const std::vector<std::int32_t>& Execution::enginesOf(std::int32_t process) {
  const Code& code = m_tokens.at(process);
  const bool sharedBuffer =
      schedule::isInSharedBuffer(m_in.schedule.buffers[index(code.buffer)].use);
  m_engines.assign(1, m_dma.of(process, code.op != Op::Load, sharedBuffer));
  if (code.op != Op::Send) return m_engines;
  for (const std::int32_t leaf : m_wiring.leavesOf(code.channel, m_tokens.coreOf(process))) {
    if (!m_tokens.takesPart(leaf, process, code.depth)) continue;
    const std::int32_t receiver =
        m_wiring.receivingProcess(code.channel, m_wiring.receiverOf(code.channel, leaf));
    if (receiver >= 0) m_engines.push_back(engineInto(code.channel, receiver));
  }
  return m_engines;
}

// The DMA channel of the memory that a channel fills.
std::int32_t Execution::engineInto(int channel, std::int32_t receiver) const {
  const schedule::BufferId target = m_in.schedule.channels[index(channel)].target;
  return m_dma.of(receiver, false,
                  schedule::isInSharedBuffer(m_in.schedule.buffers[target.index()].use));
}

// The DMA channel at a process's own end, when its instruction is done.
std::int32_t Execution::engineHeld(std::int32_t process) {
  const Op op = m_tokens.at(process).op;
  if (op == Op::Send) {
    return isShared(m_tokens.at(process).channel) ? -1 : enginesOf(process).front();
  }
  const bool moved = op == Op::Load || op == Op::Store;
  return moved && tensorLayoutOf(process) != hardware::TensorLayout::Local
             ? enginesOf(process).front()
             : -1;
}

void Execution::giveBack(std::int32_t engine) {
  std::vector<std::int32_t> again;
  m_dma.give(engine, again);
  for (const std::int32_t process : again) beginTransfer(process);
}

// A core handshakes with the cores it takes tiles from, as for a send. Its own tiles are in place.
void Execution::beginTake(std::int32_t process) {
  ProcessTimes& times = m_processes[index(process)];
  const Code& code = m_tokens.at(process);
  if (m_taken.empty()) m_taken.resize(m_processes.size());
  std::vector<network::QueueingNetwork::Taken>& taken = m_taken[index(process)];
  m_guarded.findTaken(code.buffer, m_tokens.coreOf(process), m_tokens.waves(process), code.depth,
                      taken);
  network::Ticks sync = 0, setup = 0;
  for (const hardware::Network& network : m_in.hw.networks()) {
    sync = std::max(sync, network::ticksOf(network.sync));
    setup = std::max(setup, network::ticksOf(network.setup));
  }
  times.timeline = Timeline::at(m_now);
  if (taken.empty()) {
    times.stage = Stage::Finish;
    m_queue.push(m_now, network::EventKind::Process, process);
    return;
  }
  times.timeline.credited = m_now + sync;
  times.timeline.sent = times.timeline.credited + setup;
  m_queue.push(times.timeline.sent, network::EventKind::Process, process);
}

void Execution::beginSend(std::int32_t process) {
  ProcessTimes& times = m_processes[index(process)];
  const Code& code = m_tokens.at(process);
  const std::int32_t core = m_tokens.coreOf(process);
  if (m_tokens.processOf(process).role == schedule::Process::Role::Writer) {
    times.timeline = Timeline::at(m_now);
  } else if (m_in.schedule.buffers[index(code.buffer)].use == Buffer::Use::SharedInput) {
    // The timeline of its tile, unless the next one is already in flight.
    const Timeline& sharedBuffer =
        m_processes[index(m_wiring.publisher(code.buffer, core))].timeline;
    times.timeline = sharedBuffer.loaded < Timeline::kNever ? sharedBuffer : Timeline::at(m_now);
  } else if (times.forwards) {
    times.timeline.loaded = times.arrived;
  }
  const network::MulticastTrees::SendCosts costs = m_network.sendCosts(code.channel, core);
  times.timeline.credited = m_now + costs.sync;
  times.timeline.sent = times.timeline.credited + costs.setup;
  for (const std::int32_t leaf : m_wiring.leavesOf(code.channel, core)) {
    if (!m_tokens.takesPart(leaf, process, code.depth)) continue;
    m_inbox[index(m_network.arrivalIndex(code.channel, leaf))] = times.timeline;
    if (m_values) m_values->post(process, leaf);
  }
  m_queue.push(times.timeline.sent, network::EventKind::Process, process);
}

void Execution::beginCompute(std::int32_t process, network::Ticks time) {
  if (process == m_reference && beginsBody(process)) m_atReference = true;
  m_processes[index(process)].stage = Stage::Finish;
  if (m_processes[index(process)].computes) {
    m_clock.settle(m_tokens.coreOf(process), m_now + time, State::Compute);
  }
  m_queue.push(m_now + time, network::EventKind::Process, process);
}

void Execution::onProcess(std::int32_t process) {
  if (m_processes[index(process)].stage == Stage::Start) return start(process);
  finish(process);
}

void Execution::start(std::int32_t process) {
  m_processes[index(process)].stage = Stage::Finish;
  const Code& code = m_tokens.at(process);
  const std::int32_t core = m_tokens.coreOf(process);
  if (code.op == Op::Take) {
    return m_network.take(m_now, process, core, m_taken[index(process)]);
  }
  const std::int64_t bytes = tileBytes(process);
  if (code.op == Op::Load) {
    return m_network.load(m_now, process, portFor(process), bytes, layoutOf(process, bytes));
  }
  if (code.op == Op::Store) {
    return m_network.store(m_now, process, portFor(process), bytes, layoutOf(process, bytes));
  }
  const auto leaves = m_wiring.leavesOf(code.channel, core);
  m_partners.assign(leaves.size(), 0);
  for (std::size_t n = 0; n < leaves.size(); ++n) {
    m_partners[n] = m_tokens.takesPart(leaves[n], process, code.depth) ? 1 : 0;
  }
  m_network.send(m_now, process, code.channel, core, bytes, m_partners);
}

void Execution::finish(std::int32_t process) {
  ProcessTimes& times = m_processes[index(process)];
  switch (m_tokens.at(process).op) {
  case Op::Load:
    if (tensorLayoutOf(process) == hardware::TensorLayout::Local) {
      times.timeline = Timeline::at(m_now);
      break;
    }
    times.timeline.first = m_network.firstServed(process);
    times.timeline.served = m_network.lastServed(process);
    times.timeline.loaded = m_now;
    record(process, State::WaitLoad, 0, times.begin, m_now);
    break;
  case Op::Take:
    record(process, State::WaitLink, 2, times.begin, m_now);
    break;
  case Op::Store:
    record(process, State::WaitStore, 3, times.begin, m_now);
    break;
  case Op::Send:
    record(process, State::WaitLink, 1, times.begin, m_now);
    break;
  case Op::Compute:
    if (beginsBody(process)) {
      ++m_bodies;
      m_progress.add(1);
    }
    record(process, State::Compute, 0, times.begin, m_now);
    break;
  case Op::Epilogue:
    record(process, State::Compute, 1, times.begin, m_now);
    break;
  case Op::LoopBegin:
  case Op::LoopEnd:
  case Op::Acquire:
  case Op::Publish:
  case Op::WaitFull:
  case Op::Release:
  case Op::Await:
  case Op::Signal:
  case Op::AwaitToken:
  case Op::Ready:
  case Op::Claim:
  case Op::Receive:
  case Op::Reduce:
    record(process, State::Compute, 2, times.begin, m_now);
  }
  if (m_values) m_values->perform(process);
  const std::int32_t engine = m_dma.any() ? engineHeld(process) : -1;
  m_tokens.complete(process);
  giveBack(engine);
}

void Execution::onArrived(std::int32_t arrival) {
  const int channel = m_network.channelOf(arrival);
  const std::int32_t leaf = m_network.leafOf(arrival);
  const std::int32_t receiver =
      m_wiring.receivingProcess(channel, m_wiring.receiverOf(channel, leaf));
  if (receiver < 0) return m_tokens.deliver(channel, leaf);
  ProcessTimes& times = m_processes[index(receiver)];
  times.timeline = m_inbox[index(arrival)];
  times.arrived = m_now;
  if (isShared(channel)) return m_tokens.deliver(channel, leaf);
  record(receiver, State::WaitLink, 2, times.timeline.sent, m_now);
  if (m_values) m_values->receive(channel, leaf);
  m_tokens.deliver(channel, leaf);
  if (m_dma.any()) giveBack(engineInto(channel, receiver));
}

network::Ticks Execution::computeTime(std::int32_t process) const {
  const Code& code = m_tokens.at(process);
  const std::int32_t shape = m_placement.shapeIndex(m_tokens.coreOf(process));
  const EdgeMask edges = m_work.edges(shape, m_tokens.waves(process), code.depth);
  if (code.op == Op::Compute && m_guarded.guardsOps()) {
    return network::ticksOf(
        m_guarded.bodyCycles(m_tokens.coreOf(process), m_tokens.waves(process)));
  }
  if (code.op == Op::Compute)
    return network::ticksOf(m_work.bodyCycles(index(code.arg), shape, edges));
  if (code.op == Op::Epilogue) return network::ticksOf(m_work.epilogueCycles(shape, edges));
  if (schedule::isOfAllReduce(m_in.schedule.buffers[index(code.buffer)].use)) {
    return network::ticksOf(m_work.joinCycles(index(code.arg), shape, edges));
  }
  return network::ticksOf(m_work.combineCycles(index(code.arg), shape, edges));
}

// An iteration of compute that all-reduces split has several parts.
bool Execution::beginsBody(std::int32_t process) const {
  return m_tokens.at(process).op == Op::Compute && m_tokens.at(process).arg == 0;
}

// The memory that a load fills or a store empties.
std::int32_t Execution::portFor(std::int32_t process) const {
  const std::int32_t core = m_tokens.coreOf(process);
  const Buffer& buffer = m_in.schedule.buffers[index(m_tokens.at(process).buffer)];
  if (buffer.use == Buffer::Use::SharedOutput)
    return network::sharedBufferPort(m_in.hw, m_placement, 0, core);
  if (buffer.use != Buffer::Use::SharedInput) return core;
  return network::sharedBufferPort(m_in.hw, m_placement,
                                   m_in.schedule.inputs[index(buffer.operand)].along, core);
}

bool Execution::fillsPartial(int channel) const {
  const schedule::Channel& wire = m_in.schedule.channels[index(channel)];
  return m_in.schedule.buffers[wire.target.index()].use == Buffer::Use::Partial;
}

std::int64_t Execution::tileBytes(std::int32_t process) const {
  const Code& code = m_tokens.at(process);
  const std::int32_t shape = m_placement.shapeIndex(m_tokens.tileOwner(process));
  const EdgeMask edges = m_work.edges(shape, m_tokens.waves(process), code.depth);
  const Buffer& buffer = m_in.schedule.buffers[index(code.buffer)];
  const std::size_t operand = index(buffer.operand);
  if (!buffer.need.guard.always()) {
    return m_guarded.inputBytes(buffer, m_tokens.coreOf(process), m_tokens.waves(process),
                                code.depth);
  }
  if (schedule::isOfAllReduce(buffer.use)) {
    return m_work.contributionBytes(operand, shape, edges);
  }
  if (buffer.use == Buffer::Use::SharedInput && code.op == Op::Load) {
    return m_work.sharedBufferBytes(operand, shape, edges);
  }
  if (code.op == Op::Send && fillsPartial(code.channel)) {
    return m_work.partialBytes(operand, shape, edges);
  }
  return isInput(buffer) ? m_work.inputBytes(operand, shape, edges)
                         : m_work.outputBytes(operand, shape, edges);
}

hardware::TensorLayout Execution::tensorLayoutOf(std::int32_t process) const {
  const Buffer& buffer = m_in.schedule.buffers[index(m_tokens.at(process).buffer)];
  return isInput(buffer) ? m_in.schedule.inputs[index(buffer.operand)].layout
                         : m_in.schedule.outputs[index(buffer.operand)].layout;
}

network::Layout Execution::layoutOf(std::int32_t process, std::int64_t bytes) const {
  const hardware::TensorLayout layout = tensorLayoutOf(process);
  if (layout == hardware::TensorLayout::PageInterleaved)
    return {diagonalOf(process), m_in.hw.global().interleave};
  const Buffer& buffer = m_in.schedule.buffers[index(m_tokens.at(process).buffer)];
  const bool input = isInput(buffer);
  const kernel::Operand& operand =
      (input ? m_in.nest.inputs : m_in.nest.outputs)[index(buffer.operand)];
  if (layout == hardware::TensorLayout::TileInterleaved) {
    return {diagonalOf(process), kernel::regionBytes(operand, m_in.schedule.tiling.tileSizes)};
  }
  // The channel nearest to the first of the cores that load the same tile.
  std::int32_t core = m_tokens.coreOf(process);
  if (input) core = m_placement.rootOf(core, m_in.schedule.inputs[index(buffer.operand)].sameTile);
  return {m_in.hw.nearestChannel(hardware::CoreId(core), !input).value(),
          std::max<std::int64_t>(bytes, 1)};
}

// Neighbouring tiles along every dimension start at successive channels. Cores or waves that walk a
// tensor in lockstep then use different channels, whatever its extents are.
std::int64_t Execution::diagonalOf(std::int32_t process) const {
  const Code& code = m_tokens.at(process);
  const std::int32_t core = m_tokens.tileOwner(process);
  const Buffer& buffer = m_in.schedule.buffers[index(code.buffer)];
  const auto& operands = isInput(buffer) ? m_in.nest.inputs : m_in.nest.outputs;
  const auto& order = m_in.schedule.order;
  const auto waves = m_tokens.waves(process);
  std::int64_t diagonal = 0;
  for (const kernel::LoopId loop : operands[index(buffer.operand)].loops) {
    std::int64_t wave = 0;
    for (std::size_t p = 0; p < static_cast<std::size_t>(code.depth); ++p) {
      if (order[p] == loop) wave = waves[p];
    }
    diagonal += m_in.schedule.tiling.tileOf(loop, wave, m_placement.unrollIndexOf(core, loop));
  }
  return diagonal;
}

void Execution::record(std::int32_t process, State state, int what, network::Ticks from,
                       network::Ticks to) {
  if (!m_in.options.trace || to <= from) return;
  const double begin = network::inCycles(from), end = network::inCycles(to);
  if (end <= m_in.options.traceBegin || begin >= m_in.options.traceEnd) return;
  if (static_cast<std::int64_t>(m_trace.size()) >= m_in.options.maxSpans) {
    m_traceTruncated = true;
    return;
  }
  const std::int32_t core = m_tokens.coreOf(process);
  m_trace.push_back({hardware::CoreId(core),
                     static_cast<std::int16_t>(process - m_wiring.firstProcess(core)), state,
                     static_cast<std::int8_t>(what), begin, end});
}

}  // namespace gridloom::simulate
