// SPDX-License-Identifier: Apache-2.0
//
// Directives about how an operand moves and where it lies.
#include <algorithm>

#include "mapping/directive_resolver.h"
#include "mapping/former_names.h"

namespace gridloom::mapping {

void DirectiveResolver::movement(const Directive& d, MovementKind kind) {
  Constraints::Input* in = input(d);
  const auto dims = dimList(d);
  if (!in || !dims) return;
  const bool both = kind == MovementKind::Multicast || kind == MovementKind::TwoStage;
  if (dims->size() > (both ? 2U : 1U)) return tooManyDims(d);
  pin(in->kind, kind, d, "the movement");
  DimMask along = 0;
  for (const std::uint8_t at : *dims) along |= DimMask{1} << at;
  if (dims->empty()) return;
  pin(in->along, along, d, "the dimensions");
  if (dims->size() > 1) pin(in->first, dims->front(), d, "the first dimension");
}

// A loop may lie on several dimensions.
void DirectiveResolver::tooManyDims(const Directive& d) {
  fail(d.names.back().span,
       fmt::format("`{}` moves along one dimension, loop `{}` lies on several", d.subject.text,
                   d.names.back().text),
       "name one of them");
}

void DirectiveResolver::share(const Directive& d) {
  Constraints::Input* in = input(d);
  if (!in) return;
  const bool none = d.names.size() == 1 && d.names.front().text == "none";
  const auto dims = none ? std::vector<std::uint8_t>() : dimList(d);
  if (!dims) return;
  DimMask shared = 0;
  for (std::size_t n = 0; n < dims->size(); ++n) {
    const std::uint8_t at = (*dims)[n];
    shared |= DimMask{1} << at;
    if (m_hw.local().sharedDims >> at & 1U) continue;
    return fail(d.names[n].span,
                fmt::format("cores along `{}` do not share a local memory", d.names[n].text),
                sharersHint());
  }
  pin(in->shared, shared, d, "the shared copy");
}

std::string DirectiveResolver::sharersHint() const {
  std::vector<std::string> names;
  for (std::size_t d = 0; d < m_hw.dims().size(); ++d) {
    if (m_hw.local().sharedDims >> d & 1U) names.push_back(m_hw.dims()[d].name);
  }
  if (names.empty()) return "every core has its own; several can take a tile by `multicast`";
  return fmt::format("those along {} do", fmt::join(names, ", "));
}

void DirectiveResolver::prefetch(const Directive& d) {
  if (Constraints::Input* in = input(d)) {
    if (!in->hoistOutside.empty())
      return fail(d.span, fmt::format("contradicts an earlier hoist of `{}`", d.subject.text));
    in->prefetch = true;
  }
}

void DirectiveResolver::hoist(const Directive& d) {
  Constraints::Input* in = input(d);
  if (!in) return;
  if (in->prefetch)
    return fail(d.span, fmt::format("contradicts an earlier prefetch of `{}`", d.subject.text));
  std::vector<LoopId> outside;
  for (const Directive::Name& name : d.names) {
    const auto found = loop(name);
    if (!found) return;
    outside.push_back(*found);
  }
  if (outside.empty()) outside.push_back(LoopId{});
  if (!in->hoistOutside.empty() && in->hoistOutside != outside) {
    return fail(d.span,
                fmt::format("contradicts an earlier directive about the hoist level of `{}`",
                            d.subject.text),
                "keep one of the two");
  }
  in->hoistOutside = std::move(outside);
}

void DirectiveResolver::buffers(const Directive& d, std::uint8_t count) {
  if (const int out = operandNamed(m_nest.outputs, d.subject.text); out >= 0) {
    note(Constraints::Axis::Output, static_cast<std::size_t>(out), d);
    return pin(m_target->outputs[out].buffers, count, d, "the buffers");
  }
  if (Constraints::Input* in = input(d)) pin(in->buffers, count, d, "the buffers");
}

std::optional<std::uint8_t> DirectiveResolver::bufferCount(const Directive::Name& name) {
  if (name.text == "double") return std::uint8_t{2};
  return name.text == "single" ? std::optional(std::uint8_t{1}) : std::nullopt;
}

bool DirectiveResolver::namesLevel(const Directive& d) const {
  const std::string& name = d.names.front().text;
  if (std::ranges::any_of(m_hw.sharedBuffers(),
                          [&](const hardware::SharedBuffer& b) { return b.name == name; })) {
    return false;
  }
  return name == "innermost" || std::ranges::any_of(m_kernel.loops, [&](const kernel::Loop& loop) {
           return loop.name == name;
         });
}

void DirectiveResolver::bufferAtLoop(const Directive& d) {
  if (d.names.size() > 2 || (d.names.size() == 2 && !bufferCount(d.names[1]))) {
    return fail(
        d.names[1].span, "a buffer at a loop is `single` or `double`",
        fmt::format("write `buffer({}, {}, double)`", d.subject.text, d.names.front().text));
  }
  if (operandNamed(m_nest.outputs, d.subject.text) >= 0) {
    return fail(
        d.names.front().span,
        fmt::format("results in `{}` have their buffer where their sum begins", d.subject.text),
        fmt::format("write `double({0})` or `single({0})`", d.subject.text));
  }
  Directive level = d;
  level.names.resize(d.names.front().text == "innermost" ? 0 : 1);
  hoist(level);
  if (d.names.size() == 2) buffers(d, *bufferCount(d.names[1]));
}

void DirectiveResolver::sharedBuffer(const Directive& d) {
  if (d.names.empty()) return;
  if (namesLevel(d)) return bufferAtLoop(d);
  Constraints::Output* out =
      operandNamed(m_nest.outputs, d.subject.text) >= 0 ? output(d) : nullptr;
  Constraints::Input* in = out ? nullptr : input(d);
  if (!out && !in) return;
  Constraints::SharedUses& uses = out ? out->sharedBuffers : in->sharedBuffers;
  if (d.names.size() == 1 && d.names.front().text == "none") {
    for (Constraints::SharedUse& use : uses) pin(use.isUsed, false, d, "the shared buffers");
    return;
  }
  const auto level = sharedBufferNamed(d.names.front());
  if (!level) return;
  Constraints::SharedUse& use = uses[*level];
  const bool isUsed = d.names.size() != 2 || d.names[1].text != "none";
  pin(use.isUsed, isUsed, d, "the shared buffers");
  if (!isUsed) return;
  if (out) return outputUse(d, use);
  inputUse(d, use);
}

void DirectiveResolver::inputUse(const Directive& d, Constraints::SharedUse& use) {
  if (d.names.size() > 1) {
    const bool innermost = d.names[1].text == "innermost";
    if (const auto outside = innermost ? std::optional(LoopId{}) : loop(d.names[1])) {
      pin(use.outside, *outside, d, "the loop around the shared buffer");
    }
  }
  if (d.names.size() < 3) return;
  pin(use.buffers, bufferCount(d.names[2]).value_or(1), d, "the buffers in it");
  if (d.names.size() < 4) return;
  DimMask along = 0;
  for (std::size_t n = 3; n < d.names.size(); ++n) {
    if (n == 3 && d.names.size() == 4 && d.names[n].text == "none") break;
    const auto at = dim(d.names[n]);
    if (!at) return;
    along |= DimMask{1} << *at;
  }
  pin(use.along, along, d, "the dimensions from the shared buffer inwards");
}

void DirectiveResolver::outputUse(const Directive& d, Constraints::SharedUse& use) {
  if (d.names.size() < 2) return;
  const auto count = bufferCount(d.names[1]);
  if (!count || d.names.size() > 2) {
    return fail(
        d.names[1].span,
        fmt::format("finished tiles of `{}` pass the shared buffer one by one", d.subject.text),
        fmt::format("write `buffer({}, {}, double)`, or `single`", d.subject.text,
                    d.names.front().text));
  }
  pin(use.buffers, *count, d, "the buffers in it");
}

void DirectiveResolver::gather(const Directive& d) {
  Constraints::Output* out = output(d);
  const auto dims = dimList(d);
  if (!out || !dims) return;
  if (dims->size() > 1) return tooManyDims(d);
  pin(out->gather, dims->empty() ? -1 : static_cast<int>(dims->front()), d, "the gather");
}

void DirectiveResolver::reduction(const Directive& d) {
  std::optional<ReductionTopology>* combined = reductionOf(d);
  if (!combined || d.names.empty()) return;
  // The parser admits only these words.
  const auto how = std::ranges::find(kReductionNames, d.names.front().text);
  pin(*combined, static_cast<ReductionTopology>(how - kReductionNames.begin()), d, "the reduction");
}

std::optional<ReductionTopology>* DirectiveResolver::reductionOf(const Directive& d) {
  const auto local = std::ranges::find(m_nest.allReduces, d.subject.text, &kernel::AllReduce::name);
  if (local != m_nest.allReduces.end()) {
    const auto reduce = static_cast<std::size_t>(local - m_nest.allReduces.begin());
    note(Constraints::Axis::AllReduce, reduce, d);
    return &m_target->allReduces[static_cast<int>(reduce)];
  }
  Constraints::Output* out = output(d);
  return out ? &out->reduction : nullptr;
}

void DirectiveResolver::layout(const Directive& d) {
  const int in = operandNamed(m_nest.inputs, d.subject.text);
  const int out = operandNamed(m_nest.outputs, d.subject.text);
  if (in < 0 && out < 0) {
    return fail(
        d.subject.span,
        fmt::format("`{}` is not a tensor that kernel `{}` moves", d.subject.text, m_kernel.name),
        "operands: " + operandNames());
  }
  const kernel::TensorId tensor = in >= 0 ? m_nest.inputs[static_cast<std::size_t>(in)].tensor
                                          : m_nest.outputs[static_cast<std::size_t>(out)].tensor;
  const auto at =
      std::find(kLayoutNames.begin(), kLayoutNames.end(), presentName(d.names.front().text));
  const auto where = static_cast<TensorLayout>(at - kLayoutNames.begin());
  const bool readBack =
      std::any_of(m_nest.inputs.begin(), m_nest.inputs.end(),
                  [&](const kernel::Operand& o) { return o.tensor == tensor && o.produced; });
  if (readBack && where != TensorLayout::PageInterleaved && !d.excluded) {
    return fail(d.span, fmt::format("the kernel reads `{}` back while it makes it", d.subject.text),
                "such tensors lie page by page");
  }
  const bool gathered =
      std::any_of(m_nest.inputs.begin(), m_nest.inputs.end(),
                  [&](const kernel::Operand& o) { return o.tensor == tensor && o.gather; });
  if (gathered && where != TensorLayout::PageInterleaved && !d.excluded) {
    return fail(
        d.span,
        fmt::format("rows of `{}` are read through an index, in no order of tiles", d.subject.text),
        "such tensors lie page by page");
  }
  for (std::size_t i = 0; i < m_nest.inputs.size(); ++i) {
    if (m_nest.inputs[i].tensor != tensor) continue;
    note(Constraints::Axis::Input, i, d);
    pin(m_target->inputs[static_cast<int>(i)].layout, where, d, "the layout");
  }
  for (std::size_t o = 0; o < m_nest.outputs.size(); ++o) {
    if (m_nest.outputs[o].tensor != tensor) continue;
    note(Constraints::Axis::Output, o, d);
    pin(m_target->outputs[static_cast<int>(o)].layout, where, d, "the layout");
  }
}

}  // namespace gridloom::mapping
