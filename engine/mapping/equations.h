// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/source_text.h"

namespace gridloom::mapping {

/// Dataflow recurrences (Cyclotron: Sundram et al., 2025, Sections 4 and 6): equations that say
/// where a point of a logical iteration space has a value from, and maps of such spaces onto the
/// mesh. Points are tiles. Lines of the `.sched` language; `lowerEquations` turns them into
/// directives.

struct NameInText {
  std::string text;
  base::Span span;
};

/// One coordinate of a point: `j`, `j - 1`, `j + 1`, `0` or `last`.
struct PointCoordinate {
  enum class Kind : std::uint8_t { Same, Before, After, First, Last };
  Kind kind = Kind::Same;
  std::string loop;  ///< Same, Before, After
  base::Span span;
};

/// The value that a point owns of an operand: `tri.L(i, r - 1, j)`.
struct PointValue {
  NameInText space;  ///< "" where the only space has no name
  NameInText operand;
  std::vector<PointCoordinate> at;
  base::Span span;
};

/// An index of a tensor: a sum of loops and a number.
struct ElementIndex {
  std::vector<std::pair<std::int64_t, NameInText>> terms;
  std::int64_t constant = 0;
};

/// An element of a tensor in memory: `A[i, k]`.
struct TensorElement {
  NameInText tensor;
  std::vector<ElementIndex> indices;
  base::Span span;
};

/// The initial value of a running sum.
struct ZeroValue {};

struct Equation {
  std::variant<PointValue, TensorElement> left;
  std::variant<PointValue, TensorElement, ZeroValue> right;
  std::vector<PointValue> terms;  ///< the factors that a running sum adds
};

/// `map tri(i, r, j) -> (y = i, x = r)`: a logical iteration space, and its interface to the mesh.
/// Loops without a dimension run in time.
struct SpaceMap {
  NameInText name;
  std::vector<NameInText> loops;
  std::vector<std::pair<NameInText, NameInText>> places;  ///< mesh dimension, loop
};

}  // namespace gridloom::mapping
