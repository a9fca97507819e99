// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "affine/integer_set.h"
#include "kernel/kernel.h"

namespace gridloom::kernel {

/// a - b >= least. An invalid id means 0.
struct Difference {
  LoopId a, b;
  std::int64_t least = 0;
  friend bool operator==(const Difference&, const Difference&) = default;
};

/// Ranges of elements and of tile numbers of one loop.
struct TileSpan {
  std::int64_t begin = 0, end = 1;
  std::int64_t firstTile = 0, lastTile = 0;
};

/// Tiles of the nest that hold an element with all `elements` differences, and whose own numbers
/// have all `tiles` differences. In a guard, both lists are closed (`addPart`): each difference is
/// then asked alone.
struct GuardPart {
  std::vector<Difference> elements;
  std::vector<Difference> tiles;

  /// As TileGuard::holds.
  bool holds(std::span<const TileSpan> at) const;
  /// Of a loop with tiles of `tileSize` elements, by its lower bounds alone: the least number of
  /// the last tile at which the part may hold. `at`: the tiles of the other loops.
  std::int64_t leastLastTile(std::span<const TileSpan> at, LoopId loop,
                             std::int64_t tileSize) const;
  /// By its upper bounds alone: the greatest number of the first tile at which it may hold.
  std::int64_t greatestFirstTile(std::span<const TileSpan> at, LoopId loop,
                                 std::int64_t tileSize) const;
  friend bool operator==(const GuardPart&, const GuardPart&) = default;
};

/// The tiles at which an operation or a transfer takes part: those of any part. Without parts: all
/// tiles.
///
/// A domain with bounds such as `j <= i` leaves out tiles. The guards of operations and operands
/// tell exactly at which tiles they take part. A tile that a bound cuts is masked: it costs as much
/// as a whole one.
struct TileGuard {
  std::vector<GuardPart> parts;

  bool always() const { return parts.empty(); }
  /// Exact for single tiles; for several tiles of a loop at once it may also hold where no tile
  /// does.
  bool holds(std::span<const TileSpan> tiles) const;
  /// Loops in the guard's differences.
  std::vector<LoopId> loops() const;
  friend bool operator==(const TileGuard&, const TileGuard&) = default;
};

/// `expr >= 0` or `== 0` as differences, or nothing when it has another form.
std::optional<std::vector<Difference>> differencesOf(const affine::Constraint& constraint);
affine::Constraint constraintOf(const Difference& difference, std::int64_t factorA = 1,
                                std::int64_t factorB = 1);

/// All implied differences: one per pair of related loops. Nothing when the system has no solution,
/// whatever the ranges are.
std::optional<std::vector<Difference>> closureOf(std::span<const Difference> differences);

/// Adds a part to a guard, with all bounds that its differences imply and without those that others
/// do: `i >= 1` and `j >= i + 1` hold at no element of a tile i < 2, j < 2, and `j >= 2` says so. A
/// part without constraints makes the guard hold everywhere, one without solution nowhere. `first`:
/// the guard is new (a guard without parts would hold everywhere).
void addPart(TileGuard& guard, GuardPart part, bool first);

}  // namespace gridloom::kernel
