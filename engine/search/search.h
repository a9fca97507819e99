// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "cost/estimate.h"
#include "mapping/constraints.h"
#include "mapping/mapping.h"
#include "search/ranking.h"

namespace gridloom::search {

struct Outcome;

inline constexpr double kFirstMargin = 0.001;

struct Options {
  int top = 5;
  int threads = 0;   ///< 0: all cores
  std::string mode;  ///< numeric mode; "" follows the dtype
  /// visits every point that fits, in order of bounds; prunes nothing
  bool exhaustive = false;
  bool trustBounds = true;  ///< false: evaluates the whole model for every point
  /// Number of steps (bounds and costs of candidates) that the search may take; 0: no limit. The
  /// result does not depend on the machine.
  std::int64_t workLimit = 0;
  double timeLimit = 0;  ///< seconds; the result then depends on the machine; 0: none
  /// After `patience` steps the search also leaves out what cannot be faster than the ranking by
  /// more than this share of its cycles: first by `kFirstMargin`, after four times as many steps by
  /// the whole margin. Where `least` shows that nothing can be faster by `kFirstMargin`, it ends
  /// after a quarter of `patience`. 0: the ranking is exact.
  double margin = 0;
  std::int64_t patience = 1 << 21;
  /// Only mappings that are predicted to take at most so many cycles are of interest.
  double below = std::numeric_limits<double>::infinity();
  /// Cycles that no mapping beats, as by cost::roofline.
  double least = 0;
  /// How many of the ranking become candidates; the others stay points (Outcome::rest).
  int inFull = std::numeric_limits<int>::max();
  /// Work of an item, and of all items together, before the search takes first points of all items.
  std::int64_t firstItemWork = 1 << 14;
  std::int64_t firstRoundWork = 1 << 18;
  /// Called between batches of the search, on its thread, whenever the ranking has changed: the
  /// outcome that a cancel at that moment would leave.
  std::function<void(const Outcome&)> onImproved = {};
};

/// Why a search ended before it covered the whole space.
enum class Stop : std::uint8_t { None, Interrupted, WorkLimit, TimeLimit };
std::string_view nameOf(Stop stop);  ///< "interrupted", "work limit", "time limit"; ""

/// Why points of the space are infeasible, with numbers.
struct Rejection {
  std::string reason;  ///< "capacity", ...
  std::int64_t count = 0;
  /// For capacity: bytes needed by the smallest infeasible point, and bytes available.
  double needed = 0;
  double available = 0;
  std::string unit;
  std::string example;  ///< that point in one line
  /// What leaves only that point; "" where it is not known.
  std::string directives = {};
};

/// A candidate of the ranking.
struct Candidate {
  mapping::Mapping mapping;
  cost::Estimate estimate;
};

/// Every point of the space is in exactly one of three counts: size == evaluated + pruned + sum of
/// rejections.
struct SpaceCount {
  std::int64_t size = 0;
  /// evaluated points, which fit; pruned points are not checked for capacity
  std::int64_t feasible = 0;
  std::int64_t evaluated = 0;
  /// discarded by an admissible bound, without a capacity check
  std::int64_t pruned = 0;
  std::vector<Rejection> rejected;
  std::int64_t work = 0;  ///< steps taken: bounds and costs of candidates, whole or not
  Stop stopped = Stop::Interrupted;
  /// What ended the choice of the kernel's form before it was clear that no mapping of another form
  /// is faster; counts and margin are of the form that was searched.
  Stop formChoice = Stop::None;
  /// No mapping is faster than those of the ranking by more than this share, if `stopped` is None.
  double margin = 0;
  bool exact = false;  ///< the whole space was covered, with no margin, of the right form
  /// Loops that were not tiled, since the space would be too large; counts and margin are of what
  /// is left.
  std::vector<std::string> whole;
};

struct Outcome {
  SpaceCount space;
  /// Best first. Ties: fewer bytes moved, then fewer transfers, then larger tiles, then the fixed
  /// order of the space.
  std::vector<Candidate> top;
  double seconds = 0;
  /// The points after those of `top`, best first, where the ranking is longer than
  /// `Options::inFull` and whole; PreparedSearch::candidate makes candidates of them.
  std::vector<Entry> rest = {};
};

/// Whether global memory holds all inputs and outputs at the same time.
bool tensorsFit(const kernel::Kernel& kernel, const hardware::Topology& hw);

/// Exact best `top` mappings under the model, the same for every thread count (candidate ranking in
/// TL: Li et al., 2025, Sec. 2.5). `progress` and the limits of the options end it early; it then
/// returns the results so far with exact == false. An empty `top` with exact == true means that
/// nothing fits; the rejections name the reasons.
/// Errors: no numeric mode of that name, a machine without global memory or compute units, a space
/// or a mesh too large for what the directives leave free.
base::Result<Outcome> topK(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                           const hardware::Topology& hw, const mapping::Constraints& constraints,
                           const Options& options, base::Progress& progress);

}  // namespace gridloom::search
