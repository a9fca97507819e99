// SPDX-License-Identifier: Apache-2.0
#include "kernel/local_targets.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "kernel/joined_indices.h"

namespace gridloom::kernel {

namespace {

using affine::LinearExpr;

// A loop and a constant, or a number.
bool isOfOneLoop(const LinearExpr& index) {
  return index.isConstant() || isBareLoop(index - LinearExpr::number(index.constant));
}

// The target with these loops counted from their other ends.
Access countedBack(const Kernel& kernel, const Access& target, const std::vector<LoopId>& loops) {
  Access back = target;
  back.spelling.clear();
  for (LinearExpr& index : back.indices) {
    for (const LoopId loop : loops) {
      const std::int64_t c = index.coefficient(loop.index());
      index = index - LinearExpr::dim(loop.index(), 2 * c) +
              LinearExpr::number(c * (kernel.loop(loop).extent - 1));
    }
  }
  return back;
}

// Whether all statements would be accepted with this target in place of a statement's.
bool fitsWith(const Kernel& kernel, const Statement& statement, const Access& target) {
  Kernel changed = kernel;
  const auto at = static_cast<std::size_t>(&statement - kernel.statements.data());
  changed.statements[at].target = target;
  for (std::size_t d = 0; d < target.indices.size(); ++d) {
    if (!isOfOneLoop(target.indices[d]) && !separableSize(changed, target.tensor, d, true))
      return false;
  }
  return true;
}

// `t[N - 1 - i] = A[i]` is `t[i] = A[N - 1 - i]`. Nothing where that does not help.
std::optional<std::string> countingHelp(const Kernel& kernel, const Statement& statement,
                                        const LinearExpr& index) {
  std::vector<LoopId> loops;
  std::vector<std::string> names, instead;
  for (std::size_t l = 0; l < index.coefficients.size(); ++l) {
    if (index.coefficients[l] >= 0) continue;
    const Loop& loop = kernel.loops[l];
    loops.push_back(LoopId::of(l));
    names.push_back(fmt::format("`{}`", loop.name));
    instead.push_back(fmt::format("`{} - {}` for `{}`", loop.extent - 1, loop.name, loop.name));
  }
  if (loops.empty()) return std::nullopt;
  const Access back = countedBack(kernel, statement.target, loops);
  if (!fitsWith(kernel, statement, back)) return std::nullopt;
  return fmt::format("count {} from the other end: write `{}`, and {} in the rest of the statement",
                     fmt::join(names, " and "), toString(kernel, back),
                     fmt::join(instead, " and "));
}

std::string helpFor(const Kernel& kernel, const Statement& statement, std::size_t d) {
  const std::string& name = kernel.tensor(statement.target.tensor).name;
  const std::string apart = fmt::format("compute `{}` in a kernel of its own", name);
  if (const auto size = separableSize(kernel, statement.target.tensor, d, true))
    return fmt::format("declare `{}` with {} in dimension {}", name, *size, d);
  if (separableSize(kernel, statement.target.tensor, d, false)) {
    return fmt::format("read all of `{}` in this form, by one loop over all of its elements, or at "
                       "numbers; or {}",
                       name, apart);
  }
  const auto counting = countingHelp(kernel, statement, statement.target.indices[d]);
  return counting ? *counting + "; or " + apart : apart;
}

}  // namespace

std::optional<LocalTargetError> localTargetError(const Kernel& kernel, const Statement& statement,
                                                 bool mayGrow) {
  const Access& target = statement.target;
  if (kernel.tensor(target.tensor).role != TensorRole::Local) return std::nullopt;
  for (std::size_t d = 0; d < target.indices.size(); ++d) {
    if (isOfOneLoop(target.indices[d])) continue;
    if (mayGrow && separableSize(kernel, target.tensor, d, true)) continue;
    return LocalTargetError{
        fmt::format("an element of a `local` must be addressed by loops, not by `{}`",
                    affine::toString(target.indices[d], loopNames(kernel))),
        helpFor(kernel, statement, d)};
  }
  return std::nullopt;
}

}  // namespace gridloom::kernel
