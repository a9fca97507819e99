// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hardware/topology.h"

namespace gridloom::cost {

struct OptionCost;

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
/// one take turns (design, 7). Processes are dealt to the channels of their core in turn, in the order of operands; those
/// of the middle memory core by core.
class DmaChannels {
 public:
  explicit DmaChannels(const hardware::Topology& hw);
  bool limited() const { return m_local.limited() || m_middle.limited(); }

  /// Cycles in which the busiest channel is held by the transfers of `options` at `level` and further inside, over the
  /// whole kernel, each with the machine to itself. `busy` is working memory.
  double busiest(std::span<const OptionCost* const> options, int level,
                 std::vector<double>& busy) const;

 private:
  hardware::DmaChannels m_local, m_middle;
};

}  // namespace gridloom::cost
