// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "base/source_text.h"

namespace gridloom::exchange {

/// Span of the value at a pointer (RFC 6901) in a valid JSON text, or of the nearest enclosing
/// value if there is none.
base::Span spanOfValue(std::string_view json, std::string_view pointer);

}  // namespace gridloom::exchange
