// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "report/records.h"
#include "report/table.h"

namespace gridloom::report {

/// What a comparison of two runs needs of each.
struct ComparedRun {
  std::string title;  ///< a file, or "mapping 3"
  SimulationRecord run;
  WaterfallRecord waterfall;
};

/// A term of the simulated cycles: useful work at the peak rate, or a loss of the waterfall.
struct TermDifference {
  std::string key, name;
  double a = 0, b = 0;  ///< cycles of a core, on average over all enabled cores
  double change() const { return b - a; }
};

/// A choice on one axis of the mapping.
struct ChoiceDifference {
  std::string name;  ///< "tile size i", "movement of A"
  std::string a, b;
};

/// A quantity of both runs: bytes moved, or the utilization of a link or channel.
struct QuantityDifference {
  std::string name;
  double a = 0, b = 0;
  double change() const { return b - a; }
};

/// Why one run beats the other. The terms of each run sum to its simulated cycles, so their changes
/// sum to the difference of the cycles.
struct RunDifference {
  ComparedRun a, b;
  std::vector<TermDifference> terms;  ///< in the order of the waterfall; both-zero ones left out
  std::vector<ChoiceDifference> choices;  ///< those that differ
  std::size_t sameChoices = 0;
  std::vector<QuantityDifference> bytes;      ///< simulated, those that differ
  std::vector<QuantityDifference> resources;  ///< links and channels that differ, the most first

  double cycles() const { return b.waterfall.cycles - a.waterfall.cycles; }
  /// Nothing differs: neither choices nor anything simulated.
  bool empty() const;
};

RunDifference differenceOf(ComparedRun a, ComparedRun b);

/// The terms and what they make of the difference; then choices, bytes and busiest resources.
Table termDifferenceTable(const RunDifference& difference);
Table choiceTable(const RunDifference& difference);
Table byteTable(const RunDifference& difference);
/// The `most` links and channels that changed most.
Table resourceTable(const RunDifference& difference, std::size_t most);
/// One sentence: which run is faster, by how much, and the terms that make most of it.
std::string verdict(const RunDifference& difference);
std::string differenceText(const RunDifference& difference);

}  // namespace gridloom::report
