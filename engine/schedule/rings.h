// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "schedule/placement.h"
#include "schedule/schedule.h"

namespace gridloom::schedule {

/// A ring of cores moves a tile in shares: contiguous ranges of its elements, in the order of the
/// tensor. There are as many as cores, of ceil(elements / cores) elements each; the last ones may
/// be smaller or empty.
struct Share {
  std::int64_t first = 0, count = 0;  ///< elements
};
Share shareOf(std::int64_t elements, std::int32_t cores, std::int32_t number);

/// The ring channel whose shares a buffer's instructions move; invalid where they move whole tiles.
/// An output whose partial results a ring carries is reduced and stored in shares, too.
PortId ringOf(const Schedule& schedule, BufferId buffer);
/// Whether such an instruction on a buffer with a ring names a share.
bool movesShare(Op op);

/// A core's place in a ring, or a share in its tile.
struct RingPlace {
  std::int32_t number = 0, cores = 1;
};
/// The share that an instruction moves. Its `arg` counts back from the core: 0 is the share with
/// the core's own number, 1 that of the core before it. So all cores of a ring run one program.
RingPlace shareAt(const Placement& placement, std::int32_t core, int dim, std::int32_t arg);

}  // namespace gridloom::schedule
