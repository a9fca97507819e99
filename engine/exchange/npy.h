// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "kernel/interpreter.h"

namespace gridloom::exchange {

/// What every NumPy file begins with.
inline constexpr std::string_view kNpyMagic = "\x93NUMPY";

/// Values from the bytes of a NumPy file (`numpy.save`, format 1.0 to 3.0): little-endian floats of
/// 16, 32 or 64 bits, integers of 8 to 64 bits or bools, in C order, with exactly this shape. The
/// size is checked before values are read. `name` stands before every error, with the byte.
base::Result<kernel::TensorValue>
readNpy(std::string_view bytes, std::span<const std::int64_t> shape, const std::string& name);

/// The bytes of a NumPy file with these values: f8 for f64, integers as their type (rounded to the
/// nearest, saturated), f4 for all other floats. Their own rounding is kernel::roundTo.
std::string npyOf(const kernel::TensorValue& value, kernel::DType dtype);

}  // namespace gridloom::exchange
