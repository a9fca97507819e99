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

/// Results by the names people read: no ids, no references into inputs. What is printed, compared and
/// written to files is made of these. Times are cycles unless said otherwise.

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
  double peakFlops = 0;         ///< per cycle, all enabled cores, in the mode used
  std::int64_t localBytes = 0;  ///< per core
  std::int64_t channels = 0;
  double readBandwidth = 0;  ///< bytes per cycle, all channels
  double writeBandwidth = 0;
  bool duplex = false;  ///< reads and writes go side by side
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

struct InputRecord {
  std::string tensor;
  std::string kind;                ///< "direct", "multicast", "two_stage", "stream", ...
  std::vector<std::string> along;  ///< mesh dimensions, the one taken first in front
  int level = 0;                   ///< temporal loops outside the transfer
  int buffers = 1;
  int sharedBufferLevel =
      -1;  ///< temporal loops outside the load into the middle memory; -1: it does not stay there
  int sharedBuffers = 1;
  std::string layout;               ///< "page", "tile", "nearest", "local"
  std::vector<std::string> shared;  ///< mesh dimensions along which cores use one copy
};

struct OutputRecord {
  std::string tensor;
  std::string reduction;  ///< "none", "chain", "tree"
  std::string gather;     ///< mesh dimension; "" when every core writes its own
  int buffers = 1;
  std::string layout;  ///< as of an input
  int sharedBuffers =
      0;  ///< of the middle memory on its way to global memory; 0: it does not pass it
};

/// A local tensor that cores reduce together.
struct AllReduceRecord {
  std::string tensor;
  std::string reduction;  ///< "chain", "tree"
};

struct MappingRecord {
  std::string line;                     ///< mapping::describe
  std::vector<std::string> directives;  ///< the .sched lines that pin it
  std::vector<NamedSize> tileSize;      ///< per loop
  std::vector<std::pair<std::string, std::string>>
      space;  ///< mesh dimension, loop ("" when unused)
  std::vector<std::string> dimOrder;
  std::vector<std::string> order;
  std::vector<InputRecord> inputs;
  std::vector<OutputRecord> outputs;
  std::vector<AllReduceRecord> allReduces;  ///< those for which cores meet
};

struct SimulatedRecord {
  double cycles = 0;
  double seconds = 0;
  double tflops = 0;
  double utilization = 0;
  std::string bottleneck;
  std::int64_t events = 0;
  std::vector<NamedNumber> states;  ///< mean over active cores; sums to `cycles`
  cost::Traffic traffic;
};

struct RankedRecord {
  int rank = 0;
  int predictedRank = 0;  ///< by the model
  int twins = 0;          ///< others that differ in names of loops and dimensions only
  MappingRecord mapping;
  cost::Estimate predicted;
  std::optional<SimulatedRecord> simulated;
};

/// How the ranking by the model was re-ranked by simulation.
struct RerankedRecord {
  int wanted = 0;  ///< so many mappings
  int simulated = 0;
  int tooLong = 0;         ///< so many would have taken more work than there was
  double firstCycles = 0;  ///< simulated cycles of the model's first; 0: not simulated
};

struct ExplorationRecord {
  HardwareRecord hardware;
  KernelRecord kernel;
  std::string mode;
  cost::Roofline roofline;
  search::SpaceCount space;
  double seconds = 0;
  std::vector<RankedRecord> top;
  RerankedRecord reranked;
  bool interrupted = false;  ///< not all that was asked for is here
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

/// A resource in use over time, as simulate::UseOverTime.
struct UseRecord {
  std::string name;
  std::vector<float> shares;
};
struct OverTimeRecord {
  double binCycles = 0;
  std::vector<UseRecord> links, channels, cores;
};

/// Slots of a schedule that is not what its mapping lowers to.
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
  std::optional<ScheduleRecord> schedule;  ///< one that was written, or changed by passes
  cost::Estimate predicted;
  SimulatedRecord simulated;
  std::vector<ResourceRecord> links;     ///< those that carried something; of millions, the busiest
  std::vector<ResourceRecord> channels;  ///< reads and writes apart
  std::vector<CoreRecord> cores;
  OverTimeRecord overTime;  ///< of small enough meshes, those in use
  std::optional<double> valueError;
};

/// The same mapping with more of one resource.
struct WhatIfRecord {
  std::string resource;
  double predictedCycles = 0;
  std::optional<double> simulatedCycles;
};

struct ExplanationRecord {
  SimulationRecord run;
  std::vector<WhatIfRecord> twice;
  bool interrupted = false;  ///< not every resource is there
};

}  // namespace gridloom::report
