// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace gridloom::exchange {

/// Text in double quotes, as JSON, Graphviz and C++ read it alike: quotes and backslashes are
/// escaped, control characters are `\u0000` forms.
std::string quotedText(std::string_view text);

}  // namespace gridloom::exchange
