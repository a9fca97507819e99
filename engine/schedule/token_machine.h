// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/large_vector.h"
#include "kernel/tile_nest.h"
#include "schedule/active_tiles.h"
#include "schedule/placement.h"
#include "schedule/schedule.h"
#include "schedule/window_tiles.h"
#include "schedule/wiring.h"

namespace gridloom::schedule {

/// An instruction with resolved addresses: jump targets and counters.
struct Code {
  Op op = Op::Compute;
  bool end = false;         ///< past the last instruction of a process
  std::uint8_t reader = 0;  ///< Release: which of the buffer's readers
  bool guarded = false;     ///< executes at some tiles only
  bool keeps = false;       ///< Publish: the process still reads the slot afterwards
  std::int16_t depth = 0;   ///< loops around the instruction
  std::int32_t buffer = -1;
  std::int32_t channel = -1;
  /// gather channel; the instruction runs only if its sender `arg` is active
  std::int32_t gate = -1;
  std::int32_t arg = 0;
  std::int32_t jump = 0;  ///< LoopEnd: first instruction of the body
};

/// Executes the synchronisation of a schedule without time: slots, credits and arrivals are
/// counters. `verify` drives it with instructions that take no time; the simulator gives them time.
/// Both therefore wait alike.
///
/// The driver takes processes from the ready list and advances them. A process stops at an
/// instruction that takes time (`Perform`), which the driver carries out and then completes.
class TokenMachine {
 public:
  enum class Outcome : std::uint8_t { Blocked, Finished, Perform, Broken };

  /// With `waveCap`, every loop stops after that many trips. After `progress` is cancelled, the
  /// machine must not be used.
  TokenMachine(const Schedule& schedule, const Placement& placement, const Wiring& wiring,
               std::int32_t waveCap = std::numeric_limits<std::int32_t>::max(),
               const base::Progress* progress = nullptr);

  std::int32_t processCount() const { return static_cast<std::int32_t>(m_processes.size()); }
  bool hasReady() const { return m_readyHead < m_ready.size(); }
  std::int32_t takeReady();

  Outcome advance(std::int32_t process);
  void complete(std::int32_t process);
  /// The tile that was sent to a leaf of a channel has arrived.
  void deliver(int channel, std::int32_t leaf);

  const Code& at(std::int32_t process) const {
    return m_code[index(m_processes[index(process)].pc)];
  }
  std::int32_t coreOf(std::int32_t process) const { return m_processes[index(process)].core; }
  const Process& processOf(std::int32_t process) const;
  /// Wave numbers of the loops around the current instruction.
  std::span<const std::int32_t> waves(std::int32_t process) const {
    return std::span(m_waves).subspan(index(process) * m_stride, m_stride);
  }
  std::span<std::int32_t> waves(std::int32_t process) {
    return std::span(m_waves).subspan(index(process) * m_stride, m_stride);
  }
  bool finished(std::int32_t process) const {
    return m_processes[index(process)].status == Status::Finished;
  }
  /// Appends the state that decides what happens next, without the wave numbers: equal states
  /// behave alike. Requires an empty ready list.
  void appendState(std::vector<std::int64_t>& words) const;
  /// Whether a leaf is active under the current waves of a process at the other end.
  bool takesPart(std::int32_t leaf, std::int32_t process, int depth) const;
  /// The core whose tile an instruction moves: its own, or that of the sender it gathers from.
  std::int32_t tileOwner(std::int32_t process) const;
  /// Slot of the ring that a process works on, for the buffer of its current instruction.
  std::int32_t slotToFill(std::int32_t core, int buffer) const;
  std::int32_t slotToRead(std::int32_t core, int buffer, int reader = 0) const;
  bool holds(std::int32_t process, int buffer) const {
    return (m_processes[index(process)].held >> buffer & 1u) != 0;
  }

  /// Call when nothing is ready and nothing is in flight. Says why processes still wait; empty when
  /// all have finished and every token was used.
  std::string explainStall() const { return stall().message; }
  struct Stall {
    std::string message;
    std::int32_t process = -1;                  ///< one of the waiting processes
    int channel = -1, buffer = -1, token = -1;  ///< where tokens, tiles or slots are left over
  };
  Stall stall() const;
  /// The protocol violation, after Outcome::Broken.
  const std::string& fault() const { return m_fault; }
  std::string nameOf(std::int32_t process) const;
  /// Location of a process: its number in its program, and its current instruction.
  int numberOf(std::int32_t process) const;
  std::size_t instructionOf(std::int32_t process) const;

  /// All mutable state of the machine.
  struct State;
  State state() const;
  /// Skips repeating periods. When the state equals `before` except for advanced loop counters, the
  /// interval between them repeats. Skips as many whole periods as end before any loop of any core
  /// ends, and returns their number. The result is exact: the next step depends only on the state
  /// and on comparisons of waves with trip counts, and those have the same outcome in the skipped
  /// periods.
  std::int64_t skipRepeats(const State& before);

 private:
  enum class Status : std::uint8_t { Ready, Blocked, Busy, Finished };
  struct ProcessState {
    std::int32_t core = 0;
    std::int32_t pc = 0;
    std::int32_t missing = -1;  ///< Send: credits still awaited; -1 not counted yet
    Status status = Status::Ready;
    std::uint64_t held = 0;    ///< buffers of which it holds a slot
    std::uint64_t filled = 0;  ///< of those, the buffers whose slot contains a tile
    std::uint64_t used = 0;    ///< of those, the buffers whose tile was stored, sent or reduced
    friend bool operator==(const ProcessState&, const ProcessState&) = default;
  };
  struct Ring {
    std::int32_t acquired = 0, published = 0;
    std::int32_t released[2] = {0, 0};
    std::int32_t waitsForFree = -1, waitsForFull = -1;
    std::uint8_t readers = 0;
  };
  /// A token of a core.
  struct Count {
    std::int32_t there = 0;
    std::int32_t waits = -1;  ///< the process that awaits it; -1: none
    friend bool operator==(const Count&, const Count&) = default;
  };
  /// State of a buffer with a sharing channel on a core, as reader or as owner of the copy.
  struct Copy {
    /// reader: bit n is set while it reads the tile that arrived n tiles before the next one
    std::uint32_t reads = 0;
    std::int32_t fills = 0;  ///< owner: slots filled so far
    bool claimed = false;    ///< owner: nobody reads the slot that is filled next
    friend bool operator==(const Copy&, const Copy&) = default;
  };
  struct Leaf {
    std::int32_t credit = 0;
    std::int32_t arrived = 0;
    friend bool operator==(const Leaf&, const Leaf&) = default;
  };

  static std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }
  void compile();
  bool beginsNeutral(const Buffer& buffer) const;
  void compileProcess(const Program& program, const Process& process,
                      std::span<const std::uint64_t> releases);
  bool allocate(const base::Progress* progress);
  void place(const Placement& placement);
  Ring& ring(std::int32_t core, int buffer) {
    return m_rings[index(core) * m_buffers + index(buffer)];
  }
  Count& count(std::int32_t core, std::int32_t token) {
    return m_counts[index(core) * m_schedule.tokens.size() + index(token)];
  }
  const Ring& ring(std::int32_t core, int buffer) const {
    return m_rings[index(core) * m_buffers + index(buffer)];
  }
  Leaf& leaf(int channel, std::int32_t core) {
    return m_leaves[index(channel) * m_cores + index(core)];
  }
  const Leaf& leaf(int channel, std::int32_t core) const {
    return m_leaves[index(channel) * m_cores + index(core)];
  }
  Copy& copyAt(int buffer, std::int32_t core) {
    return m_copies[index(m_copyOfBuffer[index(buffer)]) * m_cores + index(core)];
  }
  const Copy& copyAt(int buffer, std::int32_t core) const {
    return m_copies[index(m_copyOfBuffer[index(buffer)]) * m_cores + index(core)];
  }
  std::int32_t freeSlots(const Ring& ring, int buffer) const;
  std::int32_t leafOf(std::int32_t process, const Code& code) const;
  void wake(std::int32_t process);
  Outcome block(ProcessState& state);
  Outcome breakAt(std::int32_t process, const char* what);
  const char* objection(std::int32_t process, const Code& code) const;
  void findContributions();
  std::uint64_t filledBy(std::int32_t part) const;
  void noteTile(ProcessState& state, const Code& code);
  bool sameBut(const State& before) const;
  std::int64_t periodsLeft(const State& before) const;

  bool skipped(std::int32_t process, const Code& code) const;
  void prepareStored();
  std::optional<std::size_t> missingTile(std::int32_t process, const Code& code) const;
  bool await(std::int32_t process, const Code& code);
  void countTakers(std::int32_t process);
  /// What of an output is read or made at once, and its window there.
  struct Reading {
    TileDemand need;
    WindowTiles::Window window;
  };
  Reading readingOf(TileDemand need) const;
  template <class Visit>
  void forTaken(const Reading& reading, std::int32_t core, std::span<const std::int32_t> waves,
                int depth, const Visit& visit) const;
  void noteThere(std::int32_t process, const Code& code, std::uint8_t how);
  void noteStored(std::int32_t process);
  void noteMade(std::int32_t process, const Code& code);
  void noteTaken(std::int32_t process);
  bool isHeld(int output) const { return m_awaits && m_held[index(output)].iterations > 0; }
  void wakeAll(std::int32_t& first);
  bool hasRoom(std::int32_t process, const Code& code);
  Outcome perform(std::int32_t process);
  bool acquire(std::int32_t process, const Code& code);
  bool waitFull(std::int32_t process, const Code& code);
  bool send(std::int32_t process, const Code& code);
  bool receive(std::int32_t process, const Code& code);
  void prepareCopies();
  bool isShared(int channel) const;
  bool claim(std::int32_t process, const Code& code);
  bool overwritesCopy(std::int32_t process, const Code& code);
  void noteShared(std::int32_t process, const Code& code);
  void noteRead(std::int32_t core, int buffer);
  std::int32_t readerAwaited(std::int32_t process, const Code& code) const;
  bool takeToken(std::int32_t process, const Code& code);
  void signal(std::int32_t process, const Code& code);
  void publish(std::int32_t process, const Code& code);
  void release(std::int32_t process, const Code& code);
  void ready(std::int32_t process, const Code& code);

  std::int32_t awaited(std::int32_t process) const;
  std::int32_t releaserOf(std::int32_t core, int buffer, int reader) const;
  std::string placeOf(std::int32_t core) const;
  std::int32_t processWith(std::int32_t core, Op op, std::int32_t token) const;
  std::string describeWait(std::int32_t process) const;
  std::string absentCause(std::int32_t process) const;
  Stall leftovers() const;

  const Schedule& m_schedule;
  const Placement& m_placement;
  const Wiring& m_wiring;
  ActiveTiles m_activeTiles;
  WindowTiles m_windows;
  std::int32_t m_waveCap;
  std::size_t m_stride, m_buffers, m_cores;
  std::vector<Code> m_code;
  std::vector<std::vector<std::int32_t>> m_entry;    ///< [program][process] -> first instruction
  std::vector<std::vector<std::uint8_t>> m_readers;  ///< [program][buffer]
  base::LargeVector<ProcessState> m_processes;
  base::LargeVector<std::int32_t> m_waves;  ///< [process][loop]
  base::LargeVector<Ring> m_rings;          ///< [core][buffer]
  std::uint64_t m_outputs = 0;              ///< buffers that Compute and Epilogue fill
  /// per all-reduce in compute: the buffer that Compute fills before it
  std::vector<std::uint64_t> m_contributions;
  std::uint64_t m_neutral = 0;  ///< of those, the buffers that a Compute without work fills, too
  std::uint64_t m_results = 0;  ///< buffers whose tiles must be stored or sent
  base::LargeVector<Leaf> m_leaves;  ///< [channel][core]
  std::vector<Count> m_counts;       ///< [core][token]
  /// index of its sharing channel; -1: every core has its own slots
  std::vector<std::int32_t> m_copyOfBuffer;
  std::vector<std::int32_t> m_sharing;  ///< by that index: the channel
  std::vector<Copy> m_copies;           ///< [index][core]
  base::LargeVector<std::int32_t> m_ready;
  std::size_t m_readyHead = 0;
  /// Tiles of an output that are forwarded to other cores.
  struct Held {
    std::int32_t iterations =
        0;  ///< of the outermost loop, whose tiles there is room for; 0: none is taken
    std::vector<std::int32_t> untaken;  ///< per tile: how often it will still be taken
    std::vector<std::int32_t> free;  ///< per core: iterations from the first on whose room is free
    std::vector<std::int32_t> roomless;  ///< per tile: a process that waits for its room, -1
  };
  bool m_awaits = false;  ///< some transfers wait for tiles that the kernel computes
  std::vector<std::vector<std::uint8_t>> m_there;  ///< [output][tile]: computed, stored
  std::vector<Held> m_held;                        ///< per output
  std::vector<Reading> m_wholeTiles;               ///< per output: one tile of it
  std::vector<Reading> m_reads;                    ///< per buffer that awaits an output
  /// [output][tile]: a process that waits for it, -1; then [process]: the next one that does.
  std::vector<std::vector<std::int32_t>> m_firstAwaiting;
  std::vector<std::int32_t> m_nextAwaiting;
  std::string m_fault;
};

struct TokenMachine::State {
  base::LargeVector<ProcessState> processes;
  base::LargeVector<std::int32_t> waves;
  base::LargeVector<Ring> rings;
  base::LargeVector<Leaf> leaves;
  std::vector<Count> counts;
  std::vector<Copy> copies;
  std::vector<std::int32_t> ready;
};

}  // namespace gridloom::schedule
