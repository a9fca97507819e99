// SPDX-License-Identifier: Apache-2.0
#include "kernel/missing_definition.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "affine/integer_set.h"

namespace gridloom::kernel {

namespace {

using affine::LinearExpr;

// The dimensions as expressions over the kernel's loops: a constant where the piece has one value
// there, else the loop that a statement has as the whole index, over the whole dimension.
std::optional<std::vector<LinearExpr>> indicesOf(const Kernel& kernel, const Access& target,
                                                 const affine::IntegerSet& piece) {
  std::vector<LinearExpr> indices;
  for (std::size_t d = 0; d < piece.extents.size(); ++d) {
    const auto bounds = affine::boundsOf(piece, LinearExpr::dim(d));
    if (!bounds) return std::nullopt;
    if (bounds->min == bounds->max) {
      indices.push_back(LinearExpr::number(bounds->min));
      continue;
    }
    if (!isBareLoop(target.indices[d])) return std::nullopt;
    const LoopId loop = loopsOf({target.tensor, {target.indices[d]}, {}, {}, {}}).front();
    if (kernel.loop(loop).extent != piece.extents[d]) return std::nullopt;
    indices.push_back(target.indices[d]);
  }
  return indices;
}

// `k > n` for `k - n - 1 >= 0`.
std::string limitText(const Kernel& kernel, const LinearExpr& expr, bool isEqual) {
  LinearExpr more = LinearExpr::number(std::max<std::int64_t>(expr.constant, 0));
  LinearExpr less = LinearExpr::number(std::max<std::int64_t>(-expr.constant, 0));
  for (std::size_t l = 0; l < expr.coefficients.size(); ++l) {
    const std::int64_t factor = expr.coefficient(l);
    if (factor > 0) more = more + LinearExpr::dim(l, factor);
    if (factor < 0) less = less + LinearExpr::dim(l, -factor);
  }
  const bool isStrict = !isEqual && less.constant == 1 && !less.isConstant();
  if (isStrict) less.constant = 0;
  const std::vector<std::string> names = loopNames(kernel);
  return fmt::format("{} {} {}", affine::toString(more, names),
                     isEqual    ? "=="
                     : isStrict ? ">"
                                : ">=",
                     affine::toString(less, names));
}

std::string textOf(const Kernel& kernel, TensorId tensor, const affine::IntegerSet& piece,
                   const std::vector<LinearExpr>& indices) {
  std::vector<std::string> limits;
  for (const affine::Constraint& c : piece.constraints) {
    const LinearExpr expr = affine::substituted(c.expr, indices);
    if (!expr.isConstant()) limits.push_back(limitText(kernel, expr, c.equality));
  }
  std::vector<std::string> names;
  for (const LinearExpr& index : indices) {
    names.push_back(affine::toString(index, loopNames(kernel)));
  }
  return fmt::format("{}[{}] = 0{}{}", kernel.tensor(tensor).name, fmt::join(names, ", "),
                     limits.empty() ? "" : "  where ", fmt::join(limits, ", "));
}

}  // namespace

std::optional<std::string> missingDefinition(const Kernel& kernel, TensorId tensor,
                                             const std::vector<std::int64_t>& element) {
  const auto pieces =
      affine::missingPieces(kernel.tensor(tensor).shape, definitionsOf(kernel, tensor));
  if (!pieces) return std::nullopt;
  const auto piece = std::ranges::find_if(
      *pieces, [&](const affine::IntegerSet& set) { return set.contains(element); });
  if (piece == pieces->end()) return std::nullopt;
  for (const Statement& s : kernel.statements) {
    if (s.target.tensor != tensor) continue;
    if (const auto indices = indicesOf(kernel, s.target, *piece)) {
      return textOf(kernel, tensor, *piece, *indices);
    }
  }
  return std::nullopt;
}

}  // namespace gridloom::kernel
