// SPDX-License-Identifier: Apache-2.0
//
// What the names in directives stand for: loops, dimensions, operands and shared buffers.
#include <algorithm>

#include "mapping/directive_resolver.h"
#include "mapping/loop_help.h"

namespace gridloom::mapping {

void DirectiveResolver::fail(base::Span span, std::string message, std::string hint) {
  base::report(m_errors,
               base::errorAt(m_directives.source, span, std::move(message), std::move(hint)));
}

void DirectiveResolver::note(Constraints::Axis axis, std::size_t index, const Directive& d) {
  m_out.origins.push_back({axis, static_cast<int>(index), d.span});
}

std::optional<LoopId> DirectiveResolver::loop(const Directive::Name& name) {
  for (std::size_t l = 0; l < m_kernel.loops.size(); ++l) {
    if (m_kernel.loops[l].name == name.text) return LoopId::of(l);
  }
  fail(name.span, fmt::format("kernel `{}` has no loop `{}`", m_kernel.name, name.text),
       loopHelp(m_kernel, name.text));
  return std::nullopt;
}

std::optional<std::uint8_t> DirectiveResolver::dim(const Directive::Name& name) {
  std::vector<std::string> known;
  for (std::size_t d = 0; d < m_hw.dims().size(); ++d) {
    if (m_hw.dims()[d].name == name.text) return static_cast<std::uint8_t>(d);
    known.push_back(m_hw.dims()[d].name);
  }
  fail(name.span, fmt::format("hardware `{}` has no dimension `{}`", m_hw.name(), name.text),
       fmt::format("its dimensions are {}", fmt::join(known, ", ")));
  return std::nullopt;
}

std::vector<Directive::Name> DirectiveResolver::placeOf(const Directive::Name& loop) const {
  std::vector<Directive::Name> place;
  for (const Directive& d : m_directives.list) {
    if (d.kind != Kind::Space || d.excluded || d.subject.text != loop.text) continue;
    place.insert(place.end(), d.names.begin(), d.names.end());
  }
  return place;
}

std::optional<std::vector<std::uint8_t>> DirectiveResolver::dimsNamed(const Directive& d,
                                                                      const Directive::Name& name) {
  const auto isDim = std::ranges::any_of(
      m_hw.dims(), [&](const hardware::MeshDim& dim) { return dim.name == name.text; });
  const auto isLoop = std::ranges::any_of(
      m_kernel.loops, [&](const kernel::Loop& loop) { return loop.name == name.text; });
  if (isDim || !isLoop || d.kind == Kind::Space) {
    const auto at = dim(name);
    if (!at) return std::nullopt;
    return std::vector{*at};
  }
  std::vector<std::uint8_t> dims;
  const std::vector<Directive::Name> place = placeOf(name);
  for (const Directive::Name& along : place) {
    const auto at = dim(along);
    if (at && std::ranges::find(dims, *at) == dims.end()) dims.push_back(*at);
  }
  if (!place.empty()) return dims;
  fail(name.span, fmt::format("loop `{}` is placed on no mesh dimension", name.text),
       fmt::format("place it with `space({0}->{1})`, or name a dimension", name.text,
                   m_hw.dims().front().name));
  return std::nullopt;
}

std::optional<std::vector<std::uint8_t>> DirectiveResolver::dimList(const Directive& d) {
  std::vector<std::uint8_t> dims;
  for (const Directive::Name& name : d.names) {
    const auto named = dimsNamed(d, name);
    if (!named) return std::nullopt;
    for (const std::uint8_t at : *named) {
      if (std::find(dims.begin(), dims.end(), at) != dims.end()) {
        fail(name.span, fmt::format("dimension `{}` is named twice", m_hw.dims()[at].name));
        return std::nullopt;
      }
      dims.push_back(at);
    }
  }
  return dims;
}

int DirectiveResolver::operandNamed(const std::vector<kernel::Operand>& operands,
                                    const std::string& name) {
  const auto at = std::find_if(operands.begin(), operands.end(),
                               [&](const kernel::Operand& o) { return o.name == name; });
  return at == operands.end() ? -1 : static_cast<int>(at - operands.begin());
}

std::string DirectiveResolver::operandNames() const {
  std::vector<std::string> names;
  for (const auto& o : m_nest.inputs) names.push_back(o.name + " (input)");
  for (const auto& o : m_nest.outputs) names.push_back(o.name + " (output)");
  for (const auto& r : m_nest.allReduces) names.push_back(r.name + " (all-reduce)");
  return fmt::format("{}", fmt::join(names, ", "));
}

Constraints::Input* DirectiveResolver::input(const Directive& d) {
  const int at = operandNamed(m_nest.inputs, d.subject.text);
  if (at >= 0) {
    note(Constraints::Axis::Input, static_cast<std::size_t>(at), d);
    return &m_target->inputs[at];
  }
  fail(d.subject.span,
       fmt::format("`{}` is not an input of kernel `{}`", d.subject.text, m_kernel.name),
       "operands: " + operandNames());
  return nullptr;
}

Constraints::Output* DirectiveResolver::output(const Directive& d) {
  const int at = operandNamed(m_nest.outputs, d.subject.text);
  if (at >= 0) {
    note(Constraints::Axis::Output, static_cast<std::size_t>(at), d);
    return &m_target->outputs[at];
  }
  fail(d.subject.span,
       fmt::format("`{}` is not an output of kernel `{}`", d.subject.text, m_kernel.name),
       "operands: " + operandNames());
  return nullptr;
}

std::optional<std::size_t> DirectiveResolver::sharedBufferNamed(const Directive::Name& name) {
  const auto levels = m_hw.sharedBuffers();
  const auto at = std::ranges::find(levels, name.text, &hardware::SharedBuffer::name);
  if (at != levels.end()) return static_cast<std::size_t>(at - levels.begin());
  std::vector<std::string> known;
  for (const hardware::SharedBuffer& level : levels) known.push_back("`" + level.name + "`");
  fail(name.span,
       fmt::format("hardware `{}` has no shared buffer `{}` between global memory and the cores",
                   m_hw.name(), name.text),
       known.empty() ? "tiles go from global memory to the cores"
                     : fmt::format("it has {}", fmt::join(known, ", ")));
  return std::nullopt;
}

}  // namespace gridloom::mapping
