// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/result.h"
#include "mapping/mapping.h"

namespace gridloom::mapping {

/// One directive of a `.sched` file, by the names the user wrote (design, 5). Meaning:
///   space(i->x)            loop i's tiles go to mesh dimension x;  space(i->x,y) in this order;
///   space(->y)             dimension y stays unused
///   tile(i, 128)           block of loop i; tile(i, 64, 128) any of these
///   order(j, i, k)         temporal order, outermost first (of those with more than one trip)
///   direct(A)              every core loads A itself
///   broadcast(A, y)        multicast along y; broadcast(A, x, y) along both, x first;
///   stage(A, x, y)         staged multicast: x, then y
///   stream(B, x)           neighbour to neighbour along x
///   prefetch(L)            load once before the first iteration (level 0)
///   hoist(A, k)            the transfer stands just outside loop k; hoist(A): in the innermost iteration
///   double(A) / single(A)  two buffers / one
///   gather(C, x)           finished tiles are collected along x; gather(C): every core writes its own
///   combine(C, chain|tree|none)
struct Directive {
  enum class Kind {
    Space,
    Tile,
    Order,
    Direct,
    Broadcast,
    Stage,
    Stream,
    Prefetch,
    Hoist,
    Double,
    Single,
    Gather,
    Combine
  };
  struct Name {
    std::string text;
    base::Span span;
  };
  Kind kind = Kind::Tile;
  Name subject;                       ///< loop or tensor; empty for order(...) and space(->y)
  std::vector<Name> names;            ///< dimensions, loops, or chain|tree|none
  std::vector<std::int64_t> numbers;  ///< tile sizes
  base::Span span;
};

struct Directives {
  std::vector<Directive> list;
  base::SourceRef source;
};

/// Directives resolved against one kernel and one hardware: what every axis may be. An absent entry
/// leaves the axis free.
struct Constraints {
  std::map<LoopId, std::vector<std::int64_t>> blocks;
  /// Per mesh dimension: the loop it must carry (invalid id: must stay unused).
  std::map<int, LoopId> space;
  /// For loops on several dimensions: their tiling order, outermost first.
  std::map<LoopId, std::vector<std::uint8_t>> dimOrder;
  std::optional<std::vector<LoopId>> order;
  struct Input {
    std::optional<Spread> spread;
    std::optional<DimMask> along;
    std::optional<std::uint8_t> first;
    std::optional<LoopId> hoistOutside;
    bool prefetch = false;
    std::optional<std::uint8_t> buffers;
  };
  struct Output {
    std::optional<Combine> combine;
    std::optional<int> gather;
    std::optional<std::uint8_t> buffers;
  };
  std::map<int, Input> inputs;    ///< index into TileNest::inputs
  std::map<int, Output> outputs;  ///< index into TileNest::outputs
};

/// Resolves names; two directives that cannot both hold, unknown names, block sizes out of range are
/// located errors.
base::Result<Constraints> resolve(const Directives& directives, const kernel::Kernel& kernel,
                                  const kernel::TileNest& nest, const hardware::Topology& hw);

/// The directives that pin exactly this mapping, in the `.sched` language.
std::string printDirectives(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                            const hardware::Topology& hw, const Mapping& mapping);

}  // namespace gridloom::mapping
