// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/progress.h"
#include "report/run_states.h"
#include "schedule/placement.h"
#include "schedule/wiring.h"

namespace gridloom::report {

/// A tile in a slot of a buffer of one core, from the cycle in which the slot is acquired until its
/// last reader has released it: then the tile is consumed there.
struct TileStay {
  hardware::CoreId core;
  schedule::BufferId buffer;
  double from = 0, to = 0;  ///< cycles; `to` is the end of the run where the trace ends before
};

/// The path of one tile through the run: where it is held, and its transfers.
struct TilePath {
  std::string operand;
  std::vector<TileStay> stays;      ///< by begin
  std::vector<TileInFlight> transfers;  ///< by begin, core, process; `done` is 0
  bool whole = true;                ///< false: more cores get it than kMostStays

  /// Whether a tile in flight is this one. O(log transfers).
  bool contains(const TileInFlight& tile) const;
};
constexpr std::size_t kMostStays = 4096;

/// Follows tiles through a run that was traced with slots, from the load to the last release. A
/// tile is told by its slot: the n-th that a buffer gets. A result that another core reduces is
/// consumed there; a tile that cores share in place or take from the cores that computed it has its
/// path in each core apart. All arguments must outlive it.
class TileTracker {
 public:
  TileTracker(const schedule::Schedule& schedule, const hardware::Topology& hw,
              const kernel::TileNest& nest, const RunStates& states, double cycles);

  /// Empty where no slots are recorded. `progress` may cancel: the path must not be used then.
  TilePath pathOf(const TileInFlight& tile, const base::Progress& progress) const;

 private:
  /// The n-th tile of a buffer of a core.
  struct Slot {
    hardware::CoreId core;
    schedule::BufferId buffer;
    std::int64_t tile = 0;
    friend auto operator<=>(const Slot&, const Slot&) = default;
  };
  using Found = std::vector<Slot>;
  Slot slotOf(const TileInFlight& transfer) const;
  void addTransfers(const Slot& slot, const SlotUse::Stay& stay, TilePath& path, Found& next) const;
  void addReceivers(const TileInFlight& send, Found& next) const;
  void addSenders(const TileInFlight& receive, Found& next) const;
  void addEnd(int channel, std::int32_t sender, std::int32_t receiver, const TileInFlight& other,
              Found& next) const;
  const ActiveCore* activeAt(std::int32_t core) const;

  const schedule::Schedule& m_schedule;
  const kernel::TileNest& m_nest;
  const RunStates& m_states;
  double m_cycles;
  schedule::Placement m_placement;
  schedule::Wiring m_wiring;
};

}  // namespace gridloom::report
