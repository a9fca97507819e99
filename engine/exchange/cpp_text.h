// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"
#include "hardware/topology.h"
#include "kernel/tile_nest.h"
#include "schedule/schedule.h"

namespace gridloom::exchange {

/// Most threads of an exported program: one per process of a core.
inline constexpr int kMostCppThreads = 1024;

/// A schedule as a self-contained program of C++20: a function per process of a program, a thread
/// for each on each core, bounded buffers and channels with credits as the schedule has them. It
/// fills its inputs, runs, compares every output with a plain loop nest, prints "values right" or
/// the largest difference, and returns 0 or 1. Values are doubles. Compiles with
/// `g++ -std=c++20 -pthread`.
///
/// Errors: what this export does not write, by name: domains, gathers, loop-carried state, tiles
/// that the kernel produces itself, epilogues, all-reduces inside compute, several statements with
/// a split reduction, shared buffers, rings, rotation, gathers to a root, stationary outputs, more
/// than kMostCppThreads threads.
base::Result<std::string> cppText(const schedule::Schedule& schedule, const kernel::Kernel& kernel,
                                  const kernel::TileNest& nest, const hardware::Topology& hw);

}  // namespace gridloom::exchange
