// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "base/diagnostic.h"

namespace gridloom::base {

/// Limit on errors per text and per run of the command. Remarks (notes and warnings) have a limit
/// of the same size.
inline constexpr std::size_t kMostMessages = 50;

/// Adds a finding unless the list has `kMostMessages` of its kind. Remarks never displace an error.
void report(Diagnostics& out, Diagnostic finding);

/// Whether the list has reached the limit on errors.
bool isFull(const Diagnostics& diagnostics);

}  // namespace gridloom::base
