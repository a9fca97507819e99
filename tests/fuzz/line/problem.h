// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "line/machine.h"
#include "service/workspace.h"

namespace gridloom::fuzz {

/// A kernel with sizes on a machine.
struct Problem {
  std::string kernel;  ///< a built-in kernel, or a file of tests/fuzz/line/kernels
  std::vector<std::pair<std::string, std::int64_t>> sizes;
  Machine machine;
};

/// A problem small enough to be computed one element at a time.
Problem randomProblem(Random& random);
/// Problems with one size or one part of the machine made plainer.
std::vector<Problem> simplerThan(const Problem& problem);

/// What is written to a corpus: the machine's description, headed by a comment that names kernel
/// and sizes.
std::string textOf(const Problem& problem);

struct Inputs {
  service::HardwareRef hardware;
  service::KernelRef kernel;
};
/// The inputs of a text as `textOf` writes it. Errors are those of the engine.
base::Result<Inputs> open(const std::string& text, const std::string& name);

}  // namespace gridloom::fuzz
