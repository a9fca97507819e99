// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gridloom::cost {

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
  /// gathered outputs: cycles in which the core at coordinate 0 stores tiles of other cores
  double passes = 0;
  /// Of a shared buffer, by all concurrent transfers of one instance.
  struct Shared {
    int level = -1;     ///< of Topology::sharedBuffers; -1: it uses none
    double held = 0;    ///< by each of them
    double groups = 0;  ///< how many they are
  };
  Shared sharedIn, sharedOut;
};

}  // namespace gridloom::cost
