// SPDX-License-Identifier: Apache-2.0
#include "kernel/dtype.h"

#include <array>

#include "base/units.h"

namespace gridloom::kernel {

namespace {

struct DTypeRow {
  DType dtype;
  std::string_view name;
  std::int64_t halfBits;
};

constexpr std::array kRows = {
    DTypeRow{DType::F64, "f64", 128},  DTypeRow{DType::F32, "f32", 64},
    DTypeRow{DType::F16, "f16", 32},   DTypeRow{DType::BF16, "bf16", 32},
    DTypeRow{DType::BFP8, "bfp8", 17}, DTypeRow{DType::BFP4, "bfp4", 9},
    DTypeRow{DType::I64, "i64", 128},  DTypeRow{DType::I32, "i32", 64},
    DTypeRow{DType::I16, "i16", 32},   DTypeRow{DType::I8, "i8", 16},
};

const DTypeRow& rowOf(DType dtype) { return kRows[static_cast<std::size_t>(dtype)]; }

}  // namespace

double bitsOf(DType dtype) { return static_cast<double>(rowOf(dtype).halfBits) / 2; }

std::int64_t bytesOf(DType dtype, std::int64_t elements) {
  // Whole groups of 16 apart from the rest, so that the product stays small.
  const std::int64_t halfBits = rowOf(dtype).halfBits;
  return base::saturatingAdd(base::saturatingMul(elements / 16, halfBits),
                             (elements % 16 * halfBits + 15) / 16);
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
