// SPDX-License-Identifier: Apache-2.0
#include "exchange/air_transfers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace gridloom::exchange {

namespace {

std::vector<std::int64_t> stridesOf(const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> strides(shape.size(), 1);
  for (std::size_t d = shape.size(); d-- > 1;) strides[d - 1] = strides[d] * shape[d];
  return strides;
}

std::int64_t extentOf(const kernel::RegionDim& dim, const std::vector<std::int64_t>& tileSizes) {
  std::int64_t extent = 1 + dim.maxOffset - dim.minOffset;
  for (std::size_t l = 0; l < tileSizes.size(); ++l) {
    extent += std::abs(dim.index.coefficient(l)) * (tileSizes[l] - 1);
  }
  return extent;
}

}  // namespace

Copy copyOf(const kernel::Kernel& kernel, const kernel::Operand& operand,
            const schedule::Schedule& schedule, int level) {
  const std::vector<std::int64_t>& shape = kernel.tensors[operand.tensor.index()].shape;
  const std::vector<std::int64_t> strides = stridesOf(shape);
  Copy copy;
  for (std::size_t p = static_cast<std::size_t>(level); p < schedule.order.size(); ++p) {
    const mapping::LoopId loop = schedule.order[p];
    if (!operand.dependsOn(loop)) continue;
    const mapping::LoopTiling& tiling = schedule.tiling.loops[loop.index()];
    CopyDim dim;
    dim.size = tiling.trips;
    dim.stride = 0;
    for (std::size_t d = 0; d < operand.dims.size(); ++d) {
      dim.stride += operand.dims[d].index.coefficient(loop.index()) * tiling.unroll *
                    tiling.tileSize * strides[d];
    }
    copy.cuts |= tiling.extent % (tiling.tileSize * tiling.unroll) != 0;
    copy.dims.push_back(std::move(dim));
  }
  for (std::size_t d = 0; d < operand.dims.size(); ++d) {
    const kernel::RegionDim& region = operand.dims[d];
    CopyDim dim;
    dim.index = region.index + affine::LinearExpr::number(region.minOffset);
    dim.size = std::min(extentOf(region, schedule.tiling.tileSizes), shape[d]);
    dim.stride = strides[d];
    for (std::size_t l = 0; l < schedule.tiling.loops.size(); ++l) {
      const mapping::LoopTiling& tiling = schedule.tiling.loops[l];
      if (region.index.dependsOn(l) && tiling.extent % tiling.tileSize != 0) dim.limit = shape[d];
    }
    copy.dims.push_back(std::move(dim));
  }
  return copy;
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
