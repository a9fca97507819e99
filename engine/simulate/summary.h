// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace gridloom::simulate {

/// Prefix of errors that no input should cause.
constexpr std::string_view kInternalError = "internal error: ";

}  // namespace gridloom::simulate
