// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// A statement reads elements that a statement of the same kernel defines.
struct FlowDependence {
  StatementId writer;
  StatementId reader;
  std::size_t read = 0;                 ///< index into the reader's reads
  std::vector<LoopId> shared;           ///< loops that both statements' targets run over
  affine::DependenceDistance distance;  ///< reader minus writer, per loop of the kernel

  /// Whether an iteration of `loop` may need a value of another iteration of it.
  bool carriedBy(LoopId loop) const;
};

/// All flow dependences, in source order of readers.
std::vector<FlowDependence> flowDependences(const Kernel& kernel);

/// The sequential loops along which nothing needs a later index. Along the others, statements read
/// elements of every index (`h[t - 1, k]`), so they run one after the other.
std::vector<LoopId> forwardLoops(const Kernel& kernel, const std::vector<FlowDependence>& flows);

/// Reduction, Parallel or Sequential, from the statements and their dependences.
LoopKind deriveKind(const Kernel& kernel, const std::vector<FlowDependence>& flows, LoopId loop);

/// The domain that a read runs over: target loops and the reductions around it, as far as a
/// `select` chooses it.
affine::IntegerSet readDomain(const Kernel& kernel, const Statement& statement, std::size_t read);

}  // namespace gridloom::kernel
