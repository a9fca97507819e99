// SPDX-License-Identifier: Apache-2.0
#include "cost/dma_channels.h"

#include <algorithm>
#include <array>

#include "cost/evaluator.h"

namespace gridloom::cost {

namespace {

/// A process's transfers through one channel.
struct Flow {
  const OptionCost* option;
  double held;  ///< cycles per transfer
  std::int64_t channel;
};

// Few enough to look at all pairs; processes beyond share channels with those, about.
constexpr std::size_t kMostFlows = 64;

/// Deals flows to the channels of one memory in turn, for transfers in one direction.
class Dealer {
 public:
  explicit Dealer(std::int64_t channels) : m_channels(channels) {}
  void deal(const OptionCost& option, double held) {
    if (held <= 0 || m_count == kMostFlows) return;
    m_flows[m_count] = {&option, held, static_cast<std::int64_t>(m_count) % m_channels};
    ++m_count;
  }
  std::span<const Flow> flows() const { return std::span(m_flows).first(m_count); }
  bool share() const { return static_cast<std::int64_t>(m_count) > m_channels; }

 private:
  std::int64_t m_channels;
  std::size_t m_count = 0;
  std::array<Flow, kMostFlows> m_flows;
};

// Cycles per transfer of `outer` for which the buffers that `inner` fills run empty.
double stall(const Flow& outer, const Flow& inner, const Skeleton& s,
             std::span<const double> ended) {
  const auto level = static_cast<std::size_t>(inner.option->level);
  const double period = ended[level] / s.iterations[level];
  const double slots = inner.option->overlapped ? 2 : 1;
  return std::max(0.0, outer.held - slots * std::max(0.0, period - inner.held));
}

void raise(DmaChannels::Load& load, std::span<const Flow> flows, const Skeleton& s, int level,
           std::span<const double> ended) {
  for (const Flow& flow : flows) {
    double busy = 0, stalled = 0;
    for (const Flow& other : flows) {
      if (other.channel != flow.channel || other.option->level < level) continue;
      busy += other.option->issues * other.held;
      if (flow.option->level == level && other.option->level > level) {
        stalled = std::max(stalled, stall(flow, other, s, ended));
      }
    }
    load.busiest = std::max(load.busiest, busy);
    load.stalled = std::max(load.stalled, flow.option->issues * stalled);
  }
}

}  // namespace

DmaChannels::DmaChannels(const hardware::Topology& hw) : m_local(hw.local().dma) {
  if (hw.hasMiddle()) m_middle = hw.middle().dma;
}

DmaChannels::Load DmaChannels::at(const Skeleton& s, std::span<const OptionCost* const> options,
                                  int level, std::span<const double> ended) const {
  Load load;
  for (const bool out : {false, true}) {
    const std::int64_t local = out ? m_local.out : m_local.in;
    for (const bool first : {true, false}) {
      if (local == 0) break;
      Dealer dealer(local);
      for (const OptionCost* o : options) {
        const DmaUse::Held& held = first ? o->dma.first : o->dma.other;
        if (out && first) dealer.deal(*o, o->dma.passes);
        dealer.deal(*o, out ? held.out : held.in);
      }
      if (dealer.share()) raise(load, dealer.flows(), s, level, ended);
    }
    const std::int64_t middle = out ? m_middle.out : m_middle.in;
    if (middle == 0) continue;
    Dealer dealer(middle);
    double groups = 0;
    for (const OptionCost* o : options) groups = std::max(groups, o->dma.groups);
    for (double group = 0; group < groups; ++group) {
      for (const OptionCost* o : options) {
        if (group < o->dma.groups) dealer.deal(*o, out ? o->dma.middle.out : o->dma.middle.in);
      }
    }
    if (dealer.share()) raise(load, dealer.flows(), s, level, ended);
  }
  return load;
}

}  // namespace gridloom::cost
