// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

/// Which DMA channel of a memory a flow uses. A flow is what one process moves through one memory
/// in one direction; it keeps its channel during the kernel, as a flow of a real machine does. A
/// channel takes one transfer at a time, so flows that share one take turns (MLIR-AIR: Wang et al.,
/// 2025, Secs. 5.3.1 and 7.4.2).
namespace gridloom::timing {

/// Channel of a flow, from 0, when flows go to the channels of a memory one by one: cyclically, in
/// the order of the cores and, on each core, of its processes.
constexpr std::size_t dmaChannelOf(std::size_t flow, std::size_t channels) {
  return flow % channels;
}

/// Whether any flow may have to wait for another one's transfer.
constexpr bool flowsTakeTurns(std::size_t flows, std::size_t channels) { return flows > channels; }

/// Assigns groups of flows that must share a channel: each to the channel with the fewest flows so
/// far, the first of those. For groups of one flow, this is `dmaChannelOf`.
class DmaDealer {
 public:
  explicit DmaDealer(std::size_t channels) : m_flows(channels, 0) {}
  std::size_t deal(std::size_t flows) {
    const auto fewest = std::ranges::min_element(m_flows);
    *fewest += flows;
    return static_cast<std::size_t>(fewest - m_flows.begin());
  }

 private:
  std::vector<std::size_t> m_flows;  ///< per channel
};

}  // namespace gridloom::timing
