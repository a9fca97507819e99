// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "affine/integer_set.h"

/// Sets with what can be solved solved, so that isl sees few dimensions, and none of what is a box.
/// Inside of this room only.
namespace gridloom::affine {

/// As many points as another set, over fewer dimensions: equations with a coefficient of 1 or -1
/// give a dimension by the others, constraints narrow the box, and those that hold in all of it
/// are gone.
struct ReducedSet {
  IntegerSet set;
  /// Each dimension of the other set over those of `set`.
  std::vector<LinearExpr> values;
  /// Where it is known without isl.
  std::optional<bool> empty;
};

ReducedSet reduced(const IntegerSet& set);

}  // namespace gridloom::affine
