// SPDX-License-Identifier: Apache-2.0
#include "hardware/coordinate_tables.h"

#include <algorithm>

namespace gridloom::hardware {

bool CoordinateTables::fitInto(const Grid& to) const {
  for (std::size_t r = 0; r < results.size(); ++r) {
    const auto fits = [size = to.sizes[r]](std::int64_t c) { return c >= 0 && c < size; };
    if (!std::ranges::all_of(results[r].values, fits)) return false;
  }
  return true;
}

std::vector<std::int64_t> CoordinateTables::indices(const Grid& from, const Grid& to) const {
  // Each coordinate adds a part of its own to the index.
  std::vector<std::vector<std::int64_t>> parts;
  for (const std::int64_t size : from.sizes) parts.emplace_back(static_cast<std::size_t>(size), 0);
  std::int64_t stride = 1;
  for (std::size_t r = results.size(); r-- > 0;) {
    std::vector<std::int64_t>& part = parts[results[r].dim];
    for (std::size_t c = 0; c < part.size(); ++c) part[c] += results[r].values[c] * stride;
    stride *= to.sizes[r];
  }
  std::vector<std::int64_t> out(1, 0);
  for (const std::vector<std::int64_t>& part : parts) {
    std::vector<std::int64_t> lines;
    lines.swap(out);
    out.reserve(lines.size() * part.size());
    for (const std::int64_t line : lines) {
      for (const std::int64_t value : part) out.push_back(line + value);
    }
  }
  return out;
}

std::optional<CoordinateTables> coordinateTables(const affine::AffineMap& map, const Grid& from) {
  if (from.sizes.empty()) return std::nullopt;
  CoordinateTables tables;
  std::vector<std::int64_t> at(from.sizes.size(), 0);
  for (std::size_t r = 0; r < map.results.size(); ++r) {
    const affine::AffineExpr& result = map.results[r];
    // A constant counts as a function of its own dimension.
    const std::int64_t highest = result.maxDim();
    const std::size_t dim = highest < 0 ? r % at.size() : static_cast<std::size_t>(highest);
    const bool alone = std::ranges::all_of(result.nodes, [&](const affine::AffineExpr::Node& node) {
      return node.op != affine::AffineOp::Dim || node.value == highest;
    });
    if (!alone) return std::nullopt;
    CoordinateTables::Result& made = tables.results.emplace_back();
    made.dim = dim;
    for (at[dim] = 0; at[dim] < from.sizes[dim]; ++at[dim])
      made.values.push_back(result.evaluate(at));
    at[dim] = 0;
  }
  return tables;
}

}  // namespace gridloom::hardware
