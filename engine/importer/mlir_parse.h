// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "importer/mlir_names.h"

namespace gridloom::importer {

/// Parses a file into `form`; what the parser says first where it cannot. A file that is no module
/// as a whole is read in the parts that `mlir-opt --split-input-file` takes: lines `// -----` stand
/// between them, and each has aliases and names of its own. At most `mostParts` of them.
Finding parseFile(const std::string& text, const std::string& name, std::size_t mostParts,
                  mlir::MLIRContext& context, FileForm& form);

}  // namespace gridloom::importer
