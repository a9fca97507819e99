// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "kernel/dependences.h"

namespace gridloom::kernel {

/// The loops that run index by index. Where everything that one of them carries is a step of
/// another, too, it is free within that step: its statements then share the step with those beside
/// them.
std::vector<LoopId> runningLoops(const Kernel& kernel, const std::vector<FlowDependence>& flows);

/// Those of a statement's target, sorted.
std::vector<LoopId> runningLoopsOf(const Statement& statement, const std::vector<LoopId>& running);

/// The order in which a core runs statements: that of the text, where neighbours with the same
/// running loops run them together, index by index. Of one statement, and within such an index, the
/// points of the target's loops follow each other, the last loop innermost.
class StatementOrder {
 public:
  StatementOrder(const Kernel& kernel, const std::vector<FlowDependence>& flows);
  /// Whether what the flow reads is computed before.
  bool keeps(const FlowDependence& flow) const;

 private:
  std::vector<std::vector<LoopId>> m_running;  ///< per statement
  std::vector<std::vector<LoopId>> m_points;   ///< per statement: loops of its target
  std::vector<std::size_t> m_first;            ///< per statement: the first of its neighbours
};

/// Whether each element is computed before it is read.
bool runsInOrder(const Kernel& kernel);

/// Moves what defines a tensor before what reads it. Of tensors that need each other, statements
/// that need none of them come before the others, and what defines an element of a step before what
/// reads it in that step. Statements keep their order otherwise.
void sortStatements(Kernel& kernel);

/// The kernel with sorted statements; none if they are.
std::optional<Kernel> withSortedStatements(const Kernel& kernel);

}  // namespace gridloom::kernel
