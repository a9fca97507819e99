// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// Whether a rewritten kernel passes the checks; fills in what they derive.
using HoldsForm = std::function<bool(Kernel&)>;

/// Takes another form of the kernel, if it is one and holds; whether it did.
bool takeForm(Kernel& kernel, std::optional<Kernel> form, const HoldsForm& holds);

/// Takes the forms in which a checked kernel runs: values that several statements need are computed
/// once, masks of softmaxes are limits, and softmaxes run tile by tile. Whether there are any.
/// Reductions over one row run together where that is mapped. Rows are whole then, and may not fit:
/// `apart` becomes the kernel in which they are not.
bool takeRunningForms(Kernel& kernel, const HoldsForm& holds,
                      std::optional<Kernel>* apart = nullptr);

}  // namespace gridloom::kernel
