// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "hardware/topology.h"
#include "hardware/traffic.h"
#include "kernel/interpreter.h"
#include "network/resource_use.h"
#include "schedule/slot_turn.h"
#include "schedule/verify.h"

namespace gridloom::simulate {

/// What a PE's compute process does at a moment. Times of all states sum to the total on every PE.
enum class State : std::uint8_t {
  Compute,
  WaitLoad,
  WaitLink,
  WaitDram,
  WaitSync,
  WaitStore,
  Idle
};
constexpr std::size_t kStates = 7;
/// WaitLoad to WaitSync: what a core does before its first tile operation.
constexpr std::size_t kFillStates = 4;
std::string_view nameOf(State state);

/// One interval of a process in a trace.
struct Span {
  hardware::CoreId core;
  std::int16_t process = 0;  ///< index into the program's processes
  State state = State::Idle;
  /// Compute: 0 body, 1 epilogue, 2 reduction; movers: 0 load, 1 send, 2 receive, 3 store
  std::int8_t what = 0;
  double begin = 0, end = 0;  ///< cycles
};

/// A process takes a slot of a buffer of its core at a cycle, or gives it back.
struct SlotEvent {
  hardware::CoreId core;
  std::int16_t process = 0;  ///< as in Span
  std::int16_t buffer = 0;   ///< BufferId
  schedule::SlotTurn::Kind kind = schedule::SlotTurn::Kind::Acquire;
  /// 1; in the first event of a buffer, more slots may have been taken before the window
  std::int32_t slots = 1;
  double cycle = 0;
};

struct Options {
  std::string mode;  ///< numeric mode; "" follows the dtype
  bool trace = false;
  double traceBegin = 0;  ///< start of the traced cycles
  double traceEnd = 1e300;
  std::int64_t maxSpans = 2'000'000;  ///< the trace is truncated here, with a flag
  bool slots = false;                 ///< with `trace`: SlotEvents, too, at most as many as spans
  std::int64_t maxEvents = 2'000'000'000;         ///< executed events
  std::int64_t maxBytes = std::int64_t{8} << 30;  ///< approximate memory for the run
  /// Executes every event. Otherwise repeating periods are counted and skipped, with the same
  /// result. A trace or values need every event.
  bool full = false;
  std::int64_t useBins = 64;  ///< most bins of UseOverTime, from 8 to 65536; 0: none
  bool values = false;        ///< compute values; `inputs` must be given
  const kernel::TensorValues* inputs = nullptr;
};

using network::ResourceUse;

/// Utilization of each resource in each of `bins` equal intervals of the run, 0 to 1. The last one
/// ends with the run. Within skipped periods, bins are interpolated at the recorder's resolution.
/// No bins on very large machines.
struct UseOverTime {
  double binCycles = 0;
  std::size_t bins = 0;
  std::vector<float> links;     ///< [LinkId][bin]
  std::vector<float> channels;  ///< [ChannelId][bin], reads and writes together
  std::vector<float> cores;     ///< [CoreId][bin]: compute
};

/// Work of executing a schedule, in units of about 1/60 us on an x86 core of 3 GHz: of an event,
/// and of a step of a process up to its next wait or transfer, which takes longer where it must
/// look up which tiles are needed. Fitted to the 17,000 simulations of bench/table, all kernels on
/// all presets.
struct WorkRates {
  std::int64_t event = 2, step = 3;
};
WorkRates workRates(const schedule::Schedule& schedule);

/// Limits the work of a simulation and returns it, also of one that fails.
struct Effort {
  std::int64_t maxWork = std::numeric_limits<std::int64_t>::max();
  std::int64_t work = 0;
  bool isTooLong = false;  ///< it stopped at `maxWork`
};

/// What processes and slots do, in time.
struct Trace {
  std::vector<Span> spans;            ///< by core, process, begin
  std::vector<SlotEvent> slotEvents;  ///< by core, buffer, cycle
  /// Where the limit of spans ended the trace: what happens before this cycle is whole.
  double until = std::numeric_limits<double>::infinity();
  bool isTruncated() const { return until < std::numeric_limits<double>::infinity(); }
};

/// The figures of one run.
struct Simulation {
  double cycles = 0;
  double seconds = 0;  ///< 0 when the hardware gives no clock
  double flops = 0;    ///< the kernel's own flops
  double tflops = 0;
  double utilization = 0;   ///< as in cost::Estimate
  std::int64_t events = 0;  ///< of a full run
  std::int64_t work = 0;    ///< of executing it, as WorkRates; skipped periods are left out
  double skipped = 0;       ///< cycles of skipped periods
  std::string bottleneck;   ///< the busiest resource or "latency"
  /// Sum over active PEs divided by their number: the states sum to `cycles`.
  std::array<double, kStates> states{};
  /// Per core (row-major), per state: each row sums to `cycles`.
  std::vector<std::array<double, kStates>> coreStates;
  /// Per core: its waits before its first tile operation (the fill, launch excepted), in WaitLoad,
  /// WaitLink, WaitDram and WaitSync, the states that it can have.
  std::vector<std::array<float, kFillStates>> coreFill;
  /// Per buffer of the schedule, as `states`: the waits of compute for its slots to be filled
  /// (inputs) or emptied (outputs).
  std::vector<std::array<double, kStates>> bufferWaits;
  std::vector<network::ResourceUse> links;         ///< per LinkId
  std::vector<network::ResourceUse> channelReads;  ///< per ChannelId
  std::vector<network::ResourceUse> channelWrites;
  UseOverTime overTime;
  hardware::Traffic traffic;
  /// Per Topology::sharedBuffers: bytes into its instances and out of them.
  std::vector<double> sharedTraffic;
  Trace trace;
  kernel::TensorValues outputs;  ///< in value mode
};

/// Executes a schedule event by event. Deterministic. Checked at the end of every run: bytes into
/// each resource equal bytes out, no resource exceeds 100% utilization, every PE's states sum to
/// the total. Errors: deadlock (names the cycle of waits), limits of events, memory or work,
/// cancelled, a value read before it was written (value mode), and a violated conservation law (an
/// internal error, reported as such).
///
/// It shares no formula with `cost`. In value mode the same events carry numbers, and the result
/// must equal that of the kernel's interpreter.
base::Result<Simulation> simulate(const schedule::VerifiedSchedule& schedule,
                                  const Options& options, base::Progress& progress,
                                  Effort* effort = nullptr);

/// Busy cycles of a channel of global memory; of a duplex channel, in its busier direction.
double channelBusy(const hardware::Topology& hw, const Simulation& simulation, std::size_t channel);

/// Whether one of the errors is an internal error of the simulator.
bool hasInternalError(const base::Diagnostics& errors);

}  // namespace gridloom::simulate
