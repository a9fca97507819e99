// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/diagnostic.h"
#include "kernel/kernel.h"

namespace gridloom::kernel {

/// Reports outputs that no statement assigns, output elements never defined, elements defined
/// twice, and reads of local elements that no statement defines; where it takes too long to find
/// out whether there are any, that.
/// State may be read where nothing defines it, before the first index of a band: its initial value.
void checkDefinedness(const Kernel& kernel, base::Diagnostics& errors);

/// A read of an element that no statement defines, or of which that is not known.
struct UndefinedRead {
  StatementId reader;
  std::size_t read = 0;
  std::optional<std::vector<std::int64_t>> element;  ///< none: it takes too long to find out
};
/// Of an output that is computed from its own elements, the first read of one that no statement
/// defines: O[0] of `O[t] = O[t - 1] + X[t] where t >= 1`. Other undefined elements are 0; a
/// recurrence must say where it begins.
std::optional<UndefinedRead> undefinedSelfRead(const Kernel& kernel, TensorId output);

/// Whether a statement defines the element that an access names at a point of the kernel's loops.
bool isDefined(const Kernel& kernel, const Access& access, std::span<const std::int64_t> point);

/// One warning for each output of which the statements, as written, define only a part: the rest is
/// 0.
base::Diagnostics undefinedOutputs(const Kernel& checked);

}  // namespace gridloom::kernel
