// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "cost/estimate.h"
#include "mapping/constraints.h"
#include "mapping/mapping.h"

namespace gridloom::search {

struct Outcome;

struct Options {
  int top = 5;
  int threads = 0;   ///< 0: all cores
  std::string mode;  ///< numeric mode; "" follows the dtype
  bool exhaustive =
      false;  ///< look at every point that fits, at its bound first; leave out no subtree
  bool trustBounds = true;  ///< false: the whole model of every point that is looked at
  /// Called between batches of the search, on its thread, whenever the ranking has changed: what a cancel at
  /// that moment would have left.
  std::function<void(const Outcome&)> onImproved = {};
};

/// Why points of the space were rejected, with numbers.
struct Rejection {
  std::string reason;  ///< "capacity", ...
  std::int64_t count = 0;
  /// The nearest miss, for capacity: bytes needed and available.
  double needed = 0;
  double available = 0;
  std::string unit;
  std::string example;  ///< the nearest miss in one line
};

/// A candidate of the ranking.
struct Candidate {
  mapping::Mapping mapping;
  cost::Estimate estimate;
};

/// Every point of the space is in exactly one of three counts: size == evaluated + pruned + sum of rejections.
struct SpaceCount {
  std::int64_t size = 0;
  std::int64_t feasible = 0;  ///< points known to fit: those evaluated
  std::int64_t evaluated = 0;
  std::int64_t pruned =
      0;  ///< ruled out by a bound that cannot be wrong, without asking whether they fit
  std::vector<Rejection> rejected;
  bool exact = false;  ///< the whole space was covered; false only after a cancel
};

struct Outcome {
  SpaceCount space;
  std::vector<Candidate> top;  ///< best first; ties by the fixed order of the space
  double seconds = 0;
};

/// Exact best `top` mappings under the model, the same on every thread count (paper 000, 2.5: candidate
/// ranking). Cancellable through `progress`; what was found by then is returned with exact == false.
/// Errors: no numeric mode of that name, hardware without global memory or compute units, a space or a mesh
/// too large for what the directives leave free.
/// An empty `top` with exact == true means that nothing fits; the rejections say why.
base::Result<Outcome> topK(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                           const hardware::Topology& hw, const mapping::Constraints& constraints,
                           const Options& options, base::Progress& progress);

}  // namespace gridloom::search
