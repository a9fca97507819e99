// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/result.h"
#include "kernel/kernel.h"

namespace gridloom::syntax {

struct ParameterOverride {
  std::string name;
  std::int64_t value = 0;
};

/// Reads a `.rec` file:
///
/// // comments go to the end of the line kernel gemm(M = 4096, N = M, K = 2 * M) { tensor A[M, K]:
/// f16   tensor B[K, N]: f16   tensor C[M, N]: f16 C[i, j] = sum(k) A[i, k] * B[k, j] }
///
///  - Parameters are positive integers, written with `+ - * /` over earlier ones.
///  - `tensor` is in global memory: an output if assigned, else an input. `local s[H, S]: f32 =
///    -inf` stays inside the kernel. Reads at negative indices give its initial value: that of
///    loop-carried state before iteration 0.
///  - `for r in 0..R` before the statements gives the range of a loop.
///  - Expressions: `+ - * /`, unary `-`, numbers, `inf`, parameters, loops, tensor elements,
///    functions such as `exp(e)` and `max(a, b)`, comparisons, `and or not`, `select(c, a, b)`. A
///    reduction is `sum(k, l) e`, `prod(k) e`, `max(k) e`, `min(k) e`: the parentheses hold only
///    loop names, and `e` extends over `*` and `/` up to the next `+`, `-`, comparison, `,` or `)`.
///  - Indices are affine: loops times constants, plus constants.
///  - `where j < i, k >= 2` at the end of a statement limits its loops (`< <= > >= ==`). A
///    constraint that names a reduction loop limits that reduction only.
///
/// `overrides` set parameters of every kernel that has them; `dtype` replaces the dtype of inputs
/// and outputs. Reports as many errors as it finds.
base::Result<kernel::KernelGraph> parseKernels(base::SourceRef source,
                                               std::span<const ParameterOverride> overrides,
                                               std::optional<kernel::DType> dtype = {});

}  // namespace gridloom::syntax
