// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "hardware/hardware_spec.h"
#include "kernel/kernel.h"

namespace gridloom::access {

/// A whole loop nest over a hierarchy of memories: the tensors that each memory holds, the order of
/// its tiles, and the loops unrolled over the instances of the next memory. It has no times; access
/// counts are derived from it.
struct NestLoop {
  kernel::LoopId loop;
  std::int64_t trips = 1;
};

/// A loop whose iterations run side by side on instances of the next memory (or on the compute
/// units).
struct SpatialLoop {
  kernel::LoopId loop;
  std::int64_t unroll = 1;
  int axis = 0;  ///< 0: x, 1: y; neighbours along an axis can share what both need
};

struct NestLevel {
  std::string memory;
  std::vector<NestLoop> loops;             ///< outermost first
  std::vector<SpatialLoop> spatialLoops;   ///< inside the loops, outermost first
  std::vector<kernel::TensorId> bypassed;  ///< not stored here: accesses go to the next level

  bool keeps(kernel::TensorId tensor) const;
};

struct MemoryNest {
  std::vector<NestLevel> levels;  ///< outermost memory first
};

/// The `.nest` language, by the names the user wrote:
///   level(Buffer)          following loops iterate over tiles below this memory; outermost first
///   loop(k, 16)            one temporal loop, inside those before it; loop(k): the rest of k
///   spatial(k->x, 16)      unrolled along x (or y); spatial(k, 16): along x
///   bypass(W, O)           this memory does not store these tensors
struct NestDirective {
  enum class Kind { Level, Loop, Spatial, Bypass };
  struct Name {
    std::string text;
    base::Span span;
  };
  Kind kind = Kind::Loop;
  std::vector<Name> names;  ///< the memory, the loop (and the axis), or tensors
  std::optional<std::int64_t> count;
  base::Span span;
};

struct NestDirectives {
  std::vector<NestDirective> list;
  base::SourceRef source;
};

/// Resolves names against kernel and machine. Located errors: unknown names, factors that do not
/// multiply to a loop's extent, more instances than the machine has, tiles larger than their
/// memory, a tensor without any memory; kernels of more than one statement, or with a domain that
/// is not a box.
base::Result<MemoryNest> resolve(const NestDirectives& directives, const kernel::Kernel& kernel,
                                 const hardware::HardwareSpec& hardware);

/// Elements per loop that the loops of `firstLevel` and the levels inside it span; all 1 for
/// levels.size(), where a tile is one point.
std::vector<std::int64_t> tileExtents(const kernel::Kernel& kernel, const MemoryNest& nest,
                                      std::size_t firstLevel);

/// Extent of a tensor's box per dimension, for loops of these extents.
std::vector<std::int64_t> boxOf(const kernel::Access& access,
                                const std::vector<std::int64_t>& extents);

/// The accesses of a kernel of one statement: what it reads, in order, then what it writes.
std::vector<const kernel::Access*> nestAccesses(const kernel::Kernel& kernel);

}  // namespace gridloom::access
