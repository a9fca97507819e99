// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "hardware/topology.h"

namespace gridloom::cost {

struct OptionCost;
struct Skeleton;

/// Cycles for which one transfer holds a DMA channel of a memory, by what the core does; 0 where it needs none.
struct DmaUse {
  struct Held {
    double in = 0, out = 0;
  };
  Held
      first;  ///< of the core at coordinate 0, which loads what it sends on and takes results of others
  Held other;         ///< of the other cores
  double passes = 0;  ///< outputs: of the core at coordinate 0, out, tiles of other cores
  Held middle;        ///< of the middle memory
  double groups = 0;  ///< transfers of one instance of the middle memory at once
};

/// The DMA channels of a machine, where they limit transfers: a channel takes one at a time, and processes that share
/// one take turns (design, 7). Processes are dealt to the channels of their core in turn, in the order of operands;
/// those of the middle memory core by core.
class DmaChannels {
 public:
  explicit DmaChannels(const hardware::Topology& hw);
  bool limited() const { return m_local.limited() || m_middle.limited(); }

  /// What the transfers of a level cost beside those further inside, in cycles over the whole kernel, each transfer with
  /// the machine to itself.
  struct Load {
    double busiest = 0;  ///< the busiest channel is held by all of them
    /// Those further inside on a channel wait while it is held by one of this level, and compute waits for them once it
    /// has used up what is in their buffers.
    double stalled = 0;
  };
  /// `ended`: cycles of all work at a level and further inside, per level of the recursion.
  Load at(const Skeleton& skeleton, std::span<const OptionCost* const> options, int level,
          std::span<const double> ended) const;

 private:
  hardware::DmaChannels m_local, m_middle;
};

}  // namespace gridloom::cost
