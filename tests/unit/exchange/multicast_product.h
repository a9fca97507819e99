// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "mapping/mapping.h"

namespace gridloom::test {

/// A matrix product with rows and columns over a mesh of two dimensions: both inputs are multicast
/// in every iteration of the sum.
inline mapping::Mapping multicastProduct(std::vector<std::int64_t> tileSizes,
                                         std::uint8_t buffers) {
  mapping::Mapping mapping;
  mapping.tileSize = std::move(tileSizes);
  mapping.space = {mapping::LoopId::of(0), mapping::LoopId::of(1)};
  mapping.dimOrder = {0, 1};
  mapping.order = {mapping::LoopId::of(2)};
  mapping.inputs.resize(2);
  mapping.outputs.resize(1);
  for (std::size_t i = 0; i < 2; ++i) {
    mapping.inputs[i].kind = mapping::MovementKind::Multicast;
    mapping.inputs[i].along = static_cast<mapping::DimMask>(i == 0 ? 2 : 1);
    mapping.inputs[i].level = 1;
    mapping.inputs[i].buffers = buffers;
  }
  return mapping;
}

}  // namespace gridloom::test
