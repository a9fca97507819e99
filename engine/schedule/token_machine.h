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

/// An instruction with its addresses resolved: where loops jump, which counters it uses.
struct Code {
  Op op = Op::Compute;
  bool end = false;         ///< behind the last instruction of a process
  std::uint8_t reader = 0;  ///< Release: which of the buffer's readers
  bool guarded = false;     ///< takes place at some tiles only
  bool keeps = false;       ///< Publish: the process goes on reading the slot
  std::int16_t depth = 0;   ///< loops around the instruction
  std::int32_t buffer = -1;
  std::int32_t channel = -1;
  std::int32_t gate = -1;  ///< gather channel whose sender `arg` must take part
  std::int32_t arg = 0;
  std::int32_t jump = 0;  ///< LoopEnd: first instruction of the body
};

/// Runs the waiting of a schedule without time: slots, credits and arrivals are counters. `verify` drives it
/// with instructions that take no time; the simulator gives them time. Both therefore wait alike.
///
/// The driver takes processes from the ready list and advances them; a process stops at an instruction
/// that takes time (`Perform`), which the driver carries out and then completes.
class TokenMachine {
 public:
  enum class Outcome : std::uint8_t { Blocked, Finished, Perform, Broken };

  /// With `waveCap` every loop stops after so many trips. Once `progress` is cancelled, the machine is not to
  /// be used.
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
  /// Everything that decides what happens next, except the wave numbers: equal states wait alike. Nothing
  /// may be ready.
  void appendState(std::vector<std::int64_t>& words) const;
  /// Whether a leaf has an iteration under the current waves of a process at the other end.
  bool takesPart(std::int32_t leaf, std::int32_t process, int depth) const;
  /// The core whose tile an instruction moves: its own, or that of the sender it gathers from.
  std::int32_t tileOwner(std::int32_t process) const;
  /// Slot of the ring that a process works on, for the buffer of its current instruction.
  std::int32_t slotToFill(std::int32_t core, int buffer) const;
  std::int32_t slotToRead(std::int32_t core, int buffer, int reader = 0) const;
  bool holds(std::int32_t process, int buffer) const {
    return (m_processes[index(process)].held >> buffer & 1u) != 0;
  }

  /// Called when nothing is ready and nothing is under way: why processes still wait, empty when all have
  /// finished and every token was used.
  std::string explainStall() const { return stall().message; }
  struct Stall {
    std::string message;
    std::int32_t process = -1;                  ///< one of those that wait
    int channel = -1, buffer = -1, token = -1;  ///< where something is left over
  };
  Stall stall() const;
  /// What broke the protocol, after Outcome::Broken.
  const std::string& fault() const { return m_fault; }
  std::string nameOf(std::int32_t process) const;
  /// Where a process stands: its number in its program, and the instruction there.
  int numberOf(std::int32_t process) const;
  std::size_t instructionOf(std::int32_t process) const;

  /// All that changes as the machine runs.
  struct State;
  State state() const;
  /// When the machine is where it was in `before`, but for loops that have gone on, then what happened in
  /// between happens again: takes as many such periods at once as end before any loop of any core does, and
  /// says how many. Exact, because what happens next depends on the state and on comparisons of waves with
  /// trip counts only, and those all turn out alike in the periods taken.
  std::int64_t skipRepeats(const State& before);

 private:
  enum class Status : std::uint8_t { Ready, Blocked, Busy, Finished };
  struct ProcessState {
    std::int32_t core = 0;
    std::int32_t pc = 0;
    std::int32_t missing = -1;  ///< Send: credits still awaited; -1 not counted yet
    Status status = Status::Ready;
    std::uint64_t held = 0;    ///< buffers of which it holds a slot
    std::uint64_t filled = 0;  ///< those of them whose slot has a tile in it
    std::uint64_t used = 0;    ///< those of them whose tile was stored, sent or combined
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
    std::int32_t waits = -1;  ///< the process that waits for one
    friend bool operator==(const Count&, const Count&) = default;
  };
  /// Of a buffer with a sharing channel, on a core: what its readers, or its keeper, have of the slots.
  struct Copy {
    std::uint32_t reads =
        0;  ///< a reader: bit n: it holds the tile that came n tiles before the next one
    std::int32_t fills = 0;  ///< the keeper: slots that have held a tile
    bool claimed = false;    ///< the keeper: nobody reads the slot that it fills next
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
  template <class Visit>
  void forTaken(const TileDemand& need, std::int32_t core, std::span<const std::int32_t> waves,
                int depth, const Visit& visit) const;
  void noteThere(std::int32_t process, const Code& code, std::uint8_t how);
  void noteStored(std::int32_t process);
  void noteMade(std::int32_t process, const Code& code);
  void noteTaken(std::int32_t process);
  bool isHeld(int output) const { return m_awaits && m_held[index(output)].iterations > 0; }
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
  std::vector<std::uint64_t>
      m_contributions;               ///< per meeting: the buffer that Compute fills before it
  std::uint64_t m_neutral = 0;       ///< of these, those that a Compute without work fills, too
  std::uint64_t m_results = 0;       ///< buffers whose tiles must go somewhere
  base::LargeVector<Leaf> m_leaves;  ///< [channel][core]
  std::vector<Count> m_counts;       ///< [core][token]
  std::vector<std::int32_t>
      m_copyOfBuffer;  ///< number of its sharing channel; -1: every core has its own slots
  std::vector<std::int32_t> m_sharing;  ///< by that number: the channel
  std::vector<Copy> m_copies;           ///< [number][core]
  base::LargeVector<std::int32_t> m_ready;
  std::size_t m_readyHead = 0;
  /// Tiles of an output that other cores take from the one that made them.
  struct Held {
    std::int32_t iterations =
        0;  ///< of the outermost loop, whose tiles there is room for; 0: none is taken
    std::vector<std::int32_t> untaken;  ///< per tile: how often it will still be taken
    std::vector<std::int32_t> free;  ///< per core: iterations from the first on whose room is free
  };
  bool m_awaits = false;  ///< transfers wait for tiles that the kernel makes
  std::vector<std::vector<std::uint8_t>> m_there;  ///< [output][tile]: made, stored
  std::vector<Held> m_held;                        ///< per output
  std::vector<TileDemand> m_wholeTiles;  ///< per output: the window that is one tile of it
  /// [output][tile]: a process that waits for it, -1; then [process]: the next one that does.
  std::vector<std::vector<std::int32_t>> m_firstAwaiting;
  std::vector<std::int32_t> m_nextAwaiting;
  std::vector<std::int32_t> m_roomless;  ///< processes that wait for room
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
