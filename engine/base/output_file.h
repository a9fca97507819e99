// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

#include "base/diagnostic.h"

namespace gridloom::base {

/// What became of a file.
struct Written {
  Diagnostics errors;         ///< empty when all went well
  bool machineFault = false;  ///< the disk is full or broken, and not the path wrong
  bool ok() const { return errors.empty(); }
};

using WriteFunction = std::function<void(std::ostream&)>;

/// Writes a file whole or not at all, and on the disk when this returns. A failed write leaves what was there before; a
/// file that is replaced keeps its permissions. Pipes and devices are written to directly.
Written writeFile(const std::string& path, const WriteFunction& write);
Written writeFile(const std::string& path, std::string_view text);

/// Whether an `errno` of a write says that the machine has no more of something, or is broken.
bool isMachineFault(int error);

}  // namespace gridloom::base
