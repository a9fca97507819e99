// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "cost/estimate.h"
#include "hardware/topology.h"
#include "kernel/tile_nest.h"
#include "mapping/constraints.h"
#include "ranking/listed_mappings.h"
#include "ranking/ranked.h"
#include "report/records.h"
#include "schedule/schedule.h"
#include "search/search.h"
#include "simulate/simulation.h"

namespace gridloom::service {

/// The functions that the command and the studio call. Inputs and results are immutable and shared.
/// Every step is a free function from inputs to a new result.

/// A hardware description: parsed, checked and resolved.
struct Hardware {
  base::SourceRef source;
  hardware::HardwareSpec spec;
  hardware::Topology topology;
  base::Diagnostics remarks;  ///< warnings and notes
};
using HardwareRef = std::shared_ptr<const Hardware>;
/// `like`: a machine of which it takes what is the same, such as that before an edit; or null.
base::Result<HardwareRef> openHardware(base::SourceRef text, const Hardware* like = nullptr);

/// A kernel with its parameters set: parsed, checked and converted to a tile nest.
struct KernelOptions {
  std::vector<std::pair<std::string, std::int64_t>> set;  ///< parameter = value
  std::string dtype;                                      ///< "" keeps the file's
  std::string name;  ///< which kernel of a file with several; "": the first
};
struct Kernel {
  base::SourceRef source;
  kernel::Kernel kernel;
  std::string dtype;  ///< as in KernelOptions
  /// Absent when the kernel cannot be mapped; `notMapped` then says why, located.
  std::optional<kernel::TileNest> nest;
  base::Diagnostics notMapped;
  base::Diagnostics remarks;
  search::Stop formChoice = search::Stop::None;  ///< as in search::SpaceCount
  double formMargin = 0;  ///< the share by which a mapping of the other form may be faster
};
using KernelRef = std::shared_ptr<const Kernel>;
base::Result<KernelRef> openKernel(base::SourceRef text, const KernelOptions& options);

/// The kernel with what its gathers cost on this hardware; of a kernel with two forms, the first
/// (service/fit.h chooses one). The same object if there are none, or if that was done before.
KernelRef fitted(KernelRef kernel, const Hardware& hardware);

/// The recurrences of a .mlir file, as the text of a .rec file. A program of its own reads MLIR
/// (app/import); errors say where in the file, and what is not imported. `set` gives values to
/// arguments of its functions.
base::Result<base::SourceRef>
importMlir(const base::SourceRef& text,
           const std::vector<std::pair<std::string, std::int64_t>>& set);
/// A kernel in MLIR with the values that its arguments take.
struct MlirKernel {
  KernelRef kernel;
  std::vector<std::pair<std::string, std::int64_t>> values;
  std::vector<std::string> assumed;  ///< those of `values` that were not given: each is 128
};
/// Opens a text in MLIR, of whose arguments some may have no value yet.
base::Result<MlirKernel> openMlirKernel(const base::SourceRef& text, const KernelOptions& options);
bool isMlir(const base::SourceText& text);
/// Whether a text without a name is MLIR: it begins with a module, a function or an alias.
bool looksLikeMlir(std::string_view text);

/// Directives for a kernel on a hardware. An empty text constrains nothing.
base::Result<mapping::Constraints> openDirectives(base::SourceRef text, const Kernel& kernel,
                                                  const Hardware& hardware);

/// Limits of a simulation; 0: the default.
struct SimulationLimits {
  std::int64_t events = 0;
  std::int64_t mebibytes = 0;  ///< approximate memory
};

constexpr std::int64_t kUsualSearchWork = 8'000'000;
/// Limits of a search. It returns the best so far when it reaches one.
struct SearchLimits {
  /// Steps, as in search::Options; 0: unlimited. The default took about 2 s of processor time at
  /// most, on the kernels and presets of bench/table.
  std::int64_t work = kUsualSearchWork;
  double seconds = 0;  ///< how far it gets in this time differs from run to run; 0: unlimited
  /// After some million steps, the share by which a mapping that is left out may be faster than the
  /// ranking, as in search::Options; 0: none.
  double margin = 0.01;
};

struct Exploration;
using ExplorationRef = std::shared_ptr<const Exploration>;

/// A kernel run as kernels one after the other. Each waits for the one before.
struct Apart {
  std::vector<ExplorationRef> parts;  ///< each with at least one mapping
  double cycles = 0;                  ///< the sum of their best mappings
  bool simulated = false;             ///< all of them by simulation
};

/// Why there is no mapping, beside the reasons that a search counted, and what would help.
struct NoMapping {
  std::vector<std::string> reasons;  ///< what stands in the way, a line each
  /// Parameters of the kernel with values at which there are mappings; empty where none are known.
  std::vector<std::pair<std::string, std::int64_t>> sizes;
};

struct Exploration {
  HardwareRef hardware;
  KernelRef kernel;
  std::string mode;  ///< the numeric mode used
  cost::Roofline roofline;
  search::SpaceCount space;
  /// Simulated mappings by simulated cycles, then the others by predicted cycles; ties in the order
  /// of the model.
  std::vector<ranking::Ranked> top;
  /// The mappings after those of `top`, in the order of the model: `top` holds as many as are
  /// re-ranked, and at least `kMappingsInFull`, since a whole estimate takes thousands of bytes.
  ranking::ListedMappings more;
  base::Diagnostics insane;  ///< figures of `more` that cannot be right: errors of the engine
  ranking::Reranked reranked;
  double seconds = 0;           ///< of the search alone
  double searchCpuSeconds = 0;  ///< processor time of the process meanwhile
  bool interrupted = false;     ///< stopped before all was searched and simulated
  /// Where that is faster than the best mapping, or where there is none.
  std::optional<Apart> apart;
  NoMapping whyNone = {};  ///< where there is none at all, whole or in parts

  /// How many mappings are listed: `top`, then `more`.
  std::size_t listed() const { return top.size() + more.size(); }
};

/// Mappings of a ranking that are kept with their whole estimates.
constexpr int kMappingsInFull = 10'000;
/// The longest ranking. It takes at most 300 bytes for each mapping beyond `kMappingsInFull`.
constexpr int kLongestRanking = 1'000'000;

/// A listed mapping by its position, below `Exploration::listed()`; its line; all that is known of
/// it. For a mapping of `more`, the model computes its estimate again.
mapping::Mapping mappingAt(const Exploration& exploration, std::size_t at);
std::string lineAt(const Exploration& exploration, std::size_t at);
ranking::Ranked rankedAt(const Exploration& exploration, std::size_t at);

struct ExploreOptions {
  int top = 5;
  int threads = 0;
  std::string mode;
  ranking::Reranking rerank = {};
  SimulationLimits limits = {};  ///< of each simulation
  SearchLimits search = {};
  bool apart = false;  ///< whether parts of the kernel, one after the other, are tried, too
  /// Called on the thread of `explore` during the search, with the result that an interruption at
  /// that time would return.
  std::function<void(ExplorationRef)> onImproved = {};
  /// Mappings of an earlier search, of other inputs. `onImproved` is told first what the model
  /// predicts for those that are still legal; the result does not depend on them.
  std::vector<mapping::Mapping> earlier = {};
};

/// Enumerates, ranks, lowers and simulates: the whole engine as one call. The ranking by the model
/// is exact. Its first mappings are simulated in parallel as `rerank` says, and re-ranked by
/// simulation. The result does not depend on the number of threads, nor on the clock unless the
/// search has a limit in seconds. After a cancel, mappings not simulated by then remain without
/// simulated cycles.
base::Result<ExplorationRef> explore(HardwareRef hardware, KernelRef kernel,
                                     const mapping::Constraints& constraints,
                                     const ExploreOptions& options, base::Progress& progress);

/// The cycles that a trace covers: its size grows with the window, not with the run.
struct TraceWindow {
  double begin = 0;
  double end = 1e300;
  bool slots = false;        ///< the slots of buffers, too
  std::int64_t spans = 0;    ///< the trace is truncated here; 0: the default
  std::int64_t useBins = 0;  ///< most bins of the use over time; 0: the default
};

struct SimulateOptions {
  std::string mode;
  bool values = false;  ///< compare with the interpreter on sample inputs
  bool trace = false;
  bool full = false;  ///< execute every event, repeating periods included
  SimulationLimits limits = {};
  TraceWindow window = {};
  /// the schedule is lowered from the mapping, neither hand-written nor changed by passes
  bool ofMapping = true;
  /// With `values`: those of all inputs; empty: samples.
  kernel::TensorValues inputs = {};
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
  /// Value mode: largest difference from the interpreter over all outputs, relative to the largest
  /// magnitude.
  std::optional<double> valueError;
};
using SimulationRunRef = std::shared_ptr<const SimulationRun>;

/// Empty when the kernel is small enough for value mode; else an error with the limit.
base::Diagnostics checkValuesPossible(const Kernel& kernel);

/// Lowers, verifies and simulates one mapping.
base::Result<SimulationRunRef> simulateMapping(HardwareRef hardware, KernelRef kernel,
                                               const mapping::Mapping& mapping,
                                               const SimulateOptions& options,
                                               base::Progress& progress);

/// Where the cycles go: the estimate, and a full re-evaluation of the mapping with each resource
/// doubled.
struct WhatIf {
  std::string resource;  ///< "dram bandwidth", "noc bandwidth", "matrix rate", ...
  double predictedCycles = 0;
  std::optional<double> simulatedCycles;
};
struct Explanation {
  SimulationRunRef run;
  report::WaterfallRecord waterfall;  ///< from the peak to what the run achieves
  std::vector<WhatIf> twice;
  bool interrupted = false;  ///< stopped before all of `twice` was evaluated
};
using ExplanationRef = std::shared_ptr<const Explanation>;
base::Result<ExplanationRef> explain(HardwareRef hardware, KernelRef kernel,
                                     const mapping::Mapping& mapping,
                                     const SimulateOptions& options, base::Progress& progress);

/// The mapping that directives pin, or the best one under them: rank 1 of `explore` with the same
/// re-ranking and limits. A warning says so when the search reached a limit.
base::Result<mapping::Mapping> mappingFromDirectives(
    HardwareRef hardware, KernelRef kernel, const mapping::Constraints& constraints,
    const std::string& mode, base::Progress& progress,
    const ranking::Reranking& rerank = ranking::kQuickReranking, const SearchLimits& search = {});

}  // namespace gridloom::service
