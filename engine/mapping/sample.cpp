// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <random>

#include "mapping/all_reduce.h"
#include "mapping/space.h"
#include "mapping/transfers.h"

namespace gridloom::mapping {

namespace {

template <class T> const T& pick(const std::vector<T>& from, std::mt19937_64& random) {
  return from[random() % from.size()];
}

/// Draws one choice for every operand; false when an operand has none.
template <class Options, class Choice>
bool pickEach(std::size_t operands, const Options& optionsOf, std::vector<Choice>& out,
              std::mt19937_64& random) {
  for (std::size_t i = 0; i < operands; ++i) {
    const std::vector<Choice> options = optionsOf(i);
    if (options.empty()) return false;
    out.push_back(pick(options, random));
  }
  return true;
}

/// A size for every loop; loops with one size in common have that of the loop with the fewest.
std::vector<std::int64_t> pickSizes(const kernel::TileNest& nest, const Axes& axes,
                                    std::mt19937_64& random) {
  std::vector<std::int64_t> sizes;
  for (const auto& choices : axes.tileSizes) sizes.push_back(pick(choices, random));
  for (const auto& tied : nest.ties) {
    const LoopId fewest = *std::ranges::min_element(
        tied, {}, [&](LoopId loop) { return axes.tileSizes[loop.index()].size(); });
    for (const LoopId loop : tied) sizes[loop.index()] = sizes[fewest.index()];
  }
  return sizes;
}

bool hasSizes(const Axes& axes, const std::vector<std::int64_t>& sizes) {
  for (std::size_t l = 0; l < sizes.size(); ++l) {
    if (!std::ranges::binary_search(axes.tileSizes[l], sizes[l])) return false;
  }
  return true;
}

}  // namespace

std::optional<Mapping> sampleMapping(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                                     const hardware::Topology& hw, const Axes& axes,
                                     const Constraints& constraints, std::uint64_t seed,
                                     int tries) {
  if (axes.spaces.empty()) return std::nullopt;
  std::mt19937_64 random(seed);
  for (int attempt = 0; attempt < tries; ++attempt) {
    Mapping m;
    m.tileSize = pickSizes(nest, axes, random);
    if (!hasSizes(axes, m.tileSize)) continue;
    const SpaceChoice& choice = pick(axes.spaces, random);
    m.space = choice.space;
    m.dimOrder = choice.dimOrder;
    const Tiling tiling = tilingOf(m, kernel, hw);
    if (isRedundant(m, tiling, hw) || !keepsShares(nest, tiling)) continue;
    const auto orders = ordersOf(nest, tiling, constraints);
    if (orders.empty()) continue;
    m.order = pick(orders, random);
    const auto inputs = [&](std::size_t i) { return inputOptions(nest, i, m, hw, constraints); };
    const auto outputs = [&](std::size_t i) { return outputOptions(nest, i, m, hw, constraints); };
    const auto joins = [&](std::size_t r) { return allReduceOptions(nest, r, m, constraints); };
    if (!pickEach(nest.inputs.size(), inputs, m.inputs, random) ||
        !pickEach(nest.outputs.size(), outputs, m.outputs, random) ||
        !pickEach(nest.allReduces.size(), joins, m.allReduces, random)) {
      continue;
    }
    if (localMemoryBytes(nest, m, tiling, hw) <= hw.local().bytes &&
        overfullSharedBuffer(nest, m, tiling, hw) == hw.sharedBuffers().size()) {
      return m;
    }
  }
  return std::nullopt;
}

}  // namespace gridloom::mapping
