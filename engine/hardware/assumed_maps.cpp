// SPDX-License-Identifier: Apache-2.0
#include "hardware/assumed_maps.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "affine/affine_map.h"
#include "base/message_limit.h"
#include "hardware/grid.h"

namespace gridloom::hardware {

namespace {

using affine::AffineExpr;
using affine::AffineMap;
using affine::AffineOp;

/// d<dim> + step, with or without `mod`.
struct Step {
  std::int64_t dim = 0;
  std::int64_t step = 0;
  std::optional<std::int64_t> modulus;
};

std::optional<Step> stepOf(const AffineExpr& expr) {
  const auto& nodes = expr.nodes;
  Step step;
  auto at = static_cast<std::int32_t>(nodes.size()) - 1;
  const auto node = [&](std::int32_t i) -> const AffineExpr::Node& {
    return nodes[static_cast<std::size_t>(i)];
  };
  if (node(at).op == AffineOp::Mod) {
    step.modulus = node(node(at).rhs).value;
    at = node(at).lhs;
  }
  if (node(at).op == AffineOp::Add) {
    std::int32_t constant = node(at).rhs;
    at = node(at).lhs;
    if (node(at).op == AffineOp::Constant) std::swap(at, constant);
    if (node(constant).op != AffineOp::Constant) return {};
    step.step = node(constant).value;
  }
  if (node(at).op != AffineOp::Dim) return {};
  step.dim = node(at).value;
  return step;
}

// A constant stays one, as when the text says `mod`.
AffineExpr wrapped(const AffineExpr& expr, std::int64_t size) {
  const AffineExpr whole = AffineExpr::binary(AffineOp::Mod, expr, AffineExpr::constant(size));
  return expr.maxDim() < 0 ? AffineExpr::constant(whole.evaluate({})) : whole;
}

AffineExpr exprOf(const Step& step) {
  AffineExpr expr = AffineExpr::dim(step.dim);
  if (step.step != 0) {
    expr = AffineExpr::binary(AffineOp::Add, expr, AffineExpr::constant(step.step));
  }
  if (!step.modulus) return expr;
  return wrapped(expr, *step.modulus);
}

class MapCompletion {
 public:
  MapCompletion(HardwareSpec& spec, base::Diagnostics& out) : m_spec(spec), m_out(out) {}

  void run() {
    const std::size_t written = m_spec.interconnects.size();
    for (std::size_t i = 0; i < written; ++i) {
      if (m_spec.interconnects[i].source == m_spec.interconnects[i].destination) {
        closeRing(m_spec.interconnects[i]);
        leadBack(i);
      } else {
        wrapPort(m_spec.interconnects[i]);
      }
    }
  }

 private:
  std::optional<Grid> gridOf(const std::string& name) const {
    Grid grid;
    const auto take = [&](const std::vector<SpatialDimId>& dims) {
      for (const SpatialDimId dim : dims) grid.sizes.push_back(m_spec.dims[dim.index()].size);
    };
    for (const CoreArray& cores : m_spec.cores) {
      if (cores.name == name) take(cores.grid.empty() ? cores.scaleout : cores.grid);
    }
    for (const Memory& memory : m_spec.memories) {
      if (memory.name == name) take(memory.scaleout);
    }
    std::int64_t count = 1;
    for (const std::int64_t size : grid.sizes) {
      if (size > kMostWalked / count) return {};
      count *= size;
    }
    if (grid.sizes.empty()) return {};
    return grid;
  }

  void warn(const Interconnect& link, std::string message, const AffineMap& map) {
    base::report(m_out, base::warningAt(m_spec.source, link.span, std::move(message),
                                        fmt::format("write `map = {}`", affine::toString(map))));
  }

  /// `(d0 + 1) mod 8` on 32 members: no link leads to the last 24.
  void closeRing(Interconnect& link) {
    const std::optional<Grid> grid = gridOf(link.source);
    if (!grid || grid->sizes.size() != link.map.results.size()) return;
    for (std::size_t d = 0; d < link.map.results.size(); ++d) {
      std::optional<Step> step = stepOf(link.map.results[d]);
      const std::int64_t size = grid->sizes[d];
      if (!step || step->dim != static_cast<std::int64_t>(d) || !step->modulus) continue;
      const std::int64_t modulus = *step->modulus;
      if (modulus >= size || modulus < 2) continue;
      step->modulus = size;
      link.map.results[d] = exprOf(*step);
      warn(link,
           fmt::format("`mod {}` of `%{}` leaves {} of {} members without a link to them; "
                       "assumed a ring of all",
                       modulus, link.name, size - modulus, size),
           link.map);
    }
  }

  /// The one result that moves, if it is a step of one without `mod` and the others stay.
  static std::optional<Step> openStep(const AffineMap& map) {
    std::optional<Step> found;
    for (std::size_t d = 0; d < map.results.size(); ++d) {
      const std::optional<Step> step = stepOf(map.results[d]);
      if (!step || step->dim != static_cast<std::int64_t>(d)) return {};
      if (step->step == 0 && !step->modulus) continue;
      const bool open = !step->modulus && (step->step == 1 || step->step == -1);
      if (!open || found) return {};
      found = step;
    }
    return found;
  }

  static bool movesAlong(const AffineMap& map, std::int64_t dim) {
    const auto d = static_cast<std::size_t>(dim);
    if (d >= map.results.size()) return false;
    return map.results[d] != AffineExpr::dim(dim);
  }

  void leadBack(std::size_t index) {
    const Interconnect& link = m_spec.interconnects[index];
    const std::optional<Step> step = openStep(link.map);
    if (!step) return;
    for (std::size_t i = 0; i < m_spec.interconnects.size(); ++i) {
      const Interconnect& other = m_spec.interconnects[i];
      if (i != index && other.source == link.source && other.destination == link.source &&
          other.plane == link.plane && movesAlong(other.map, step->dim)) {
        return;
      }
    }
    Interconnect back = link;
    back.name = freeName(m_spec, link.name + "_back");
    Step reverse = *step;
    reverse.step = -step->step;
    back.map.results[static_cast<std::size_t>(step->dim)] = exprOf(reverse);
    base::report(m_out,
                 base::warningAt(
                     m_spec.source, link.span,
                     fmt::format("the links of `%{}` lead one way and end at the edge; assumed "
                                 "that they lead both ways",
                                 link.name),
                     fmt::format("write `%{} = df.interconnects %{}, %{} {{ map = {}, ... }}`",
                                 back.name, back.source, back.source, affine::toString(back.map))));
    addOp(m_spec, HardwareSpec::OpRef::Kind::Interconnect, m_spec.interconnects.size());
    m_spec.interconnects.push_back(std::move(back));
  }

  void wrapPort(Interconnect& link) {
    const std::optional<Grid> from = gridOf(link.source);
    const std::optional<Grid> to = gridOf(link.destination);
    if (!from || !to || link.map.numDims != static_cast<std::int64_t>(from->sizes.size()) ||
        link.map.results.size() != to->sizes.size()) {
      return;
    }
    for (const AffineExpr& result : link.map.results) {
      if (result.maxDim() >= link.map.numDims) return;
    }
    std::vector<std::int64_t> member(from->sizes.size());
    std::vector<std::int64_t> result(to->sizes.size());
    std::vector<bool> leaves(result.size());
    std::string example;
    for (std::int64_t i = 0; i < from->count(); ++i) {
      from->pointOf(i, member);
      link.map.evaluate(member, result);
      for (std::size_t d = 0; d < result.size(); ++d) {
        if (result[d] >= 0 && result[d] < to->sizes[d]) continue;
        leaves[d] = true;
        if (example.empty()) {
          example = fmt::format("{} to {}", pointName(member), pointName(result));
        }
      }
    }
    if (example.empty()) return;
    for (std::size_t d = 0; d < result.size(); ++d) {
      if (!leaves[d]) continue;
      link.map.results[d] = wrapped(link.map.results[d], to->sizes[d]);
    }
    warn(link,
         fmt::format("the map of `%{}` sends {}, but the destination is {}; assumed that it wraps",
                     link.name, example, pointName(to->sizes)),
         link.map);
  }

  HardwareSpec& m_spec;
  base::Diagnostics& m_out;
};

template <typename List> bool hasName(const List& list, std::string_view name) {
  return std::any_of(list.begin(), list.end(), [&](const auto& op) { return op.name == name; });
}

}  // namespace

void completeMaps(HardwareSpec& spec, base::Diagnostics& out) { MapCompletion(spec, out).run(); }

bool isOfTheCores(const HardwareSpec& spec, const Memory& memory) {
  return !memory.global && std::ranges::any_of(spec.cores, [&](const CoreArray& cores) {
    const auto joinsThem = [&](const Mux& mux) {
      return (mux.source == memory.name && mux.destination == cores.name) ||
             (mux.source == cores.name && mux.destination == memory.name);
    };
    return std::ranges::any_of(spec.muxes, joinsThem) ||
           std::ranges::is_permutation(memory.scaleout, cores.scaleout);
  });
}

std::string freeName(const HardwareSpec& spec, std::string_view wanted) {
  std::string name(wanted);
  const auto taken = [&] {
    return hasName(spec.dims, name) || hasName(spec.matrixUnits, name) ||
           hasName(spec.vectorUnits, name) || hasName(spec.scalarUnits, name) ||
           hasName(spec.cores, name) || hasName(spec.memories, name) ||
           hasName(spec.interconnects, name) || hasName(spec.muxes, name);
  };
  for (int i = 2; taken(); ++i) name = fmt::format("{}{}", wanted, i);
  return name;
}

void addOp(HardwareSpec& spec, HardwareSpec::OpRef::Kind kind, std::size_t index) {
  spec.order.push_back({kind, index, {}, "// assumed"});
}

}  // namespace gridloom::hardware
