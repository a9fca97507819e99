// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// A statement may read later neighbours of what the same step of a recurrence computes:
///
///     e[t, i] = e[t - 1, i] - h[t - 1, i] + h[t - 1, i - 1]
///     h[t, i] = h[t - 1, i] - e[t, i + 1] + e[t, i]
///
/// Tiles along i would wait for tiles behind them, so that there can be only one. The draft
/// computes such neighbours where they are read, from elements of the step before, so that tiles of
/// one step are parallel, and cores exchange borders once per step:
///
///     h[t, i] = h[t - 1, i] - (e[t - 1, i + 1] - h[t - 1, i + 1] + h[t - 1, i]) + e[t, i]
///
/// Where several statements define such a neighbour, it is a choice between what they compute.
/// Nothing where no statement reads such elements, or where they are sums.
std::optional<Kernel> withInlinedNeighbours(const Kernel& kernel);

}  // namespace gridloom::kernel
