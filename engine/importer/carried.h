// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mlir/IR/Value.h>

#include <optional>
#include <string>
#include <vector>

#include "importer/values.h"

namespace gridloom::importer {

/// A value that a loop carries from one iteration to the next.
struct Carried {
  mlir::BlockArgument argument;
  mlir::Value yielded;
  Value first;
  int state = -1;  ///< stands for its value before an iteration; -1: none
  std::vector<Loop> vars;
  std::string dtype;
  std::optional<Value> after;  ///< its value behind the loop
  MemoryRef memory;            ///< what is carried is memory; there is no argument
  bool wasArgument = false;
  std::optional<Value> last;  ///< of memory: what an iteration leaves
};

/// A loop that carries values, after its body was read.
struct CarryingLoop {
  Loop loop = 0;
  std::vector<Loop> outer;         ///< loops around it
  std::vector<Linear> bounds;      ///< of its iterations, each at least 0
  std::size_t firstStatement = 0;  ///< of its body
  std::vector<Carried> carried;
};

}  // namespace gridloom::importer
