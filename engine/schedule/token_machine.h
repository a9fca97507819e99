// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/large_vector.h"
#include "schedule/copy_readers.h"
#include "schedule/output_tiles.h"
#include "schedule/placed_schedule.h"
#include "schedule/slot_rings.h"
#include "schedule/slot_rules.h"
#include "schedule/table.h"

namespace gridloom::schedule {

/// Processes that can advance, in the order in which they became ready.
class ReadyQueue {
 public:
  bool empty() const { return m_head == m_processes.size(); }
  void push(std::int32_t process) { m_processes.push_back(process); }
  std::int32_t take();
  friend bool operator==(const ReadyQueue& a, const ReadyQueue& b);

 private:
  base::LargeVector<std::int32_t> m_processes;
  std::size_t m_head = 0;
};

/// A process of a core.
struct ProcessState {
  enum class Status : std::uint8_t { Ready, Blocked, Busy, Finished };
  std::int32_t core = 0;
  std::int32_t pc = 0;        ///< its current instruction in ResolvedCode
  std::int32_t missing = -1;  ///< Send: credits still awaited; -1 not counted yet
  Status status = Status::Ready;
  HeldSlots slots;
  friend bool operator==(const ProcessState&, const ProcessState&) = default;
};

/// Of a process whose innermost loop skips iterations.
struct Demanded {
  std::uint32_t demands = 0;  ///< those (LoopDemands) that hold in its iteration, a bit each
  std::int32_t until = 0;     ///< the last wave of that loop at which the same ones hold
};

/// A leaf of a channel: credits given to its sender, and tiles that arrived.
struct Leaf {
  std::int32_t credit = 0;
  std::int32_t arrived = 0;
  friend bool operator==(const Leaf&, const Leaf&) = default;
};

/// A token of a core.
struct TokenCount {
  std::int32_t there = 0;
  std::int32_t waits = -1;  ///< the process that awaits it; -1: none
  friend bool operator==(const TokenCount&, const TokenCount&) = default;
};

/// Executes the synchronisation of a schedule without time. `verify` drives it with instructions
/// that take no time; the simulator gives them time. Both therefore wait alike.
///
/// The driver takes processes from the ready queue and advances them. A process stops at an
/// instruction that takes time (`Perform`), which the driver carries out and then completes.
class TokenMachine {
 public:
  enum class Outcome : std::uint8_t { Blocked, Finished, Perform, Broken };

  /// All mutable state that decides what happens next, except that of tiles that are awaited.
  struct State {
    base::LargeVector<ProcessState> processes;
    base::LargeVector<std::int32_t> waves;  ///< [process][loop]
    base::LargeVector<Demanded> demanded;   ///< per process, where any loop skips iterations
    SlotRings rings;
    Table<Leaf> leaves;        ///< [channel][core]
    Table<TokenCount> tokens;  ///< [core][token]
    CopyReaders copies;
    ReadyQueue ready;
  };

  /// After `progress` is cancelled, the machine must not be used.
  explicit TokenMachine(const PlacedSchedule& placed, const base::Progress* progress = nullptr);

  bool hasReady() const { return !m_state.ready.empty(); }
  std::int32_t takeReady() { return m_state.ready.take(); }
  Outcome advance(std::int32_t process);
  /// The instruction at which the process stopped is over.
  void complete(std::int32_t process);
  /// The tile that was sent to a leaf of a channel has arrived.
  void deliver(std::int32_t channel, std::int32_t leaf);
  /// Appends to `turns` what happens to slots from now on. Null: nothing.
  void watchSlots(std::vector<SlotTurn>* turns) { m_turns = turns; }
  /// The run is over: frees the state of all processes. Nothing may be asked of them any more.
  void release() { m_state = {}; }
  /// The protocol violation, after Outcome::Broken.
  const std::string& fault() const { return m_fault; }

  const PlacedSchedule& placed() const { return m_placed; }
  const State& state() const { return m_state; }
  std::int32_t processCount() const { return static_cast<std::int32_t>(m_state.processes.size()); }
  const ProcessState& process(std::int32_t process) const {
    return m_state.processes[index(process)];
  }
  const Code& at(std::int32_t process) const {
    return m_placed.code.at(m_state.processes[index(process)].pc);
  }
  std::int32_t coreOf(std::int32_t process) const { return m_state.processes[index(process)].core; }
  const Process& processOf(std::int32_t process) const;
  bool finished(std::int32_t process) const {
    return m_state.processes[index(process)].status == ProcessState::Status::Finished;
  }
  /// Wave numbers of the loops around the current instruction.
  std::span<const std::int32_t> waves(std::int32_t process) const {
    return std::span(m_state.waves).subspan(index(process) * m_loops, m_loops);
  }
  /// For drivers that skip iterations.
  std::span<std::int32_t> waves(std::int32_t process) {
    return std::span(m_state.waves).subspan(index(process) * m_loops, m_loops);
  }
  /// Whether a leaf is active under the current waves of a process at the other end.
  bool takesPart(std::int32_t leaf, std::int32_t process, int depth) const;
  /// The core whose tile an instruction moves: its own, or that of the sender it gathers from.
  std::int32_t tileOwner(std::int32_t process) const {
    return leafOf(m_state.processes[index(process)], at(process));
  }

  /// Appends the state that decides what happens next, without the wave numbers: equal states
  /// behave alike. Requires an empty ready queue.
  void appendState(std::vector<std::int64_t>& words) const;

 private:
  enum class Step : std::uint8_t { Done, Wait, Perform };
  bool allocate(const base::Progress* progress);
  void place();
  std::int32_t leafOf(const ProcessState& state, const Code& code) const {
    return code.gate < 0 ? state.core : m_placed.wiring.gatherLeaf(code.gate, state.core, code.arg);
  }
  Iteration iterationOf(std::int32_t process, std::int32_t core) const {
    return {core, waves(process), at(process).depth};
  }
  /// In its core's program.
  std::int32_t numberOf(std::int32_t process, const ProcessState& state) const {
    return process - m_placed.wiring.firstProcess(state.core);
  }
  bool isTurn(std::int32_t process, const Code& code) const;
  bool isSkipped(std::int32_t process, const ProcessState& state, const Code& code) const;
  bool isBroken(std::int32_t process, const ProcessState& state, const Code& code,
                const char* what);
  bool overwritesCopy(std::int32_t process, const ProcessState& state, const Code& code);
  bool isShared(std::int32_t channel) const {
    return m_placed.schedule.channels[index(channel)].kind == Channel::Kind::Share;
  }
  void wake(std::int32_t process);
  void wake(std::span<const std::int32_t> processes) {
    for (const std::int32_t process : processes) wake(process);
  }
  void wakeIfAt(std::int32_t process, Op op, std::int32_t channel);

  Step execute(std::int32_t process, ProcessState& state, const Code& code);
  void beginLoop(std::int32_t process, ProcessState& state, const Code& code);
  void endIteration(std::int32_t process, ProcessState& state, const Code& code);
  void skipIterations(std::int32_t process, ProcessState& state, const Code& code);
  Step acquire(std::int32_t process, ProcessState& state, const Code& code);
  Step waitFull(std::int32_t process, ProcessState& state, const Code& code);
  void publish(std::int32_t process, ProcessState& state, const Code& code);
  void release(std::int32_t process, ProcessState& state, const Code& code);
  void note(std::int32_t process, const Code& code, SlotTurn::Kind kind) {
    if (m_turns != nullptr) m_turns->push_back({process, code.buffer, kind});
  }
  Step send(std::int32_t process, ProcessState& state, const Code& code);
  Step receive(ProcessState& state, const Code& code);
  void ready(const ProcessState& state, const Code& code);
  Step claim(const ProcessState& state, const Code& code);
  Step awaitToken(std::int32_t process, const ProcessState& state, const Code& code);

  const PlacedSchedule& m_placed;
  std::vector<SlotTurn>* m_turns = nullptr;
  std::size_t m_loops;
  SlotRules m_rules;
  ActiveTiles m_activeTiles;
  OutputTiles m_outputs;
  State m_state;
  std::string m_fault;
};

}  // namespace gridloom::schedule
