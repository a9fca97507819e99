// SPDX-License-Identifier: Apache-2.0
#include "kernel/extents.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "kernel/copies.h"
#include "kernel/extent_witnesses.h"
#include "kernel/index_help.h"

namespace gridloom::kernel {

namespace {

bool isIndexed(const Kernel& kernel, LoopId loop) {
  return std::ranges::any_of(kernel.statements, [&](const Statement& statement) {
    return contains(loopsOf(statement.target), loop) ||
           std::ranges::any_of(statement.reads,
                               [&](const Access& read) { return contains(loopsOf(read), loop); });
  });
}

std::string placeOf(const Kernel& kernel, const Access& access) {
  const std::string shown = "`" + toString(kernel, access) + "`";
  if (!kernel.source) {
    return shown;
  }
  const base::SourcePlace place = base::writtenPlace(kernel.source, access.span);
  return fmt::format("{} (line {})", shown, place.source->lineColumn(place.span.begin).line);
}

// How many values of the loop keep the access inside its tensor, with the other loops at their ends
// as far as these are known; on the left of `=`, also without meeting those of a loop with a larger
// factor.
std::int64_t roomFor(const Kernel& kernel, const Access& access, LoopId id, bool isTarget) {
  constexpr std::int64_t kAny = std::numeric_limits<std::int64_t>::max();
  std::int64_t room = kAny;
  const std::vector<std::int64_t>& shape = kernel.tensor(access.tensor).shape;
  for (std::size_t d = 0; d < std::min(access.indices.size(), shape.size()); ++d) {
    const affine::LinearExpr& index = access.indices[d];
    const std::int64_t factor = index.coefficient(id.index());
    if (factor <= 0 || shape[d] == 0) continue;
    std::int64_t left = shape[d] - 1 - index.constant;
    for (std::size_t l = 0; l < kernel.loops.size(); ++l) {
      const std::int64_t other = index.coefficient(l);
      if (l == id.index() || other <= 0) continue;
      left -= other * std::max<std::int64_t>(0, kernel.loops[l].extent - 1);
      if (isTarget && other > factor) room = std::min(room, other / factor);
    }
    room = std::min(room, left / factor + 1);
  }
  return room;
}

std::string rangeFor(const Kernel& kernel, LoopId id) {
  std::int64_t room = std::numeric_limits<std::int64_t>::max();
  for (const Statement& statement : kernel.statements) {
    room = std::min(room, roomFor(kernel, statement.target, id, true));
    for (const Access& read : statement.reads)
      room = std::min(room, roomFor(kernel, read, id, false));
  }
  if (room < 1 || room == std::numeric_limits<std::int64_t>::max()) return "4";
  return numberOrName(kernel, room);
}

void reportUnknown(const Kernel& kernel, LoopId id, base::Diagnostics& errors) {
  const Loop& loop = kernel.loop(id);
  errors.push_back(base::errorAt(
      kernel.source, loop.span,
      isIndexed(kernel, id)
          ? fmt::format("the extent of loop `{0}` is unknown: no tensor dimension is indexed by "
                        "`{0}` alone",
                        loop.name)
          : fmt::format("loop `{}` indexes no tensor", loop.name),
      fmt::format("declare its range on a line of its own, such as `for {} in 0..{}`", loop.name,
                  rangeFor(kernel, id))));
}

// Whether one statement has both accesses.
bool areOfOneStatement(const Kernel& kernel, const Access* a, const Access* b) {
  return std::ranges::any_of(kernel.statements, [&](const Statement& statement) {
    const auto has = [&](const Access* access) {
      return &statement.target == access ||
             std::ranges::any_of(statement.reads,
                                 [&](const Access& read) { return &read == access; });
    };
    return has(a) && has(b);
  });
}

// A loop of two statements that have nothing to do with each other is better two loops: a shorter
// range would leave out terms of a sum.
std::string extentsHint(const Kernel& kernel, LoopId id, const ExtentWitness& a,
                        const ExtentWitness& b) {
  const Loop& loop = kernel.loop(id);
  if (!areOfOneStatement(kernel, a.access, b.access) || isReduced(kernel, id)) {
    return fmt::format("a name is one loop in all statements: give it another name in one of them, "
                       "such as `{}`",
                       freeName(kernel, loop.name));
  }
  return fmt::format("make the dimensions equal, declare its range before the statements (`for {0} "
                     "in 0..{1}`), or limit each statement to its part (`where {0} < {1}`)",
                     loop.name, numberOrName(kernel, std::min(a.extent, b.extent)));
}

// Of a loop that a `where` narrows: `p[i]` may be longer than the output of its statement,
// `m[i, j]`, which the loop does not leave.
std::int64_t extentOfTargets(const Kernel& kernel, const std::vector<ExtentWitness>& witnesses,
                             LoopId loop) {
  const auto isOverlong = [&](const ExtentWitness& witness) {
    const auto at = std::ranges::find_if(kernel.statements, [&](const Statement& s) {
      return std::ranges::any_of(s.reads, [&](const Access& r) { return &r == witness.access; });
    });
    if (at == kernel.statements.end()) return false;
    std::vector<ExtentWitness> own;
    addWitnesses(kernel, at->target, loop, own);
    return std::ranges::any_of(own,
                               [&](const ExtentWitness& w) { return w.extent < witness.extent; });
  };
  std::int64_t widest = 0;
  for (const ExtentWitness& witness : witnesses) {
    if (!isOverlong(witness)) widest = std::max(widest, witness.extent);
  }
  return widest;
}

void deriveExtent(Kernel& kernel, LoopId id, base::Diagnostics& errors) {
  const std::vector<ExtentWitness> witnesses = witnessesOf(kernel, id);
  Loop& loop = kernel.loops[id.index()];
  if (loop.declared > 0) {
    loop.extent = loop.declared;
    return;
  }
  if (witnesses.empty()) return;
  loop.extent = std::ranges::max(witnesses, {}, &ExtentWitness::extent).extent;
  if (isNarrowed(kernel, id)) loop.extent = extentOfTargets(kernel, witnesses, id);
  const ExtentWitness& first = witnesses.front();
  const auto other = std::ranges::find_if(
      witnesses, [&](const ExtentWitness& w) { return w.extent != first.extent; });
  if (other != witnesses.end() && !isNarrowed(kernel, id)) {
    errors.push_back(base::errorAt(
        kernel.source, other->access->span,
        fmt::format("loop `{}` would have two extents: {} from dimension {} of {}, and {} from "
                    "dimension {} of {}",
                    loop.name, first.extent, first.dim, placeOf(kernel, *first.access),
                    other->extent, other->dim, placeOf(kernel, *other->access)),
        extentsHint(kernel, id, first, *other)));
  }
}

}  // namespace

std::int64_t widestExtent(const Kernel& kernel, LoopId loop) {
  std::int64_t widest = 0;
  for (const ExtentWitness& witness : witnessesOf(kernel, loop)) {
    widest = std::max(widest, witness.extent);
  }
  return widest;
}

void deriveExtents(Kernel& kernel, base::Diagnostics& errors) {
  for (std::size_t l = 0; l < kernel.loops.size(); ++l) {
    deriveExtent(kernel, LoopId::of(l), errors);
  }
  // Their help counts on the extents of all others.
  for (std::size_t l = 0; l < kernel.loops.size(); ++l) {
    if (kernel.loops[l].extent == 0) reportUnknown(kernel, LoopId::of(l), errors);
  }
}

void deriveShapes(Kernel& kernel) {
  for (const Statement& statement : kernel.statements) {
    Tensor& tensor = kernel.tensors[statement.target.tensor.index()];
    for (std::size_t d = 0; d < tensor.shape.size(); ++d) {
      const affine::LinearExpr& index = statement.target.indices[d];
      if (tensor.shape[d] > 0) continue;
      std::int64_t last = index.constant;
      for (std::size_t l = 0; l < kernel.loops.size(); ++l)
        last += index.coefficient(l) * (kernel.loops[l].extent - 1);
      tensor.shape[d] = last + 1;
    }
  }
}

}  // namespace gridloom::kernel
