// SPDX-License-Identifier: Apache-2.0
#include "mapping/partials.h"

#include <fmt/format.h>

#include <algorithm>

namespace gridloom::mapping {

using base::saturatingAdd;
using base::saturatingMul;
using kernel::contains;
using kernel::Operand;
using kernel::TileNest;

namespace {

// The output whose message carries the partial sums of a local tensor: its own, or the first one.
const Operand& carrierOf(const TileNest& nest, kernel::TensorId tensor) {
  const auto own = std::ranges::find(nest.outputs, tensor, &Operand::tensor);
  return own != nest.outputs.end() ? *own : nest.outputs.front();
}

}  // namespace

bool isJoined(const TileNest& nest, LoopId loop) {
  if (nest.merge) return nest.merge->loop == loop;
  const bool plain = nest.sequential.empty() && nest.ends.empty() && !nest.hasProduced();
  return plain && contains(nest.reductions, loop);
}

Partials partialsOf(const TileNest& nest, const Operand& output) {
  Partials partials;
  if (nest.reductions.empty() && !nest.merge) return partials;
  // An output computed in every iteration accumulates partial sums in its own tile.
  partials.tile = output.phase == kernel::Phase::Every;
  for (std::size_t l = 0; l < nest.locals.size(); ++l) {
    const bool travels = carrierOf(nest, nest.locals[l].tensor).tensor == output.tensor;
    if (nest.locals[l].carried && travels) partials.locals.push_back(l);
  }
  return partials;
}

std::int64_t localElements(const kernel::LocalBuffer& local, const Tiling& tiling) {
  std::int64_t elements = 1;
  for (const LoopId loop : local.loops) {
    elements = saturatingMul(elements, tiling.loops[loop.index()].tileSize);
  }
  return elements;
}

std::int64_t partialBytes(const TileNest& nest, const Operand& output, const Tiling& tiling,
                          const std::vector<LoopId>& order) {
  const Partials partials = partialsOf(nest, output);
  std::int64_t bytes =
      partials.tile ? tileBytes(output, tiling, order, outputLevel(nest, order)) : 0;
  for (const std::size_t l : partials.locals) {
    bytes = saturatingAdd(bytes, localBufferBytes(nest, nest.locals[l], tiling, order));
  }
  return bytes;
}

std::int64_t shareBytes(kernel::DType dtype, std::int64_t bytes, std::int64_t cores) {
  const double elements = static_cast<double>(bytes) * 8 / kernel::bitsOf(dtype);
  return kernel::bytesOf(dtype, base::ceilDiv(static_cast<std::int64_t>(elements), cores));
}

DimMask finishingDims(const TileNest& nest, const Operand& operand, const Mapping& mapping) {
  const bool finished = operand.output || operand.phase == kernel::Phase::Epilogue;
  return finished ? splitDims(nest, mapping) : 0;
}

std::optional<std::string> whyNotInSpace(const kernel::Kernel& kernel, const TileNest& nest,
                                         LoopId loop) {
  const std::string& name = kernel.loop(loop).name;
  for (const TileNest::Whole& whole : nest.whole) {
    if (whole.loop != loop) continue;
    if (whole.inShares) return std::nullopt;
    return fmt::format("`{}` cannot be tiled: {}{}", name, whole.reason,
                       whole.noShares.empty() ? "" : "; nor dealt in shares: " + whole.noShares);
  }
  if (contains(nest.parallel, loop) || isJoined(nest, loop)) return std::nullopt;
  if (contains(nest.sequential, loop)) {
    return fmt::format("`{}` carries state from one iteration to the next{}", name,
                       nest.noMerge.empty()
                           ? ""
                           : ", and its shares have no associative combine: " + nest.noMerge);
  }
  if (nest.hasProduced() || !nest.ends.empty()) {
    return fmt::format("elements of the output need the finished sum over `{}` of others", name);
  }
  return fmt::format("state runs along `{}` beside the sum over `{}`",
                     kernel.loop(nest.sequential.front()).name, name);
}

}  // namespace gridloom::mapping
