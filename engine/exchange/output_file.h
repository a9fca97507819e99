// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

#include "base/diagnostic.h"

namespace gridloom::exchange {

/// Writes a file whole or not at all: into a new file beside it, renamed at the end. A failed write
/// leaves what was there before; a file that is replaced keeps its permissions. Pipes and devices are
/// written to directly. Empty when all went well.
base::Diagnostics writeFile(const std::string& path,
                            const std::function<void(std::ostream&)>& write);
base::Diagnostics writeFile(const std::string& path, std::string_view text);

}  // namespace gridloom::exchange
