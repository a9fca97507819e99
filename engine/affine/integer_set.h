// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "affine/linear_expr.h"

namespace gridloom::affine {

/// expr >= 0, or expr == 0
struct Constraint {
  LinearExpr expr;
  bool equality = false;
  friend bool operator==(const Constraint&, const Constraint&) = default;
};

/// A box [0, extents[d]) cut by constraints: the iteration domain of a statement.
struct IntegerSet {
  std::vector<std::int64_t> extents;
  std::vector<Constraint> constraints;

  bool contains(std::span<const std::int64_t> point) const;
};

bool isEmpty(const IntegerSet& set);
/// Exact number of points. The innermost coupled dimension is in closed form, so a 4096-wide
/// triangle takes 4096 steps, not 8 million. Saturates at INT64_MAX.
std::int64_t cardinality(const IntegerSet& set);
/// Upper bound on the steps of `cardinality`, so that a checker can reject a domain first.
double cardinalitySteps(const IntegerSet& set);

/// Smallest and largest value of `expr` over a set; none for an empty set.
struct Bounds {
  std::int64_t min = 0;
  std::int64_t max = 0;
};
std::optional<Bounds> boundsOf(const IntegerSet& set, const LinearExpr& expr);

/// The elements that `indices` reach from the points of `domain`.
struct Image {
  IntegerSet domain;
  std::vector<LinearExpr> indices;
};
/// What was found out about an element that sets may have.
struct FoundElement {
  std::optional<std::vector<std::int64_t>> element;  ///< none: there is none, or `gaveUp`
  bool gaveUp = false;  ///< it takes too long to find out whether there is one
};
/// The first element of `needed` without a negative index that no image in `given` contains.
FoundElement missingElement(const Image& needed, std::span<const Image> given);
/// The elements of a box that no image in `given` contains, as disjoint sets over its dimensions;
/// none where affine constraints of these alone do not describe them (every second element), or
/// where that takes too long.
std::optional<std::vector<IntegerSet>> missingPieces(const std::vector<std::int64_t>& box,
                                                     std::span<const Image> given);
/// The first element in both images.
FoundElement sharedElement(const Image& a, const Image& b);

/// Dependence distances (reader iteration minus writer iteration) of the value flow from a write to
/// a read of the same tensor, per loop, over all pairs that access the same element.
struct DependenceDistance {
  bool exists = false;
  /// Per loop: the range of distances. A nullopt bound means "not bounded by a constant".
  struct Range {
    std::optional<std::int64_t> min;
    std::optional<std::int64_t> max;
  };
  std::vector<Range> perLoop;
};

/// Both sets have the same loops in the same order. Computed with isl.
DependenceDistance dependence(const IntegerSet& writerDomain, std::span<const LinearExpr> write,
                              const IntegerSet& readerDomain, std::span<const LinearExpr> read);

}  // namespace gridloom::affine
