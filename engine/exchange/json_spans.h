// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "base/source_text.h"

namespace gridloom::exchange {

/// Where the value at a pointer (RFC 6901) stands in a text that is known to be JSON. The place of the
/// nearest value around it when there is none.
base::Span spanOfValue(std::string_view json, std::string_view pointer);

}  // namespace gridloom::exchange
