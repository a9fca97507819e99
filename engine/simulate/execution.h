// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/large_vector.h"
#include "network/event_queue.h"
#include "network/queueing_network.h"
#include "schedule/token_machine.h"
#include "schedule/verify.h"
#include "simulate/dma_engines.h"
#include "simulate/inbox.h"
#include "simulate/instruction_work.h"
#include "simulate/simulation.h"
#include "simulate/state_clock.h"
#include "simulate/steady_state.h"
#include "simulate/trace_recorder.h"
#include "simulate/use_recorder.h"

namespace gridloom::values {
class ValueMachine;
}

namespace gridloom::simulate {

/// How a schedule is executed.
struct Setting {
  const Options& options;
  const hardware::ComputeModel& compute;
};

/// One run of a schedule: gives the token machine's instructions their durations and resumes
/// processes when the network completes their transfers.
class Execution {
 public:
  Execution(const schedule::VerifiedSchedule& schedule, const Setting& setting,
            const TileWork& work, Effort& effort, base::Progress& progress);
  ~Execution();

  base::Result<Simulation> run();

 private:
  /// What the next EventKind::Process means.
  enum class Stage : std::uint8_t { Start, Finish };
  struct ProcessTimes {
    Stage stage = Stage::Start;
    bool computes = false;
    bool forwards = false;       ///< it received the tile in its slot
    std::int32_t movement = -1;  ///< in `m_movements`; -1: it moves no tiles
  };
  /// Of a process that loads, takes, sends or receives tiles.
  struct Movement {
    network::Ticks arrived = 0;
    Timeline timeline;
  };

  static std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }
  void placeProcesses();
  Movement& movementOf(std::int32_t process) {
    return m_movements[index(m_processes[index(process)].movement)];
  }
  const Movement& movementOf(std::int32_t process) const {
    static constexpr Movement kNone;
    const std::int32_t movement = m_processes[index(process)].movement;
    return movement < 0 ? kNone : m_movements[index(movement)];
  }
  bool runEvents();
  void drainReady();
  void advance(std::int32_t process);
  void begin(std::int32_t process);
  void beginTake(std::int32_t process);
  bool isShared(int channel) const;
  void share(std::int32_t process);
  void beginTransfer(std::int32_t process);
  void beginSend(std::int32_t process);
  void beginCompute(std::int32_t process, network::Ticks cycles);
  void onProcess(std::int32_t process);
  void start(std::int32_t process);
  void finish(std::int32_t process);
  void recordSlots();
  void onArrived(std::int32_t arrival);
  void settleBlocked(std::int32_t process);
  /// Records the current instruction, which ends now.
  void recordUntilNow(std::int32_t process, State state, int what) {
    if (m_options.trace) m_trace.record(process, state, what, m_begins[index(process)], m_now);
  }
  void addWait(const schedule::Code& code, State state, network::Ticks time);
  void fail(std::string message, std::string hint = {});
  std::int64_t work() const { return m_effort.maxWork - m_workLeft; }
  bool isAtLimit() const { return m_executed > m_options.maxEvents || m_workLeft < 0; }
  void checkLimits();
  std::int64_t memoryBytes() const;
  std::string progressText() const;

  const std::vector<std::int32_t>& enginesOf(std::int32_t process);
  std::int32_t engineInto(int channel, std::int32_t receiver) const;
  std::int32_t engineHeld(std::int32_t process);
  void giveBack(std::int32_t engine);
  bool beginsBody(std::int32_t process) const;

  void watchForPeriods();
  void lookForPeriod();
  bool skipPeriods(RecurrenceFinder& finder);
  std::int64_t periodsToSkip(const Band& band, const Snapshot& then, const Snapshot& now) const;
  void takeSnapshot(Snapshot& snapshot, const Band& band);
  void appendWaves(std::vector<std::int64_t>& words, const Band& band, std::int64_t index) const;
  void appendTimes(std::vector<std::int64_t>& words, network::Ticks base) const;
  network::Ticks oldestMark() const;
  /// Visits every counter that only grows, by the same amount in every period.
  template <class Visit> void forEachCount(const Visit& visit) {
    m_network.forEachCount(visit);
    for (auto& times : m_clock.times()) {
      for (network::Ticks& time : times) visit(time);
    }
    for (auto& times : m_bufferWaits) {
      for (network::Ticks& time : times) visit(time);
    }
    visit(m_events);
    visit(m_bodies);
  }

  void recordUse(network::Ticks until);
  UseRecorder::Row useAt(network::Ticks time) const;

  base::Result<Simulation> summarize();
  void releaseProcesses();
  void fillStates(Simulation& out) const;
  void fillResources(Simulation& out) const;
  void fillOverTime(Simulation& out) const;
  void nameBottleneck(Simulation& out) const;
  std::string brokenConservation(const Simulation& out) const;

  const schedule::PlacedSchedule& m_placed;
  const Options& m_options;
  const hardware::ComputeModel& m_compute;
  base::Progress& m_progress;
  schedule::TokenMachine m_tokens;
  InstructionWork m_work;
  network::EventQueue m_queue;
  network::QueueingNetwork m_network;
  DmaEngines m_dma;
  StateClock m_clock;
  /// Per buffer: waits of all cores' compute processes for it.
  std::vector<StateClock::Times> m_bufferWaits;
  std::unique_ptr<values::ValueMachine> m_values;
  base::LargeVector<ProcessTimes> m_processes;
  base::LargeVector<Movement> m_movements;
  base::LargeVector<network::Ticks> m_begins;  ///< with a trace: of each current instruction
  Inbox m_inbox;
  std::vector<std::uint8_t> m_partners;  ///< scratch of beginSend
  std::vector<std::vector<network::QueueingNetwork::Taken>>
      m_taken;                          ///< per process, once any takes: by its Take
  std::vector<std::int32_t> m_engines;  ///< scratch of enginesOf
  network::Ticks m_now = 0;
  std::int64_t m_events = 0;    ///< with those of skipped periods
  std::int64_t m_executed = 0;  ///< without those of skipped periods
  WorkRates m_rates;
  Effort& m_effort;
  std::int64_t m_workLeft;                  ///< until the limit
  std::int64_t m_bodies = 0;                ///< tiles computed and not yet reported to m_progress
  network::Ticks m_skipped = 0;             ///< skipped periods before m_now
  std::vector<RecurrenceFinder> m_finders;  ///< per band, outermost first
  std::int32_t m_reference = -1;  ///< the compute process whose iterations start periods; -1: none
  bool m_atReference = false;     ///< it has just started one
  std::vector<std::int32_t> m_referenceWaves;
  std::vector<network::Event> m_pending;  ///< scratch of takeSnapshot
  UseRecorder m_use;
  TraceRecorder m_trace;
  std::vector<schedule::SlotTurn> m_turns;  ///< of the process that advances
  base::Diagnostics m_errors;
};

}  // namespace gridloom::simulate
