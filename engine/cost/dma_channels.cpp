// SPDX-License-Identifier: Apache-2.0
#include "cost/dma_channels.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "timing/dma_assignment.h"

namespace gridloom::cost {

namespace {

// Further processes are assumed to share channels like these.
constexpr std::size_t kMostFlows = 64;

/// Assigns flows to the channels of one memory, for transfers in one direction.
class Assignment {
 public:
  Assignment(DmaFlows& out, std::int64_t channels)
      : m_out(out), m_begin(out.flows.size()), m_channels(static_cast<std::size_t>(channels)) {}
  void add(const FlatCost& cost, double held, double times = 1) {
    if (held <= 0 || full()) return;
    m_out.flows.push_back({&cost, held, times * cost.issues * cost.bytes, 0});
  }
  bool full() const { return added() == kMostFlows; }

  void assignByBytes() {
    if (!takeTurns()) return;
    std::array<std::uint8_t, kMostFlows> byBytes;
    sortByBytes(byBytes);
    timing::DmaBalance balance(m_channels);
    for (std::size_t n = 0; n < added(); ++n) {
      DmaFlows::Flow& flow = m_out.flows[m_begin + byBytes[n]];
      flow.channel = m_out.busy.size() + balance.assign(flow.bytes);
    }
    m_out.busy.resize(m_out.busy.size() + m_channels);
  }
  void assignCyclically() {
    if (!takeTurns()) return;
    for (std::size_t n = 0; n < added(); ++n) {
      m_out.flows[m_begin + n].channel = m_out.busy.size() + timing::dmaChannelOf(n, m_channels);
    }
    m_out.busy.resize(m_out.busy.size() + m_channels);
  }

 private:
  std::size_t added() const { return m_out.flows.size() - m_begin; }
  bool takeTurns() {
    if (timing::flowsTakeTurns(added(), m_channels)) return true;
    m_out.flows.resize(m_begin);
    return false;
  }
  // Numbers of the flows, most bytes first: stable, and without memory, since candidates have few.
  void sortByBytes(std::array<std::uint8_t, kMostFlows>& order) const {
    const auto bytes = [this](std::size_t n) { return m_out.flows[m_begin + n].bytes; };
    for (std::size_t n = 0; n < added(); ++n) {
      std::size_t at = n;
      for (; at > 0 && bytes(order[at - 1]) < bytes(n); --at) order[at] = order[at - 1];
      order[at] = static_cast<std::uint8_t>(n);
    }
  }

  DmaFlows& m_out;
  std::size_t m_begin, m_channels;
};

double heldOf(const DmaUse::Held& held, bool out) { return out ? held.out : held.in; }

void assignCore(std::span<const LoadedCost> transfers, bool first, bool out, std::int64_t channels,
                DmaFlows& flows) {
  Assignment assignment(flows, channels);
  for (const LoadedCost& movement : transfers) {
    const DmaUse& dma = movement.cost->dma;
    if (out && first) assignment.add(*movement.cost, dma.passes, movement.cost->repeat);
    assignment.add(*movement.cost, heldOf(first ? dma.first : dma.other, out));
  }
  assignment.assignByBytes();
}

void assignSharedBuffer(std::span<const LoadedCost> transfers, int level, bool out,
                        std::int64_t channels, DmaFlows& flows) {
  Assignment assignment(flows, channels);
  const auto useOf = [out](const LoadedCost& movement) -> const DmaUse::Shared& {
    return out ? movement.cost->dma.sharedOut : movement.cost->dma.sharedIn;
  };
  double groups = 0;
  for (const LoadedCost& movement : transfers) groups = std::max(groups, useOf(movement).groups);
  for (double group = 0; group < groups && !assignment.full(); ++group) {
    for (const LoadedCost& movement : transfers) {
      const DmaUse::Shared& use = useOf(movement);
      if (use.level == level && group < use.groups) assignment.add(*movement.cost, use.held);
    }
  }
  assignment.assignCyclically();
}

/// Per channel, the cycles that a transfer of `level` may hold it before compute waits for another
/// one; infinite where none is needed in that time. A tile of a level further inside is needed
/// after one of its iterations where it is double-buffered, at once where it is not. Stores of one
/// level begin at the same time. `inside`: cycles of all that is further inside.
void cyclesUntilWait(DmaFlows& assigned, int level, double inside) {
  std::vector<double>& until = assigned.untilWait;
  until.assign(assigned.busy.size(), std::numeric_limits<double>::infinity());
  for (const DmaFlows::Flow& flow : assigned.flows) {
    const FlatCost& o = *flow.cost;
    double& least = until[flow.channel];
    if (o.level > level) {
      least = std::min(least, o.overlapped ? inside / o.issues : 0.0);
    } else if (o.level == level && o.isStore && !o.overlapped) {
      least = 0;
    }
  }
}

}  // namespace

DmaChannels::DmaChannels(const hardware::Topology& hw) : m_local(hw.local().dma) {
  for (const hardware::SharedBuffer& buffer : hw.sharedBuffers()) m_shared.push_back(buffer.dma);
}

bool DmaChannels::limited() const {
  return m_local.limited() ||
         std::ranges::any_of(m_shared, [](const auto& channels) { return channels.limited(); });
}

void DmaChannels::assign(std::span<const LoadedCost> transfers, DmaFlows& flows) const {
  flows.flows.clear();
  flows.busy.clear();
  for (const bool out : {false, true}) {
    const std::int64_t local = out ? m_local.out : m_local.in;
    if (local > 0) assignCore(transfers, true, out, local, flows);
    if (local > 0) assignCore(transfers, false, out, local, flows);
    for (std::size_t level = 0; level < m_shared.size(); ++level) {
      const std::int64_t channels = out ? m_shared[level].out : m_shared[level].in;
      if (channels > 0)
        assignSharedBuffer(transfers, static_cast<int>(level), out, channels, flows);
    }
  }
}

double DmaChannels::busiest(DmaFlows& assigned, int level) {
  double most = 0;
  std::ranges::fill(assigned.busy, 0.0);
  for (const DmaFlows::Flow& flow : assigned.flows) {
    if (flow.cost->level < level) continue;
    double& busy = assigned.busy[flow.channel];
    busy += flow.cost->issues * flow.held;
    most = std::max(most, busy);
  }
  return most;
}

double DmaChannels::waitsForHeld(DmaFlows& assigned, int level, double inside) {
  double most = 0;
  bool asked = false;
  for (const DmaFlows::Flow& flow : assigned.flows) {
    if (flow.cost->level != level || !flow.cost->overlapped) continue;
    if (!asked) {
      cyclesUntilWait(assigned, level, inside);
      std::ranges::fill(assigned.busy, 0.0);
      asked = true;
    }
    double& busy = assigned.busy[flow.channel];
    busy += flow.cost->issues * std::max(0.0, flow.held - assigned.untilWait[flow.channel]);
    most = std::max(most, busy);
  }
  return most;
}

DmaChannels::FirstTiles DmaChannels::firstTiles(DmaFlows& assigned) {
  FirstTiles first;
  std::ranges::fill(assigned.busy, 0.0);
  const auto serve = [&assigned](bool FlatCost::*served) {
    double most = 0;
    for (const DmaFlows::Flow& flow : assigned.flows) {
      const FlatCost& o = *flow.cost;
      if (!(o.*served)) continue;
      double& busy = assigned.busy[flow.channel];
      // Of tiles that rotate, `held` is a whole round.
      busy += std::min(flow.held, o.first);
      most = std::max(most, busy);
    }
    return most;
  };
  first.fill = serve(&FlatCost::fills);
  first.late = serve(&FlatCost::late);
  return first;
}

}  // namespace gridloom::cost
