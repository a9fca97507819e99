// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"
#include "hardware/topology.h"
#include "kernel/tile_nest.h"
#include "mapping/mapping.h"

namespace gridloom::exchange {

/// Most roles of an exported HLS program: each has a stack of 64 KiB.
inline constexpr int kMostHlsProcesses = 16'384;

/// A systolic mapping as C++ in the style of HLS, with the roles of T2S-Tensor (Section III): per
/// input a loader and feeders, a template of the processing element for every place of the
/// array, drainers and collectors for the results. Roles are connected by bounded streams of
/// words and run in turn on one thread. The program fills its inputs, compares the output with a
/// plain loop nest, prints "values right" or the largest difference, and returns 0 or 1. Values
/// are doubles. One file: it holds its header. Compiles with `g++ -std=c++20`.
///
/// Errors: mappings that are no systolic array, by operand or loop: an input that neither streams
/// nor differs at all places, no input that streams, a loop over two dimensions, partial results
/// that go by a tree; kernels with several statements, state, domains or gathers; more than
/// kMostHlsProcesses processes.
base::Result<std::string> hlsText(const mapping::Mapping& mapping, const kernel::Kernel& kernel,
                                  const kernel::TileNest& nest, const hardware::Topology& hw);

}  // namespace gridloom::exchange
