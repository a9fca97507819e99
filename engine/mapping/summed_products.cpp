// SPDX-License-Identifier: Apache-2.0
#include "mapping/summed_products.h"

#include <algorithm>
#include <optional>

#include "kernel/loop_sets.h"

namespace gridloom::mapping {

namespace {

using kernel::ExprOp;

// The window that holds a read: the one with its indices, or else the first of the tensor (windows
// of tiles that meet are one).
std::optional<std::string> operandOf(const kernel::TileNest& nest, const kernel::Access& read) {
  const auto holds = [](const kernel::RegionDim& dim, affine::LinearExpr index) {
    const std::int64_t constant = std::exchange(index.constant, 0);
    return dim.index == index && dim.minOffset <= constant && constant <= dim.maxOffset;
  };
  std::optional<std::string> found;
  for (const kernel::Operand& input : nest.inputs) {
    if (input.tensor != read.tensor) continue;
    if (!found) found = input.name;
    if (std::ranges::equal(input.dims, read.indices, holds)) return input.name;
  }
  return found;
}

// The inputs of a product; nothing where it is none. A number scales it.
std::optional<std::vector<std::string>>
factorsOf(const kernel::TileNest& nest, const kernel::Statement& statement, std::int32_t product) {
  std::vector<std::string> factors;
  std::vector<std::int32_t> open{product};
  while (!open.empty()) {
    const kernel::ExprNode& at = statement.expr[static_cast<std::size_t>(open.back())];
    open.pop_back();
    if (at.op == ExprOp::Mul) {
      open.insert(open.end(), {at.lhs, at.rhs});
    } else if (at.op == ExprOp::Read) {
      const auto name = operandOf(nest, statement.reads[static_cast<std::size_t>(at.read)]);
      if (!name) return std::nullopt;
      factors.push_back(*name);
    } else if (at.op != ExprOp::Constant) {
      return std::nullopt;
    }
  }
  if (factors.empty()) return std::nullopt;
  std::ranges::sort(factors);
  return factors;
}

}  // namespace

std::vector<std::vector<std::string>> summedProducts(const kernel::Kernel& kernel,
                                                     const kernel::TileNest& nest,
                                                     kernel::TensorId output,
                                                     const std::vector<kernel::LoopId>& loops) {
  std::vector<std::vector<std::string>> found;
  for (const kernel::Statement& statement : kernel.statements) {
    const kernel::TensorId target = statement.target.tensor;
    if (target != output && kernel.tensor(target).role != kernel::TensorRole::Local) continue;
    for (const kernel::ExprNode& node : statement.expr) {
      const auto isSummed = [&](kernel::LoopId loop) { return kernel::contains(node.loops, loop); };
      if (node.op != ExprOp::Sum || !std::ranges::all_of(loops, isSummed)) continue;
      if (auto factors = factorsOf(nest, statement, node.lhs)) found.push_back(std::move(*factors));
    }
  }
  return found;
}

}  // namespace gridloom::mapping
