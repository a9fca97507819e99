// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernel/kernel.h"
#include "kernel/state_merge.h"
#include "kernel/tile_guard.h"
#include "kernel/tile_op.h"

namespace gridloom::kernel {

/// A kernel with tiled loops: one perfect nest of tile loops around an ordered list of tile
/// operations. A mapping places it on a machine (TL: Li et al., 2025, Sec. 2.2: grid loops outside,
/// sequential loops inside).
///
/// Sizes below are functions of a tile's extents: `extents[l]` elements along loop l (the tile
/// size, or fewer at an edge tile).

/// One dimension of the region of a tensor that a tile accesses. Its extent is sum_l
/// |coefficient[l]| * (extents[l] - 1) + 1 + (maxOffset - minOffset), or at most -minOffset with
/// `behind`.
struct RegionDim {
  affine::LinearExpr index;  ///< start of the region at a tile's origin, without the offsets
  std::int64_t minOffset = 0;
  std::int64_t maxOffset = 0;
  /// Only elements before the tile's origin belong to it: the tile itself computes the others.
  bool behind = false;
};

/// How an operand that is read through indices is fetched: for every point of the loops in its
/// indices, one request for a row. A row is contiguous: the dimensions behind the last gathered
/// one, as far as the inner ones are whole. Rows are not reused within a tile, whatever the
/// indices are.
struct Gather {
  Access access;
  std::vector<std::int64_t> rowShape;  ///< of the tensor, per dimension of a row; the last `dims`
  /// Bytes of memory that one request takes at least, and in whole multiples
  /// (hardware::GlobalMemory::randomAccess).
  std::int64_t requestBytes = 1;
};

/// A tensor in global memory as the nest reads or writes it, all its accesses merged into one
/// bounding region.
struct Operand {
  TensorId tensor;
  std::string name;
  DType dtype = DType::F32;
  bool output = false;
  std::vector<RegionDim> dims;
  std::vector<LoopId> loops;   ///< the loops its region depends on
  Phase phase = Phase::Every;  ///< inputs of epilogue statements only are loaded in the epilogue
  bool isReadAgain = false;    ///< an input of Phase::Every that the epilogue reads, too
  TileGuard guard = {};        ///< inputs: the tiles that need it
  bool produced = false;       ///< an input that the kernel itself writes: tiles of an output
  std::vector<LoopId> makers =
      /// `produced`: per dimension, the loop whose tiles produce its elements
      {};
  /// Inputs read through indices. `dims` are then one per loop of the indices, before those of the
  /// tensor that no such loop indexes.
  std::optional<Gather> gather = {};
  std::vector<std::int64_t> shape = {};  ///< of the tensor, per entry of `dims`; empty: gathered

  bool dependsOn(LoopId loop) const;
  bool isReadIn(Phase when) const { return phase == when || (isReadAgain && when != phase); }
};
std::int64_t regionElements(const Operand& operand, std::span<const std::int64_t> extents);
std::int64_t regionBytes(const Operand& operand, std::span<const std::int64_t> extents);

/// The rows of a region in a tensor that lies row by row.
struct RegionRows {
  std::int64_t bytes = 0;  ///< of one row, which lie together
  /// The largest number of bytes of which all distances between rows are multiples; 0: there is one
  /// row, or rows are gathered.
  std::int64_t apart = 0;
};
RegionRows regionRows(const Operand& operand, std::span<const std::int64_t> extents);

/// A value that stays in a core between statements (an accumulator, loop-carried state). `loops`
/// are the loops whose extents determine its size; a sequential dimension holds the live slice
/// only.
struct LocalBuffer {
  TensorId tensor;
  std::string name;
  DType dtype = DType::F32;
  std::vector<LoopId> loops;
  /// Keeps its value across iterations of the non-parallel tile loops (an accumulator, loop-carried
  /// state); otherwise it lives within one iteration.
  bool carried = false;
  /// State along a loop of outputs (TileNest::outputLoops): that loop, which an output scope does
  /// not include, and how many slices of the tiles before a tile it keeps beside the tile's own.
  LoopId keptAlong = {};
  std::int64_t kept = 0;
};
std::int64_t localBytes(const LocalBuffer& local, std::span<const std::int64_t> extents);

/// A local tensor reduced over loops of which every core may have one share: each core reduces its
/// own share, and an all-reduce gives the total to all of them.
struct AllReduce {
  StatementId statement;
  TensorId tensor;
  std::string name;
  DType dtype = DType::F32;
  std::vector<LoopId> over;   ///< the loops with shares over which it is reduced
  std::vector<LoopId> loops;  ///< the loops of the tensor's elements, sorted
  /// per outermost reduction of the statement: Sum, MaxReduce or MinReduce
  std::vector<ExprOp> joins;
  /// Operations that combine the results of another core, one per reduction.
  std::vector<TileOp> ops;
};
/// Bytes of one core's results: an element per reduction and element of the tensor.
std::int64_t resultBytes(const AllReduce& reduce, std::span<const std::int64_t> extents);

struct TileNest {
  std::vector<std::int64_t> extents;  ///< per loop of the kernel
  std::vector<LoopId> parallel;       ///< grid loops, may be spatial
  /// may be tiled in time, or split in space with a reduction at the end
  std::vector<LoopId> reductions;
  std::vector<LoopId> sequential;  ///< loops with loop-carried state: tiled in time, in order
  /// Loops along which tiles of outputs are finished one by one: the parallel ones, and the
  /// sequential ones that every output runs over (`y[t]` of a scan over t).
  std::vector<LoopId> outputLoops;
  /// Associative combine of the state along the one sequential loop, so that the loop may be
  /// spatial; otherwise `noMerge` names the reason.
  std::optional<StateMerge> merge;
  std::string noMerge;
  /// Loops that cannot be tiled, with the reason ("j is reduced by `m` and free in `Y`"). Their
  /// tile size is their extent.
  struct Whole {
    LoopId loop;
    std::string reason;
    /// The loop may be spatial with one share per core; the results over it are `allReduces`.
    bool inShares = false;
    std::string noShares = {};  ///< reason why not, for a two-pass reduction
  };
  std::vector<Whole> whole;
  std::vector<AllReduce> allReduces;  ///< in the order of their statements
  std::vector<Operand> inputs;
  std::vector<Operand> outputs;
  std::vector<LocalBuffer> locals;
  std::vector<TileOp> ops;  ///< in execution order
  TileGuard work;           ///< the tiles with any work
  bool finishes = false;    ///< a statement runs in the epilogue, maybe without a tile operation

  /// Only where outputs depend on each other: loops with equal tile sizes, sums with the loop in
  /// whose tile they end, and the loops along which the elements of a tile are computed one after
  /// the other.
  struct End {
    LoopId sum;
    LoopId by;
  };
  std::vector<std::vector<LoopId>> ties;
  std::vector<End> ends;
  std::vector<LoopId> steps;

  bool hasProduced() const;
  bool isInShares(LoopId loop) const;
};

/// The nest of a kernel, or the reason why it has none ("not yet mapped: X carries a dependence
/// along i whose distance is not constant (X[i, r] needs X[j, r])"), located at the statement.
base::Result<TileNest> tileNest(const Kernel& kernel);

/// Whether a core has any work or load in the epilogue.
bool hasEpilogue(const TileNest& nest);

}  // namespace gridloom::kernel
