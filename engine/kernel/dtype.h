// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace gridloom::kernel {

enum class DType { F64, F32, F16, BF16, BFP8, BFP4, I64, I32, I16, I8 };

constexpr bool isInteger(DType dtype) { return dtype >= DType::I64; }

/// Storage of one element in bits. 16 values of BFP8 and BFP4 share an 8-bit exponent: 8.5 and 4.5
/// bits.
double bitsOf(DType dtype);
/// Bytes of `elements` values, rounded up to whole bytes.
std::int64_t bytesOf(DType dtype, std::int64_t elements);
std::string_view nameOf(DType dtype);
std::optional<DType> dtypeNamed(std::string_view name);

}  // namespace gridloom::kernel
