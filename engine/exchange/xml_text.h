// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace gridloom::exchange {

/// Text between tags or in an attribute: `<` becomes `&lt;`. For XML, SVG and HTML alike.
std::string escapedXml(std::string_view text);

}  // namespace gridloom::exchange
