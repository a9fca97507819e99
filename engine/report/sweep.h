// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "report/records.h"
#include "report/table.h"
#include "search/search.h"

namespace gridloom::report {

constexpr std::size_t kMostSweepPoints = 10'000;

/// A number of a machine or of a kernel that a sweep may vary.
struct SweepParameter {
  std::string name;   ///< "cols", "noc_h.bandwidth": as `--vary` takes it
  std::string title;  ///< "cols", "noc_h: bandwidth"
  std::string unit;   ///< may be empty
  double now = 0;
  bool whole = false;
  bool ofKernel = false;
  std::string component, attribute;  ///< as language::HardwareField; of a kernel, its parameter
};

struct SweepAxis {
  SweepParameter parameter;
  std::vector<double> values;
};

/// What was found at one point of a sweep.
struct SweepFound {
  double predicted = 0;            ///< cycles of the best mapping; 0 where there is none
  double simulated = 0;            ///< its cycles by simulation; 0 where it was not simulated
  base::Diagnostics notSimulated;  ///< why a requested simulation failed
  search::Stop stopped = search::Stop::None;  ///< why the search ended early
  double utilization = 0;
  std::int64_t cores = 0;
  std::string bottleneck;
  std::string mapping;  ///< mapping::describe
  std::string failure;  ///< why there is none

  bool fits() const { return predicted > 0; }
  /// Simulated cycles if there are, else predicted ones.
  double cycles() const { return simulated > 0 ? simulated : predicted; }
  /// Those of one kind; 0 where there are none.
  double cycles(bool bySimulation) const { return bySimulation ? simulated : predicted; }
};

struct SweepPoint {
  std::vector<double> values;  ///< one for each axis
  bool isNow = false;          ///< those of the inputs
  bool known = false;
  SweepFound found;
};

/// A sweep with what its inputs are otherwise.
struct SweepRecord {
  std::string hardware, kernel;
  std::string dtype;                  ///< of the first input
  std::string mode;                   ///< as asked; "" follows the element type
  std::vector<NamedSize> parameters;  ///< of the kernel, without those that vary
  bool simulated = false;             ///< mappings were to be simulated
  std::vector<SweepAxis> axes;        ///< one or two
  std::vector<SweepPoint> points;     ///< every combination, those of the last axis side by side
};

/// Whether every mapping that is known was simulated; else the predictions are what is compared.
bool allSimulated(const SweepRecord& sweep);
/// Every combination of the values, none of them known.
std::vector<SweepPoint> sweepPoints(const std::vector<SweepAxis>& axes);
/// A value for people: four digits, or those of a whole number.
std::string sweepValueText(double value);
/// "cols", "noc_h: bandwidth, B/cycle".
std::string sweepAxisTitle(const SweepParameter& parameter);
/// "cols = 8, M = 4,096".
std::string sweepTitle(const std::vector<SweepAxis>& axes, const SweepPoint& point);
/// "gemm, N 4096, K 4096, f16 on wormhole_8x8, hifi4": what does not vary.
std::string sweepFacts(const SweepRecord& sweep);
/// A row for each point that is known, as files have it.
Table sweepTable(const SweepRecord& sweep);
/// The same for people: why there is no mapping stands where the mapping would; where a simulation
/// failed or a search ended early, a last column says so.
Table shortSweepTable(const SweepRecord& sweep);
/// The facts, the table, and what is best.
std::string sweepText(const SweepRecord& sweep);

}  // namespace gridloom::report
