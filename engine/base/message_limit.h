// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "base/diagnostic.h"

namespace gridloom::base {

/// Errors that one text is told, and one run of the command prints; as many remarks (notes and warnings) beside them.
inline constexpr std::size_t kMostMessages = 50;

/// Adds a finding unless the list has `kMostMessages` of its kind. An error is never lost behind remarks.
void report(Diagnostics& out, Diagnostic finding);

/// Whether the list has as many errors as are told.
bool isFull(const Diagnostics& diagnostics);

}  // namespace gridloom::base
