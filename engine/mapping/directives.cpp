// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/message_limit.h"
#include "mapping/admit.h"
#include "mapping/constraints.h"
#include "mapping/former_names.h"
#include "mapping/partials.h"

namespace gridloom::mapping {

namespace {

using Kind = Directive::Kind;

// Resolves the names of one directive list and collects what they pin. It goes on after an error,
// so one run reports all errors of a file.
class Resolver {
 public:
  Resolver(const Directives& directives, const kernel::Kernel& kernel, const kernel::TileNest& nest,
           const hardware::Topology& hw)
      : m_directives(directives), m_kernel(kernel), m_nest(nest), m_hw(hw) {}

  base::Result<Constraints> run() {
    m_out.source = m_directives.source;
    for (const Directive& d : m_directives.list) {
      Constraints exclusion;
      m_target = d.excluded ? &exclusion : &m_out;
      apply(d);
      if (d.excluded) m_out.excluded.push_back(std::move(exclusion));
    }
    if (m_errors.empty()) checkExclusions();
    if (!m_errors.empty()) return m_errors;
    return std::move(m_out);
  }

 private:
  void apply(const Directive& d) {
    switch (d.kind) {
    case Kind::Space:
      return space(d);
    case Kind::Tile:
      return tile(d);
    case Kind::Order:
      return order(d);
    case Kind::Direct:
      return movement(d, MovementKind::Direct);
    case Kind::Multicast:
      return movement(d, MovementKind::Multicast);
    case Kind::TwoStage:
      return movement(d, MovementKind::TwoStage);
    case Kind::Stream:
      return movement(d, MovementKind::Stream);
    case Kind::AllGather:
      return movement(d, MovementKind::AllGather);
    case Kind::Shared:
      return share(d);
    case Kind::Stationary:
      return movement(d, MovementKind::Stationary);
    case Kind::Forwarded:
      return movement(d, MovementKind::Forwarded);
    case Kind::Prefetch:
      return prefetch(d);
    case Kind::Hoist:
      return hoist(d);
    case Kind::Double:
      return buffers(d, 2);
    case Kind::Single:
      return buffers(d, 1);
    case Kind::SharedBuffer:
      return sharedBuffer(d);
    case Kind::Gather:
      return gather(d);
    case Kind::Reduce:
      return reduction(d);
    case Kind::Layout:
      return layout(d);
    case Kind::Rotate:
      return movement(d, MovementKind::Rotate);
    }
  }

  void fail(base::Span span, std::string message, std::string hint = {}) {
    base::report(m_errors,
                 base::errorAt(m_directives.source, span, std::move(message), std::move(hint)));
  }

  // An exclusion that removes everything that is pinned leaves no choice.
  void checkExclusions() {
    std::size_t next = 0;
    for (const Directive& d : m_directives.list) {
      if (d.excluded && excludesPinned(m_out.excluded[next++], m_out)) {
        fail(d.span, "excludes what another directive asks for", "keep one of the two");
      }
    }
  }

  void note(Constraints::Axis axis, std::size_t index, const Directive& d) {
    m_out.origins.push_back({axis, static_cast<int>(index), d.span});
  }

  // Pins `slot` to `value`; a second, different pin is a contradiction.
  template <class T>
  void pin(std::optional<T>& slot, T value, const Directive& d, const char* what) {
    if (slot && !(*slot == value)) {
      fail(d.span,
           fmt::format("contradicts an earlier directive about {} of `{}`", what, d.subject.text),
           "keep one of the two");
      return;
    }
    slot = std::move(value);
  }

  std::optional<LoopId> loop(const Directive::Name& name) {
    std::vector<std::string> known;
    for (std::size_t l = 0; l < m_kernel.loops.size(); ++l) {
      if (m_kernel.loops[l].name == name.text) return LoopId::of(l);
      known.push_back(m_kernel.loops[l].name);
    }
    fail(name.span, fmt::format("kernel `{}` has no loop `{}`", m_kernel.name, name.text),
         fmt::format("its loops are {}", fmt::join(known, ", ")));
    return std::nullopt;
  }

  std::optional<std::uint8_t> dim(const Directive::Name& name) {
    std::vector<std::string> known;
    for (std::size_t d = 0; d < m_hw.dims().size(); ++d) {
      if (m_hw.dims()[d].name == name.text) return static_cast<std::uint8_t>(d);
      known.push_back(m_hw.dims()[d].name);
    }
    fail(name.span, fmt::format("hardware `{}` has no dimension `{}`", m_hw.name(), name.text),
         fmt::format("its dimensions are {}", fmt::join(known, ", ")));
    return std::nullopt;
  }

  std::optional<std::vector<std::uint8_t>> dimList(const Directive& d) {
    std::vector<std::uint8_t> dims;
    for (const Directive::Name& name : d.names) {
      const auto at = dim(name);
      if (!at) return std::nullopt;
      if (std::find(dims.begin(), dims.end(), *at) != dims.end()) {
        fail(name.span, fmt::format("dimension `{}` is named twice", name.text));
        return std::nullopt;
      }
      dims.push_back(*at);
    }
    return dims;
  }

  static int operandNamed(const std::vector<kernel::Operand>& operands, const std::string& name) {
    const auto at = std::find_if(operands.begin(), operands.end(),
                                 [&](const kernel::Operand& o) { return o.name == name; });
    return at == operands.end() ? -1 : static_cast<int>(at - operands.begin());
  }

  std::string operandNames() const {
    std::vector<std::string> names;
    for (const auto& o : m_nest.inputs) names.push_back(o.name + " (input)");
    for (const auto& o : m_nest.outputs) names.push_back(o.name + " (output)");
    for (const auto& r : m_nest.allReduces) names.push_back(r.name + " (all-reduce)");
    return fmt::format("{}", fmt::join(names, ", "));
  }

  Constraints::Input* input(const Directive& d) {
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

  Constraints::Output* output(const Directive& d) {
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

  void space(const Directive& d) {
    LoopId carried;
    if (!d.subject.text.empty()) {
      const auto found = loop(d.subject);
      if (!found) return;
      carried = *found;
      if (const auto reason = whyNotInSpace(m_kernel, m_nest, carried)) {
        return fail(d.subject.span,
                    fmt::format("loop `{}` cannot be placed in space: {}", d.subject.text, *reason),
                    "parallel loops can, and reductions whose partial results can be reduced");
      }
    }
    const auto dims = dimList(d);
    if (!dims) return;
    note(Constraints::Axis::Space, 0, d);
    for (const std::uint8_t at : *dims) {
      const auto [entry, fresh] = m_target->space.emplace(at, carried);
      if (!fresh && entry->second != carried) {
        return fail(
            d.span,
            fmt::format("dimension `{}` is already given to another loop", m_hw.dims()[at].name),
            "a dimension carries one loop");
      }
    }
    if (carried.valid() && dims->size() > 1) m_target->dimOrder[carried] = *dims;
  }

  void tile(const Directive& d) {
    const auto found = loop(d.subject);
    if (!found) return;
    const std::int64_t extent = m_kernel.loop(*found).extent;
    for (const TileSizeRange& size : d.sizes) {
      if (size.least > extent || (size.most > extent && size.least == size.most)) {
        return fail(d.span,
                    fmt::format("tile size {} of loop `{}` is not between 1 and its extent {}",
                                size.least, d.subject.text, extent));
      }
    }
    std::vector<TileSizeRange> sizes = d.sizes;
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    for (const auto& whole : m_nest.whole) {
      if (whole.loop == *found && !whole.inShares && contains(sizes, extent) == d.excluded) {
        return fail(d.span,
                    fmt::format("loop `{}` cannot be tiled: {}", d.subject.text, whole.reason),
                    fmt::format("its tile size is its extent, {}", extent));
      }
    }
    note(Constraints::Axis::Blocks, found->index(), d);
    const auto [entry, fresh] = m_target->tileSizes.emplace(*found, sizes);
    if (!fresh && entry->second != sizes) {
      fail(d.span, fmt::format("contradicts an earlier tile(...) of `{}`", d.subject.text),
           "keep one of the two");
    }
  }

  void order(const Directive& d) {
    std::vector<LoopId> loops;
    for (const Directive::Name& name : d.names) {
      const auto found = loop(name);
      if (!found) return;
      if (kernel::contains(loops, *found))
        return fail(name.span, fmt::format("loop `{}` is named twice", name.text));
      loops.push_back(*found);
    }
    note(Constraints::Axis::Order, 0, d);
    pin(m_target->order, loops, d, "the order");
  }

  void movement(const Directive& d, MovementKind kind) {
    Constraints::Input* in = input(d);
    const auto dims = dimList(d);
    if (!in || !dims) return;
    pin(in->kind, kind, d, "the movement");
    DimMask along = 0;
    for (const std::uint8_t at : *dims) along |= DimMask{1} << at;
    if (dims->empty()) return;
    pin(in->along, along, d, "the dimensions");
    if (dims->size() > 1) pin(in->first, dims->front(), d, "the first dimension");
  }

  void share(const Directive& d) {
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

  std::string sharersHint() const {
    std::vector<std::string> names;
    for (std::size_t d = 0; d < m_hw.dims().size(); ++d) {
      if (m_hw.local().sharedDims >> d & 1U) names.push_back(m_hw.dims()[d].name);
    }
    if (names.empty()) return "every core has its own; several can take a tile by `multicast`";
    return fmt::format("those along {} do", fmt::join(names, ", "));
  }

  void prefetch(const Directive& d) {
    if (Constraints::Input* in = input(d)) {
      if (!in->hoistOutside.empty())
        return fail(d.span, fmt::format("contradicts an earlier hoist of `{}`", d.subject.text));
      in->prefetch = true;
    }
  }

  void hoist(const Directive& d) {
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

  void buffers(const Directive& d, std::uint8_t count) {
    if (const int out = operandNamed(m_nest.outputs, d.subject.text); out >= 0) {
      note(Constraints::Axis::Output, static_cast<std::size_t>(out), d);
      return pin(m_target->outputs[out].buffers, count, d, "the buffers");
    }
    if (Constraints::Input* in = input(d)) pin(in->buffers, count, d, "the buffers");
  }

  // A level of Topology::sharedBuffers; nothing, after an error, for another memory.
  std::optional<std::size_t> sharedBufferNamed(const Directive::Name& name) {
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

  static std::optional<std::uint8_t> bufferCount(const Directive::Name& name) {
    if (name.text == "double") return std::uint8_t{2};
    return name.text == "single" ? std::optional(std::uint8_t{1}) : std::nullopt;
  }

  void sharedBuffer(const Directive& d) {
    if (d.names.empty()) return;
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

  void inputUse(const Directive& d, Constraints::SharedUse& use) {
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

  // Finished tiles go through a shared buffer one by one: the directive names no loop.
  void outputUse(const Directive& d, Constraints::SharedUse& use) {
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

  void gather(const Directive& d) {
    Constraints::Output* out = output(d);
    const auto dims = dimList(d);
    if (!out || !dims) return;
    pin(out->gather, dims->empty() ? -1 : static_cast<int>(dims->front()), d, "the gather");
  }

  void reduction(const Directive& d) {
    std::optional<ReductionTopology>* combined = reductionOf(d);
    if (!combined || d.names.empty()) return;
    // The parser admits only these words.
    const auto how = std::ranges::find(kReductionNames, d.names.front().text);
    pin(*combined, static_cast<ReductionTopology>(how - kReductionNames.begin()), d,
        "the reduction");
  }

  // The reduction of an output, or of a local tensor that an all-reduce completes.
  std::optional<ReductionTopology>* reductionOf(const Directive& d) {
    const auto local =
        std::ranges::find(m_nest.allReduces, d.subject.text, &kernel::AllReduce::name);
    if (local != m_nest.allReduces.end()) {
      const auto reduce = static_cast<std::size_t>(local - m_nest.allReduces.begin());
      note(Constraints::Axis::AllReduce, reduce, d);
      return &m_target->allReduces[static_cast<int>(reduce)];
    }
    Constraints::Output* out = output(d);
    return out ? &out->reduction : nullptr;
  }

  // A tensor has one layout for all its windows, read and written.
  void layout(const Directive& d) {
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
      return fail(d.span,
                  fmt::format("the kernel reads `{}` back while it makes it", d.subject.text),
                  "such tensors lie page by page");
    }
    const bool gathered =
        std::any_of(m_nest.inputs.begin(), m_nest.inputs.end(),
                    [&](const kernel::Operand& o) { return o.tensor == tensor && o.gather; });
    if (gathered && where != TensorLayout::PageInterleaved && !d.excluded) {
      return fail(d.span,
                  fmt::format("rows of `{}` are read through an index, in no order of tiles",
                              d.subject.text),
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

  const Directives& m_directives;
  const kernel::Kernel& m_kernel;
  const kernel::TileNest& m_nest;
  const hardware::Topology& m_hw;
  Constraints m_out;
  Constraints* m_target = &m_out;  ///< m_out, or the current exclusion
  base::Diagnostics m_errors;
};

}  // namespace

base::Result<Constraints> resolve(const Directives& directives, const kernel::Kernel& kernel,
                                  const kernel::TileNest& nest, const hardware::Topology& hw) {
  return Resolver(directives, kernel, nest, hw).run();
}

}  // namespace gridloom::mapping
