// SPDX-License-Identifier: Apache-2.0
#include "kernel/dtype.h"

#include <array>

#include "base/units.h"

namespace gridloom::kernel {

namespace {

struct DTypeRow {
  DType dtype;
  std::string_view name;
  std::int64_t quarterBits;
};

constexpr std::array kRows = {
    DTypeRow{DType::F64, "f64", 256},      DTypeRow{DType::F32, "f32", 128},
    DTypeRow{DType::F16, "f16", 64},       DTypeRow{DType::BF16, "bf16", 64},
    DTypeRow{DType::F8E4M3, "f8e4m3", 32}, DTypeRow{DType::F8E5M2, "f8e5m2", 32},
    DTypeRow{DType::BFP8, "bfp8", 34},     DTypeRow{DType::BFP4, "bfp4", 18},
    DTypeRow{DType::MXFP8, "mxfp8", 33},   DTypeRow{DType::MXFP6, "mxfp6", 25},
    DTypeRow{DType::MXFP4, "mxfp4", 17},   DTypeRow{DType::MXINT8, "mxint8", 33},
    DTypeRow{DType::I64, "i64", 256},      DTypeRow{DType::I32, "i32", 128},
    DTypeRow{DType::I16, "i16", 64},       DTypeRow{DType::I8, "i8", 32},
    DTypeRow{DType::I4, "i4", 16},
};

const DTypeRow& rowOf(DType dtype) { return kRows[static_cast<std::size_t>(dtype)]; }

}  // namespace

double bitsOf(DType dtype) { return static_cast<double>(rowOf(dtype).quarterBits) / 4; }

std::int64_t bytesOf(DType dtype, std::int64_t elements) {
  // Whole groups of 32 apart from the rest, so that the product stays small.
  const std::int64_t quarterBits = rowOf(dtype).quarterBits;
  return base::saturatingAdd(base::saturatingMul(elements / 32, quarterBits),
                             (elements % 32 * quarterBits + 31) / 32);
}

std::span<const std::string_view> dtypeNames() {
  static constexpr auto kNames = [] {
    std::array<std::string_view, kRows.size()> names;
    for (std::size_t r = 0; r < names.size(); ++r) names[r] = kRows[r].name;
    return names;
  }();
  return kNames;
}

std::string_view nameOf(DType dtype) { return rowOf(dtype).name; }

std::optional<DType> dtypeNamed(std::string_view name) {
  for (const DTypeRow& row : kRows) {
    if (row.name == name) {
      return row.dtype;
    }
  }
  return std::nullopt;
}

}  // namespace gridloom::kernel
