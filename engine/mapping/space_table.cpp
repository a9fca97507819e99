// SPDX-License-Identifier: Apache-2.0
//
// Iteration spaces of dataflow recurrences, their maps onto the mesh, and names in equations.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "mapping/equation_flow.h"
#include "mapping/loop_help.h"

namespace gridloom::mapping {

namespace {

constexpr const char* kMapExample = "write `map (i, j, k) -> (y = i, x = j)`";

}  // namespace

void SpaceTable::fail(base::Span span, std::string message, std::string hint) {
  base::report(m_errors,
               base::errorAt(m_directives.source, span, std::move(message), std::move(hint)));
}

std::optional<LoopId> SpaceTable::loopNamed(const std::string& name) const {
  const auto at = std::ranges::find(m_kernel.loops, name, &kernel::Loop::name);
  if (at == m_kernel.loops.end()) return std::nullopt;
  return LoopId::of(static_cast<std::size_t>(at - m_kernel.loops.begin()));
}

void SpaceTable::add(const Directive& map, std::vector<Directive>& out) {
  IterationSpace space{map.map->name.text, {}, map.span};
  const auto same = std::ranges::find(m_spaces, space.name, &IterationSpace::name);
  if (same != m_spaces.end())
    return fail(map.span, "a second iteration space of this name", "give each `map` a name");
  for (const NameInText& name : map.map->loops) {
    const auto loop = loopNamed(name.text);
    if (!loop) {
      return fail(name.span, fmt::format("kernel `{}` has no loop `{}`", m_kernel.name, name.text),
                  loopHelp(m_kernel, name.text));
    }
    if (kernel::contains(space.loops, *loop))
      return fail(name.span, fmt::format("loop `{}` is named twice", name.text));
    space.loops.push_back(*loop);
  }
  std::map<LoopId, Directive> placed;
  for (const auto& [dim, name] : map.map->places) {
    const auto loop = loopNamed(name.text);
    if (!loop || !kernel::contains(space.loops, *loop)) {
      return fail(name.span, fmt::format("`{}` is no loop of this space", name.text), kMapExample);
    }
    Directive& place = placed[*loop];
    place.kind = Directive::Kind::Space;
    place.subject = name;
    place.names.push_back(dim);
    place.span = map.span;
  }
  m_spaces.push_back(std::move(space));
  for (auto& [loop, place] : placed) {
    std::vector<std::string> dims;
    for (const NameInText& dim : place.names) dims.push_back(dim.text);
    const auto [known, fresh] = m_dims.emplace(loop, dims);
    if (!fresh && known->second != dims) {
      return fail(map.span, fmt::format("another space places loop `{}` elsewhere", nameOf(loop)),
                  "one loop has one place on the mesh");
    }
    if (fresh) out.push_back(std::move(place));
  }
}

void SpaceTable::leaveUnused(std::vector<Directive>& out) const {
  for (const hardware::MeshDim& dim : m_hw.dims()) {
    const bool used = std::ranges::any_of(m_dims, [&](const auto& placed) {
      return std::ranges::find(placed.second, dim.name) != placed.second.end();
    });
    if (used) continue;
    Directive unused;
    unused.kind = Directive::Kind::Space;
    unused.span = m_spaces.front().span;
    unused.names.push_back({dim.name, unused.span});
    out.push_back(std::move(unused));
  }
}

const IterationSpace* SpaceTable::spaceNamed(const PointValue& value) {
  const std::string& name = value.space.text;
  auto at = std::ranges::find(m_spaces, name, &IterationSpace::name);
  if (at == m_spaces.end() && name.empty() && m_spaces.size() == 1) at = m_spaces.begin();
  if (at == m_spaces.end()) {
    if (m_spaces.empty()) {
      fail(value.span, "no `map` names the loops of this point", kMapExample);
    } else {
      std::vector<std::string> known;
      for (const IterationSpace& s : m_spaces) known.push_back("`" + s.name + "`");
      fail(name.empty() ? value.span : value.space.span,
           name.empty() ? std::string("there are several iteration spaces")
                        : fmt::format("no iteration space `{}`", name),
           fmt::format("known: {}", fmt::join(known, ", ")));
    }
    return nullptr;
  }
  if (at->loops.size() != value.at.size()) {
    fail(value.span,
         fmt::format("a point of this space has {} coordinates, not {}", at->loops.size(),
                     value.at.size()),
         "the loops of its `map`, in their order");
    return nullptr;
  }
  return &*at;
}

const IterationSpace* SpaceTable::spaceOf(const PointValue& value) {
  const IterationSpace* space = spaceNamed(value);
  if (space == nullptr) return nullptr;
  for (std::size_t p = 0; p < value.at.size(); ++p) {
    const PointCoordinate& c = value.at[p];
    if (c.loop.empty() || c.loop == nameOf(space->loops[p])) continue;
    fail(c.span,
         fmt::format("coordinate {} of this space is `{}`, not `{}`", p + 1,
                     nameOf(space->loops[p]), c.loop),
         "the loops of its `map`, in their order");
    return nullptr;
  }
  return space;
}

std::string SpaceTable::pointText(const IterationSpace& space, const PointValue& value,
                                  const std::map<LoopId, std::string>& changed) const {
  std::vector<std::string> at;
  for (const LoopId loop : space.loops) {
    const auto other = changed.find(loop);
    at.push_back(other == changed.end() ? nameOf(loop) : other->second);
  }
  return fmt::format("{}{}{}({})", value.space.text, value.space.text.empty() ? "" : ".",
                     value.operand.text, fmt::join(at, ", "));
}

std::string SpaceTable::indexText(const kernel::RegionDim& dim) const {
  const affine::LinearExpr& index = dim.index;
  std::string text;
  for (std::size_t l = 0; l < m_kernel.loops.size(); ++l) {
    const std::int64_t factor = index.coefficient(l);
    if (factor == 0) continue;
    text += text.empty() ? (factor < 0 ? "-" : "") : (factor < 0 ? " - " : " + ");
    if (factor != 1 && factor != -1) text += fmt::format("{} * ", factor < 0 ? -factor : factor);
    text += m_kernel.loops[l].name;
  }
  const std::int64_t constant = index.constant + dim.minOffset;
  if (text.empty()) return fmt::format("{}", constant);
  if (constant == 0) return text;
  return fmt::format("{} {} {}", text, constant < 0 ? '-' : '+', std::abs(constant));
}

std::string SpaceTable::accessText(const kernel::Operand& operand) const {
  std::vector<std::string> indices;
  for (const kernel::RegionDim& dim : operand.dims) indices.push_back(indexText(dim));
  return fmt::format("{}[{}]", m_kernel.tensor(operand.tensor).name, fmt::join(indices, ", "));
}

bool SpaceTable::checkOffsets(const Directive& equation, const kernel::Operand& operand) {
  const bool hasOffsets = std::ranges::any_of(operand.dims, [&](const kernel::RegionDim& dim) {
    return dim.minOffset != dim.maxOffset || (operand.produced && dim.minOffset != 0);
  });
  if (!hasOffsets) return true;
  fail(equation.span,
       fmt::format("the kernel reads `{}` with offsets: elements with offsets cannot be written "
                   "as equations yet",
                   operand.name),
       "use directives");
  return false;
}

bool SpaceTable::checkElement(const TensorElement& element, const kernel::Operand& operand) {
  bool agrees = element.tensor.text == m_kernel.tensor(operand.tensor).name &&
                element.indices.size() == operand.dims.size();
  for (std::size_t d = 0; agrees && d < operand.dims.size(); ++d) {
    affine::LinearExpr left = operand.dims[d].index;
    left.coefficients.resize(m_kernel.loops.size(), 0);
    for (const auto& [factor, name] : element.indices[d].terms) {
      const auto loop = loopNamed(name.text);
      if (!loop) {
        fail(name.span, fmt::format("kernel `{}` has no loop `{}`", m_kernel.name, name.text));
        return false;
      }
      left.coefficients[loop->index()] -= factor;
    }
    agrees = std::ranges::all_of(left.coefficients, [](std::int64_t c) { return c == 0; }) &&
             left.constant + operand.dims[d].minOffset == element.indices[d].constant;
  }
  if (!agrees) {
    fail(element.span, fmt::format("`{}` is not this element of its tensor", operand.name),
         fmt::format("the kernel has {}", accessText(operand)));
  }
  return agrees;
}

}  // namespace gridloom::mapping
