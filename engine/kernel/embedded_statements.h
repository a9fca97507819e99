// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "base/result.h"
#include "kernel/element_order.h"
#include "kernel/tile_nest.h"

namespace gridloom::kernel {

/// The statements of a kernel whose outputs depend on each other, embedded in the loops of the
/// outputs: one that defines `L[j, j]` of a tensor written as L[i, j] elsewhere has the domain
/// i = j.
struct EmbeddedStatements {
  std::vector<LoopId> loops;                 ///< of the outputs, sorted; the same ones for all
  std::vector<std::vector<LoopId>> targets;  ///< per tensor: the loop of each dimension
  std::vector<PlacedStatement> placed;       ///< per statement; `sums` is empty
  std::vector<LoopId> group;                 ///< per loop: the first of those with its tile size

  LoopId groupOf(LoopId loop) const { return group[loop.index()]; }
  /// Whether another loop has the same tile size.
  bool isTied(LoopId loop) const { return std::ranges::count(group, groupOf(loop)) > 1; }
  LoopId targetLoop(TensorId tensor, std::size_t dim) const { return targets[tensor.index()][dim]; }
};

/// Errors, located: a local tensor, an output without a statement over all loops, a left side that
/// is no element of those loops, a domain or an access that tiles cannot follow.
base::Result<EmbeddedStatements> embedStatements(const Kernel& kernel);

/// "not yet mapped: ..." at a span of the kernel.
base::Diagnostic notYetMapped(const Kernel& kernel, base::Span span, const std::string& what,
                              std::string hint);

/// An index of the form `loop + constant`, or a constant (no loop).
struct PlainIndex {
  LoopId loop;
  std::int64_t offset = 0;
};
/// None for an index of any other form.
std::optional<PlainIndex> plainIndex(const affine::LinearExpr& expr);

/// Whether a read is of an earlier index of a loop of the output, as `r[t - 1, j]` for an element
/// r[t, i]. It may then be of any element: all of them are there.
bool readsEarlierStep(const EmbeddedStatements& statements, const Access& access);

/// a = b + by, as two differences.
std::vector<Difference> equalLoops(LoopId a, LoopId b, std::int64_t by = 0);

inline void append(std::vector<Difference>& to, const std::vector<Difference>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

}  // namespace gridloom::kernel
