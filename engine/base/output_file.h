// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

#include "base/diagnostic.h"

namespace gridloom::base {

/// The result of writing a file.
struct Written {
  Diagnostics errors;         ///< empty on success
  bool machineFault = false;  ///< the disk is full or broken, as opposed to a wrong path
  bool ok() const { return errors.empty(); }
};

using WriteFunction = std::function<void(std::ostream&)>;

/// Writes a file completely or not at all; it is on disk when this returns. A failed write leaves
/// the old file, and a replaced file keeps its permissions. Pipes and devices are written to
/// directly.
Written writeFile(const std::string& path, const WriteFunction& write);
Written writeFile(const std::string& path, std::string_view text);

/// Whether an `errno` of a write means that the machine lacks a resource or is broken.
bool isMachineFault(int error);

}  // namespace gridloom::base
