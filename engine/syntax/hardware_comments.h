// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "hardware/hardware_spec.h"
#include "syntax/lexer.h"

namespace gridloom::syntax {

/// Gives each comment of the text to the op it stands before, in or behind; `spans[i]` is where
/// `spec.order[i]` stands. Empty lines between ops and comments are kept, at most one in a row.
void attachComments(const TokenText& text, std::span<const base::Span> spans,
                    hardware::HardwareSpec& spec);

}  // namespace gridloom::syntax
