// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "cost/movement_cost.h"
#include "hardware/topology.h"

namespace gridloom::cost {

/// The transfers of a candidate that share DMA channels with others.
struct DmaFlows {
  /// A process's transfers through one channel.
  struct Flow {
    const FlatCost* cost = nullptr;
    double held = 0;   ///< cycles per transfer
    double bytes = 0;  ///< over the kernel
    std::size_t channel = 0;
  };
  std::vector<Flow> flows;
  std::vector<double> busy, untilWait;  ///< per channel of the flows: working memory
};

/// The DMA channels of a machine, where they limit transfers: a channel serves one at a time, and
/// processes that share one take turns (timing/dma_assignment.h). Processes count in the order of
/// operands; those of a shared buffer core by core. Those of a core go to channels by their bytes.
/// The assignment depends on all movements, so only whole candidates have one.
class DmaChannels {
 public:
  explicit DmaChannels(const hardware::Topology& hw);
  bool limited() const;

  /// Assigns the transfers of a candidate to the channels, and keeps those that share one.
  void assign(std::span<const LoadedCost> transfers, DmaFlows& out) const;

  /// Busy time of the busiest channel by the transfers of a level and further inside, in cycles
  /// over the whole kernel, each transfer without contention.
  static double busiest(DmaFlows& assigned, int level);
  /// Cycles over the whole kernel that compute waits because transfers of `level` hold a channel
  /// that another transfer needs: that of a tile further inside, or a store of this level from a
  /// single buffer. The transfers that hold it overlap with compute; those that do not are counted
  /// by the recursion. `inside`: cycles of all that is further inside.
  static double waitsForHeld(DmaFlows& assigned, int level, double inside);
  /// Cycles until the channels have served the first tiles of inputs: of those that the first tile
  /// operation waits for, and of those that only an epilogue waits for.
  struct FirstTiles {
    double fill = 0, late = 0;
  };
  static FirstTiles firstTiles(DmaFlows& assigned);

 private:
  hardware::DmaChannels m_local;
  std::vector<hardware::DmaChannels> m_shared;  ///< by level of Topology::sharedBuffers
};

}  // namespace gridloom::cost
