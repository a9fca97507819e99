// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/result.h"
#include "mapping/equations.h"
#include "mapping/mapping.h"

namespace gridloom::mapping {

/// Tile sizes from `least` to `most`, both included; equal for a single size.
struct TileSizeRange {
  std::int64_t least = 1;
  std::int64_t most = 1;
  friend auto operator<=>(const TileSizeRange&, const TileSizeRange&) = default;
};

/// One directive of a `.sched` file, by the names the user wrote. Meaning:
///   space(i->x)             loop i is unrolled over mesh dimension x; space(i->x,y): over both, in
///                           this order
///   space(->y)              dimension y stays unused
///   tile(i, 128)            tile size of loop i; tile(i, 64, 128): any of these;
///                           tile(i, 64 to 256): the usual sizes from 64 to 256
///   order(j, i, k)          temporal order, outermost first; it orders the named loops among each
///                           other; a loop with one trip is ignored
///   direct(A)               every core loads A itself
///   multicast(A, y)         multicast along y; multicast(A, x, y): along both, x first
///   two_stage(A, x, y)      two-stage multicast: along x, then y
///   stream(B, x)            systolic stream: from neighbour to neighbour along x
///   all_gather(A, x)        ring all-gather along x: every core loads a share of the tile and
///                           passes shares to its next neighbour
///   shared(A, y)            cores along y hold one copy of A in the local memory they share;
///                           shared(A, none): each its own
///   rotate(A, y)            every core along y loads a tile of A, then they travel round
///   stationary(X@2)         tiles that the kernel makes stay in the core that makes them
///   forwarded(X@2)          tiles that the kernel makes go from core to core over the network
///   prefetch(L)             load once before the first iteration (level 0)
///   hoist(A, k)             the transfer stands just outside loop k; hoist(A, i, k): outside one
///                           of these; hoist(A): in the innermost iteration
///   double(A) / single(A)   two buffers / one
///   buffer(A, mem)          A goes through the shared buffer `mem`; buffer(A, mem, k): loaded into
///                           it just outside loop k; buffer(A, mem, k, double): into two buffers
///                           there (or single); buffer(A, none): through none
///   buffer(A, k, double)    of a loop instead of a memory: hoist(A, k), two buffers (or single)
///   buffer(C, mem, double)  finished tiles of C go through two buffers of `mem` (or single) to
///                           global memory
///   gather(C, x)            finished tiles are gathered along x; gather(C): every core writes its
///                           own tiles
///   reduce(C, chain|tree|reduce_scatter|none)  the reduction of the partial results of an output,
///                           or of a local tensor (AllReduce)
///   unit(C, matrix|vector)  the unit that performs the products in the statements of C
///   layout(A, page|tile|nearest|local)  where the tensor lives (TensorLayout)
///   scatter(A, y)           different tiles of A along y: each core keeps its own, the others pass
///                           it from neighbour to neighbour
///   vectorize(k, 16)        tiles of loop k fill the 16 lanes that the unit has along it
///   isolate(A, loader, feeder)  functions of their own (DataflowRole): a loader, and feeders,
///                           which pass A on; isolate(C, drainer, collector, unloader)
///   not D                   excludes what directive D describes; `not multicast(A)`,
///                           `not two_stage(A)`, `not stream(A)`, `not all_gather(A)` and
///                           `not rotate(A)` exclude it along every dimension
/// Where a directive names mesh dimensions, a loop that `space` places stands for its dimensions:
/// stream(B, j).
struct Directive {
  enum class Kind {
    Space,
    Tile,
    Order,
    Direct,
    Multicast,
    TwoStage,
    Stream,
    Shared,
    Stationary,
    Forwarded,
    Prefetch,
    Hoist,
    Double,
    Single,
    SharedBuffer,
    Gather,
    Reduce,
    Layout,
    AllGather,
    Rotate,
    Unit,
    Scatter,
    Vectorize,
    Isolate,
    Map,
    Equation
  };
  using Name = NameInText;
  Kind kind = Kind::Tile;
  bool excluded = false;  ///< preceded by `not`
  Name subject;           ///< loop or tensor; empty for order(...) and space(->y)
  /// dimensions, loops, a memory, chain|tree|none, single|double, a layout
  std::vector<Name> names;
  std::vector<TileSizeRange> sizes;  ///< tile
  std::optional<SpaceMap> map;       ///< Map; see equation_lowering.h
  std::optional<mapping::Equation> equation;
  base::Span span;
};

struct Directives {
  std::vector<Directive> list;
  base::SourceRef source;
};

/// Directives resolved against one kernel and one machine: the choices that every axis may have. An
/// absent entry leaves the axis free.
struct Constraints {
  std::map<LoopId, std::vector<TileSizeRange>> tileSizes;
  /// Per mesh dimension: the loop it must carry (invalid id: must stay unused).
  std::map<int, LoopId> space;
  /// For loops on several dimensions: their tiling order, outermost first.
  std::map<LoopId, std::vector<std::uint8_t>> dimOrder;
  std::optional<std::vector<LoopId>> order;
  /// What directives say of one level of Topology::sharedBuffers.
  struct SharedUse {
    std::optional<bool> isUsed;
    std::optional<LoopId> outside;  ///< inputs; the invalid id: in the innermost iteration
    std::optional<std::uint8_t> buffers;
    std::optional<DimMask> along;  ///< inputs, as SharedBufferUse::along
    friend bool operator==(const SharedUse&, const SharedUse&) = default;
  };
  using SharedUses = std::array<SharedUse, hardware::kMostSharedBuffers>;
  struct Input {
    std::optional<MovementKind> kind;
    std::optional<DimMask> along;
    std::optional<std::uint8_t> first;
    /// Just outside one of these loops; the invalid id: in the innermost iteration. Empty: free.
    std::vector<LoopId> hoistOutside;
    bool prefetch = false;
    std::optional<std::uint8_t> buffers;
    SharedUses sharedBuffers;
    std::optional<TensorLayout> layout;
    std::optional<DimMask> shared;  ///< one copy for the cores along these dimensions
  };
  struct Output {
    std::optional<ReductionTopology> reduction;
    std::optional<int> gather;
    std::optional<std::uint8_t> buffers;
    std::optional<TensorLayout> layout;
    SharedUses sharedBuffers;
  };
  std::map<int, Input> inputs;                                 ///< index into TileNest::inputs
  std::map<int, Output> outputs;                               ///< index into TileNest::outputs
  std::map<int, std::optional<ReductionTopology>> allReduces;  ///< index into TileNest::allReduces
  /// The units that products run on, by the tensor of their statements. They hold where the nest
  /// has them, too (mapping/units.h).
  std::map<kernel::TensorId, kernel::UnitKind> units;

  /// What `not` excludes: a choice that agrees with everything one entry says about its axis is
  /// excluded.
  std::vector<Constraints> excluded;

  /// Location of the directives about an axis, for messages about what they leave.
  enum class Axis : std::uint8_t { Blocks, Space, Order, Input, Output, AllReduce };
  struct Origin {
    Axis axis = Axis::Blocks;
    int index = 0;  ///< loop, input, output or all-reduce; 0 for space and order
    base::Span span;
  };
  std::vector<Origin> origins;
  base::SourceRef source;

  /// An error at the last directive about an axis, or without a location when there is none.
  base::Diagnostic errorAbout(Axis axis, int index, std::string message, std::string hint) const;
};

/// Resolves names. Directives that contradict each other, unknown names and tile sizes out of range
/// are located errors.
base::Result<Constraints> resolve(const Directives& directives, const kernel::Kernel& kernel,
                                  const kernel::TileNest& nest, const hardware::Topology& hw);

/// Tensors that live in local memory (TensorLayout::Local).
std::vector<kernel::TensorId> residentTensors(const kernel::TileNest& nest,
                                              const Constraints& constraints);
std::vector<kernel::TensorId> residentTensors(const kernel::TileNest& nest, const Mapping& mapping);

/// The directives that pin which loops are spatial, and their tile sizes: `space(i->x) space(->y)
/// tile(i, 5)`.
std::string printPlacement(const kernel::Kernel& kernel, const hardware::Topology& hw,
                           const Mapping& mapping);

/// The directives that pin exactly this mapping, in the `.sched` language.
std::string printDirectives(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                            const hardware::Topology& hw, const Mapping& mapping);

}  // namespace gridloom::mapping
