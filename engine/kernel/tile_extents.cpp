// SPDX-License-Identifier: Apache-2.0
// What the parts of a nest take in memory, for tiles of given extents.
#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "base/units.h"
#include "kernel/tile_nest.h"

namespace gridloom::kernel {

namespace {

// The search calls it most: calls would take longer than it does.
[[gnu::always_inline]] inline std::int64_t extentOf(const RegionDim& dim,
                                                    std::span<const std::int64_t> extents) {
  std::int64_t extent = base::saturatingAdd(1, dim.maxOffset - dim.minOffset);
  for (std::size_t d = 0; d < dim.index.coefficients.size(); ++d) {
    if (dim.index.dependsOn(d)) {
      const std::int64_t steps =
          base::saturatingMul(std::abs(dim.index.coefficients[d]), extents[d] - 1);
      extent = base::saturatingAdd(extent, steps);
    }
  }
  return dim.behind ? std::min(extent, -dim.minOffset) : extent;
}

// Elements of one row that lie together.
std::int64_t rowElements(const Operand& operand, std::span<const std::int64_t> extents) {
  const std::vector<std::int64_t>& shape = operand.gather->rowShape;
  std::int64_t elements = 1;
  bool whole = true;
  for (std::size_t d = shape.size(); d-- > 0 && whole;) {
    const std::size_t dim = operand.dims.size() - shape.size() + d;
    const std::int64_t extent = extentOf(operand.dims[dim], extents);
    elements = base::saturatingMul(elements, extent);
    whole = extent >= shape[d];
  }
  return elements;
}

[[gnu::noinline]] std::int64_t gatheredBytes(const Operand& operand,
                                             std::span<const std::int64_t> extents) {
  const std::int64_t row = rowElements(operand, extents);
  const std::int64_t request = operand.gather->requestBytes;
  return base::saturatingMul(
      regionElements(operand, extents) / row,
      base::saturatingMul(base::ceilDiv(bytesOf(operand.dtype, row), request), request));
}

}  // namespace

std::int64_t regionElements(const Operand& operand, std::span<const std::int64_t> extents) {
  std::int64_t elements = 1;
  for (const RegionDim& dim : operand.dims) {
    elements = base::saturatingMul(elements, extentOf(dim, extents));
  }
  return elements;
}

std::int64_t regionBytes(const Operand& operand, std::span<const std::int64_t> extents) {
  if (operand.gather) [[unlikely]]
    return gatheredBytes(operand, extents);
  return bytesOf(operand.dtype, regionElements(operand, extents));
}

RegionRows regionRows(const Operand& operand, std::span<const std::int64_t> extents) {
  std::int64_t row = 1, stride = 1, apart = 0;
  bool whole = true;
  for (std::size_t d = operand.shape.size(); d-- > 0;) {
    const std::int64_t extent = std::min(extentOf(operand.dims[d], extents), operand.shape[d]);
    if (whole) {
      row = base::saturatingMul(row, extent);
      whole = extent == operand.shape[d];
    } else if (extent > 1) {
      apart = std::gcd(apart, bytesOf(operand.dtype, stride));
    }
    stride = base::saturatingMul(stride, operand.shape[d]);
  }
  return {bytesOf(operand.dtype, row), apart};
}

std::int64_t localBytes(const LocalBuffer& local, std::span<const std::int64_t> extents) {
  std::int64_t elements = 1;
  for (const LoopId loop : local.loops) {
    const std::int64_t kept = loop == local.keptAlong ? local.kept : 0;
    elements = base::saturatingMul(elements, extents[loop.index()] + kept);
  }
  return bytesOf(local.dtype, elements);
}

std::int64_t resultBytes(const AllReduce& reduce, std::span<const std::int64_t> extents) {
  std::int64_t elements = static_cast<std::int64_t>(reduce.joins.size());
  for (const LoopId loop : reduce.loops) {
    elements = base::saturatingMul(elements, extents[loop.index()]);
  }
  return bytesOf(reduce.dtype, elements);
}

}  // namespace gridloom::kernel
