// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "kernel/kernel.h"

namespace gridloom::kernel {

/// Limits that keep every later sum of products inside 64 bits.
inline constexpr std::int64_t kMaxExtent = std::int64_t{1} << 40;
inline constexpr std::int64_t kMaxCoefficient = std::int64_t{1} << 16;
inline constexpr std::size_t kMaxLoops = 32;
inline constexpr std::size_t kMaxParameters = 200;
inline constexpr std::size_t kMaxTensors = 400;
inline constexpr std::size_t kMaxRank = 32;  ///< dimensions of one tensor
inline constexpr std::size_t kMaxStatements = 200;
inline constexpr std::size_t kMaxReads = 4000;      ///< of all statements
inline constexpr std::size_t kMaxConstraints = 20;  ///< of one statement
inline constexpr std::size_t kMaxExprNodes = 1000;
inline constexpr std::int64_t kMaxTensorBytes = std::int64_t{1} << 62;

/// Completes and checks a draft: loops with names, tensors with shapes (role Local where declared
/// so), statements with target, reads, expr and constraints. Fills in loop extents (from the
/// dimensions that a loop indexes alone), roles (assigned: Output), Statement::loops and
/// ::reductions, statements for undefined outputs (kernel::addUndefinedZeros), and loop kinds.
/// Reports all errors it finds: conflicting or unknown extents, accesses outside their tensors,
/// elements defined twice or never, reads of undefined elements, loops out of scope.
base::Result<Kernel> check(Kernel draft);

}  // namespace gridloom::kernel
