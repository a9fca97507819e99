// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernel/dependences.h"
#include "kernel/followed_states.h"
#include "kernel/statement_ops.h"

namespace gridloom::kernel {

namespace {

std::int64_t productOf(const std::vector<LoopId>& loops, std::span<const std::int64_t> extents) {
  std::int64_t product = 1;
  for (const LoopId loop : loops) {
    if (__builtin_mul_overflow(product, extents[loop.index()], &product)) {
      return std::numeric_limits<std::int64_t>::max();
    }
  }
  return product;
}

double countOf(const std::vector<LoopId>& loops, std::span<const std::int64_t> extents) {
  double count = 1;
  for (const LoopId loop : loops) {
    count *= static_cast<double>(extents[loop.index()]);
  }
  return count;
}

double pointsOf(const Kernel& kernel, const Statement& statement, const TileOp& op) {
  std::vector<LoopId> loops = op.loops;
  for (const auto* role : {&op.m, &op.n, &op.k, &op.batch}) {
    loops.insert(loops.end(), role->begin(), role->end());
  }
  // Only loops that constraints relate are counted point by point: the number of all points may
  // exceed int64.
  double points = 1;
  std::vector<LoopId> tied;
  for (const LoopId loop : loops) {
    if (std::ranges::any_of(statement.constraints, [&](const affine::Constraint& c) {
          return c.expr.dependsOn(loop.index());
        })) {
      tied.push_back(loop);
    } else {
      points *= static_cast<double>(kernel.loop(loop).extent);
    }
  }
  return points * static_cast<double>(affine::cardinality(domainOver(kernel, statement, tied)));
}

// Number of different values of one index: exact for gapless sums of loops, else a lower bound.
// `counts`: values per loop.
std::int64_t reachOf(std::span<const std::int64_t> counts, const affine::LinearExpr& index) {
  std::vector<std::pair<std::int64_t, std::int64_t>> steps;  // |coefficient|, extent
  for (std::size_t d = 0; d < index.coefficients.size(); ++d) {
    if (index.dependsOn(d)) {
      steps.emplace_back(std::abs(index.coefficients[d]), counts[d]);
    }
  }
  std::ranges::sort(steps);
  std::int64_t reach = 1;
  for (const auto& [coefficient, extent] : steps) {
    reach = coefficient <= reach ? reach + coefficient * (extent - 1) : std::max(reach, extent);
  }
  return reach;
}

// Different values among `draws` uniform random ones out of `size`, expected.
std::int64_t expectedDistinct(double draws, std::int64_t size) {
  const auto all = static_cast<double>(size);
  const double missed = std::exp(draws * std::log1p(-1 / all));
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(all * (1 - missed)));
}

std::int64_t elementsRead(const Kernel& kernel, const Statement& statement, std::size_t r) {
  const Access& read = statement.reads[r];
  const affine::IntegerSet domain = readDomain(kernel, statement, r);
  if (affine::isEmpty(domain)) return 0;
  std::vector<std::int64_t> counts;
  for (std::size_t l = 0; l < kernel.loops.size(); ++l) {
    const auto range = affine::boundsOf(domain, affine::LinearExpr::dim(l));
    counts.push_back(range ? range->max - range->min + 1 : kernel.loops[l].extent);
  }
  std::int64_t elements = 1;
  for (std::size_t d = 0; d < read.indices.size(); ++d) {
    const std::int64_t size = kernel.tensor(read.tensor).shape[d];
    const auto gather = std::ranges::find(read.gathers, d, &IndexRead::dim);
    elements *= gather == read.gathers.end()
                    ? std::min(reachOf(counts, read.indices[d]), size)
                    : expectedDistinct(countOf(loopsOf(gather->access), counts), size);
  }
  // Fewer where dimensions share loops (`A[i, i]`) or constraints exclude points.
  return std::min(elements, affine::cardinality(domainOver(kernel, statement, loopsOf(read))));
}

}  // namespace

MatrixExtents matrixExtents(const TileOp& op, std::span<const std::int64_t> extents) {
  return {productOf(op.m, extents), productOf(op.n, extents), productOf(op.k, extents),
          productOf(op.batch, extents)};
}

std::int64_t vectorElements(const TileOp& op, std::span<const std::int64_t> extents) {
  return productOf(op.loops, extents);
}

double flops(const TileOp& op, std::span<const std::int64_t> extents) {
  if (op.unit == UnitKind::Vector) {
    return countOf(op.loops, extents);
  }
  return 2.0 * countOf(op.m, extents) * countOf(op.n, extents) * countOf(op.k, extents) *
         countOf(op.batch, extents);
}

namespace {

double flopsAsMapped(const Kernel& kernel) {
  double total = 0;
  const std::vector<LoopId> followed = followedStates(kernel);
  for (std::size_t s = 0; s < followed.size(); ++s) {
    const Statement& statement = kernel.statements[s];
    for (const StatementOp& step : statementOps(kernel, statement, followed[s].valid())) {
      if (step.op.useful) {
        total += (step.op.unit == UnitKind::Matrix ? 2 : 1) * pointsOf(kernel, statement, step.op);
      }
    }
  }
  return total;
}

}  // namespace

// What a form of the kernel computes again for its own sake does not count.
double flopCount(const Kernel& kernel) {
  const double mapped = flopsAsMapped(kernel);
  return kernel.written ? std::min(mapped, flopsAsMapped(*kernel.written)) : mapped;
}

base::Bytes compulsoryBytes(const Kernel& kernel, TensorId id) {
  const Tensor& tensor = kernel.tensor(id);
  std::int64_t elements = tensor.role == TensorRole::Output ? elementCount(tensor) : 0;
  if (tensor.role == TensorRole::Input) {
    for (const Statement& statement : kernel.statements) {
      for (std::size_t r = 0; r < statement.reads.size(); ++r) {
        if (statement.reads[r].tensor != id) continue;
        elements = std::max(elements, elementsRead(kernel, statement, r));
      }
    }
  }
  return base::Bytes(bytesOf(tensor.dtype, elements));
}

base::Bytes compulsoryBytes(const Kernel& kernel) {
  std::int64_t bytes = 0;
  for (std::size_t t = 0; t < kernel.tensors.size(); ++t) {
    const std::int64_t more = compulsoryBytes(kernel, TensorId::of(t)).value;
    if (__builtin_add_overflow(bytes, more, &bytes)) {
      return base::Bytes(std::numeric_limits<std::int64_t>::max());
    }
  }
  return base::Bytes(bytes);
}

}  // namespace gridloom::kernel
