// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "kernel/tile_nest.h"
#include "schedule/schedule.h"

namespace gridloom::exchange {

/// Who waits for whom, as a Graphviz digraph: a box per program with its processes, an edge for
/// every buffer between two of them (full slots; free slots come back, dashed), every channel
/// between programs (bold) and every token. Lay it out with `dot`.
std::string tokenGraph(const schedule::Schedule& schedule, const kernel::Kernel& kernel,
                       const kernel::TileNest& nest);

}  // namespace gridloom::exchange
