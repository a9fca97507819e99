// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "syntax/token.h"

namespace gridloom::syntax {

/// Never fails. A run of bytes that form no token (not UTF-8, NUL, an unclosed string, a number
/// that overflows) becomes one `Error` token, and lexing continues after it. UTF-8 beyond ASCII is
/// legal in strings and comments. A byte order mark at the start and carriage returns are
/// whitespace. A text beyond the limits (syntax/limits.h) gives one error and no token.
/// `signHelp`: what the language writes for mathematical signs, where it has expressions.
TokenText lex(base::SourceRef source, std::string_view signHelp = {});

}  // namespace gridloom::syntax
