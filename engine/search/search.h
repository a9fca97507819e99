// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
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
  /// Steps that the search may take, bounds and costs of candidates; 0: as many as it needs. What is found within them
  /// does not depend on the machine.
  std::int64_t workLimit = 0;
  double timeLimit = 0;  ///< seconds, and how far it gets does; 0: none
  /// Work of an item, and of all items together, before first points of all of them are worth their time.
  std::int64_t firstItemWork = 1 << 14;
  std::int64_t firstRoundWork = 1 << 18;
  /// Called between batches of the search, on its thread, whenever the ranking has changed: what a cancel at
  /// that moment would have left.
  std::function<void(const Outcome&)> onImproved = {};
};

/// Why a search ended before all of the space was covered.
enum class Stop : std::uint8_t { None, Interrupted, WorkLimit, TimeLimit };
std::string_view nameOf(Stop stop);  ///< "interrupted", "work limit", "time limit"; ""

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
  std::int64_t feasible = 0;  ///< known to fit: those evaluated; pruned points are not asked
  std::int64_t evaluated = 0;
  std::int64_t pruned =
      0;  ///< ruled out by a bound that cannot be wrong, without asking whether they fit
  std::vector<Rejection> rejected;
  std::int64_t work = 0;  ///< steps taken: bounds and costs of candidates, whole or not
  Stop stopped = Stop::Interrupted;
  bool exact = false;  ///< the whole space was covered: `stopped` is None
};

struct Outcome {
  SpaceCount space;
  /// Best first. Of equal cycles, the one that moves fewer bytes, then with fewer transfers, then with larger tiles, then
  /// by the fixed order of the space.
  std::vector<Candidate> top;
  double seconds = 0;
};

/// Whether global memory holds all inputs and outputs at the same time.
bool tensorsFit(const kernel::Kernel& kernel, const hardware::Topology& hw);

/// Exact best `top` mappings under the model, the same on every thread count (candidate ranking in
/// TL: Li et al., 2025, Sec. 2.5). Cancellable through `progress`, and ended by the limits of the
/// options; what was found by then is returned with exact == false.
/// Errors: no numeric mode of that name, hardware without global memory or compute units, a space or a mesh
/// too large for what the directives leave free.
/// An empty `top` with exact == true means that nothing fits; the rejections say why.
base::Result<Outcome> topK(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                           const hardware::Topology& hw, const mapping::Constraints& constraints,
                           const Options& options, base::Progress& progress);

}  // namespace gridloom::search
