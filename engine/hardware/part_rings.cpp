// SPDX-License-Identifier: Apache-2.0
#include "hardware/part_rings.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "affine/affine_map.h"
#include "base/message_limit.h"
#include "hardware/assumed_maps.h"
#include "hardware/dimension_split.h"

namespace gridloom::hardware {

namespace {

using affine::AffineExpr;
using affine::AffineMap;
using affine::AffineOp;

/// Rings of `members` neighbours each, side by side along `dim`.
struct PartRings {
  SpatialDimId dim;
  std::int64_t members = 0;
  std::size_t link = 0;  ///< that closes them
};

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
  while (members < size && next(isUp ? members - 1 : members) == (isUp ? members : members - 1)) {
    ++members;
  }
  if (members < 2 || members >= size || size % members != 0) return {};
  for (std::int64_t c = 0; c < size; ++c) {
    const std::int64_t at = (c % members + (isUp ? 1 : members - 1)) % members;
    if (next(c) != c - c % members + at) return {};
  }
  return members;
}

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
    for (auto other = std::optional(rings); other; other = findFrom(other->link + 1, rings.dim)) {
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
    base::report(
        m_out, base::noteAt(m_spec.source, m_spec.interconnects[rings.link].span,
                            fmt::format("`%{}` of {} is read as {} rings (`%{}`) of {} "
                                        "members (`%{}`)",
                                        was.name, was.size, was.size / rings.members,
                                        m_spec.dims[made.index()].name, rings.members, was.name)));
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
      next.map.results[d] = AffineExpr::binary(AffineOp::Add, stays, AffineExpr::constant(step));
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
