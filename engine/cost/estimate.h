// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hardware/traffic.h"

namespace gridloom::cost {

/// One part of the predicted cycles: the time during which only the named cause delays the work.
/// Compute comes first, then what compute waits for.
struct Term {
  /// "matrix", "vector", "dram", "noc_h", "read port", "l1", "transfer", "all-reduce", "launch",
  /// "fill", "drain"
  std::string name;
  double cycles = 0;
};

/// One temporal loop of the recursion with everything inside it, over the whole kernel. The work
/// inside takes `inside` cycles; the transfers of this level lengthen it to `cycles`.
struct LevelTime {
  std::string loop;
  double iterations = 1;  ///< of this loop and those around it together
  double inside = 0;      ///< compute and everything at the levels further inside
  double cycles = 0;      ///< with the transfers of this level, in steady state
  /// what bounds `cycles`: a term's name, or the bottleneck of the level inside
  std::string bottleneck;
  /// the most loaded resource by the traffic of this level and further inside
  std::string busiest;
  double busy = 0;  ///< its cycles
};

/// Predicted execution of one mapping. `terms` sum to `cycles`.
struct Estimate {
  double cycles = 0;
  double seconds = 0;      ///< 0 when the hardware has no clock
  double flops = 0;        ///< the kernel's own
  double tflops = 0;       ///< 0 without a clock
  double utilization = 0;  ///< flops / (peak of the numeric mode on all enabled cores * cycles)
  std::string bottleneck;  ///< busiest resource; largest term if none is busy half the time
  std::vector<Term> terms;
  std::vector<LevelTime> levels;  ///< of the temporal loops with transfers, innermost first
  hardware::Traffic traffic;
  double transfers = 0;  ///< transfers per core, of all operands over the kernel
  /// Traffic of every input, then of every output, then of every all-reduce; the entries sum to
  /// `traffic`.
  std::vector<hardware::Traffic> operands;
  std::int64_t localBytes = 0;  ///< used of the fullest local memory
  std::int64_t localCapacity = 0;
  /// Used of the fullest instance of each of Topology::sharedBuffers.
  struct SharedBytes {
    std::string name;
    std::int64_t bytes = 0, capacity = 0;
  };
  std::vector<SharedBytes> sharedBuffers;
  std::int64_t activeCores = 0;
  /// Busy time of the compute units and of the most loaded resource of each kind, over the whole
  /// kernel. They may overlap; each is a lower bound.
  std::vector<Term> busy;
};

/// A bound that no mapping beats: the slower of compute at peak and compulsory DRAM traffic.
struct Roofline {
  double computeCycles = 0;  ///< flops / peak
  double memoryCycles = 0;   ///< compulsory bytes at all channels' bandwidth
  double cycles = 0;         ///< the larger
};

}  // namespace gridloom::cost
