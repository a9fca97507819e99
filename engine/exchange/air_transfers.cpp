// SPDX-License-Identifier: Apache-2.0
#include "exchange/air_transfers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace gridloom::exchange {

std::vector<std::int64_t> stridesOf(const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> strides(shape.size(), 1);
  for (std::size_t d = shape.size(); d-- > 1;) strides[d - 1] = strides[d] * shape[d];
  return strides;
}

std::int64_t regionExtent(const kernel::RegionDim& dim,
                          const std::vector<std::int64_t>& tileSizes) {
  std::int64_t extent = 1 + dim.maxOffset - dim.minOffset;
  for (std::size_t l = 0; l < tileSizes.size(); ++l) {
    extent += std::abs(dim.index.coefficient(l)) * (tileSizes[l] - 1);
  }
  return extent;
}

std::vector<std::int64_t> SlotShape::sizes() const {
  std::vector<std::int64_t> all;
  for (const InnerLoop& loop : inner) all.push_back(loop.trips);
  all.insert(all.end(), tile.begin(), tile.end());
  return all;
}

SlotShape slotShapeOf(const kernel::Kernel& kernel, const kernel::Operand& operand,
                      const schedule::Schedule& schedule, int level) {
  SlotShape shape;
  for (std::size_t p = static_cast<std::size_t>(level); p < schedule.order.size(); ++p) {
    const mapping::LoopId loop = schedule.order[p];
    if (operand.dependsOn(loop)) {
      shape.inner.push_back({p, schedule.tiling.loops[loop.index()].trips});
    }
  }
  for (std::size_t d = 0; d < operand.dims.size(); ++d) {
    const std::int64_t extent = regionExtent(operand.dims[d], schedule.tiling.tileSizes);
    // Dimensions of a gather are loops of its indices first, not those of the tensor.
    shape.tile.push_back(operand.gather ? extent
                                        : std::min(extent, kernel.tensor(operand.tensor).shape[d]));
  }
  return shape;
}

std::string mlirType(kernel::DType dtype) {
  // Elements that share an exponent or a scale are read and written by tile; one element has its
  // share of the bits.
  switch (dtype) {
  case kernel::DType::F8E4M3:
    return "f8E4M3FN";
  case kernel::DType::F8E5M2:
    return "f8E5M2";
  case kernel::DType::BFP8:
  case kernel::DType::MXFP8:
  case kernel::DType::MXINT8:
    return "i8";
  case kernel::DType::MXFP6:
    return "i6";
  case kernel::DType::BFP4:
  case kernel::DType::MXFP4:
    return "i4";
  case kernel::DType::F64:
  case kernel::DType::F32:
  case kernel::DType::F16:
  case kernel::DType::BF16:
  case kernel::DType::I64:
  case kernel::DType::I32:
  case kernel::DType::I16:
  case kernel::DType::I8:
  case kernel::DType::I4:
    break;
  }
  return std::string(kernel::nameOf(dtype));
}

std::string memrefType(const std::vector<std::int64_t>& shape, kernel::DType dtype, int space) {
  std::string text = "memref<";
  for (const std::int64_t size : shape) text += fmt::format("{}x", size);
  return text + mlirType(dtype) + (space == 0 ? ">" : fmt::format(", {} : i32>", space));
}

std::string mlirName(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    out += plain ? c : '_';
  }
  return out.empty() || (out[0] >= '0' && out[0] <= '9') ? "_" + out : out;
}

}  // namespace gridloom::exchange
