// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace gridloom::importer {

/// `linalg.contract` and `linalg.elementwise` of later releases, and products with `indexing_maps`,
/// as `linalg.generic`, which MLIR 19 reads. Lines stay where they are.
std::string withGenericLinalg(std::string text);

}  // namespace gridloom::importer
