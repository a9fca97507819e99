// SPDX-License-Identifier: Apache-2.0
#include "kernel/local_targets.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "affine/integer_set.h"
#include "base/diagnostic.h"
#include "kernel/check.h"
#include "kernel/extents.h"
#include "kernel/index_help.h"
#include "kernel/joined_indices.h"
#include "kernel/tensor_cycles.h"

namespace gridloom::kernel {

namespace {

using affine::LinearExpr;

// A loop and a constant, or a number.
bool isOfOneLoop(const LinearExpr& index) {
  return index.isConstant() || isBareLoop(index - LinearExpr::number(index.constant));
}

// How many elements the language lets a dimension have, with the other dimensions as they are.
std::int64_t mostElements(const Tensor& tensor, std::size_t d) {
  const std::int64_t others = elementCount(tensor) / tensor.shape[d];
  return std::min(kMaxExtent, kMaxTensorBytes / bytesOf(tensor.dtype, others));
}

// The loops that an index of the target counts backwards.
std::vector<LoopId> backwardLoops(const Kernel& kernel, const Access& target) {
  std::vector<LoopId> loops;
  for (std::size_t l = 0; l < kernel.loops.size(); ++l) {
    const auto isBackward = [&](const LinearExpr& index) { return index.coefficient(l) < 0; };
    if (std::ranges::any_of(target.indices, isBackward)) loops.push_back(LoopId::of(l));
  }
  return loops;
}

// A kernel with these loops of a statement counted from their other ends, as people write it.
// Values of the loops stay as they are: no index depends on them.
Kernel countedBack(const Kernel& kernel, std::size_t statement, const std::vector<LoopId>& loops) {
  Kernel changed = kernel;
  const auto count = [&](LinearExpr& expr) {
    for (const LoopId loop : loops) {
      const std::int64_t c = expr.coefficient(loop.index());
      expr = expr - LinearExpr::dim(loop.index(), 2 * c) +
             LinearExpr::number(c * (kernel.loop(loop).extent - 1));
    }
  };
  Statement& back = changed.statements[statement];
  back.target.spelling.clear();
  std::ranges::for_each(back.target.indices, count);
  for (Access& read : back.reads) std::ranges::for_each(read.indices, count);
  for (affine::Constraint& c : back.constraints) count(c.expr);
  return changed;
}

// Loops take their extents from what they index: whether these are still the same.
bool keepsExtents(const Kernel& kernel, Kernel changed) {
  base::Diagnostics errors;
  deriveExtents(changed, errors);
  return errors.empty() &&
         std::ranges::equal(changed.loops, kernel.loops, {}, &Loop::extent, &Loop::extent);
}

// Which of these loops need a range so that all keep their extents, as a first step of a help.
// Nothing where that does not help.
std::optional<std::string> rangesFor(const Kernel& kernel, Kernel changed,
                                     const std::vector<LoopId>& loops) {
  if (keepsExtents(kernel, changed)) return "";
  std::vector<std::string> ranges;
  for (const LoopId id : loops) {
    Loop& loop = changed.loops[id.index()];
    if (loop.declared > 0) continue;
    loop.declared = loop.extent;
    ranges.push_back(fmt::format("{} in 0..{}", loop.name, loop.extent));
  }
  if (ranges.empty() || !keepsExtents(kernel, changed)) return std::nullopt;
  return fmt::format("declare `for {}` before the statements, ", fmt::join(ranges, ", "));
}

// Whether the local needs elements of its own that no dimension tells to be earlier ones.
bool runsBackwards(const Kernel& kernel, TensorId local) {
  const TensorCycles cycles(kernel);
  const auto isEarlier = [&](const Statement& statement, const Access& read, std::size_t d) {
    if (!cycles.isBetween(read.tensor, local)) return true;
    if (read.tensor != local) return false;
    const LinearExpr step = read.indices[d] - statement.target.indices[d];
    return step.isConstant() && step.constant < 0;
  };
  for (std::size_t d = 0; d < kernel.tensor(local).shape.size(); ++d) {
    const bool allEarlier = std::ranges::all_of(kernel.statements, [&](const Statement& s) {
      return s.target.tensor != local || std::ranges::all_of(s.reads, [&](const Access& read) {
               return isEarlier(s, read, d);
             });
    });
    if (allEarlier) return false;
  }
  return true;
}

// What must be declared for the target of a statement; empty where it fits as it is, nothing where
// it does not.
std::optional<std::string> declarations(const Kernel& kernel, const Statement& statement) {
  const Access& target = statement.target;
  const Tensor& tensor = kernel.tensor(target.tensor);
  const affine::IntegerSet domain = targetDomainOf(kernel, statement);
  std::string declared;
  for (std::size_t d = 0; d < target.indices.size(); ++d) {
    const LinearExpr& index = target.indices[d];
    const auto bounds = affine::boundsOf(domain, index);
    if (!bounds || bounds->min < 0 || std::abs(index.constant) > kMaxExtent) return std::nullopt;
    std::int64_t size = bounds->max + 1;
    if (!isOfOneLoop(index)) {
      const auto separable = separableSize(kernel, target.tensor, d, true);
      if (!separable) return std::nullopt;
      size = std::max(size, *separable);
    }
    if (size <= tensor.shape[d]) continue;
    if (isOfOneLoop(index) || size > mostElements(tensor, d)) return std::nullopt;
    declared += fmt::format(", and declare `{}` with {} in dimension {}", tensor.name, size, d);
  }
  return declared;
}

// Any index that stays inside of its dimension may be one of an output.
std::string apartHelp(const Kernel& kernel, const Statement& statement) {
  const Access& target = statement.target;
  const Tensor& tensor = kernel.tensor(target.tensor);
  const affine::IntegerSet domain = targetDomainOf(kernel, statement);
  std::string limits;
  for (std::size_t d = 0; d < target.indices.size(); ++d) {
    const auto bounds = affine::boundsOf(domain, target.indices[d]);
    const std::int64_t most = mostElements(tensor, d);
    if (!bounds || (bounds->min >= 0 && bounds->max < most)) continue;
    limits += fmt::format("{} index {} from 0 to {}", limits.empty() ? ", with" : " and", d,
                          (bounds->max < most ? tensor.shape[d] : most) - 1);
  }
  return fmt::format("compute `{}` in a kernel of its own{}", tensor.name, limits);
}

// `t[N - 1 - i] = A[i]` is `t[i] = A[N - 1 - i]`; `apart` where that does not help.
std::string countingHelp(const Kernel& kernel, const Statement& statement,
                         const std::string& apart) {
  const std::vector<LoopId> loops = backwardLoops(kernel, statement.target);
  if (loops.empty()) return apart;
  const auto at = static_cast<std::size_t>(&statement - kernel.statements.data());
  const Kernel changed = countedBack(kernel, at, loops);
  const Statement& back = changed.statements[at];
  if (runsBackwards(changed, back.target.tensor)) return backwardsHelp();
  const auto declared = declarations(changed, back);
  const auto ranges = rangesFor(kernel, changed, loops);
  if (!declared || !ranges) return apart;
  std::vector<std::string> names, instead;
  for (const LoopId id : loops) {
    const Loop& loop = kernel.loop(id);
    names.push_back(fmt::format("`{}`", loop.name));
    instead.push_back(fmt::format("`{} - {}` for `{}`", loop.extent - 1, loop.name, loop.name));
  }
  return fmt::format("count {} from the other end: {}write `{}`, and {} in the rest of the "
                     "statement{}; or {}",
                     fmt::join(names, " and "), *ranges, toString(changed, back.target),
                     fmt::join(instead, " and "), *declared, apart);
}

std::string helpFor(const Kernel& kernel, const Statement& statement, std::size_t d) {
  const TensorId local = statement.target.tensor;
  const Tensor& tensor = kernel.tensor(local);
  const std::string apart = apartHelp(kernel, statement);
  const std::int64_t most = mostElements(tensor, d);
  const auto size = separableSize(kernel, local, d, true);
  if (size && *size <= most)
    return fmt::format("declare `{}` with {} in dimension {}", tensor.name, *size, d);
  const auto sizeOfTargets = separableSize(kernel, local, d, false);
  if (sizeOfTargets && *sizeOfTargets <= most) {
    return fmt::format("read all of `{}` in this form, by one loop over all of its elements, or at "
                       "numbers; or {}",
                       tensor.name, apart);
  }
  return countingHelp(kernel, statement, apart);
}

}  // namespace

std::optional<LocalTargetError> localTargetError(const Kernel& kernel, const Statement& statement,
                                                 bool mayGrow) {
  const Access& target = statement.target;
  if (kernel.tensor(target.tensor).role != TensorRole::Local) return std::nullopt;
  for (std::size_t d = 0; d < target.indices.size(); ++d) {
    if (isOfOneLoop(target.indices[d])) continue;
    const auto size = separableSize(kernel, target.tensor, d, true);
    if (mayGrow && size && *size <= mostElements(kernel.tensor(target.tensor), d)) continue;
    return LocalTargetError{
        fmt::format("an element of a `local` must be addressed by loops, not by `{}`",
                    affine::toString(target.indices[d], loopNames(kernel))),
        helpFor(kernel, statement, d)};
  }
  return std::nullopt;
}

}  // namespace gridloom::kernel
