// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "hardware/topology.h"
#include "kernel/interpreter.h"
#include "network/resource_use.h"
#include "schedule/schedule.h"

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
std::string_view nameOf(State state);

/// One stretch of a process in a trace.
struct Span {
  hardware::CoreId core;
  std::int16_t process = 0;  ///< index into the program's processes
  State state = State::Idle;
  std::int8_t what =
      0;  ///< Compute: 0 body, 1 epilogue, 2 combination; movers: 0 load, 1 send, 2 receive, 3 store
  double begin = 0, end = 0;  ///< cycles
};

struct Options {
  std::string mode;  ///< numeric mode; "" follows the dtype
  bool trace = false;
  double traceBegin = 0;  ///< window of cycles kept
  double traceEnd = 1e300;
  std::int64_t maxSpans = 2'000'000;              ///< the trace stops growing here and says so
  std::int64_t maxEvents = 2'000'000'000;         ///< executed ones
  std::int64_t maxBytes = std::int64_t{8} << 30;  ///< of memory for the run, about
  /// Executes every event. Otherwise what repeats is counted and not executed again, which gives the same
  /// result; a trace or values need every event.
  bool full = false;
  bool values = false;  ///< run the arithmetic; `inputs` must be given
  const kernel::TensorValues* inputs = nullptr;
};

using network::ResourceUse;

/// How busy each resource was in each of `bins` equal stretches of the run, 0 to 1; the last stretch ends with
/// the run. Where periods were skipped, a bin is as their resolution allows. No bins on very large machines.
struct UseOverTime {
  double binCycles = 0;
  std::size_t bins = 0;
  std::vector<float> links;     ///< [LinkId][bin]
  std::vector<float> channels;  ///< [ChannelId][bin], reads and writes together
  std::vector<float> cores;     ///< [CoreId][bin]: computes
};

struct Simulation {
  double cycles = 0;
  double seconds = 0;  ///< 0 when the hardware gives no clock
  double flops = 0;    ///< the kernel's own
  double tflops = 0;
  double utilization = 0;     ///< as in cost::Estimate
  std::int64_t events = 0;    ///< those of a full run
  std::int64_t executed = 0;  ///< those of this run, which leaves out what repeats
  double skipped = 0;         ///< cycles that repeat others and were not executed again
  std::string bottleneck;     ///< the busiest resource or "latency"
  /// Sum over active PEs divided by their number: sums to `cycles`.
  std::array<double, kStates> states{};
  /// Per core (row-major), per state: each row sums to `cycles`.
  std::vector<std::array<double, kStates>> coreStates;
  std::vector<network::ResourceUse> links;         ///< per LinkId
  std::vector<network::ResourceUse> channelReads;  ///< per ChannelId
  std::vector<network::ResourceUse> channelWrites;
  UseOverTime overTime;
  double dramRead = 0, dramWrite = 0, network = 0, localWrite = 0,
         localRead = 0;     ///< bytes, as cost::Traffic
  std::vector<Span> trace;  ///< by core, process, begin
  bool traceTruncated = false;
  kernel::TensorValues outputs;  ///< in value mode
};

/// Executes a schedule event by event. Same input, same result. Checked at the end of every run: bytes
/// into each resource equal bytes out, no resource above 100%, every PE's states sum to the total.
/// Errors: deadlock (names the cycle of waits), event or memory limit, cancelled, a value read before it was
/// written (value mode), a broken conservation (which is ours, and says so).
///
/// No formula is shared with `cost`. In value mode the same events carry numbers, and the result
/// must equal that of the kernel's interpreter.
base::Result<Simulation> simulate(const schedule::Schedule& schedule, const kernel::Kernel& kernel,
                                  const kernel::TileNest& nest, const hardware::Topology& hw,
                                  const Options& options, base::Progress& progress);

/// Cycles in which a channel of the global memory worked; of a duplex one, in its busier direction.
double channelBusy(const hardware::Topology& hw, const Simulation& simulation, std::size_t channel);

/// Whether one of the errors is the simulator's own fault.
bool hasInternalError(const base::Diagnostics& errors);

}  // namespace gridloom::simulate
