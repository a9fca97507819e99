// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mlir/IR/Block.h>

#include <map>
#include <string>

#include "importer/mlir_module.h"
#include "importer/mlir_names.h"

namespace gridloom::importer {

/// Reads all functions of a file.
struct FileReader {
  const std::map<std::string, std::int64_t>& settings;
  MemoryOrder order;
  std::size_t mostKernels;
  bool isAnotherForm = false;  ///< of the file than that which was written

  Imported read(mlir::Block& block, const ArgumentNames& names) const;
};

}  // namespace gridloom::importer
