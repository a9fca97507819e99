// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "hardware/hardware_spec.h"
#include "syntax/lexer.h"

namespace gridloom::syntax {

/// Attaches each comment of the text to the op before, in or after which it is; `spans[i]` is the
/// location of `spec.order[i]`. Keeps empty lines between ops and comments, at most one in a row.
void attachComments(const TokenText& text, std::span<const base::Span> spans,
                    hardware::HardwareSpec& spec);

}  // namespace gridloom::syntax
