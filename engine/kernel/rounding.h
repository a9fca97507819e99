// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/interpreter.h"
#include "kernel/kernel.h"

/// What memory holds of a value. Floats are rounded to the nearest value of their element type,
/// ties to even. f32, f16 and bf16 overflow to infinity; f8e4m3 and f8e5m2 saturate, and so do
/// infinities (Open Compute Project: OCP 8-bit Floating Point Specification, version 1.0, 2023: one
/// of its two modes). Integers are rounded to the nearest, ties to even, and saturate; what is not
/// a number becomes 0.
///
/// Values of block types share a scale along the last dimension of their tensor; a row that is no
/// multiple of a block ends with a smaller one.
/// - mxfp8, mxfp6, mxfp4 and mxint8: 32 values share a power of two, that of the largest magnitude
///   divided by the largest power of two of an element: f8e4m3, e2m3, e2m1, or 8 bits with 6 behind
///   the point (Open Compute Project: OCP Microscaling Formats (MX) Specification, version 1.0,
///   2023, Sec. 6.3). Elements saturate.
/// - bfp8 and bfp4: 16 values share the exponent of the largest magnitude; each has a sign and 7 or
///   3 bits of magnitude, the first of them before the point, and saturates.
/// A block with an infinity, or with a value that is not a number, holds no numbers at all.
namespace gridloom::kernel {

/// The values of a tensor as its element type holds them.
void roundTo(DType dtype, TensorValue& value);
/// The same for those tensors of a kernel that have values here.
void roundToTypes(const Kernel& kernel, TensorValues& values);

}  // namespace gridloom::kernel
