// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "cost/evaluator.h"
#include "mapping/space.h"
#include "search/movement_plan.h"

namespace gridloom::search {

/// One space choice with one tile size per loop.
struct Item {
  std::uint32_t space = 0;
  std::uint64_t tileSizes = 0;  ///< mixed radix over Axes::tileSizes
  const MovementPlan* movements = nullptr;
  double bound = 0;  ///< no point of the item is faster
};

/// The space, prepared for enumeration.
struct Plan {
  mapping::Axes axes;
  std::vector<Item> items;      ///< in the fixed order of the space
  std::int64_t size = 0;        ///< number of points
  std::int64_t tooEarly = 0;    ///< points with a violated dependence
  std::string tooEarlyExample;  ///< one of them, with its violated dependence
  /// Why the space is too large to enumerate; the plan then holds its axes and nothing else.
  std::string tooLarge;
  /// Per space, loops with more than one trip, kind of dependences, and mapping::rotationsOf.
  std::map<std::tuple<std::uint32_t, std::uint64_t, std::size_t, std::vector<bool>>, MovementPlan>
      movements;

  /// Tile sizes, space and dimension order of an item.
  mapping::Mapping mappingOf(const Item& item) const;
};

/// Errors: directives that leave an axis empty (with its name), too many placements to list.
base::Result<Plan> makePlan(const kernel::Kernel& kernel, const cost::Evaluator& evaluator,
                            const hardware::ComputeModel& compute,
                            const mapping::Constraints& constraints,
                            const base::Progress& progress);

}  // namespace gridloom::search
