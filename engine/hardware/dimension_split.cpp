// SPDX-License-Identifier: Apache-2.0
#include "hardware/dimension_split.h"

#include <fmt/format.h>

#include <algorithm>

#include "affine/affine_map.h"
#include "hardware/assumed_maps.h"

namespace gridloom::hardware {

using affine::AffineExpr;
using affine::AffineMap;
using affine::AffineOp;

std::optional<Grid> gridOf(const HardwareSpec& spec, const Dims& dims) {
  Grid grid;
  std::int64_t count = 1;
  for (const SpatialDimId dim : dims) {
    const std::int64_t size = spec.dims[dim.index()].size;
    if (size < 1 || size > kMostWalked / count) return {};
    count *= size;
    grid.sizes.push_back(size);
  }
  return grid;
}

namespace {

/// `expr` as a constant, `d1`, `d1 + 2` or `(d1 + 2) mod 8`, where it has that value everywhere.
AffineExpr simplified(const AffineExpr& expr, const Grid& grid) {
  std::vector<std::int64_t> at(grid.sizes.size(), 0);
  const std::int64_t first = expr.evaluate(at);
  const auto isSame = [&](const AffineExpr& other) {
    for (std::int64_t i = 0; i < grid.count(); ++i) {
      grid.pointOf(i, at);
      if (expr.evaluate(at) != other.evaluate(at)) return false;
    }
    return true;
  };
  if (const AffineExpr number = AffineExpr::constant(first); isSame(number)) return number;
  for (std::size_t d = 0; d < grid.sizes.size(); ++d) {
    const std::int64_t size = grid.sizes[d];
    const AffineExpr dim = AffineExpr::dim(static_cast<std::int64_t>(d));
    const auto moved = [&](std::int64_t by) {
      return by == 0 ? dim : AffineExpr::binary(AffineOp::Add, dim, AffineExpr::constant(by));
    };
    const std::int64_t step = first == size - 1 && size > 2 ? -1 : first;
    if (isSame(moved(first))) return moved(first);
    const AffineExpr ring =
        AffineExpr::binary(AffineOp::Mod, moved(step), AffineExpr::constant(size));
    if (isSame(ring)) return ring;
  }
  return expr;
}

AffineExpr inNewDims(const AffineExpr& expr, const std::vector<AffineExpr>& written) {
  std::vector<AffineExpr> made;
  for (const AffineExpr::Node& node : expr.nodes) {
    const auto part = [&](std::int32_t i) { return made[static_cast<std::size_t>(i)]; };
    switch (node.op) {
    case AffineOp::Constant:
      made.push_back(AffineExpr::constant(node.value));
      break;
    case AffineOp::Dim:
      made.push_back(written[static_cast<std::size_t>(node.value)]);
      break;
    case AffineOp::Add:
    case AffineOp::Mul:
    case AffineOp::Mod:
    case AffineOp::FloorDiv:
    case AffineOp::CeilDiv:
      made.push_back(AffineExpr::binary(node.op, part(node.lhs), part(node.rhs)));
    }
  }
  return made.back();
}

}  // namespace

Dims DimensionSplit::membersOf(const Interconnect& link, const std::string& name) const {
  const CoreArray& cores = m_spec.cores.front();
  if (link.source == link.destination && !cores.grid.empty()) return cores.grid;
  return dimsOf(name);
}

bool DimensionSplit::fits() const {
  const auto shaped = [](const AffineMap& map, std::size_t from, std::size_t to) {
    return map.numDims == static_cast<std::int64_t>(from) && map.results.size() == to &&
           std::ranges::all_of(map.results,
                               [&](const AffineExpr& e) { return e.maxDim() < map.numDims; });
  };
  const CoreArray& cores = m_spec.cores.front();
  const std::size_t rank = cores.scaleout.size();
  return std::ranges::all_of(m_spec.interconnects,
                             [&](const Interconnect& link) {
                               return shaped(link.map, membersOf(link, link.source).size(),
                                             membersOf(link, link.destination).size());
                             }) &&
         std::ranges::all_of(m_spec.muxes,
                             [&](const Mux& mux) {
                               return shaped(mux.map, dimsOf(mux.destination).size(),
                                             dimsOf(mux.source).size());
                             }) &&
         (!cores.at || shaped(*cores.at, rank, cores.grid.size())) &&
         (!cores.enabled || shaped(*cores.enabled, rank, cores.enabled->results.size())) &&
         std::ranges::all_of(cores.disabled, [&](const CorePattern& pattern) {
           return pattern.coordinates.size() == rank;
         });
}

const Interconnect* DimensionSplit::crossing(std::string& example) const {
  for (const Interconnect& link : m_spec.interconnects) {
    if (link.source == link.destination && crosses(link, example)) return &link;
  }
  return nullptr;
}

SpatialDimId DimensionSplit::apply() {
  const std::int64_t size = m_spec.dims[m_dim.index()].size;
  SpatialDim rings = m_spec.dims[m_dim.index()];
  rings.name = freeName(m_spec, rings.name + "_ring");
  rings.size = size / m_members;
  m_rings = SpatialDimId(static_cast<std::int32_t>(m_spec.dims.size()));
  splitMaps(rings.size);
  splitPlaces();
  for (Memory& memory : m_spec.memories) splitDims(memory.scaleout);
  splitDims(m_spec.cores.front().scaleout);
  splitDims(m_spec.cores.front().grid);
  m_spec.dims[m_dim.index()].size = m_members;
  addInFront(std::move(rings));
  return m_rings;
}

const Dims& DimensionSplit::dimsOf(const std::string& name) const {
  static const Dims none;
  if (m_spec.cores.front().name == name) return m_spec.cores.front().scaleout;
  const auto memory = std::ranges::find(m_spec.memories, name, &Memory::name);
  return memory == m_spec.memories.end() ? none : memory->scaleout;
}

bool DimensionSplit::crosses(const Interconnect& link, std::string& example) const {
  const Dims dims = membersOf(link, link.source);
  const auto found = std::ranges::find(dims, m_dim);
  const std::optional<Grid> grid = gridOf(m_spec, dims);
  if (found == dims.end() || !grid) return false;
  const auto d = static_cast<std::size_t>(found - dims.begin());
  std::vector<std::int64_t> from(dims.size());
  std::vector<std::int64_t> to(dims.size());
  for (std::int64_t i = 0; i < grid->count(); ++i) {
    grid->pointOf(i, from);
    link.map.evaluate(from, to);
    if (!grid->contains(to) || from[d] / m_members == to[d] / m_members ||
        from[d] % m_members == to[d] % m_members) {
      continue;
    }
    example = fmt::format("{} to {}", pointName(from), pointName(to));
    return true;
  }
  return false;
}

void DimensionSplit::splitMaps(std::int64_t rings) {
  for (Interconnect& link : m_spec.interconnects) {
    splitMap(link.map, membersOf(link, link.source), membersOf(link, link.destination), rings);
  }
  for (Mux& mux : m_spec.muxes) {
    splitMap(mux.map, dimsOf(mux.destination), dimsOf(mux.source), rings);
  }
  CoreArray& cores = m_spec.cores.front();
  if (cores.at) splitMap(*cores.at, cores.scaleout, cores.grid, rings);
  if (cores.enabled) splitMap(*cores.enabled, cores.scaleout, {}, rings);
}

void DimensionSplit::splitMap(AffineMap& map, const Dims& from, const Dims& to,
                              std::int64_t rings) const {
  Grid grid;
  std::vector<AffineExpr> written;  // the old dimensions, in the new ones
  for (const SpatialDimId dim : from) {
    const AffineExpr next = AffineExpr::dim(static_cast<std::int64_t>(grid.sizes.size()));
    if (dim != m_dim) {
      written.push_back(next);
      grid.sizes.push_back(m_spec.dims[dim.index()].size);
      continue;
    }
    const AffineExpr place = AffineExpr::dim(static_cast<std::int64_t>(grid.sizes.size() + 1));
    const AffineExpr start =
        AffineExpr::binary(AffineOp::Mul, next, AffineExpr::constant(m_members));
    written.push_back(AffineExpr::binary(AffineOp::Add, start, place));
    grid.sizes.insert(grid.sizes.end(), {rings, m_members});
  }
  AffineMap made{static_cast<std::int64_t>(grid.sizes.size()), {}};
  for (std::size_t r = 0; r < map.results.size(); ++r) {
    const AffineExpr result = inNewDims(map.results[r], written);
    if (r >= to.size() || to[r] != m_dim) {
      made.results.push_back(to.empty() ? result : simplified(result, grid));
      continue;
    }
    for (const AffineOp op : {AffineOp::FloorDiv, AffineOp::Mod}) {
      const AffineExpr part = AffineExpr::binary(op, result, AffineExpr::constant(m_members));
      made.results.push_back(simplified(part, grid));
    }
  }
  map = std::move(made);
}

void DimensionSplit::splitPlaces() {
  CoreArray& cores = m_spec.cores.front();
  const auto place = [&](const Dims& dims) {
    return static_cast<std::size_t>(std::ranges::find(dims, m_dim) - dims.begin());
  };
  const std::size_t core = place(cores.scaleout);
  for (CorePattern& pattern : cores.disabled) {
    auto& list = pattern.coordinates;
    if (core >= list.size()) continue;
    const std::optional<std::int64_t> was = list[core];
    list.insert(list.begin() + static_cast<std::ptrdiff_t>(core), was);
    if (!was) continue;
    list[core] = *was / m_members;
    list[core + 1] = *was % m_members;
  }
  const Dims& routers = cores.grid.empty() ? cores.scaleout : cores.grid;
  const std::size_t router = place(routers);
  for (Memory& memory : m_spec.memories) {
    for (auto& instance : memory.at) {
      for (auto& at : instance) {
        if (at.size() != routers.size() || router >= at.size()) continue;
        at.insert(at.begin() + static_cast<std::ptrdiff_t>(router), at[router] / m_members);
        at[router + 1] %= m_members;
      }
    }
  }
}

void DimensionSplit::splitDims(Dims& dims) const {
  const auto found = std::ranges::find(dims, m_dim);
  if (found != dims.end()) dims.insert(found, m_rings);
}

void DimensionSplit::addInFront(SpatialDim rings) {
  using Kind = HardwareSpec::OpRef::Kind;
  const auto isSplit = [&](const HardwareSpec::OpRef& op) {
    return op.kind == Kind::Dim && op.index == m_dim.index();
  };
  const auto at = std::ranges::find_if(m_spec.order, isSplit);
  m_spec.order.insert(at, {Kind::Dim,
                           m_rings.index(),
                           {},
                           fmt::format("// rings of `%{}`", m_spec.dims[m_dim.index()].name)});
  m_spec.dims.push_back(std::move(rings));
}

}  // namespace gridloom::hardware
