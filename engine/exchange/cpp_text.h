// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"
#include "hardware/topology.h"
#include "kernel/tile_nest.h"
#include "schedule/schedule.h"

namespace gridloom::exchange {

/// Most processes of an exported program: a line of text and some kB of memory each.
inline constexpr int kMostCppProcesses = 65'536;
/// Most elements of a kernel's tensors together: the program computes every one of them twice.
inline constexpr double kMostCppElements = 5e7;

/// A schedule as a self-contained program of C++20: a coroutine per process of a program, one of
/// them for each core, on a few threads; bounded buffers, and channels with credits, as the
/// schedule has them. A core computes only with tiles that it holds. The program fills its inputs
/// (those of kernel::sampleInputs, seed 1), runs, compares every output with the kernel as it is
/// written, prints "values right" or the largest difference, and returns 0 or 1. Values are
/// doubles. Compiles with `g++ -std=c++20 -pthread`.
///
/// Errors: more than kMostCppProcesses processes or kMostCppElements elements.
base::Result<std::string> cppText(const schedule::Schedule& schedule, const kernel::Kernel& kernel,
                                  const kernel::TileNest& nest, const hardware::Topology& hw);

}  // namespace gridloom::exchange
