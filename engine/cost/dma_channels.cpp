// SPDX-License-Identifier: Apache-2.0
#include "cost/dma_channels.h"

#include <algorithm>
#include <cmath>

#include "cost/evaluator.h"

namespace gridloom::cost {

namespace {

/// Deals flows to channels in turn and adds up how long each is held.
class Dealer {
 public:
  Dealer(std::int64_t channels, std::vector<double>& busy) : m_channels(channels), m_busy(busy) {
    m_busy.clear();
  }
  void deal(double cycles, bool counts) {
    if (cycles <= 0) return;
    const auto at = static_cast<std::size_t>(m_next++ % m_channels);
    if (at >= m_busy.size()) m_busy.push_back(0);
    if (counts) m_busy[at] += cycles;
  }
  double busiest() const {
    return m_busy.empty() ? 0 : *std::max_element(m_busy.begin(), m_busy.end());
  }

 private:
  std::int64_t m_channels, m_next = 0;
  std::vector<double>& m_busy;
};

}  // namespace

DmaChannels::DmaChannels(const hardware::Topology& hw) : m_local(hw.local().dma) {
  if (hw.hasMiddle()) m_middle = hw.middle().dma;
}

double DmaChannels::busiest(std::span<const OptionCost* const> options, int level,
                            std::vector<double>& busy) const {
  double most = 0;
  for (const bool out : {false, true}) {
    const std::int64_t channels = out ? m_local.out : m_local.in;
    if (channels == 0) continue;
    for (const bool first : {true, false}) {
      Dealer dealer(channels, busy);
      for (const OptionCost* o : options) {
        const DmaUse::Held& held = first ? o->dma.first : o->dma.other;
        const bool counts = o->level >= level;
        if (out && first) dealer.deal(o->issues * o->dma.passes, counts);
        dealer.deal(o->issues * (out ? held.out : held.in), counts);
      }
      most = std::max(most, dealer.busiest());
    }
    const std::int64_t middle = out ? m_middle.out : m_middle.in;
    if (middle == 0) continue;
    Dealer dealer(middle, busy);
    double groups = 0;
    for (const OptionCost* o : options) groups = std::max(groups, o->dma.groups);
    for (double group = 0; group < groups; ++group) {
      for (const OptionCost* o : options) {
        if (group >= o->dma.groups) continue;
        const DmaUse::Held& held = o->dma.middle;
        dealer.deal(o->issues * (out ? held.out : held.in), o->level >= level);
      }
    }
    most = std::max(most, dealer.busiest());
  }
  return most;
}

}  // namespace gridloom::cost
