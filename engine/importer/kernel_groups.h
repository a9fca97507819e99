// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "importer/program.h"

namespace gridloom::importer {

/// Statements of a program that make one kernel.
struct KernelGroup {
  std::vector<std::size_t> statements;
  bool contracts = false;  ///< one is a sum of products
};

/// The kernels of a program, in its order. A product begins a kernel of its own where the kernel
/// has one already, and so does what reads an output of the kernel.
std::vector<KernelGroup> groupedInKernels(const Program& program);

bool isWrittenIn(const Program& program, const KernelGroup& group, int buffer);
/// Whether a group after number `group` reads the buffer.
bool isReadLater(const Program& program, int buffer, const std::vector<KernelGroup>& groups,
                 std::size_t group);

}  // namespace gridloom::importer
