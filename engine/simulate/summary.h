// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace gridloom::simulate {

/// What the message of an error begins with that no input should bring about.
constexpr std::string_view kInternalError = "internal error: ";

}  // namespace gridloom::simulate
