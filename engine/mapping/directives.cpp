// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "mapping/admit.h"
#include "mapping/directive_resolver.h"
#include "mapping/equation_lowering.h"
#include "mapping/partials.h"

namespace gridloom::mapping {

base::Result<Constraints> DirectiveResolver::run() {
  m_out.source = m_directives.source;
  for (const Directive& d : m_directives.list) {
    Constraints exclusion;
    m_target = d.excluded ? &exclusion : &m_out;
    apply(d);
    if (d.excluded) m_out.excluded.push_back(std::move(exclusion));
  }
  if (m_errors.empty()) checkExclusions();
  m_target = &m_out;
  if (m_errors.empty())
    std::ranges::for_each(m_directives.list, [&](const auto& d) { require(d); });
  if (!m_errors.empty()) return m_errors;
  return std::move(m_out);
}

void DirectiveResolver::apply(const Directive& d) {
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
  case Kind::Unit:
    return unit(d);
  case Kind::Scatter:
  case Kind::Map:       // lowered before
  case Kind::Equation:  // the same
  case Kind::Vectorize:
  case Kind::Isolate:
    return;
  }
}

void DirectiveResolver::require(const Directive& d) {
  if (d.kind == Kind::Scatter) scatter(d);
  if (d.kind == Kind::Vectorize) vectorize(d);
  if (d.kind == Kind::Isolate) isolate(d);
}

void DirectiveResolver::checkExclusions() {
  std::size_t next = 0;
  for (const Directive& d : m_directives.list) {
    if (d.excluded && excludesPinned(m_out.excluded[next++], m_out)) {
      fail(d.span, "excludes what another directive asks for", "keep one of the two");
    }
  }
}

void DirectiveResolver::space(const Directive& d) {
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

void DirectiveResolver::tile(const Directive& d) {
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

void DirectiveResolver::order(const Directive& d) {
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

base::Result<Constraints> resolve(const Directives& directives, const kernel::Kernel& kernel,
                                  const kernel::TileNest& nest, const hardware::Topology& hw) {
  const auto lowered = lowerEquations(directives, kernel, nest, hw);
  if (!lowered) return lowered.diagnostics();
  return DirectiveResolver(*lowered, kernel, nest, hw).run();
}

}  // namespace gridloom::mapping
