// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gridloom::affine {

enum class AffineOp { Constant, Dim, Add, Mul, Mod, FloorDiv, CeilDiv };

/// A quasi-affine expression over dimensions d0, d1, ... as a flat tree; the root is the last node.
/// The right side of Mul, Mod, FloorDiv, CeilDiv is a constant (positive for the divisions); the
/// parser checks it.
struct AffineExpr {
  struct Node {
    AffineOp op = AffineOp::Constant;
    std::int64_t value = 0;  ///< Constant: the number; Dim: the dimension
    std::int32_t lhs = -1;
    std::int32_t rhs = -1;
    friend bool operator==(const Node&, const Node&) = default;
  };
  std::vector<Node> nodes;

  static AffineExpr constant(std::int64_t value);
  static AffineExpr dim(std::int64_t d);
  static AffineExpr binary(AffineOp op, const AffineExpr& lhs, const AffineExpr& rhs);

  std::int64_t evaluate(std::span<const std::int64_t> dims) const;
  /// Highest dimension in use; -1 for none.
  std::int64_t maxDim() const;
  friend bool operator==(const AffineExpr&, const AffineExpr&) = default;
};

/// (d0, ..., d[numDims-1]) -> (results...)
struct AffineMap {
  std::int64_t numDims = 0;
  std::vector<AffineExpr> results;

  /// `out` has one entry per result. Mod and the divisions round as MLIR's do (mod is never
  /// negative).
  void evaluate(std::span<const std::int64_t> dims, std::span<std::int64_t> out) const;
  friend bool operator==(const AffineMap&, const AffineMap&) = default;
};

std::string toString(const AffineExpr& expr);
/// `affine_map<(d0, d1) -> ((d0 + 1) mod 8, d1)>`
std::string toString(const AffineMap& map);

}  // namespace gridloom::affine
