// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "hardware/topology.h"

namespace gridloom::cost {

struct MovementCost;
struct TiledCandidate;

/// Cycles for which one transfer holds a DMA channel of a memory, by what the core does: as long as
/// it takes alone, setup and latency included; 0 where it needs none. A transfer is also no faster
/// than the DMA channels at its ends (`Resources::loneRate`), while links, ports and memory
/// channels keep their own bandwidth for several side by side.
struct DmaUse {
  struct Held {
    double in = 0, out = 0;
  };
  Held
      first;  ///< of the core at coordinate 0, which loads what it sends on and takes results of others
  Held other;         ///< of the other cores
  double passes = 0;  ///< outputs: of the core at coordinate 0, out, tiles of other cores
  Held sharedBuffer;  ///< of the middle memory
  double groups = 0;  ///< transfers of one instance of the middle memory at once
};

/// The transfers of a candidate that share DMA channels with others.
struct DmaFlows {
  /// A process's transfers through one channel.
  struct Flow {
    const MovementCost* option = nullptr;
    double held = 0;  ///< cycles per transfer
    std::size_t channel = 0;
  };
  /// A channel, as the transfers of a level find it.
  struct Channel {
    double busy = 0;  ///< cycles over the kernel, by all transfers of the level and further inside
    /// Cycles for which it may be held until the buffers run empty that those further inside fill.
    double slack = 0;
  };
  std::vector<Flow> flows;
  std::vector<Channel> channels;  ///< working memory, one per channel of the flows
};

/// The DMA channels of a machine, where they limit transfers: a channel takes one at a time, and
/// processes that share one take turns. Processes are dealt to the channels of their core in turn,
/// in the order of operands; those of the middle memory core by core. Which process has which
/// channel depends on all movements, so only whole candidates are asked.
class DmaChannels {
 public:
  explicit DmaChannels(const hardware::Topology& hw);
  bool limited() const { return m_local.limited() || m_sharedBuffer.limited(); }

  /// What the transfers of a level cost beside those further inside, in cycles over the whole kernel, each transfer with
  /// the machine to itself.
  struct Load {
    double busiest = 0;  ///< the busiest channel is held by all of them
    /// Those further inside on a channel wait while it is held by one of this level, and compute waits for them once it
    /// has used up what is in their buffers.
    double stalled = 0;
  };
  /// `dealt`: the transfers of a candidate. `ended`: cycles of all work at a level and further inside, per level of the
  /// recursion.
  static Load at(const TiledCandidate& candidate, DmaFlows& dealt, int level,
                 std::span<const double> ended);

  /// Deals the transfers of a candidate to the channels, those that share one.
  void deal(std::span<const MovementCost* const> options, DmaFlows& out) const;

 private:
  hardware::DmaChannels m_local, m_sharedBuffer;
};

}  // namespace gridloom::cost
