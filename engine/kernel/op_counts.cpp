// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <limits>

#include "kernel/statement_ops.h"

namespace gridloom::kernel {

namespace {

constexpr std::array<std::string_view, 14> kVectorFnNames = {
    "add",  "sub",  "mul",     "div",  "max", "exp",       "log",
    "sqrt", "tanh", "sigmoid", "relu", "abs", "sumreduce", "maxreduce"};

std::int64_t productOf(const std::vector<LoopId>& loops, std::span<const std::int64_t> extents) {
  std::int64_t product = 1;
  for (const LoopId loop : loops) {
    product *= extents[loop.index()];
  }
  return product;
}

double pointsOf(const Kernel& kernel, const Statement& statement, const TileOp& op) {
  std::vector<LoopId> loops = op.loops;
  for (const auto* role : {&op.m, &op.n, &op.k, &op.batch}) {
    loops.insert(loops.end(), role->begin(), role->end());
  }
  return static_cast<double>(affine::cardinality(domainOver(kernel, statement, loops)));
}

// Different values of one index: exact for gapless sums of loops, else a lower bound.
std::int64_t reachOf(const Kernel& kernel, const affine::LinearExpr& index) {
  std::vector<std::pair<std::int64_t, std::int64_t>> steps;  // |coefficient|, extent
  for (std::size_t d = 0; d < index.coefficients.size(); ++d) {
    if (index.dependsOn(d)) {
      steps.emplace_back(std::abs(index.coefficients[d]), kernel.loops[d].extent);
    }
  }
  std::ranges::sort(steps);
  std::int64_t reach = 1;
  for (const auto& [coefficient, extent] : steps) {
    reach = coefficient <= reach ? reach + coefficient * (extent - 1) : std::max(reach, extent);
  }
  return reach;
}

std::int64_t elementsRead(const Kernel& kernel, const Statement& statement, const Access& read) {
  std::int64_t elements = 1;
  for (std::size_t d = 0; d < read.indices.size(); ++d) {
    elements *= std::min(reachOf(kernel, read.indices[d]), kernel.tensor(read.tensor).shape[d]);
  }
  // Fewer where dimensions share loops (`A[i, i]`) or constraints cut points away.
  return std::min(elements, affine::cardinality(domainOver(kernel, statement, loopsOf(read))));
}

}  // namespace

std::string_view nameOf(VectorFn fn) { return kVectorFnNames[static_cast<std::size_t>(fn)]; }

MatrixExtents matrixExtents(const TileOp& op, std::span<const std::int64_t> extents) {
  return {productOf(op.m, extents), productOf(op.n, extents), productOf(op.k, extents),
          productOf(op.batch, extents)};
}

std::int64_t vectorElements(const TileOp& op, std::span<const std::int64_t> extents) {
  return productOf(op.loops, extents);
}

double flops(const TileOp& op, std::span<const std::int64_t> extents) {
  if (op.unit == UnitKind::Vector) {
    return static_cast<double>(vectorElements(op, extents));
  }
  const MatrixExtents e = matrixExtents(op, extents);
  return 2.0 * static_cast<double>(e.m) * static_cast<double>(e.n) * static_cast<double>(e.k) *
         static_cast<double>(e.batch);
}

double flopCount(const Kernel& kernel) {
  double total = 0;
  for (const Statement& statement : kernel.statements) {
    for (const StatementOp& step : statementOps(kernel, statement)) {
      if (step.op.useful) {
        total += (step.op.unit == UnitKind::Matrix ? 2 : 1) * pointsOf(kernel, statement, step.op);
      }
    }
  }
  return total;
}

base::Bytes compulsoryBytes(const Kernel& kernel) {
  std::int64_t bytes = 0;
  for (std::size_t t = 0; t < kernel.tensors.size(); ++t) {
    const Tensor& tensor = kernel.tensors[t];
    std::int64_t elements = tensor.role == TensorRole::Output ? elementCount(tensor) : 0;
    for (const Statement& statement : kernel.statements) {
      for (const Access& read : statement.reads) {
        if (tensor.role == TensorRole::Input && read.tensor == TensorId::of(t)) {
          elements = std::max(elements, elementsRead(kernel, statement, read));
        }
      }
    }
    if (__builtin_add_overflow(bytes, bytesOf(tensor.dtype, elements), &bytes)) {
      return base::Bytes(std::numeric_limits<std::int64_t>::max());
    }
  }
  return base::Bytes(bytes);
}

}  // namespace gridloom::kernel
