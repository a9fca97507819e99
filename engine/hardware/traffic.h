// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gridloom::hardware {

/// Bytes that a run moves, or that it is predicted to move.
struct Traffic {
  double dramRead = 0;
  double dramWrite = 0;
  double network = 0;     ///< bytes times hops over router-to-router links
  double localWrite = 0;  ///< into local memories from the network
  double localRead = 0;   ///< out of local memories to the network
  /// Bytes with global memory and over links: the volume of data movement, whatever its time.
  double moved() const { return dramRead + dramWrite + network; }
};

}  // namespace gridloom::hardware
