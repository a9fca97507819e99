// SPDX-License-Identifier: Apache-2.0
#include "hardware/part_rings.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "affine/affine_map.h"
#include "base/message_limit.h"
#include "hardware/assumed_maps.h"
#include "hardware/grid.h"

namespace gridloom::hardware {

namespace {

using affine::AffineExpr;
using affine::AffineMap;
using affine::AffineOp;

using Dims = std::vector<SpatialDimId>;

/// Rings of `members` neighbours each, side by side along `dim`.
struct PartRings {
  SpatialDimId dim;
  std::int64_t members = 0;
  std::size_t link = 0;  ///< that closes them
};

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

/// The members of a ring, if the map closes rings of a part of the dimension in all of it.
std::optional<std::int64_t> ringMembers(const AffineMap& map, std::size_t dim,
                                        const std::vector<std::int64_t>& sizes) {
  const std::int64_t size = sizes[dim];
  const auto isOther = [&](const AffineExpr::Node& node) {
    return node.op == AffineOp::Dim && node.value != static_cast<std::int64_t>(dim);
  };
  if (std::ranges::any_of(map.results[dim].nodes, isOther)) return {};
  std::vector<std::int64_t> member(sizes.size(), 0);
  const auto next = [&](std::int64_t coordinate) {
    member[dim] = coordinate;
    return map.results[dim].evaluate(member);
  };
  const bool isUp = next(0) == 1;
  std::int64_t members = 1;
  while (members < size &&
         next(isUp ? members - 1 : members) == (isUp ? members : members - 1)) {
    ++members;
  }
  if (members < 2 || members >= size || size % members != 0) return {};
  for (std::int64_t c = 0; c < size; ++c) {
    const std::int64_t at = (c % members + (isUp ? 1 : members - 1)) % members;
    if (next(c) != c - c % members + at) return {};
  }
  return members;
}

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

/// Replaces one dimension of a description by two.
class DimensionSplit {
 public:
  DimensionSplit(HardwareSpec& spec, SpatialDimId dim, std::int64_t members)
      : m_spec(spec), m_dim(dim), m_members(members) {}

  /// The members that a network joins: the routers where the cores have places on a plane.
  Dims membersOf(const Interconnect& link, const std::string& name) const {
    const CoreArray& cores = m_spec.cores.front();
    if (link.source == link.destination && !cores.grid.empty()) return cores.grid;
    return dimsOf(name);
  }

  /// Whether all maps have the shapes that their ends want; what does not is reported later.
  bool fits() const {
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

  /// A link of a network that changes the ring and the place in it at once; none: nothing.
  const Interconnect* crossing(std::string& example) const {
    for (const Interconnect& link : m_spec.interconnects) {
      if (link.source == link.destination && crosses(link, example)) return &link;
    }
    return nullptr;
  }

  /// The new dimension, of the rings.
  SpatialDimId apply() {
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

 private:
  const Dims& dimsOf(const std::string& name) const {
    static const Dims none;
    if (m_spec.cores.front().name == name) return m_spec.cores.front().scaleout;
    const auto memory = std::ranges::find(m_spec.memories, name, &Memory::name);
    return memory == m_spec.memories.end() ? none : memory->scaleout;
  }

  bool crosses(const Interconnect& link, std::string& example) const {
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

  void splitMaps(std::int64_t rings) {
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

  void splitMap(AffineMap& map, const Dims& from, const Dims& to, std::int64_t rings) const {
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

  static AffineExpr inNewDims(const AffineExpr& expr, const std::vector<AffineExpr>& written) {
    std::vector<AffineExpr> made;
    for (const AffineExpr::Node& node : expr.nodes) {
      const auto part = [&](std::int32_t i) { return made[static_cast<std::size_t>(i)]; };
      switch (node.op) {
      case AffineOp::Constant: made.push_back(AffineExpr::constant(node.value)); break;
      case AffineOp::Dim: made.push_back(written[static_cast<std::size_t>(node.value)]); break;
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

  /// Coordinates that are written out: disabled cores, and routers of memories.
  void splitPlaces() {
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

  void splitDims(Dims& dims) const {
    const auto found = std::ranges::find(dims, m_dim);
    if (found != dims.end()) dims.insert(found, m_rings);
  }

  void addInFront(SpatialDim rings) {
    using Kind = HardwareSpec::OpRef::Kind;
    const auto isSplit = [&](const HardwareSpec::OpRef& op) {
      return op.kind == Kind::Dim && op.index == m_dim.index();
    };
    const auto at = std::ranges::find_if(m_spec.order, isSplit);
    m_spec.order.insert(at, {Kind::Dim, m_rings.index(), {},
                             fmt::format("// rings of `%{}`", m_spec.dims[m_dim.index()].name)});
    m_spec.dims.push_back(std::move(rings));
  }

  HardwareSpec& m_spec;
  SpatialDimId m_dim, m_rings;
  std::int64_t m_members;
};

class PartRingSplitter {
 public:
  PartRingSplitter(HardwareSpec& spec, base::Diagnostics& out) : m_spec(spec), m_out(out) {}

  void run() {
    if (m_spec.cores.size() != 1) return;
    while (const std::optional<PartRings> rings = find()) {
      if (!split(*rings)) return;
    }
  }

 private:
  std::optional<PartRings> find() const { return findFrom(0, {}); }

  /// The first rings behind a link; along one dimension, where it is given.
  std::optional<PartRings> findFrom(std::size_t first, std::optional<SpatialDimId> along) const {
    for (std::size_t i = first; i < m_spec.interconnects.size(); ++i) {
      const Interconnect& link = m_spec.interconnects[i];
      if (link.source != link.destination) continue;
      const Dims dims = DimensionSplit(m_spec, {}, 1).membersOf(link, link.source);
      const std::optional<Grid> grid = gridOf(m_spec, dims);
      if (!grid || link.map.results.size() != dims.size() ||
          link.map.numDims != static_cast<std::int64_t>(dims.size())) {
        continue;
      }
      for (std::size_t d = 0; d < dims.size(); ++d) {
        if (along && dims[d] != *along) continue;
        const auto members = ringMembers(link.map, d, grid->sizes);
        if (members) return PartRings{dims[d], *members, i};
      }
    }
    return {};
  }

  bool split(const PartRings& rings) {
    const SpatialDim was = m_spec.dims[rings.dim.index()];
    std::vector<std::size_t> closing;
    for (auto other = std::optional(rings); other;
         other = findFrom(other->link + 1, rings.dim)) {
      closing.push_back(other->link);
      if (other->members == rings.members) continue;
      const Interconnect& link = m_spec.interconnects[other->link];
      fail(link,
           fmt::format("`%{}` closes rings of {} members along `%{}`, and `%{}` rings of {}",
                       link.name, other->members, was.name, m_spec.interconnects[rings.link].name,
                       rings.members),
           "give the rings of a dimension one length");
      return false;
    }
    DimensionSplit dimension(m_spec, rings.dim, rings.members);
    if (!dimension.fits()) return false;
    std::string example;
    if (const Interconnect* link = dimension.crossing(example)) {
      fail(*link,
           fmt::format("`%{}` leads from {}, into another ring of `%{}` and to another place in "
                       "it: not supported by routing",
                       link->name, example, m_spec.interconnects[rings.link].name),
           fmt::format("join rings at the same place, `d + {}` or `(d + {}) mod {}`", rings.members,
                       rings.members, was.size));
      return false;
    }
    const SpatialDimId made = dimension.apply();
    base::report(m_out, base::noteAt(m_spec.source, m_spec.interconnects[rings.link].span,
                                     fmt::format("`%{}` of {} is read as {} rings (`%{}`) of {} "
                                                 "members (`%{}`)",
                                                 was.name, was.size, was.size / rings.members,
                                                 m_spec.dims[made.index()].name, rings.members,
                                                 was.name)));
    for (const std::size_t link : closing) join(link, made, rings.members);
    return true;
  }

  void fail(const Interconnect& link, std::string message, std::string help) {
    base::report(m_out,
                 base::errorAt(m_spec.source, link.span, std::move(message), std::move(help)));
  }

  /// Links between neighbouring rings, as fast as those of a ring, if none lead there.
  void join(std::size_t index, SpatialDimId rings, std::int64_t members) {
    const Interconnect link = m_spec.interconnects[index];
    const Dims dims = DimensionSplit(m_spec, {}, 1).membersOf(link, link.source);
    const auto d = static_cast<std::size_t>(std::ranges::find(dims, rings) - dims.begin());
    const AffineExpr stays = AffineExpr::dim(static_cast<std::int64_t>(d));
    const auto leads = [&](const Interconnect& other) {
      return other.source == link.source && other.destination == link.source &&
             other.plane == link.plane && other.map.results[d] != stays;
    };
    if (std::ranges::any_of(m_spec.interconnects, leads)) return;
    base::report(
        m_out,
        base::warningAt(m_spec.source, link.span,
                        fmt::format("no link leads from one ring of `%{}` to the next; assumed "
                                    "links between neighbouring rings, both ways, of {} B/cycle",
                                    link.name, link.bandwidth.value),
                        fmt::format("write another `df.interconnects %{}, %{}` whose map adds {} "
                                    "where that of `%{}` closes its rings, and one that "
                                    "subtracts {}",
                                    link.source, link.source, members, link.name, members)));
    for (const std::int64_t step : {1, -1}) {
      Interconnect next = link;
      next.name = freeName(m_spec, link.name + (step > 0 ? "_next" : "_previous"));
      for (std::size_t r = 0; r < next.map.results.size(); ++r) {
        next.map.results[r] = AffineExpr::dim(static_cast<std::int64_t>(r));
      }
      next.map.results[d] =
          AffineExpr::binary(AffineOp::Add, stays, AffineExpr::constant(step));
      addOp(m_spec, HardwareSpec::OpRef::Kind::Interconnect, m_spec.interconnects.size());
      m_spec.interconnects.push_back(std::move(next));
    }
  }

  HardwareSpec& m_spec;
  base::Diagnostics& m_out;
};

}  // namespace

void splitPartRings(HardwareSpec& spec, base::Diagnostics& out) {
  PartRingSplitter(spec, out).run();
}

}  // namespace gridloom::hardware
