// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "cost/estimate.h"
#include "hardware/topology.h"
#include "kernel/tile_nest.h"
#include "mapping/constraints.h"
#include "schedule/schedule.h"
#include "search/search.h"
#include "simulate/simulation.h"

namespace gridloom::service {

/// What the command and the studio both call. Inputs and results are immutable and shared; every step
/// is a free function that takes them and returns a new one.

/// A named text that is a preset or a file: `wormhole_8x8`, `./my.hw`. Files up to 16 MiB of UTF-8.
base::Result<base::SourceRef> loadHardwareText(const std::string& nameOrPath);
base::Result<base::SourceRef> loadKernelText(const std::string& nameOrPath);
base::Result<base::SourceRef> loadText(const std::string& path, std::int64_t mebibytes = 16);
/// Directives: a file, or one of the baselines that come along (bench/cases): `tt_2d`, `./my.sched`.
base::Result<base::SourceRef> loadDirectivesText(const std::string& nameOrPath);
/// Published figures (bench/reference) and lists of cases (bench/cases), by name.
base::Result<base::SourceRef> loadReferenceText(const std::string& name);
base::Result<base::SourceRef> loadCasesText(const std::string& name);

struct Preset {
  std::string name;
  std::string path;
  std::string summary;  ///< first sentence of the comment that heads the file
};
std::vector<Preset> listHardware();
std::vector<Preset> listKernels();

/// A hardware description, parsed, checked and resolved.
struct Hardware {
  base::SourceRef source;
  hardware::HardwareSpec spec;
  hardware::Topology topology;
  base::Diagnostics remarks;  ///< warnings and notes
};
using HardwareRef = std::shared_ptr<const Hardware>;
base::Result<HardwareRef> openHardware(base::SourceRef text);

/// A kernel with its parameters set, parsed, checked and made into a nest of tile loops.
struct KernelOptions {
  std::vector<std::pair<std::string, std::int64_t>> set;  ///< parameter = value
  std::string dtype;                                      ///< "" keeps the file's
  std::string name;  ///< which kernel of a file with several; "" the first
};
struct Kernel {
  base::SourceRef source;
  kernel::Kernel kernel;
  /// Absent when the kernel has no mapping yet; `notMapped` then says why, located.
  std::optional<kernel::TileNest> nest;
  base::Diagnostics notMapped;
  base::Diagnostics remarks;
};
using KernelRef = std::shared_ptr<const Kernel>;
base::Result<KernelRef> openKernel(base::SourceRef text, const KernelOptions& options);

/// Directives for a kernel on a hardware; an empty text leaves everything free.
base::Result<mapping::Constraints> openDirectives(base::SourceRef text, const Kernel& kernel,
                                                  const Hardware& hardware);

/// Where a simulation stops; 0 keeps the usual limit.
struct SimulationLimits {
  std::int64_t events = 0;
  std::int64_t mebibytes = 0;  ///< of memory, about
};

constexpr std::int64_t kUsualSearchWork = 64'000'000;
/// Where a search ends with the best so far, if it does not before.
struct SearchLimits {
  /// Steps, as in search::Options: some ten seconds on two cores. 0: none.
  std::int64_t work = kUsualSearchWork;
  double seconds = 0;  ///< how far it gets in them differs from run to run; 0: none
};

/// Which of a ranking are simulated, and ranked by that.
struct Reranking {
  int least = 0;  ///< the model's first so many in any case
  int most = 0;   ///< and so many that differ in structure, while `work` lasts
  /// And so many while it lasts and they may be faster than the fastest simulated, by their prediction and how far
  /// predictions of their family were off: where the model is too fast, it may be a later one that is best.
  int furthest = 0;
  std::int64_t work =
      0;  ///< of all together: events, steps of verification, and what lowering counts for
  std::int64_t first = 0;  ///< for each of the first two, where that is more
};
/// What a search does when nothing else is said: 0.3 s of a processor, or up to half a second for each of two mappings
/// where a single one takes that long.
constexpr Reranking kQuickReranking{0, 10, 300, 3'000'000, 4'500'000};
constexpr Reranking rerankFirst(int count) { return {count, count, count, 0}; }

struct Ranked {
  search::Candidate candidate;
  std::string line;       ///< mapping::describe
  std::size_t place = 0;  ///< in the ranking by the model, from 0
  std::size_t twins =
      0;  ///< others that differ in names of loops and dimensions only, and are not listed
  std::optional<simulate::Simulation> simulated;
  base::Diagnostics notSimulated;  ///< why a simulation that was asked for failed
};

/// What became of a refinement.
struct Reranked {
  std::size_t tried = 0;      ///< mappings that were to be simulated
  std::size_t simulated = 0;  ///< of them, those that were
  std::size_t tooLong = 0;    ///< and those that take more work than there was
  /// Simulated cycles of the model's first; 0 when it was not simulated.
  double firstCycles = 0;
};

struct Exploration {
  HardwareRef hardware;
  KernelRef kernel;
  std::string mode;  ///< the numeric mode used
  cost::Roofline roofline;
  search::SpaceCount space;
  /// Those that were simulated by simulated cycles, then the others by predicted cycles; ties as the model ranks.
  std::vector<Ranked> top;
  Reranked reranked;
  double seconds = 0;        ///< of the search alone
  bool interrupted = false;  ///< stopped before all was searched and simulated
};
using ExplorationRef = std::shared_ptr<const Exploration>;

struct ExploreOptions {
  int top = 5;
  int threads = 0;
  std::string mode;
  Reranking rerank = {};
  SimulationLimits limits = {};  ///< of each simulation
  SearchLimits search = {};
  /// Called on the thread of `explore` while it goes on: what an interruption at that moment would have left.
  std::function<void(ExplorationRef)> onImproved = {};
};

/// Enumerate, rank, lower, simulate: the line of the engine as one call. The ranking by the model is exact; its
/// first are simulated side by side as `rerank` says, and ranked anew. The result does not depend on the number of
/// threads, nor on the clock unless the search is given a limit in seconds; on a cancel, those not simulated by then stay
/// without.
base::Result<ExplorationRef> explore(HardwareRef hardware, KernelRef kernel,
                                     const mapping::Constraints& constraints,
                                     const ExploreOptions& options, base::Progress& progress);

/// Cycles of which a trace is kept: it grows with the window and not with the run.
struct TraceWindow {
  double begin = 0;
  double end = 1e300;
};

struct SimulateOptions {
  std::string mode;
  bool values = false;  ///< compare with the interpreter on sample inputs
  bool trace = false;
  bool full = false;  ///< execute every event, also of what repeats
  SimulationLimits limits = {};
  TraceWindow window = {};
  bool ofMapping =
      true;  ///< the schedule is what the mapping lowers to: not written, nor changed by passes
};

struct SimulationRun {
  HardwareRef hardware;
  KernelRef kernel;
  std::string mode;
  mapping::Mapping mapping;
  std::string line;
  cost::Roofline roofline;
  cost::Estimate predicted;
  schedule::Schedule schedule;
  bool ofMapping = true;  ///< as in the options
  simulate::Simulation simulated;
  /// Value mode: largest difference to the interpreter over all outputs, relative to the largest magnitude.
  std::optional<double> valueError;
};
using SimulationRunRef = std::shared_ptr<const SimulationRun>;

/// Empty when the kernel is small enough for value mode; else an error that says how small it must be.
base::Diagnostics checkValuesPossible(const Kernel& kernel);

/// Lower, verify and simulate one mapping.
base::Result<SimulationRunRef> simulateMapping(HardwareRef hardware, KernelRef kernel,
                                               const mapping::Mapping& mapping,
                                               const SimulateOptions& options,
                                               base::Progress& progress);

/// "Where do the cycles go": the estimate, and the same mapping with twice of each resource, each a real
/// re-evaluation.
struct WhatIf {
  std::string resource;  ///< "dram bandwidth", "noc bandwidth", "matrix rate", ...
  double predictedCycles = 0;
  std::optional<double> simulatedCycles;
};
struct Explanation {
  SimulationRunRef run;
  std::vector<WhatIf> twice;
  bool interrupted = false;  ///< stopped before all of `twice` was there
};
using ExplanationRef = std::shared_ptr<const Explanation>;
base::Result<ExplanationRef> explain(HardwareRef hardware, KernelRef kernel,
                                     const mapping::Mapping& mapping,
                                     const SimulateOptions& options, base::Progress& progress);

/// The one mapping that directives pin, or the best one under them: rank 1 of `explore` with the same refinement and
/// limits. A warning says so where the search came to a limit.
base::Result<mapping::Mapping> mappingFromDirectives(HardwareRef hardware, KernelRef kernel,
                                                     const mapping::Constraints& constraints,
                                                     const std::string& mode,
                                                     base::Progress& progress,
                                                     const Reranking& rerank = kQuickReranking,
                                                     const SearchLimits& search = {});

}  // namespace gridloom::service
