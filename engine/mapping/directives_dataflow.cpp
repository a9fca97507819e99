// SPDX-License-Identifier: Apache-2.0
//
// Requirements in the words of T2S-Tensor (Srivastava et al., 2019, Section III) that are not one
// choice of an axis. They narrow axes once all other directives are known.
#include <algorithm>
#include <optional>
#include <span>

#include "mapping/admit.h"
#include "mapping/constraint_lookup.h"
#include "mapping/dataflow_role.h"
#include "mapping/directive_resolver.h"
#include "mapping/space.h"

namespace gridloom::mapping {

namespace {

// Whether a load to the second or the last core of the line along a dimension takes its last hop
// from another core of the line.
bool passesAlong(const hardware::Topology& hw, std::uint8_t dim) {
  std::vector<std::int64_t> at(hw.dims().size(), 0);
  const auto nodeAt = [&](std::int64_t coordinate) {
    at[dim] = coordinate;
    return hw.nodeOf(hw.coreAt(at));
  };
  if (hw.dims()[dim].size < 2) return false;
  hardware::Route route;
  for (const std::int64_t c : {std::int64_t{1}, hw.dims()[dim].size - 1}) {
    const hardware::NodeId to = nodeAt(c);
    for (std::int64_t channel = 0; channel < hw.global().channels; ++channel) {
      route.clear();
      hw.readRoute(hardware::ChannelId::of(static_cast<std::size_t>(channel)), to, route);
      const hardware::Link last = hw.links()[route.back().index()];
      if (last.kind != hardware::Link::Kind::Hop) continue;
      if (last.from == nodeAt(c - 1)) return true;
      if (c + 1 < hw.dims()[dim].size && last.from == nodeAt(c + 1)) return true;
    }
  }
  return false;
}

template <std::size_t N>
std::optional<DataflowRole> roleNamed(std::string_view tensor, std::string_view name,
                                      const std::array<DataflowRole, N>& roles) {
  for (const DataflowRole role : roles) {
    const std::string_view word = nameOf(role);
    const bool withTensor = name.size() == tensor.size() + 1 + word.size() &&
                            name.starts_with(tensor) && name[tensor.size()] == '_' &&
                            name.ends_with(word);
    if (name == word || withTensor) return role;
  }
  return std::nullopt;
}

template <std::size_t N> std::string listed(const std::array<DataflowRole, N>& roles) {
  std::string text;
  for (const DataflowRole role : roles)
    text += fmt::format("{}`{}`", text.empty() ? "" : ", ", nameOf(role));
  return text;
}

}  // namespace

void DirectiveResolver::exclude(const Directive& d, Constraints exclusion,
                                const std::string& conflict, const std::string& hint) {
  if (excludesPinned(exclusion, m_out)) return fail(d.span, conflict, hint);
  m_out.excluded.push_back(std::move(exclusion));
}

void DirectiveResolver::scatter(const Directive& d) {
  const int at = operandNamed(m_nest.inputs, d.subject.text);
  if (input(d) == nullptr) return;
  const kernel::Operand& operand = m_nest.inputs[static_cast<std::size_t>(at)];
  const auto dims = dimList(d);
  if (!dims) return;
  if (operand.produced) {
    return fail(d.subject.span,
                fmt::format("tiles of `{}` are made by the cores, nobody deals them", operand.name),
                fmt::format("`forwarded({})` sends them from core to core", operand.name));
  }
  for (const std::uint8_t dim : *dims) scatterAlong(d, at, dim);
  Constraints local;
  local.inputs[at].layout = TensorLayout::Local;
  exclude(d, std::move(local), fmt::format("tiles of `{}` lie in local memory", operand.name),
          fmt::format("leave out `layout({}, local)`", operand.name));
}

void DirectiveResolver::scatterAlong(const Directive& d, int at, std::uint8_t dim) {
  const kernel::Operand& operand = m_nest.inputs[static_cast<std::size_t>(at)];
  const std::string& along = m_hw.dims()[dim].name;
  if (!passesAlong(m_hw, dim)) {
    return fail(d.span,
                fmt::format("loads reach each core along `{}` by a way of its own on `{}`", along,
                            m_hw.name()),
                fmt::format("every core loads its own: `direct({})`", operand.name));
  }
  const auto same = [&](LoopId loop) {
    Constraints exclusion;
    exclusion.space[dim] = loop;
    const std::string reason =
        loop.valid() ? fmt::format("`{}` carries loop `{}`, which `{}` does not depend on: all "
                                   "cores along it use the same tile",
                                   along, m_kernel.loop(loop).name, operand.name)
                     : fmt::format("`{}` is unused, so there is one core to feed", along);
    const std::string mend =
        loop.valid() ? fmt::format("`forward({}, {})` passes it from neighbour to neighbour",
                                   operand.name, along)
                     : std::string("place a loop of the tensor on it with `unroll`");
    exclude(d, std::move(exclusion), reason, mend);
  };
  same(LoopId{});
  for (std::size_t l = 0; l < m_kernel.loops.size(); ++l) {
    if (!operand.dependsOn(LoopId::of(l))) same(LoopId::of(l));
  }
}

void DirectiveResolver::vectorize(const Directive& d) {
  const auto found = loop(d.subject);
  if (!found) return;
  const auto units = m_hw.compute("", kLaneBits);
  if (!units) return fail(d.span, fmt::format("`{}` has no unit with lanes", m_hw.name()));
  const std::int64_t lanes = tileSizeUnit(m_nest, *found, units->matrixShape, units->vectorLanes);
  const std::string& name = d.subject.text;
  const std::int64_t extent = m_kernel.loop(*found).extent;
  if (lanes < 2) {
    return fail(
        d.span,
        fmt::format("the units of `{}` take one element of `{}` at a time", m_hw.name(), name),
        laneHint(*units));
  }
  if (!d.sizes.empty() && d.sizes.front().least != lanes) {
    return fail(d.span,
                fmt::format("a unit of `{}` takes {} elements of `{}` at once, not {}", m_hw.name(),
                            lanes, name, d.sizes.front().least),
                fmt::format("write `vectorize({}, {})`", name, lanes));
  }
  if (extent < lanes) {
    return fail(
        d.span,
        fmt::format("loop `{}` has {} elements, fewer than the {} lanes", name, extent, lanes),
        "leave `vectorize` out, or choose a larger size");
  }
  note(Constraints::Axis::Blocks, found->index(), d);
  fillLanes(d, *found, lanes);
}

std::string DirectiveResolver::laneHint(const hardware::ComputeModel& units) const {
  std::string text;
  for (std::size_t l = 0; l < m_kernel.loops.size(); ++l) {
    const std::int64_t lanes =
        tileSizeUnit(m_nest, LoopId::of(l), units.matrixShape, units.vectorLanes);
    if (lanes > 1) {
      text += fmt::format("{}{} of `{}`", text.empty() ? "" : ", ", lanes, m_kernel.loops[l].name);
    }
  }
  return text.empty() ? "leave it out" : "they take " + text;
}

// Sizes that a `tile` names are kept where they fill the lanes; the usual sizes are multiples.
void DirectiveResolver::fillLanes(const Directive& d, LoopId loop, std::int64_t lanes) {
  const std::int64_t extent = m_kernel.loop(loop).extent;
  auto& sizes = m_out.tileSizes[loop];
  if (sizes.empty()) sizes.push_back({lanes, extent});
  for (TileSizeRange& range : sizes) {
    if (range.least != range.most) range.least = std::max(range.least, lanes);
  }
  std::erase_if(sizes, [&](const TileSizeRange& range) {
    if (range.least != range.most) return range.most < range.least;
    return range.least % lanes != 0 && range.least != extent;
  });
  if (!sizes.empty()) return;
  const std::string& name = m_kernel.loop(loop).name;
  fail(d.span,
       fmt::format("no tile size that is asked for fills the {} lanes of `{}`", lanes, name),
       fmt::format("write `tile({}, {})`, or a multiple of it", name, lanes));
}

void DirectiveResolver::isolate(const Directive& d) {
  const int out = operandNamed(m_nest.outputs, d.subject.text);
  const int in = out < 0 ? operandNamed(m_nest.inputs, d.subject.text) : -1;
  if (out < 0 && input(d) == nullptr) return;
  if (out >= 0 && output(d) == nullptr) return;
  for (const Directive::Name& name : d.names) {
    const auto role = out >= 0 ? roleNamed(d.subject.text, name.text, kOutputRoles)
                               : roleNamed(d.subject.text, name.text, kInputRoles);
    if (!role) {
      fail(name.span,
           fmt::format("`{}` is no function of an {}", name.text, out >= 0 ? "output" : "input"),
           "known: " + (out >= 0 ? listed(kOutputRoles) : listed(kInputRoles)));
      continue;
    }
    out >= 0 ? isolateOutput(d, out, *role) : isolateInput(d, in, *role);
  }
}

void DirectiveResolver::isolateInput(const Directive& d, int in, DataflowRole role) {
  const std::string& name = d.subject.text;
  const auto uses = [](const Constraints::SharedUse& use) { return use.isUsed.value_or(false); };
  Constraints kept, sent;
  kept.inputs[in].kind = MovementKind::Stationary;
  sent.inputs[in].kind = MovementKind::Forwarded;
  if (role == DataflowRole::Feeder) {
    const std::string nobody = fmt::format("nobody feeds `{}`: ", name);
    exclude(d, std::move(kept), nobody + "it is stationary", "leave `stationary` out");
    exclude(d, std::move(sent), nobody + "the cores that make it send it", "leave `forwarded` out");
    // The DMA engine of a shared buffer feeds the cores.
    if (std::ranges::any_of(m_out.inputs[in].sharedBuffers, uses)) return;
    Constraints alone;
    alone.inputs[in].kind = MovementKind::Direct;
    return exclude(
        d, std::move(alone),
        fmt::format("with `direct({0})` every core loads `{0}` itself: nobody feeds it", name),
        fmt::format("`forward({}, x)` or `multicast` makes feeders", name));
  }
  const auto refuse = [&](const char* what) {
    return fmt::format("nobody loads `{}` from global memory: {}", name, what);
  };
  Constraints local;
  local.inputs[in].layout = TensorLayout::Local;
  exclude(d, std::move(local), refuse("its layout is local"), "leave the layout out");
  exclude(d, std::move(kept), refuse("it is stationary"), "leave `stationary` out");
  exclude(d, std::move(sent), refuse("it is forwarded"), "leave `forwarded` out");
}

void DirectiveResolver::isolateOutput(const Directive& d, int out, DataflowRole role) {
  const std::string& name = d.subject.text;
  if (role == DataflowRole::Unloader) {
    Constraints local;
    local.outputs[out].layout = TensorLayout::Local;
    return exclude(d, std::move(local),
                   fmt::format("`{}` stays in local memory: nobody stores it", name),
                   fmt::format("leave out `layout({}, local)`", name));
  }
  const auto uses = [](const Constraints::SharedUse& use) { return use.isUsed.value_or(false); };
  if (std::ranges::any_of(m_out.outputs[out].sharedBuffers, uses)) return;
  Constraints own;
  own.outputs[out].gather = -1;
  exclude(d, std::move(own),
          fmt::format("with `gather({0})` every core stores its own tiles of `{0}`", name),
          fmt::format("`gather({}, y)` collects them along a dimension", name));
}

}  // namespace gridloom::mapping
