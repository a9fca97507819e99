// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "mapping/mapping.h"

namespace gridloom::mapping {

/// How the tiles of an input are distributed over the cores along one mesh dimension that carries a
/// loop.
enum class OperandFlow : std::uint8_t {
  Scattered,  ///< cores use different tiles
  Forwarded,  ///< the same tile, from neighbour to neighbour
  Copied,     ///< the same tile, by a multicast or from a shared copy
  Rotated,    ///< the same tiles, at different times
  Repeated,   ///< the same tile, which each core gets by itself
};

OperandFlow flowAlong(const kernel::Operand& operand, const InputMovement& movement,
                      const Mapping& mapping, std::size_t dim);

}  // namespace gridloom::mapping
