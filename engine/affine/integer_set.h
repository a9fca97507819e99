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
/// Exact number of points; closed form along the innermost coupled dimension, so a 4096-wide
/// triangle is a loop of 4096, not of 8 million. Saturates at INT64_MAX.
std::int64_t cardinality(const IntegerSet& set);
/// Upper bound of the steps `cardinality` takes, so that a checker can refuse a domain first.
double cardinalitySteps(const IntegerSet& set);

/// Smallest and largest value of `expr` over a set; none when it is empty.
struct Bounds {
  std::int64_t min = 0;
  std::int64_t max = 0;
};
std::optional<Bounds> boundsOf(const IntegerSet& set, const LinearExpr& expr);

/// The elements `indices` reach from the points of `domain`.
struct Image {
  IntegerSet domain;
  std::vector<LinearExpr> indices;
};
/// The first element of `needed`, with no negative index, that no image in `given` reaches.
std::optional<std::vector<std::int64_t>> missingElement(const Image& needed,
                                                        std::span<const Image> given);
/// The first element that both images reach.
std::optional<std::vector<std::int64_t>> sharedElement(const Image& a, const Image& b);

/// Distances (reader iteration minus writer iteration) of the flow of values from a write to a read
/// of the same tensor, per loop, over all pairs that touch the same element.
struct DependenceDistance {
  bool exists = false;
  /// Per loop: the range of distances; nullopt bounds mean "not bounded by a constant".
  struct Range {
    std::optional<std::int64_t> min;
    std::optional<std::int64_t> max;
  };
  std::vector<Range> perLoop;
};

/// Loops are those of both sets (same order, same count). Computed with isl.
DependenceDistance dependence(const IntegerSet& writerDomain, std::span<const LinearExpr> write,
                              const IntegerSet& readerDomain, std::span<const LinearExpr> read);

}  // namespace gridloom::affine
