// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gridloom::cost {

/// Where predicted cycles go. Each term is the time during which nothing else than the named cause
/// holds the work up: compute first, then what compute waits for.
struct Term {
  std::string
      name;  ///< "matrix", "vector", "dram", "noc_h", "read port", "l1", "transfer", "all-reduce", "launch", "fill", "drain"
  double cycles = 0;
};

/// Bytes moved at each place over the whole kernel.
struct Traffic {
  double dramRead = 0;
  double dramWrite = 0;
  double network = 0;     ///< bytes times hops over router-to-router links
  double localWrite = 0;  ///< into local memories from the network
  double localRead = 0;   ///< out of local memories to the network
  /// With global memory and over links together: what moving costs, whatever the time.
  double moved() const { return dramRead + dramWrite + network; }
};

/// One temporal loop of the recursion with all that runs inside it, over the whole kernel. The work inside goes on
/// for `inside` cycles; what stands at this level lengthens it to `cycles`.
struct LevelTime {
  std::string loop;
  double iterations = 1;  ///< of this loop and those around it together
  double inside = 0;      ///< compute and everything at the levels further in
  double cycles = 0;      ///< with the transfers of this level, in steady state
  std::string
      bottleneck;  ///< what decides `cycles`: a term's name, or the bottleneck of the level inside
  std::string busiest;  ///< the most loaded resource by the traffic of this level and further in
  double busy = 0;      ///< its cycles
};

/// Predicted execution of one mapping. `terms` sum to `cycles`.
struct Estimate {
  double cycles = 0;
  double seconds = 0;      ///< 0 when the hardware gives no clock
  double flops = 0;        ///< the kernel's own
  double tflops = 0;       ///< 0 without a clock
  double utilization = 0;  ///< flops / (peak of the numeric mode on all enabled cores * cycles)
  std::string bottleneck;  ///< name of the largest term
  std::vector<Term> terms;
  std::vector<LevelTime> levels;  ///< of the temporal loops with transfers, innermost first
  Traffic traffic;
  double transfers = 0;  ///< that a core takes part in, of all operands over the kernel
  /// The same of every input, then of every output, then of every meeting of the cores: they sum to it.
  std::vector<Traffic> operands;
  std::int64_t localBytes = 0;  ///< used of the fullest local memory
  std::int64_t localCapacity = 0;
  std::int64_t sharedBufferBytes =
      0;  ///< of the fullest instance of the memory on the way; 0 without stays
  std::int64_t activeCores = 0;
  /// Busy time of the compute units and of the most loaded resource of each kind that can decide, over the
  /// whole kernel (may overlap): a bound each.
  std::vector<Term> busy;
};

/// What no mapping can beat: the slowest of compute at peak and compulsory DRAM traffic.
struct Roofline {
  double computeCycles = 0;  ///< flops / peak
  double memoryCycles = 0;   ///< compulsory bytes / total DRAM bandwidth
  double cycles = 0;         ///< the larger
};

}  // namespace gridloom::cost
