// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace gridloom::kernel {

enum class DType {
  F64,
  F32,
  F16,
  BF16,
  F8E4M3,
  F8E5M2,
  BFP8,
  BFP4,
  MXFP8,
  MXFP6,
  MXFP4,
  MXINT8,
  I64,
  I32,
  I16,
  I8,
  I4
};

constexpr bool isInteger(DType dtype) { return dtype >= DType::I64; }

/// Storage of one element in bits. 16 values of BFP8 and BFP4 share an 8-bit exponent: 8.5 and 4.5
/// bits. 32 values of the MX types share an 8-bit scale: 8.25, 6.25, 4.25 and 8.25 bits (Open
/// Compute Project: OCP Microscaling Formats (MX) Specification, version 1.0, 2023).
double bitsOf(DType dtype);
/// Bytes of `elements` values, rounded up to whole bytes.
std::int64_t bytesOf(DType dtype, std::int64_t elements);
std::string_view nameOf(DType dtype);
/// In the order of DType.
std::span<const std::string_view> dtypeNames();
std::optional<DType> dtypeNamed(std::string_view name);

}  // namespace gridloom::kernel
