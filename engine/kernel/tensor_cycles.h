// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// Tensors that need each other: elements of each are computed from elements of the others.
class TensorCycles {
 public:
  explicit TensorCycles(const Kernel& kernel);

  /// Whether an element of any tensor needs other elements of it, directly or through others.
  bool any() const { return m_count > 0; }
  /// Whether both lie on one cycle; for one tensor, whether it needs itself.
  bool isBetween(TensorId a, TensorId b) const {
    return m_cycle[a.index()] >= 0 && m_cycle[a.index()] == m_cycle[b.index()];
  }

 private:
  std::vector<int> m_cycle;  ///< per tensor; -1: on none
  int m_count = 0;
};

}  // namespace gridloom::kernel
