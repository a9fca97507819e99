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

/// What a kernel becomes when its loops are blocked: one perfect nest of tile loops around an
/// ordered list of tile operations. This is what a mapping places on hardware (TL: Li et al., 2025,
/// Sec. 2.2: grid loops outside, sequential loops inside).
///
/// Sizes below are functions of a tile's extents: `extents[l]` elements along loop l (the block size,
/// or less at a ragged edge).

/// One dimension of the region of a tensor that a tile touches:
/// extent = sum_l |coefficient[l]| * (extents[l] - 1) + 1 + (maxOffset - minOffset), at most -minOffset behind.
struct RegionDim {
  affine::LinearExpr index;  ///< start of the region at a tile's origin, without the offsets
  std::int64_t minOffset = 0;
  std::int64_t maxOffset = 0;
  /// Only what lies before the tile's origin: the rest is computed in the tile itself.
  bool behind = false;
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
  TileGuard guard = {};        ///< inputs: the tiles that need it
  bool produced = false;       ///< an input that the kernel itself writes: tiles of an output
  std::vector<LoopId> makers =
      {};  ///< `produced`: per dimension, the loop whose tiles make its elements

  bool dependsOn(LoopId loop) const;
};
std::int64_t regionElements(const Operand& operand, std::span<const std::int64_t> extents);
std::int64_t regionBytes(const Operand& operand, std::span<const std::int64_t> extents);

/// A value that lives in a core between statements (an accumulator, running state). `loops` are the
/// loops whose extents its size follows; running dimensions are collapsed to the live slice.
struct LocalBuffer {
  TensorId tensor;
  std::string name;
  DType dtype = DType::F32;
  std::vector<LoopId> loops;
  /// Keeps its value across iterations of the non-parallel tile loops (an accumulator, running state);
  /// otherwise it lives within one iteration.
  bool carried = false;
};
std::int64_t localBytes(const LocalBuffer& local, std::span<const std::int64_t> extents);

/// A local tensor that is reduced over loops of which every core may have one share: each core reduces its own, the
/// results are joined over the cores, and all of them go on with what that gave.
struct AllReduce {
  StatementId statement;
  TensorId tensor;
  std::string name;
  DType dtype = DType::F32;
  std::vector<LoopId> over;   ///< the loops with shares that it reduces
  std::vector<LoopId> loops;  ///< those of the tensor's elements, sorted
  std::vector<ExprOp>
      joins;  ///< per outermost reduction of the statement: Sum, MaxReduce or MinReduce
  /// What joining the results of another core takes, one operation per reduction.
  std::vector<TileOp> ops;
};
/// Of one core's results: an element per reduction and element of the tensor.
std::int64_t resultBytes(const AllReduce& reduce, std::span<const std::int64_t> extents);

struct TileNest {
  std::vector<std::int64_t> extents;  ///< per loop of the kernel
  std::vector<LoopId> parallel;       ///< grid loops, may be placed in space
  std::vector<LoopId>
      reductions;  ///< may be tiled in time, or split in space with a combination at the end
  std::vector<LoopId> sequential;  ///< running loops: tiled in time, in order
  /// How the state that runs along the one sequential loop joins, so that its tiles may be dealt to several cores;
  /// `noMerge` says why not where it cannot.
  std::optional<StateMerge> merge;
  std::string noMerge;
  /// Loops that cannot be tiled, with the reason ("j is reduced by `m` and free in `Y`"). Their block is
  /// their extent.
  struct Whole {
    LoopId loop;
    std::string reason;
    /// Cores may take one share of it each, none of them several in time: what it is reduced to are `allReduces`.
    bool inShares = false;
    std::string noShares = {};  ///< why not, where it is reduced and free
  };
  std::vector<Whole> whole;
  std::vector<AllReduce> allReduces;  ///< in the order of their statements
  std::vector<Operand> inputs;
  std::vector<Operand> outputs;
  std::vector<LocalBuffer> locals;
  std::vector<TileOp> ops;  ///< in execution order
  TileGuard work;           ///< the tiles in which anything is to be done

  /// Outputs that depend on each other only: loops with blocks of one size, sums with the loop in whose tile
  /// they end, and the loops along which the elements of a tile are computed one after the other.
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

/// The nest of a kernel, or why there is none yet ("not yet mapped: X carries a dependence along i
/// whose distance is not constant (X[i, r] needs X[j, r])"), located at the statement.
base::Result<TileNest> tileNest(const Kernel& kernel);

/// Whether a core has anything to do or load once its non-parallel tile loops are done. A copy or a
/// constant has no tile operation: the phase of its operands tells.
bool hasEpilogue(const TileNest& nest);

}  // namespace gridloom::kernel
