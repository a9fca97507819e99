// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace gridloom::base {

/// Bytes of the UTF-8 sequence at the start of `text`, which is not empty; 0 when there is no valid
/// one (overlong forms and surrogates are not valid: RFC 3629, section 4).
std::size_t utf8Length(std::string_view text);

}  // namespace gridloom::base
