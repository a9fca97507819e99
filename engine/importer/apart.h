// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

#include "importer/mlir_module.h"

namespace gridloom::importer {

/// What `read` returns, called in a process of its own. Nothing where that ends without a result:
/// by a fault in MLIR's own passes, for want of memory, or after `mostSeconds` of processor time.
std::optional<Imported> readApart(const std::function<Imported()>& read, unsigned mostSeconds);

}  // namespace gridloom::importer
