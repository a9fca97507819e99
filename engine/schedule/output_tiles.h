// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "schedule/active_tiles.h"
#include "schedule/window_tiles.h"

namespace gridloom::schedule {

/// A core's place in its iterations, for an instruction inside `depth` loops.
struct Iteration {
  std::int32_t core = 0;
  std::span<const std::int32_t> waves;
  int depth = 0;
};

/// The tiles of outputs that other transfers wait for: which are computed and stored, and which
/// must still be taken before their room is used again. A process that is told to wait waits for
/// one tile, and asks again when that tile has come.
class OutputTiles {
 public:
  OutputTiles(const Schedule& schedule, const Placement& placement);

  /// Whether any transfer waits for tiles. Otherwise nothing else of this object may be called.
  bool areAwaited() const { return m_areAwaited; }

  /// Whether all tiles that a buffer gets next are there. If not, the process waits for one.
  bool await(std::int32_t process, std::int32_t buffer, const Iteration& at);
  /// Whether the core may start with the outputs of an iteration of the outermost loop: the tiles
  /// that had their room before were taken. If not, the process waits for one of them.
  bool awaitRoom(std::int32_t process, std::int32_t buffer, const Iteration& at);

  /// The tile in an output's buffer was computed, or stored. Returns the processes that waited for
  /// it, valid until the next call.
  std::span<const std::int32_t> compute(std::int32_t buffer, const Iteration& at);
  std::span<const std::int32_t> store(std::int32_t buffer, const Iteration& at);
  /// A buffer has taken the tiles that it awaited. Returns the processes that waited for their
  /// room.
  std::span<const std::int32_t> take(std::int32_t buffer, const Iteration& at);

 private:
  /// What of an output is read or made at once, and its window there.
  struct Reading {
    TileDemand need;
    WindowTiles::Window window;
  };
  /// A list of waiting processes; each is in one list at most.
  using Waiting = std::int32_t;
  struct Output {
    std::vector<std::uint8_t> there;    ///< per tile: computed, stored
    std::vector<Waiting> awaiting;      ///< per tile: who waits for it
    Reading wholeTile;                  ///< one tile of it
    std::int32_t room = 0;              ///< iterations whose tiles there is room for; 0: not taken
    std::vector<std::int32_t> untaken;  ///< per tile: how often it will still be taken
    std::vector<Waiting> awaitingRoom;  ///< per tile: who waits until it is taken
    std::vector<std::int32_t> freeRooms;  ///< per core: iterations from the first on, all taken
  };
  Reading readingOf(TileDemand need) const;
  void countTakers(std::int32_t core, std::int32_t buffer);
  template <class Visit>
  void forTiles(const Reading& reading, const Iteration& at, const Visit& visit) const;
  void findMissing(const Reading& reading, const Iteration& at,
                   std::vector<std::size_t>& missing) const;
  std::span<const std::int32_t> mark(std::int32_t buffer, const Iteration& at, std::uint8_t how);
  void wait(std::int32_t process, Waiting& list);
  void wakeAll(Waiting& list);
  Output& outputOf(std::int32_t buffer) {
    return m_outputs[static_cast<std::size_t>(bufferAt(buffer).operand)];
  }
  const Buffer& bufferAt(std::int32_t buffer) const {
    return m_schedule.buffers[static_cast<std::size_t>(buffer)];
  }

  const Schedule& m_schedule;
  const Placement& m_placement;
  ActiveTiles m_activeTiles;
  WindowTiles m_windows;
  bool m_areAwaited = false;
  std::vector<Output> m_outputs;
  std::vector<Reading> m_reads;       ///< per buffer that awaits an output
  std::vector<Waiting> m_nextInList;  ///< per process
  /// Per process: the tiles that were missing when it first asked. Empty unless it waits.
  std::vector<std::vector<std::size_t>> m_missing;
  std::vector<std::int32_t> m_woken;
};

}  // namespace gridloom::schedule
