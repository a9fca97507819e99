// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cost/estimate.h"
#include "search/search.h"

namespace gridloom::report {

/// Results with names instead of ids, and without references into inputs. They are printed,
/// compared and written to files. Times are cycles unless stated otherwise.

struct NamedNumber {
  std::string name;
  double value = 0;
};

struct NamedSize {
  std::string name;
  std::int64_t size = 0;
};

struct HardwareRecord {
  std::string name;
  std::string label;
  std::vector<NamedSize> dims;
  std::int64_t cores = 0;       ///< enabled
  double clock = 0;             ///< hertz; 0: none given
  double peakFlops = 0;         ///< flop per cycle of all enabled cores, in the mode used
  std::int64_t localBytes = 0;  ///< per core
  std::int64_t channels = 0;
  double readBandwidth = 0;  ///< bytes per cycle, all channels
  double writeBandwidth = 0;
  bool duplex = false;  ///< reads and writes each have the full bandwidth
};

struct TensorRecord {
  std::string name;
  std::string dtype;
  std::string role;  ///< "input", "output", "local"
  std::vector<std::int64_t> shape;
};

struct LoopRecord {
  std::string name;
  std::string kind;  ///< "parallel", "reduction", "sequential"
  std::int64_t extent = 0;
};

struct KernelRecord {
  std::string name;
  std::vector<NamedSize> parameters;
  std::vector<LoopRecord> loops;
  std::vector<TensorRecord> tensors;
  double flops = 0;
  std::int64_t compulsoryBytes = 0;
};

/// A shared buffer through which an operand's tiles go.
struct SharedBufferRecord {
  std::string memory;
  int level = 0;  ///< inputs: hoist level of the transfer into it
  int buffers = 1;
  /// inputs: mesh dimensions along which one multicast takes a tile to the shared buffers inwards
  std::vector<std::string> along;
};

struct InputRecord {
  std::string tensor;
  std::string kind;                ///< "direct", "multicast", "two_stage", "stream", ...
  std::vector<std::string> along;  ///< mesh dimensions, in the order in which they are taken
  int level = 0;                   ///< hoist level: temporal loops outside the transfer
  int buffers = 1;
  std::vector<SharedBufferRecord> sharedBuffers;  ///< from the cores outwards
  std::string layout;                             ///< "page", "tile", "nearest", "local"
  std::vector<std::string> shared;  ///< mesh dimensions along which cores share one copy
};

struct OutputRecord {
  std::string tensor;
  std::string reduction;  ///< "none", "chain", "tree"
  std::string gather;     ///< mesh dimension; "": every core writes its own tiles
  int buffers = 1;
  std::string layout;                             ///< as of an input
  std::vector<SharedBufferRecord> sharedBuffers;  ///< from the cores outwards
};

/// A local tensor that is all-reduced across cores.
struct AllReduceRecord {
  std::string tensor;
  std::string reduction;  ///< "chain", "tree"
};

/// A product of a statement, and the units that could perform it.
struct UnitRecord {
  std::string tensor;  ///< that the statement computes
  std::string unit;    ///< that performs it on a whole tile
  bool pinned = false;
  std::vector<NamedNumber> cycles;  ///< per unit that could: cycles of a whole tile
};

struct MappingRecord {
  std::string line;                     ///< mapping::describe
  std::vector<std::string> directives;  ///< the .sched lines that pin it
  std::vector<NamedSize> tileSize;      ///< per loop
  /// mesh dimension, loop ("" when unused)
  std::vector<std::pair<std::string, std::string>> space;
  std::vector<std::string> dimOrder;
  std::vector<std::string> order;
  std::vector<InputRecord> inputs;
  std::vector<OutputRecord> outputs;
  std::vector<AllReduceRecord> allReduces;  ///< local tensors that are all-reduced across cores
  std::vector<UnitRecord> units;            ///< of products
};

struct SimulatedRecord {
  double cycles = 0;
  double seconds = 0;
  double tflops = 0;
  double utilization = 0;
  std::string bottleneck;
  std::int64_t events = 0;
  std::vector<NamedNumber> states;  ///< mean over active cores; sums to `cycles`
  hardware::Traffic traffic;
  std::vector<NamedNumber> sharedBuffers;  ///< per shared buffer: bytes into it and out of it
};

struct RankedRecord {
  int rank = 0;
  /// Rank by the model; none: not in its ranking as far as it was listed, a neighbour of a
  /// simulated mapping.
  std::optional<int> predictedRank;
  int twins = 0;  ///< equivalent mappings, which differ in names of loops and dimensions only
  MappingRecord mapping;
  cost::Estimate predicted;
  std::optional<SimulatedRecord> simulated;
};

/// A mapping of a long ranking, of which only what lists show is kept; all by the model.
struct ListedRecord {
  int rank = 0;
  int predictedRank = 0;  ///< as in RankedRecord
  int twins = 0;          ///< as in RankedRecord
  double cycles = 0;
  double tflops = 0;
  double utilization = 0;
  std::int64_t localBytes = 0;
  std::string bottleneck;
  std::string line;  ///< mapping::describe
};

/// How the ranking by the model was re-ranked by simulation.
struct RerankedRecord {
  int wanted = 0;  ///< mappings that were to be simulated
  int simulated = 0;
  int tooLong = 0;         ///< mappings that exceeded the work limit
  double firstCycles = 0;  ///< simulated cycles of the model's first; 0: not simulated
};

/// A kernel run as kernels one after the other, which take fewer cycles than its best mapping.
struct ApartRecord {
  struct Part {
    KernelRecord kernel;
    RankedRecord best;
  };
  double cycles = 0;       ///< of all parts
  bool simulated = false;  ///< by simulation, all of them
  std::vector<Part> parts;
};
struct ExplorationRecord {
  HardwareRecord hardware;
  KernelRecord kernel;
  std::string mode;
  cost::Roofline roofline;
  search::SpaceCount space;
  double seconds = 0;
  std::vector<RankedRecord> top;
  std::vector<ListedRecord> more;  ///< the mappings after those of `top`
  RerankedRecord reranked;
  bool interrupted = false;  ///< incomplete
  std::optional<ApartRecord> apart;
  /// Where there is no mapping: what stands in the way, and what would help, a line each.
  std::vector<std::string> whyNone = {};
};

/// One link or memory channel over a whole run.
struct ResourceRecord {
  std::string name;
  double busy = 0;
  double bytes = 0;
};

struct CoreRecord {
  std::vector<std::int64_t> coordinates;
  std::vector<double> states;  ///< as SimulatedRecord::states; sums to `cycles`
};

/// Utilization of a resource over time, as simulate::UseOverTime.
struct UseRecord {
  std::string name;
  std::vector<float> shares;
};
struct OverTimeRecord {
  double binCycles = 0;
  std::vector<UseRecord> links, channels, cores;
};

/// A buffer of a schedule that is not lowered from its mapping.
struct BufferRecord {
  std::string name;
  std::string use;  ///< "input", "shared_input", ...
  int slots = 1;
  std::int64_t bytes = 0;  ///< per slot
};
struct ScheduleRecord {
  std::int64_t localBytes = 0;  ///< per core
  std::vector<BufferRecord> buffers;
};

struct SimulationRecord {
  HardwareRecord hardware;
  KernelRecord kernel;
  std::string mode;
  cost::Roofline roofline;
  MappingRecord mapping;
  /// a schedule that was hand-written or changed by passes
  std::optional<ScheduleRecord> schedule;
  cost::Estimate predicted;
  SimulatedRecord simulated;
  std::vector<ResourceRecord> links;     ///< links that carried bytes; of millions, the busiest
  std::vector<ResourceRecord> channels;  ///< reads and writes separately
  std::vector<CoreRecord> cores;
  OverTimeRecord overTime;  ///< resources in use, on small enough meshes
  std::optional<double> valueError;
};

/// Who has a part in a loss.
struct CauseRecord {
  /// "loop", "operand", "link", "channel"; "unit", whose name is "matrix" or "vector"
  std::string kind;
  std::string name;
  /// operand: waits for it of that kind, fill and later ones together, on average over active
  /// cores; link, channel: busy cycles; else: 0
  double cycles = 0;
};

/// One step from the peak of the machine to what a run achieves (report::PeakLoss).
struct LossRecord {
  std::string key;     ///< "issue"
  std::string name;    ///< "Issue overhead"
  std::string reason;  ///< with the figures that make it; empty for what is 0
  double cycles = 0;   ///< of a core, on average over all enabled cores
  double share = 0;    ///< of the peak: cycles / cycles of the run
  std::vector<CauseRecord> causes;
};

struct WaterfallRecord {
  double cycles = 0;       ///< of the run
  std::int64_t cores = 0;  ///< enabled
  double peakFlops = 0;    ///< flop per cycle of all enabled cores, in the mode used
  double clock = 0;        ///< hertz; 0: none given
  double achieved = 0;     ///< share of the peak: the utilization
  std::vector<LossRecord> losses;

  /// `achieved` and all losses: 1.
  double sum() const {
    double sum = achieved;
    for (const LossRecord& loss : losses) sum += loss.share;
    return sum;
  }
};

/// The same mapping with more of one resource.
struct WhatIfRecord {
  std::string resource;
  double predictedCycles = 0;
  std::optional<double> simulatedCycles;
};

/// Cores that run a process with a role (mapping::DataflowRole).
struct RoleRecord {
  std::string role;
  std::string operand;  ///< "" for the PEs
  std::int64_t cores = 0;
};

struct ExplanationRecord {
  SimulationRecord run;
  WaterfallRecord waterfall;
  std::vector<WhatIfRecord> twice;
  bool interrupted = false;  ///< some resources are missing
  std::vector<RoleRecord> roles = {};
};

}  // namespace gridloom::report
