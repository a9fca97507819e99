// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "importer/program.h"

namespace gridloom::importer {

/// A finding about an imported file.
struct Finding {
  std::string message;
  std::string hint;
  int line = 0, column = 0;  ///< 1-based; 0: about the whole file
  std::string needs = {};    ///< name of a value that is missing in `settings`
};

/// Recurrences, or why there are none.
struct Imported {
  std::string kernels;             ///< text of a .rec file; empty: `finding` says why
  std::vector<Place> places = {};  ///< where in the file each line of `kernels` comes from
  Finding finding;
  bool isRefused = false;  ///< an operation is not read, whatever values arguments have
};

/// How it is found out what loops leave in memory.
enum class MemoryOrder {
  KnownForms,    ///< by the forms that are known; by exact dataflow where they do not say
  ExactDataflow  ///< by exact dataflow first; where recurrences of the forms do not check
};

/// Reads a module of MLIR 19 (or the spellings of later releases that `olderSpelling` knows) in the
/// dialects func, affine, scf, linalg, tensor, memref, bufferization, arith and math. `settings`
/// gives values to arguments that are numbers, and the numbers of programs of a launch grid
/// (grid_x, grid_y, grid_z). Each function gives a kernel, of which a text has no more than
/// `mostKernels`.
Imported importMlir(const std::string& text, const std::string& name,
                    const std::map<std::string, std::int64_t>& settings,
                    MemoryOrder order = MemoryOrder::KnownForms,
                    std::size_t mostKernels = std::numeric_limits<std::size_t>::max());

/// The text with spellings of MLIR 20 and later, and of published listings, as MLIR 19 reads them.
/// Every line and column stays where it is.
std::string olderSpelling(std::string text);

}  // namespace gridloom::importer
