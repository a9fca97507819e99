// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "base/result.h"
#include "kernel/dependences.h"
#include "kernel/tile_nest.h"

namespace gridloom::kernel {

/// Whether elements of an output need other elements of outputs (a triangular solve, a stencil in
/// time).
bool outputsDependOnOutputs(const Kernel& kernel, const std::vector<FlowDependence>& flows);

/// The nest of such a kernel. Its statements are embedded in the loops of the output: one that
/// defines `L[j, j]` has the domain i = j. A sum over elements of the output ends in the tile with
/// the element it defines: that tile computes the rest of the sum and its epilogue step by step.
/// Elements of other tiles are operands whose tiles the kernel itself produces.
///
/// `TileNest::steps` are the loops along which the elements of one tile follow each other; isl's
/// dependence distances prove them. Loops that index one dimension of such an output have one tile
/// size (`TileNest::ties`).
base::Result<TileNest> dependentNest(const Kernel& kernel);

/// The kernel with its statements in the order in which such a nest takes the fewest steps within a
/// tile, whatever the order of the text; nothing where that is the order of the text, or where it
/// has no such nest.
std::optional<Kernel> withFewestSteps(const Kernel& kernel);

/// One operand per window of a tensor: accesses that differ by constants share one.
Operand windowOf(const Kernel& kernel, const Access& access, bool output, Phase phase);
/// Whether neither of two windows is gathered, or both are in the same way.
bool gatherAlike(const Operand& a, const Operand& b);
/// Whether two windows with the same indices are well loaded as one. Those that differ in numbers,
/// `A[0, j]` and `A[N - 1, j]`, are not if more than two numbers lie between. Windows that lie
/// together still do when one of them grows.
bool lieTogether(const Operand& a, const Operand& b);
/// Makes `known` a window for the accesses of both.
void takeIn(Operand& known, Operand operand);
/// Joins neighbouring windows where a tensor has more than twelve that differ in numbers, as each
/// multiplies the space of mappings.
void limitWindows(std::vector<Operand>& operands);
/// Names the windows of each tensor: `A`, `A@2`, `A@3`. A tensor that the nest produces has an
/// output with its own name.
void nameWindows(std::vector<Operand>& operands);

/// Adds a window to others, or joins it with those that `belongs(known, operand)` says it belongs
/// to, until no window belongs to another. A window that grows may do so.
template <class Belongs>
void addWindow(std::vector<Operand>& operands, Operand operand, const Belongs& belongs) {
  std::size_t at = operands.size();
  for (;;) {
    const auto known =
        std::ranges::find_if(operands, [&](const Operand& each) { return belongs(each, operand); });
    if (known == operands.end()) break;
    at = std::min(at, static_cast<std::size_t>(known - operands.begin()));
    takeIn(*known, std::move(operand));
    operand = std::move(*known);
    operands.erase(known);
  }
  operands.insert(operands.begin() + static_cast<std::ptrdiff_t>(at), std::move(operand));
}

}  // namespace gridloom::kernel
