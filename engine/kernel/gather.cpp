// SPDX-License-Identifier: Apache-2.0
//
// Indices that are elements of other tensors.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "kernel/interpreter.h"

namespace gridloom::kernel {

namespace {

bool isIndexOf(const Tensor& tensor, std::size_t dim, double value) {
  return value == std::floor(value) && value >= 0 && value < static_cast<double>(tensor.shape[dim]);
}

}  // namespace

std::int64_t indexAt(const Kernel& kernel, const Access& access, std::size_t d,
                     std::span<const std::int64_t> point, OperandReader& reader) {
  for (const IndexRead& gather : access.gathers) {
    if (gather.dim != d) continue;
    const double value = reader.read(gather.access, point);
    return isIndexOf(kernel.tensor(access.tensor), d, value) ? static_cast<std::int64_t>(value)
                                                             : -1;
  }
  return access.indices[d].evaluate(point);
}

std::string gatherError(const Kernel& kernel, const Access& access,
                        std::span<const std::int64_t> point, OperandReader& reader) {
  const Tensor& tensor = kernel.tensor(access.tensor);
  for (const IndexRead& gather : access.gathers) {
    const double value = reader.read(gather.access, point);
    if (isIndexOf(tensor, gather.dim, value)) continue;
    std::vector<std::int64_t> at;
    for (const affine::LinearExpr& index : gather.access.indices)
      at.push_back(index.evaluate(point));
    return fmt::format("`{}[{}]` is {}, but `{}` has indices 0 to {} in dimension {}",
                       kernel.tensor(gather.access.tensor).name, fmt::join(at, ", "), value,
                       tensor.name, tensor.shape[gather.dim] - 1, gather.dim);
  }
  return {};
}

}  // namespace gridloom::kernel
