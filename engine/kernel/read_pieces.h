// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// The points at which a statement reads an element, as sets that together hold all of them:
/// `readDomain`, and what the conditions of each `select` above the read say, with `and`, `or`,
/// `not`, `!=`, `div` and `mod` of loops. Conditions on other values may hold anywhere. The first
/// dimensions are the kernel's loops; those behind them are the quotients of `div` and `mod`.
std::vector<affine::IntegerSet> readPieces(const Kernel& kernel, const Statement& statement,
                                           std::size_t read);

}  // namespace gridloom::kernel
