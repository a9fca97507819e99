// SPDX-License-Identifier: Apache-2.0
#include "cost/dma_channels.h"

#include <algorithm>
#include <limits>

#include "cost/evaluator.h"
#include "timing/dma_assignment.h"

namespace gridloom::cost {

namespace {

// Further processes are assumed to share channels like these.
constexpr std::size_t kMostFlows = 64;

/// Assigns flows to the channels of one memory, for transfers in one direction.
class Dealer {
 public:
  Dealer(DmaFlows& out, std::int64_t channels)
      : m_out(out), m_begin(out.flows.size()), m_channels(static_cast<std::size_t>(channels)) {}
  void deal(const MovementCost& option, double held) {
    const std::size_t count = dealt();
    if (held <= 0 || count == kMostFlows) return;
    m_out.flows.push_back(
        {&option, held, m_out.channels.size() + timing::dmaChannelOf(count, m_channels)});
  }
  bool full() const { return dealt() == kMostFlows; }
  void finish() {
    if (!timing::flowsTakeTurns(dealt(), m_channels)) return m_out.flows.resize(m_begin);
    m_out.channels.resize(m_out.channels.size() + m_channels);
  }

 private:
  std::size_t dealt() const { return m_out.flows.size() - m_begin; }

  DmaFlows& m_out;
  std::size_t m_begin, m_channels;
};

// Cycles until the buffers that a flow fills run empty.
double slackOf(const DmaFlows::Flow& flow, const TiledCandidate& s, std::span<const double> ended) {
  const auto level = static_cast<std::size_t>(flow.option->level);
  const double period = ended[level] / s.iterations[level];
  const double slots = flow.option->overlapped ? 2 : 1;
  return slots * std::max(0.0, period - flow.held);
}

}  // namespace

DmaChannels::DmaChannels(const hardware::Topology& hw) : m_local(hw.local().dma) {
  if (hw.hasSharedBuffer()) m_sharedBuffer = hw.sharedBuffer().dma;
}

void DmaChannels::deal(std::span<const MovementCost* const> options, DmaFlows& dealt) const {
  dealt.flows.clear();
  dealt.channels.clear();
  for (const bool out : {false, true}) {
    const std::int64_t local = out ? m_local.out : m_local.in;
    for (const bool first : {true, false}) {
      if (local == 0) break;
      Dealer dealer(dealt, local);
      for (const MovementCost* o : options) {
        const DmaUse::Held& held = first ? o->dma.first : o->dma.other;
        if (out && first) dealer.deal(*o, o->dma.passes);
        dealer.deal(*o, out ? held.out : held.in);
      }
      dealer.finish();
    }
    const std::int64_t sharedBuffer = out ? m_sharedBuffer.out : m_sharedBuffer.in;
    if (sharedBuffer == 0) continue;
    Dealer dealer(dealt, sharedBuffer);
    double groups = 0;
    for (const MovementCost* o : options) groups = std::max(groups, o->dma.groups);
    for (double group = 0; group < groups && !dealer.full(); ++group) {
      for (const MovementCost* o : options) {
        if (group < o->dma.groups)
          dealer.deal(*o, out ? o->dma.sharedBuffer.out : o->dma.sharedBuffer.in);
      }
    }
    dealer.finish();
  }
}

DmaChannels::Load DmaChannels::at(const TiledCandidate& s, DmaFlows& dealt, int level,
                                  std::span<const double> ended) {
  Load load;
  std::ranges::fill(dealt.channels, DmaFlows::Channel{0, std::numeric_limits<double>::infinity()});
  for (const DmaFlows::Flow& flow : dealt.flows) {
    if (flow.option->level < level) continue;
    DmaFlows::Channel& channel = dealt.channels[flow.channel];
    channel.busy += flow.option->issues * flow.held;
    load.busiest = std::max(load.busiest, channel.busy);
    if (flow.option->level == level) continue;
    channel.slack = std::min(channel.slack, slackOf(flow, s, ended));
  }
  for (const DmaFlows::Flow& flow : dealt.flows) {
    if (flow.option->level != level) continue;
    const double stalled = std::max(0.0, flow.held - dealt.channels[flow.channel].slack);
    load.stalled = std::max(load.stalled, flow.option->issues * stalled);
  }
  return load;
}

}  // namespace gridloom::cost
