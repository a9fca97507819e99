// SPDX-License-Identifier: Apache-2.0
#include "schedule/demands.h"

#include <algorithm>

namespace gridloom::schedule {

namespace {

struct Interval {
  std::int64_t first = 0, last = 0;
};

// The range of an affine index over the elements of a tile.
Interval rangeOf(const affine::LinearExpr& index, std::span<const kernel::TileSpan> tile) {
  Interval range{index.constant, index.constant};
  for (std::size_t l = 0; l < index.coefficients.size(); ++l) {
    const std::int64_t c = index.coefficients[l];
    if (c == 0) continue;
    const std::int64_t low = tile[l].begin, high = tile[l].end - 1;
    range.first += c * (c > 0 ? low : high);
    range.last += c * (c > 0 ? high : low);
  }
  return range;
}

using Differences = std::vector<kernel::Difference>;

void addEqual(Differences& to, kernel::LoopId a, kernel::LoopId b, std::int64_t by) {
  to.push_back({a, b, by});
  to.push_back({b, a, -by});
}

// `L[j, j]` of an output that the nest writes as L[i, j] is computed where i = j.
void addLayout(const kernel::Statement& statement, const kernel::TileNest& nest, Differences& to) {
  const auto output =
      std::ranges::find(nest.outputs, statement.target.tensor, &kernel::Operand::tensor);
  if (output == nest.outputs.end()) return;
  for (std::size_t d = 0; d < output->dims.size(); ++d) {
    const affine::Constraint same{statement.target.indices[d] - output->dims[d].index, true};
    if (same.expr.isConstant()) continue;
    if (const auto differences = kernel::differencesOf(same)) {
      to.insert(to.end(), differences->begin(), differences->end());
    }
  }
}

kernel::TileGuard tilesOf(const kernel::Statement& statement, const kernel::TileNest& nest,
                          const std::vector<kernel::LoopId>& under) {
  kernel::GuardPart part;
  for (const affine::Constraint& constraint : domainInside(statement, under)) {
    const auto differences = kernel::differencesOf(constraint);
    if (!differences) continue;  // the demand then covers more tiles than the domain has
    part.elements.insert(part.elements.end(), differences->begin(), differences->end());
  }
  if (nest.hasProduced()) addLayout(statement, nest, part.elements);
  // Statements outside a sum over elements of outputs execute in the tile in which the sum ends.
  for (const kernel::TileNest::End& end : nest.ends) {
    if (!kernel::contains(under, end.sum)) addEqual(part.tiles, end.sum, end.by, 0);
  }
  kernel::TileGuard guard;
  kernel::addPart(guard, std::move(part), true);
  return guard;
}

}  // namespace

std::vector<std::size_t> windowsFor(const kernel::Access& read, const kernel::TileNest& nest) {
  std::vector<std::size_t> same, all;
  for (std::size_t i = 0; i < nest.inputs.size(); ++i) {
    const kernel::Operand& window = nest.inputs[i];
    if (window.tensor != read.tensor) continue;
    if (window.gather || read.isGather()) {
      if (window.gather && sameElement(window.gather->access, read)) same.push_back(i);
      continue;
    }
    all.push_back(i);
    const bool alike = std::ranges::equal(window.dims, read.indices,
                                          [](const kernel::RegionDim& dim, const auto& index) {
                                            return (index - dim.index).isConstant();
                                          });
    if (alike) same.push_back(i);
  }
  return same.empty() ? all : same;
}

std::vector<Demand> demandsOf(const kernel::Kernel& kernel, const kernel::TileNest& nest) {
  std::vector<Demand> demands;
  for (const kernel::Statement& statement : kernel.statements) {
    const auto under = enclosingReductions(statement);
    for (std::size_t n = 0; n < statement.expr.size(); ++n) {
      if (statement.expr[n].op != kernel::ExprOp::Read) continue;
      const kernel::Access& read =
          statement.reads[static_cast<std::size_t>(statement.expr[n].read)];
      if (kernel.tensor(read.tensor).role != kernel::TensorRole::Input) continue;
      demands.push_back({read, tilesOf(statement, nest, under[n]), windowsFor(read, nest)});
    }
  }
  return demands;
}

bool covers(const kernel::Operand& window, const Demand& demand,
            std::span<const kernel::TileSpan> tile) {
  // Each point of a tile has rows of its own.
  if (window.gather) return sameElement(window.gather->access, demand.access);
  for (std::size_t d = 0; d < window.dims.size(); ++d) {
    const Interval wanted = rangeOf(demand.access.indices[d], tile);
    const Interval held = rangeOf(window.dims[d].index, tile);
    if (wanted.first < held.first + window.dims[d].minOffset ||
        wanted.last > held.last + window.dims[d].maxOffset) {
      return false;
    }
  }
  return true;
}

}  // namespace gridloom::schedule
