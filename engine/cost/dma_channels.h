// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "hardware/topology.h"

namespace gridloom::cost {

struct MovementCost;
struct TiledCandidate;

/// Cycles for which one transfer holds a DMA channel of a memory, by the core's role: as long as it
/// takes alone, setup and latency included; 0 where it needs no channel. A transfer is also no
/// faster than the DMA channels at its ends (`Resources::loneRate`), while links, ports and memory
/// channels serve several transfers side by side at their own bandwidth.
struct DmaUse {
  struct Held {
    double in = 0, out = 0;
  };
  /// of the core at coordinate 0, which loads and sends what it loads, or receives results of
  /// others
  Held first;
  Held other;  ///< of the other cores
  /// outputs: cycles for which the core at coordinate 0 sends tiles of other cores
  double passes = 0;
  Held sharedBuffer;  ///< of the shared buffer
  double groups = 0;  ///< concurrent transfers of one instance of the shared buffer
};

/// The transfers of a candidate that share DMA channels with others.
struct DmaFlows {
  /// A process's transfers through one channel.
  struct Flow {
    const MovementCost* option = nullptr;
    double held = 0;  ///< cycles per transfer
    std::size_t channel = 0;
  };
  /// The load of a channel, as seen by the transfers of a level.
  struct Channel {
    double busy = 0;  ///< cycles over the kernel, by all transfers of the level and further inside
    /// Cycles for which it may be held until the buffers filled by transfers further inside run
    /// empty.
    double slack = 0;
  };
  std::vector<Flow> flows;
  std::vector<Channel> channels;  ///< working memory, one per channel of the flows
};

/// The DMA channels of a machine, where they limit transfers: a channel serves one at a time, and
/// processes that share one take turns (timing/dma_assignment.h). Processes count in the order of
/// operands; those of the shared buffer core by core. The assignment depends on all movements, so
/// only whole candidates have one.
class DmaChannels {
 public:
  explicit DmaChannels(const hardware::Topology& hw);
  bool limited() const { return m_local.limited() || m_sharedBuffer.limited(); }

  /// Cost of the transfers of a level beside those further inside, in cycles over the whole kernel,
  /// each transfer without contention.
  struct Load {
    double busiest = 0;  ///< busy time of the busiest channel, by all of them
    /// Delay by transfers of this level that hold a channel: transfers further inside on that
    /// channel wait, and compute waits for them once it has consumed the contents of their buffers.
    double stalled = 0;
  };
  /// `dealt`: the transfers of a candidate per channel. `ended`: cycles of all work at a level and
  /// further inside, per level of the recursion.
  static Load at(const TiledCandidate& candidate, DmaFlows& dealt, int level,
                 std::span<const double> ended);

  /// Assigns the transfers of a candidate to the channels, and keeps those that share one.
  void deal(std::span<const MovementCost* const> options, DmaFlows& out) const;

 private:
  hardware::DmaChannels m_local, m_sharedBuffer;
};

}  // namespace gridloom::cost
