// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "kernel/kernel.h"
#include "kernel/tile_guard.h"

namespace gridloom::kernel {

enum class UnitKind { Matrix, Vector };
inline constexpr std::array<std::string_view, 2> kUnitNames{"matrix", "vector"};
constexpr std::string_view nameOf(UnitKind unit) {
  return kUnitNames[static_cast<std::size_t>(unit)];
}

/// When in the nest a tile operation runs.
enum class Phase {
  Every,     ///< in every iteration of the nest
  Epilogue,  ///< once, after the last iteration of the non-parallel tile loops
};

struct TileOp {
  StatementId statement;
  UnitKind unit = UnitKind::Vector;
  VectorFn fn = VectorFn::Add;  ///< Vector only
  /// Matrix: the unit that performs it. None: the faster one for each tile.
  std::optional<UnitKind> pinned;
  /// Matrix: the three roles of a contraction and the loops present in both operands and the
  /// result.
  std::vector<LoopId> m, n, k, batch;
  /// Vector: elements = product of the extents of these loops.
  std::vector<LoopId> loops;
  LoopId innermost = {};  ///< Vector: of these, the one along which elements lie together
  Phase phase = Phase::Every;
  /// Counted in flopCount (rescaling of loop-carried state is not).
  bool useful = true;
  /// The tiles it runs in.
  TileGuard guard;
  /// Loops along which it advances one index at a time: it runs once per index.
  std::vector<LoopId> stepped;
  /// Number of TileNest::allReduces that must be complete before it runs, where loops have shares.
  int stage = 0;
};

/// Rows, columns, depth and number of the matrix products a Matrix op performs on a tile.
struct MatrixExtents {
  std::int64_t m = 1, n = 1, k = 1, batch = 1;
};
MatrixExtents matrixExtents(const TileOp& op, std::span<const std::int64_t> extents);
/// Saturates at the largest int64.
std::int64_t vectorElements(const TileOp& op, std::span<const std::int64_t> extents);
/// 2*m*n*k*batch or elements.
double flops(const TileOp& op, std::span<const std::int64_t> extents);

}  // namespace gridloom::kernel
