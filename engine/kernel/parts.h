// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// A kernel of several statements may run apart: as kernels one after the other, which pass
/// tensors through global memory that are local to the whole (the unfused form of 2mm or of
/// attention).
struct Cut {
  std::size_t before = 0;  ///< the first statement of the later part
  /// A tensor that passes the cut holds sums that a later sum runs over, as in a chain of matrix
  /// products. Fused, such a chain needs whole loops or computes the first sums again.
  bool chain = false;
};

/// The parts of a kernel, by the statements of the kernel as it was written. Where an output copies
/// state, other statements read the output (withCopiesRead); sums inside of others are statements
/// of their own (withOwnReductions), and so is what a recurrence has for each index (diagonals.h).
class KernelParts {
 public:
  explicit KernelParts(const Kernel& kernel);

  std::size_t statements() const { return m_whole.statements.size(); }
  /// Where statements may be cut, in order. No cut goes through the statements of one tensor,
  /// through a recurrence, or behind state that is read later.
  const std::vector<Cut>& cuts() const { return m_cuts; }

  /// Statements [begin, end) as a kernel: what other statements define is an input, what they read
  /// an output. Only for printing: kinds of loops are those of the whole.
  Kernel part(std::size_t begin, std::size_t end) const;

  /// The name of such a part: that of the kernel and the last tensor of each piece between cuts, as
  /// in `three_mm_e_f`.
  std::string name(std::size_t begin, std::size_t end) const;

 private:
  Kernel m_whole;
  std::vector<Cut> m_cuts;
};

}  // namespace gridloom::kernel
