// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "hardware/topology.h"
#include "kernel/tile_nest.h"
#include "schedule/schedule.h"

namespace gridloom::schedule {

/// Passes are free functions from a schedule to a better one that does the same: the values it computes are
/// equal. Their results are to be verified like any other schedule.

/// Two slots for every buffer whose tile changes and has one, so that the next tile comes while
/// this one is used (MLIR-AIR: Wang et al., 2025, Sec. 7.4.1). The smallest buffers first, as many
/// as local memory holds. Fails when there is a single buffer and not even the smallest fits twice.
base::Result<Schedule> pingPong(const Schedule& schedule, const kernel::TileNest& nest,
                                const hardware::Topology& hw);

/// Time-multiplexes data movement (Wang et al., 2025, Sec. 7.4.2): movers of inputs of one core
/// whose loops are the same become one process, which takes the transfers of an iteration one after
/// another, until every core has at most `movers` of them. Fewer DMA channels are needed; transfers
/// of one core no longer overlap. Fails when a core keeps more, because the loops of the rest
/// differ.
base::Result<Schedule> mergeMovers(const Schedule& schedule, int movers);

/// The inverse (Wang et al., 2025, Sec. 7.4.3): a mover that serves several buffers becomes one
/// mover per buffer, whose transfers run side by side. The tokens of the buffers keep what must
/// follow each other in order. Nothing to fail; a schedule without such movers stays as it is.
base::Result<Schedule> splitMovers(const Schedule& schedule);

/// Finds loads of the same tile by several cores (Wang et al., 2025, Sec. 7.2): when an input's
/// access does not depend on the loops that are dealt to one or two mesh dimensions, coordinate 0
/// loads it once and multicasts it along them. Less traffic; cores then keep step. Inputs that a
/// channel carries already are left alone. Fails when the network cannot multicast.
base::Result<Schedule> findBroadcasts(const Schedule& schedule, const kernel::TileNest& nest,
                                      const hardware::Topology& hw);

/// A schedule with another number of slots in one buffer, and the channels that end in it as deep.
Schedule withSlots(const Schedule& schedule, const kernel::TileNest& nest,
                   const hardware::Topology& hw, BufferId buffer, int slots);

/// Whether a buffer's tile changes during the kernel: only then do more slots serve anything.
bool changesTile(const Schedule& schedule, const Buffer& buffer);

}  // namespace gridloom::schedule
