// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

/// Which DMA channel of a memory a flow uses. A flow is all transfers of one process with one
/// memory in one direction; it keeps its channel during the kernel, as on a real machine. A
/// channel takes one transfer at a time, so flows that share one take turns (MLIR-AIR: Wang et al.,
/// 2025, Secs. 5.3.1 and 7.4.2).
namespace gridloom::timing {

/// Channel of a flow of a shared buffer, from 0: flows go to the channels one by one, cyclically,
/// in the order of the cores and, on each core, of its processes.
constexpr std::size_t dmaChannelOf(std::size_t flow, std::size_t channels) {
  return flow % channels;
}

/// Whether any flow may have to wait for another one's transfer.
constexpr bool flowsTakeTurns(std::size_t flows, std::size_t channels) { return flows > channels; }

/// Assigns flows of a core, and groups of flows that must share a channel: given the most bytes
/// first, each goes to the channel with the fewest bytes so far, the first of those. Then no
/// channel has much more to transfer than another (the longest processing time first: R. L. Graham,
/// "Bounds on Multiprocessing Timing Anomalies", 1969), and an operand with few long transfers
/// seldom shares a channel with operands whose tiles are needed meanwhile, as it often would if
/// channels were assigned cyclically.
class DmaBalance {
 public:
  static constexpr std::size_t kMostChannels = 64;
  /// `channels`: from 1 to kMostChannels; further ones are not used.
  explicit DmaBalance(std::size_t channels)
      : m_channels(std::min(std::max<std::size_t>(channels, 1), kMostChannels)) {}
  /// `bytes`: over the whole kernel.
  std::size_t assign(double bytes) {
    const auto end = m_bytes.begin() + static_cast<std::ptrdiff_t>(m_channels);
    const auto fewest = std::min_element(m_bytes.begin(), end);
    *fewest += bytes;
    return static_cast<std::size_t>(fewest - m_bytes.begin());
  }

 private:
  std::size_t m_channels;
  std::array<double, kMostChannels> m_bytes{};  ///< per channel
};

}  // namespace gridloom::timing
