// SPDX-License-Identifier: Apache-2.0
#include "network/transfers.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/units.h"
#include "network/slots.h"
#include "network/transfer_state.h"
#include "network/wormhole_network.h"

namespace gridloom::network {

namespace {

using Step = TransferStep;

constexpr std::int64_t kCancelInterval = 4096;
/// Limit on packets in flight: about a gigabyte of memory.
constexpr std::int64_t kMostUnderway = std::int64_t{1} << 22;

using base::index;

/// Runs processors in program order over one network.
class TransferRun {
 public:
  TransferRun(const TransferProgram& program, const hardware::Topology& hw,
              const TransferOptions& options)
      : m_program(program),
        m_hw(hw),
        m_options(options),
        m_network(hw, m_events),
        m_issue(hw.coreInterface()),
        m_completion(ticksOf(hw.coreInterface().completion)),
        m_overhead(ticksOf(options.overhead)),
        m_states(program.processors.size()),
        m_signalled(static_cast<std::size_t>(program.signals), kNever),
        m_awaiting(static_cast<std::size_t>(program.signals), -1) {}

  base::Result<TransferResult> run(base::Progress& progress);

 private:
  using State = ProcessorState;
  struct Transfer {
    std::int32_t processor = 0;
    std::int32_t signal = -1;
    std::int64_t packets = 0;
    Ticks start = 0, arrived = 0;
    bool posted = false;
  };

  const std::vector<Step>& stepsOf(std::int32_t p) const {
    return m_program.processors[index(p)].steps;
  }
  void start(Ticks now, std::int32_t p);
  void issue(Ticks now, std::int32_t p, const Step& step);
  void await(Ticks now, std::int32_t p, const Step& step);
  void resumeIfDone(std::int32_t p);
  void resume(std::int32_t p, Ticks done);
  void follow(std::int32_t p, Ticks time);
  void departed(Ticks now, std::int32_t packet);
  void completed(Ticks now, std::int32_t packet);
  void endTransfer(std::int32_t id, Ticks arrived);
  void handle(const TransferEvent& event);
  TransferResult result() const;
  std::optional<base::Diagnostic> stalled() const;

  const TransferProgram& m_program;
  const hardware::Topology& m_hw;
  const TransferOptions& m_options;
  TransferEvents m_events;
  WormholeNetwork m_network;
  IssueCosts m_issue;
  Ticks m_completion, m_overhead;
  std::vector<State> m_states;
  std::vector<Ticks> m_signalled;
  std::vector<std::int32_t> m_awaiting;  ///< processor per signal
  std::vector<Transfer> m_transfers;
  std::vector<std::int32_t> m_unused;
  std::int64_t m_handled = 0;
  double m_latency = 0;
  std::int64_t m_counted = 0;
};

void TransferRun::start(Ticks now, std::int32_t p) {
  State& state = m_states[index(p)];
  const Step& step = stepsOf(p)[state.next];
  if (state.next == 0) state.first = now;
  state.last = std::max(state.last, now);
  const bool waits = step.kind == Step::Kind::Wait || step.kind == Step::Kind::Await;
  if (waits && m_options.issue == IssueOrder::Recorded) return follow(p, now);
  if (step.kind == Step::Kind::Wait) {
    state.waitsSince = now;
    return resumeIfDone(p);
  }
  if (step.kind == Step::Kind::Await) return await(now, p, step);
  if (step.kind != Step::Kind::Work) issue(now, p, step);
  const Ticks work =
      m_options.issue == IssueOrder::Free ? m_issue.of(step) + m_overhead : ticksOf(step.work);
  follow(p, now + work);
}

/// The next step starts at `time`, or at its recorded time.
void TransferRun::follow(std::int32_t p, Ticks time) {
  State& state = m_states[index(p)];
  if (++state.next >= stepsOf(p).size()) return;
  if (m_options.issue == IssueOrder::Recorded) time = ticksOf(stepsOf(p)[state.next].start);
  m_events.push(time, TransferEventKind::Step, p);
}

void TransferRun::issue(Ticks now, std::int32_t p, const Step& step) {
  State& state = m_states[index(p)];
  const hardware::NodeId node = m_program.processors[index(p)].node;
  const std::int32_t id = slotIn(m_transfers, m_unused);
  const Ticks leaves = now + m_issue.of(step);
  const std::int64_t packet = m_network.packetBytes(step.plane);
  const std::int64_t packets = std::max<std::int64_t>(1, base::ceilDiv(step.bytes, packet));
  m_transfers[index(id)] = {p, step.signal, packets, now, 0, step.posted};
  if (step.kind == Step::Kind::Multicast) {
    state.writes += step.posted ? 0 : 1;
    const auto delivery = m_network.multicast(leaves, step.plane, node,
                                              m_program.areas[index(step.peer)], step.bytes);
    m_events.push(delivery.complete, TransferEventKind::Multicast, id);
    m_transfers[index(id)].arrived = delivery.arrived;
    return;
  }
  const hardware::NodeId peer(step.peer);
  state.issue(step, packets);
  for (std::int64_t left = step.bytes, n = 0; n < packets; ++n, left -= packet) {
    const std::int64_t bytes = std::min(left, packet);
    if (step.kind == Step::Kind::Read) {
      m_network.read(leaves, id, step.plane, node, peer, step.channel, bytes);
    } else {
      m_network.write(leaves, id, step.plane, node, peer, step.channel, bytes);
    }
  }
}

void TransferRun::await(Ticks now, std::int32_t p, const Step& step) {
  State& state = m_states[index(p)];
  state.waitsSince = now;
  const Ticks arrived = m_signalled[index(step.signal)];
  if (arrived != kNever) return resume(p, arrived);
  m_awaiting[index(step.signal)] = p;
}

void TransferRun::resumeIfDone(std::int32_t p) {
  State& state = m_states[index(p)];
  if (state.waitsSince == kNever) return;
  const Step& step = stepsOf(p)[state.next];
  if (step.kind != Step::Kind::Wait) return;
  if (const auto done = state.doneWith(step.waitsFor)) resume(p, *done);
}

void TransferRun::resume(std::int32_t p, Ticks done) {
  State& state = m_states[index(p)];
  const Step& step = stepsOf(p)[state.next];
  const Ticks since = state.waitsSince;
  const Ticks over = std::max(since + m_overhead, done + m_completion);
  state.waitsSince = kNever;
  state.waited += over - since;
  state.last = std::max(state.last, over);
  const bool free = m_options.issue == IssueOrder::Free;
  follow(p, over + (free ? m_overhead : ticksOf(step.work)));
}

void TransferRun::departed(Ticks now, std::int32_t packet) {
  const Transfer& transfer = m_transfers[index(m_network.ownerOf(packet))];
  State& state = m_states[index(transfer.processor)];
  state.departed = std::max(state.departed, now);
  if (--state.departures == 0) resumeIfDone(transfer.processor);
}

void TransferRun::completed(Ticks now, std::int32_t packet) {
  const std::int32_t id = m_network.ownerOf(packet);
  Transfer& transfer = m_transfers[index(id)];
  const std::int32_t p = transfer.processor;
  State& state = m_states[index(p)];
  transfer.arrived = std::max(transfer.arrived, m_network.deliveryOf(packet).arrived);
  const bool read = m_network.isRead(packet);
  m_network.forget(packet);
  if (--transfer.packets == 0) endTransfer(id, transfer.arrived);
  if (read) {
    --state.reads;
    state.readsDone = now;
  } else if (!transfer.posted) {
    --state.writes;
    state.writesDone = now;
  }
  resumeIfDone(p);
}

void TransferRun::endTransfer(std::int32_t id, Ticks arrived) {
  const Transfer& transfer = m_transfers[index(id)];
  State& state = m_states[index(transfer.processor)];
  state.lastByte = std::max(state.lastByte, arrived);
  if (transfer.start >= ticksOf(m_options.countFrom)) {
    m_latency += inCycles(arrived - transfer.start);
    ++m_counted;
  }
  m_unused.push_back(id);
  if (transfer.signal < 0) return;
  m_signalled[index(transfer.signal)] = arrived;
  const std::int32_t waiting = m_awaiting[index(transfer.signal)];
  if (waiting >= 0) resume(waiting, arrived);
}

void TransferRun::handle(const TransferEvent& event) {
  switch (event.what()) {
  case TransferEventKind::Step:
    return start(event.time, event.who());
  case TransferEventKind::Asked:
    return m_network.asked(event.time, event.who());
  case TransferEventKind::Head:
    return m_network.head(event.time, event.who());
  case TransferEventKind::Retry:
    return m_network.retry(event.time, event.who());
  case TransferEventKind::Departed:
    return departed(event.time, event.who());
  case TransferEventKind::Complete:
    return completed(event.time, event.who());
  case TransferEventKind::Multicast: {
    const Transfer& transfer = m_transfers[index(event.who())];
    const std::int32_t p = transfer.processor;
    if (!transfer.posted) {
      --m_states[index(p)].writes;
      m_states[index(p)].writesDone = event.time;
    }
    endTransfer(event.who(), transfer.arrived);
    return resumeIfDone(p);
  }
  }
}

std::optional<base::Diagnostic> TransferRun::stalled() const {
  const std::int64_t underway = m_network.packetsUnderway();
  for (std::size_t p = 0; p < m_states.size(); ++p) {
    if (m_states[p].next >= m_program.processors[p].steps.size()) continue;
    return base::plainError(
        fmt::format("the transfers never end: {} waits in its step {}, with {} packets underway",
                    m_program.processors[p].name, m_states[p].next + 1, underway),
        "networks whose packets can deadlock need `virtual_channels`");
  }
  if (underway == 0) return std::nullopt;
  return base::plainError(fmt::format("{} packets never arrive", underway));
}

base::Result<TransferResult> TransferRun::run(base::Progress& progress) {
  for (std::size_t p = 0; p < m_program.processors.size(); ++p) {
    const auto& steps = m_program.processors[p].steps;
    if (steps.empty()) continue;
    m_events.push(ticksOf(steps.front().start), TransferEventKind::Step,
                  static_cast<std::int32_t>(p));
  }
  while (!m_events.empty()) {
    if (++m_handled % kCancelInterval == 0) {
      if (progress.cancelled()) return result();
      if (m_handled > m_options.eventLimit) {
        return base::plainError(
            fmt::format("the simulation of the transfers took more than {} events",
                        m_options.eventLimit),
            "replay a part of them, or raise the limit");
      }
    }
    handle(m_events.pop());
    if (m_network.packetsUnderway() > kMostUnderway) {
      return base::plainError(
          fmt::format("more than {} packets are on their way at a time", kMostUnderway),
          "processors that never wait for their transfers are too much for one replay");
    }
  }
  if (auto reason = stalled()) return *std::move(reason);
  TransferResult out = result();
  out.complete = true;
  return out;
}

TransferResult TransferRun::result() const {
  TransferResult out = resultOf(m_program, m_states, m_completion, m_options.issue);
  out.events = m_handled;
  out.counted = m_counted;
  out.meanLatency = m_counted > 0 ? m_latency / static_cast<double>(m_counted) : 0;
  out.linkBusy = m_network.linkBusy();
  out.channelBusy = m_network.channelBusy();
  return out;
}

}  // namespace

base::Result<TransferResult> simulateTransfers(const TransferProgram& program,
                                               const hardware::Topology& hw,
                                               const TransferOptions& options,
                                               base::Progress& progress) {
  return TransferRun(program, hw, options).run(progress);
}

}  // namespace gridloom::network
