// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "affine/integer_set.h"
#include "kernel/kernel.h"

namespace gridloom::kernel {

/// a - b >= least. An id that is not valid stands for 0.
struct Difference {
  LoopId a, b;
  std::int64_t least = 0;
  friend bool operator==(const Difference&, const Difference&) = default;
};

/// Tiles of the nest that hold an element with all `elements` differences, and whose own numbers have all
/// `tiles` differences.
struct GuardPart {
  std::vector<Difference> elements;
  std::vector<Difference> tiles;
  friend bool operator==(const GuardPart&, const GuardPart&) = default;
};

/// The elements and the tile numbers of one loop that are looked at: [begin, end) each.
struct TileSpan {
  std::int64_t begin = 0, end = 1;
  std::int64_t firstTile = 0, lastTile = 0;
};

/// Where in the nest something happens: at the tiles of any part. Without parts: everywhere.
///
/// A domain with bounds such as `j <= i` leaves tiles out. Operations and operands carry a guard
/// that tells exactly at which tiles they take part. A tile that a bound cuts is masked: it costs
/// as much as a whole one.
struct TileGuard {
  std::vector<GuardPart> parts;

  bool always() const { return parts.empty(); }
  /// Exact for single tiles; for several tiles of a loop at once it may also hold where none fits.
  bool holds(std::span<const TileSpan> tiles) const;
  /// Loops that the guard speaks of.
  std::vector<LoopId> loops() const;
  friend bool operator==(const TileGuard&, const TileGuard&) = default;
};

/// `expr >= 0` or `== 0` as differences, or none when it is not of that form.
std::optional<std::vector<Difference>> differencesOf(const affine::Constraint& constraint);
affine::Constraint constraintOf(const Difference& difference, std::int64_t factorA = 1,
                                std::int64_t factorB = 1);

/// All differences that follow: one per pair of loops that are tied to each other. None when the system
/// has no solution, whatever the ranges are.
std::optional<std::vector<Difference>> closureOf(std::span<const Difference> differences);

/// Adds what a part says to a guard; a part with no constraint makes it hold everywhere. `first` tells that
/// nothing was added before (a guard without parts holds everywhere).
void addPart(TileGuard& guard, GuardPart part, bool first);

}  // namespace gridloom::kernel
