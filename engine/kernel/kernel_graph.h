// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/result.h"
#include "kernel/kernel.h"

namespace gridloom::kernel {

/// Combines checked kernels into a graph. Errors, located: two kernels with one name, a tensor that
/// two kernels produce, a tensor whose shape or dtype differs from that of its producer.
base::Result<KernelGraph> joinKernels(std::vector<Kernel> kernels);

}  // namespace gridloom::kernel
