// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "report/slot_use.h"
#include "report/span_index.h"
#include "schedule/schedule.h"
#include "simulate/simulation.h"

namespace gridloom::report {

/// What a process does at a moment.
enum class Activity : std::uint8_t {
  Compute,
  Epilogue,
  Reduce,
  Load,
  Send,
  Receive,
  Store,
  Wait,
  /// Nothing is recorded: the core has not been launched or has finished, or a mover or writer
  /// moves nothing.
  Idle
};
std::string_view nameOf(Activity activity);
/// Whether a process that does this moves a tile.
bool isTransfer(Activity activity);

struct ProcessState {
  Activity activity = Activity::Idle;
  /// What the time counts as. For a waiting compute process, the cause of the wait.
  simulate::State state = simulate::State::Idle;
  double begin = 0, end = 0;  ///< cycles; both 0 where `activity` is Idle
};

/// A tile that one process transfers. A tile that is sent appears at its sender, and at each
/// receiver once it has left the sender.
struct TileInFlight {
  hardware::CoreId core;
  std::int16_t process = 0;  ///< index into the program's processes
  Activity activity = Activity::Load;
  double begin = 0, end = 0;  ///< cycles
  double done = 0;            ///< share of the time that has passed, from 0 to below 1
};

/// A core with a program, and where its processes are in RunState::processes.
struct ActiveCore {
  hardware::CoreId core;
  std::size_t first = 0, processes = 0;
  std::size_t compute = 0;  ///< the compute process, at least `first`
};

/// The run at one cycle.
struct RunState {
  double cycle = 0;
  std::vector<ProcessState> processes;  ///< by active core, then process
  /// Active cores by the state of their compute process; sums to their number.
  std::array<std::int64_t, simulate::kStates> totals{};
  std::vector<TileInFlight> tiles;  ///< by core, process, begin
  std::vector<BufferFill> buffers;  ///< by core, buffer; empty where no slots are recorded

  std::span<const BufferFill> buffersOf(hardware::CoreId core) const;
};

/// The states of a traced run at any cycle within its trace. Built once; a seek takes
/// O(processes x log spans). Schedule and simulation must outlive it.
class RunStates {
 public:
  RunStates(const schedule::Schedule& schedule, const simulate::Simulation& simulation);

  std::span<const ActiveCore> cores() const { return m_cores; }
  /// The state at `cycle`, from 0 to the end of the run. A span counts from its begin to before its
  /// end.
  RunState at(double cycle) const;
  /// The spans of a process, an index into RunState::processes, by begin.
  std::span<const simulate::Span> spansOf(std::size_t process) const {
    return m_spans.of(m_ranges[process]);
  }
  const SlotUse& slots() const { return m_slots; }

 private:
  void addProcesses(RunState& out) const;
  void add(const ActiveCore& core, std::size_t process, RunState& out) const;

  std::vector<ActiveCore> m_cores;
  std::vector<SpanIndex::Range> m_ranges;  ///< per process
  SpanIndex m_spans;
  SlotUse m_slots;
};

/// What a span is. `computes`: it is one of a compute process.
Activity activityOf(const simulate::Span& span, bool computes);

/// The buffer whose slot a tile in flight is in: that of the first instruction of the process with
/// the tile's activity. Invalid where there is none.
schedule::BufferId bufferOf(const TileInFlight& tile, const schedule::Schedule& schedule);
/// Whether an instruction is a transfer of this activity.
bool moves(schedule::Op op, Activity activity);
/// The process that transfers a tile.
const schedule::Process& processOf(const TileInFlight& tile, const schedule::Schedule& schedule);

/// Name of the operand whose tile is in flight. Where a process transfers several operands
/// with the same activity, the first.
const std::string& operandOf(const TileInFlight& tile, const schedule::Schedule& schedule,
                             const kernel::TileNest& nest);

}  // namespace gridloom::report
