// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "cost/compute.h"
#include "cost/dependence_critical_path.h"
#include "cost/dma_channels.h"
#include "kernel/tile_nest.h"
#include "mapping/mapping.h"
#include "traffic/traffic.h"

namespace gridloom::cost {

/// Bytes of one transfer of an operand. They are the same for every temporal order with the same
/// loops outside.
struct Transferred {
  const kernel::Operand* operand = nullptr;
  std::uint64_t outside = 0;
  mapping::DimMask sharing = 0;  ///< dimensions along which only coordinate 0 transfers
  double bytes = 0;              ///< to a core with whole tiles
  double filled = 1;             ///< average over cores and waves, as a fraction of `bytes`
};

/// Bytes of a buffer for one transfer of an operand (`bufferBytes`).
struct BufferBytes {
  const kernel::Operand* operand = nullptr;
  std::uint64_t outside = 0;
  std::int64_t bytes = 0;
};

/// A mapping without its movements: tile sizes, space and order, with everything that follows from
/// them. Shared by all combinations of movements.
struct TiledCandidate {
  mapping::Mapping mapping;
  mapping::Tiling tiling;
  const traffic::TrafficPatterns* patterns = nullptr;
  const DmaChannels* dma = nullptr;  ///< set where DMA channels are few enough to delay transfers
  std::vector<std::int64_t> active;
  std::uint64_t ragged = 0;  ///< set of loops with tiles or cores at their end that are not full
  std::vector<double> iterations;  ///< [l]: iterations of the l outermost temporal loops together
  ComputeTime compute;             ///< of the busiest core, over the whole kernel
  int outputLevel = 0;
  std::vector<std::uint64_t> outside;  ///< [l]: set of the l outermost temporal loops
  /// The most recently computed transfers (a cache).
  mutable std::array<Transferred, 64> transferred;
  mutable std::array<BufferBytes, 64> bufferBytes;
  /// For kernels whose outputs depend on each other: computed on first use, for one order.
  mutable std::shared_ptr<DependenceCriticalPath> walk;
};

/// Bytes that an operand needs of the fullest instance of each memory.
struct Footprint {
  std::int64_t local = 0;
  std::array<std::int64_t, hardware::kMostSharedBuffers> shared = {};  ///< of the shared buffers
};

}  // namespace gridloom::cost
