// SPDX-License-Identifier: Apache-2.0
#include "kernel/tile_guard.h"

#include <algorithm>
#include <limits>

#include "base/units.h"

namespace gridloom::kernel {

namespace {

using Differences = std::vector<Difference>;

constexpr std::int64_t kFree = std::numeric_limits<std::int64_t>::min();
/// More than any loop has: sums of differences without a solution stop here.
constexpr std::int64_t kMostLeast = std::int64_t{1} << 60;

// Whether the difference is possible with the largest a and the smallest b.
bool reaches(const Difference& d, std::int64_t largestA, std::int64_t smallestB) {
  return (d.a.valid() ? largestA : 0) - (d.b.valid() ? smallestB : 0) >= d.least;
}

TileSpan spanAt(std::span<const TileSpan> spans, LoopId loop) {
  return loop.valid() ? spans[loop.index()] : TileSpan{};
}

const Difference* differenceIn(const Differences& closed, LoopId a, LoopId b) {
  const auto found =
      std::ranges::find_if(closed, [&](const Difference& d) { return d.a == a && d.b == b; });
  return found == closed.end() ? nullptr : &*found;
}

// Whether ranges have a difference as soon as they have the bounds of single loops in `closed`.
// Ranges begin at 0 or later.
bool isImplied(const Difference& d, const Differences& closed) {
  if (!d.b.valid()) return d.least <= 0;
  if (!d.a.valid()) return false;
  const Difference *const above = differenceIn(closed, d.a, {}), *const below =
                                                                     differenceIn(closed, {}, d.b);
  const std::int64_t least = above != nullptr ? std::max<std::int64_t>(above->least, 0) : 0;
  return below != nullptr && least + below->least >= d.least;
}

// Whether a range would have to end before 0, where it begins.
bool endsBefore0(const Difference& d) { return !d.a.valid() && d.least > 0; }

// All that differences say of ranges, in their own order and then in that of the closure. Nothing
// when they have no solution.
std::optional<Differences> closedBounds(const Differences& differences) {
  const auto closed = closureOf(differences);
  if (!closed || std::ranges::any_of(*closed, endsBefore0)) return std::nullopt;
  Differences bounds;
  for (const Differences* list : {&differences, &*closed}) {
    for (const Difference& d : *list) {
      const Difference* const tight = differenceIn(*closed, d.a, d.b);
      if (tight == nullptr || isImplied(*tight, *closed)) continue;
      if (std::ranges::find(bounds, *tight) == bounds.end()) bounds.push_back(*tight);
    }
  }
  return bounds;
}

// A part that holds nowhere, in terms of a loop of this one.
GuardPart neverOf(const GuardPart& part) {
  LoopId loop = LoopId::of(0);
  for (const Differences* list : {&part.tiles, &part.elements}) {
    for (const Difference& d : *list) loop = d.b.valid() ? d.b : d.a.valid() ? d.a : loop;
  }
  return {{Difference{{}, loop, 1}}, {}};
}

bool isNever(const TileGuard& guard) {
  return guard.parts.size() == 1 && std::ranges::any_of(guard.parts.front().elements, endsBefore0);
}

}  // namespace

bool GuardPart::holds(std::span<const TileSpan> at) const {
  return std::ranges::all_of(tiles,
                             [&](const Difference& d) {
                               return reaches(d, spanAt(at, d.a).lastTile,
                                              spanAt(at, d.b).firstTile);
                             }) &&
         std::ranges::all_of(elements, [&](const Difference& d) {
           return reaches(d, spanAt(at, d.a).end - 1, spanAt(at, d.b).begin);
         });
}

std::int64_t GuardPart::leastLastTile(std::span<const TileSpan> at, LoopId loop,
                                      std::int64_t tileSize) const {
  std::int64_t least = 0;
  for (const Difference& d : tiles) {
    if (d.a == loop) least = std::max(least, d.least + spanAt(at, d.b).firstTile);
  }
  for (const Difference& d : elements) {
    if (d.a != loop) continue;
    const std::int64_t element = d.least + spanAt(at, d.b).begin;
    if (element > 0) least = std::max(least, element / tileSize);
  }
  return least;
}

std::int64_t GuardPart::greatestFirstTile(std::span<const TileSpan> at, LoopId loop,
                                          std::int64_t tileSize) const {
  std::int64_t greatest = std::numeric_limits<std::int64_t>::max();
  for (const Difference& d : tiles) {
    if (d.b == loop) greatest = std::min(greatest, spanAt(at, d.a).lastTile - d.least);
  }
  for (const Difference& d : elements) {
    if (d.b != loop) continue;
    const std::int64_t element = spanAt(at, d.a).end - 1 - d.least;
    greatest = std::min(greatest, base::floorDiv(element, tileSize));
  }
  return greatest;
}

bool TileGuard::holds(std::span<const TileSpan> tiles) const {
  return parts.empty() ||
         std::ranges::any_of(parts, [&](const GuardPart& part) { return part.holds(tiles); });
}

std::vector<LoopId> TileGuard::loops() const {
  std::vector<LoopId> all;
  for (const GuardPart& part : parts) {
    for (const auto* list : {&part.elements, &part.tiles}) {
      for (const Difference& d : *list) {
        if (d.a.valid()) all.push_back(d.a);
        if (d.b.valid()) all.push_back(d.b);
      }
    }
  }
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::optional<std::vector<Difference>> differencesOf(const affine::Constraint& constraint) {
  Difference d;
  for (std::size_t l = 0; l < constraint.expr.coefficients.size(); ++l) {
    const std::int64_t c = constraint.expr.coefficients[l];
    if (c == 0) continue;
    LoopId& side = c > 0 ? d.a : d.b;
    if ((c != 1 && c != -1) || side.valid()) return std::nullopt;
    side = LoopId::of(l);
  }
  d.least = -constraint.expr.constant;
  // What holds everywhere, as sizes alone do, bounds no loop.
  const bool isNumber = !d.a.valid() && !d.b.valid();
  if (isNumber && (constraint.equality ? d.least == 0 : d.least <= 0))
    return std::vector<Difference>{};
  if (!constraint.equality) return std::vector{d};
  return std::vector{d, Difference{d.b, d.a, -d.least}};
}

affine::Constraint constraintOf(const Difference& d, std::int64_t factorA, std::int64_t factorB) {
  affine::LinearExpr expr = affine::LinearExpr::number(-d.least);
  if (d.a.valid()) expr = expr + affine::LinearExpr::dim(d.a.index(), factorA);
  if (d.b.valid()) expr = expr - affine::LinearExpr::dim(d.b.index(), factorB);
  return {expr, false};
}

std::optional<std::vector<Difference>> closureOf(std::span<const Difference> differences) {
  std::vector<LoopId> nodes{LoopId{}};
  const auto nodeOf = [&](LoopId loop) {
    const auto found = std::ranges::find(nodes, loop);
    if (found != nodes.end()) return static_cast<std::size_t>(found - nodes.begin());
    nodes.push_back(loop);
    return nodes.size() - 1;
  };
  for (const Difference& d : differences) {
    nodeOf(d.a);
    nodeOf(d.b);
  }
  const std::size_t n = nodes.size();
  std::vector<std::int64_t> least(n * n, kFree);
  for (const Difference& d : differences) {
    std::int64_t& known = least[nodeOf(d.a) * n + nodeOf(d.b)];
    known = std::max(known, d.least);
  }
  for (std::size_t via = 0; via < n; ++via) {
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = 0; b < n; ++b) {
        const std::int64_t x = least[a * n + via], y = least[via * n + b];
        if (x != kFree && y != kFree)
          least[a * n + b] = std::max(least[a * n + b], std::min(x + y, kMostLeast));
      }
    }
  }
  std::vector<Difference> closed;
  for (std::size_t a = 0; a < n; ++a) {
    if (least[a * n + a] != kFree && least[a * n + a] > 0) return std::nullopt;
    for (std::size_t b = 0; b < n; ++b) {
      if (a != b && least[a * n + b] != kFree) {
        closed.push_back({nodes[a], nodes[b], least[a * n + b]});
      }
    }
  }
  return closed;
}

void addPart(TileGuard& guard, GuardPart part, bool first) {
  if (guard.always() && !first) return;
  auto elements = closedBounds(part.elements), tiles = closedBounds(part.tiles);
  if (elements && tiles) {
    part = {*std::move(elements), *std::move(tiles)};
    if (isNever(guard)) guard.parts.clear();
  } else if (guard.parts.empty()) {
    part = neverOf(part);
  } else {
    return;
  }
  if (part.elements.empty() && part.tiles.empty()) {
    guard.parts.clear();
  } else if (std::ranges::find(guard.parts, part) == guard.parts.end()) {
    guard.parts.push_back(std::move(part));
  }
}

}  // namespace gridloom::kernel
