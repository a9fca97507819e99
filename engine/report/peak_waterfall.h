// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/topology.h"
#include "kernel/tile_nest.h"
#include "report/records.h"
#include "report/table.h"
#include "schedule/schedule.h"
#include "simulate/compute_split.h"
#include "simulate/simulation.h"

namespace gridloom::report {

/// What takes a run from the peak of the machine to what it achieves, in the order of a waterfall.
/// Whatever a core's time is not useful flops at the peak rate belongs to exactly one of them.
enum class PeakLoss : std::uint8_t {
  UnitRate,     ///< the sustained rate of the units below the peak of the numeric mode
  Issue,        ///< issue overhead of tile operations
  UnitFill,     ///< filling systolic arrays; outputs too small for the full rate
  Padding,      ///< up to whole intrinsics and vectors, edge tiles included
  ExtraWork,    ///< operations that are not the kernel's: masked points, rescaling, recomputation
  PartialSums,  ///< reducing partial results of other cores
  Launch,       ///< before any core starts
  FillDram,     ///< the waits before a core's first tile operation, by cause
  FillLink,
  FillSync,  ///< setup, synchronisation
  WaitDram,  ///< all other waits of compute
  WaitLink,
  WaitSync,
  WaitStore,    ///< for the output's buffer to be emptied
  UnevenCores,  ///< a core has finished, others still compute
  Drain,        ///< no core computes any more
  IdleCores,    ///< enabled cores without work
};
constexpr std::size_t kPeakLosses = 17;
/// "issue", "fill_dram": the key in JSON and the name in links.
std::string_view keyOf(PeakLoss loss);
/// None for what is no key.
std::optional<PeakLoss> lossNamed(std::string_view key);
/// "Issue overhead", "Fill: wait DRAM".
std::string_view nameOf(PeakLoss loss);

/// One run with everything that its waterfall needs.
struct PeakRun {
  const kernel::Kernel& kernel;
  const kernel::TileNest& nest;
  const hardware::Topology& hw;
  const hardware::ComputeModel& compute;
  const schedule::Schedule& schedule;
  const simulate::Simulation& simulated;
  const simulate::ComputeSplit& split;
};

/// The cycles that every core loses. `run` must outlive it.
class CoreLosses {
 public:
  explicit CoreLosses(const PeakRun& run);

  /// Cycles of one core of the topology.
  double of(PeakLoss loss, std::size_t core) const;
  /// Sum over all enabled cores. Of the idle ones, some may be in no list of cores, as they are on
  /// a line with a disabled core.
  double total(PeakLoss loss) const { return m_totals[static_cast<std::size_t>(loss)]; }

 private:
  double afterCompute(std::size_t core) const;

  const PeakRun& m_run;
  double m_launch = 0;
  double m_lastCompute = 0;             ///< cycle at which the last core finishes
  double m_extra = 0;                   ///< share of the operations that are not the kernel's
  std::vector<std::uint8_t> m_reduces;  ///< per program
  std::array<double, kPeakLosses> m_totals{};
};

/// All losses of a run, zero ones included. With `achieved` their shares sum to 1. That is no
/// identity: the parts of tile operations come from the tiles of the schedule, all else from the
/// simulation.
WaterfallRecord waterfallOf(const PeakRun& run);

/// One row per loss, between the peak and what is achieved; losses of nothing are left out.
Table waterfallTable(const WaterfallRecord& waterfall);
/// "parts sum to 100.0% of 64 cores x 3,576,117 cycles; nothing lost by padding, ..."
std::string waterfallNote(const WaterfallRecord& waterfall);

}  // namespace gridloom::report
