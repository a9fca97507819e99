// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "hardware/topology.h"
#include "kernel/tile_nest.h"
#include "schedule/schedule.h"

namespace gridloom::schedule {

/// A pass is a free function from a schedule to an equivalent one: the computed values are equal.
/// Its result must be verified like any other schedule.

/// Double-buffers every single buffer whose tile changes, so that the next tile arrives while the
/// current one is used (MLIR-AIR: Wang et al., 2025, Sec. 7.4.1). Takes the smallest buffers first,
/// as many as fit local memory. Fails when there are single buffers and not even the smallest fits
/// twice.
base::Result<Schedule> pingPong(const Schedule& schedule, const kernel::TileNest& nest,
                                const hardware::Topology& hw);

/// Time-multiplexes data movement (Wang et al., 2025, Sec. 7.4.2). Input movers of one core with
/// equal loops become one process, which does the transfers of an iteration one after the other,
/// until every core has at most `movers` of them. The core needs fewer DMA channels, but its
/// transfers no longer overlap. Fails when a core still has more because the loops of the rest
/// differ.
base::Result<Schedule> mergeMovers(const Schedule& schedule, int movers);

/// The inverse of mergeMovers (Wang et al., 2025, Sec. 7.4.3). A mover of several buffers becomes
/// one mover per buffer, and their transfers overlap. The buffers' tokens keep the order that
/// dependences require. Never fails; a schedule without such movers is returned unchanged.
base::Result<Schedule> splitMovers(const Schedule& schedule);

/// Replaces loads of the same tile by several cores with a multicast (Wang et al., 2025, Sec. 7.2).
/// It applies where an input's access does not depend on the loops that are unrolled over one or
/// two mesh dimensions: coordinate 0 loads the tile once and multicasts it along them. Traffic
/// drops; the cores then advance in lockstep. Inputs that a channel already carries do not change.
/// Fails when the network cannot multicast.
base::Result<Schedule> findBroadcasts(const Schedule& schedule, const kernel::TileNest& nest,
                                      const hardware::Topology& hw);

/// The schedule with another number of slots in one buffer. Channels that fill it get the same
/// depth.
Schedule withSlots(const Schedule& schedule, const kernel::TileNest& nest,
                   const hardware::Topology& hw, BufferId buffer, int slots);

/// Whether a buffer's tile changes during the kernel. Only then do more slots help.
bool changesTile(const Schedule& schedule, const Buffer& buffer);

}  // namespace gridloom::schedule
