// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// Whether a statement copies a whole local tensor of several dimensions that needs itself, with
/// the loops of another statement, to an output that nothing reads.
bool copiesState(const Kernel& kernel, const Statement& copy);

/// What is computed beside the recurrence of an output, in a local of its shape, as an output, too:
/// only so can cores pass its elements on. Nothing where there is no such local.
std::optional<Kernel> withStoredLocals(const Kernel& kernel);

/// State that an output copies, element by element, as in an alignment of two sequences:
///
///     h[i, j] = max(h[i - 1, j - 1] + s[i, j], max(h[i - 1, j], h[i, j - 1]) - 1)
///     H[i, j] = h[i, j]
///
/// State stays in one core. The output itself, with the initial value of the state, is tiled over
/// cores as a wavefront; all such outputs together, with the other locals of their shape (gap costs
/// of an alignment, gates of an LSTM) as above. Which is faster depends on sizes and hardware.
/// Nothing where no output is such a copy, or where state has loops that many cores can share.
/// Needs kinds of loops.
std::optional<Kernel> withOutputState(const Kernel& kernel);

}  // namespace gridloom::kernel
