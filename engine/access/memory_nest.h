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

/// A whole loop nest laid over a stack of memories: what each memory keeps, in which order its tiles pass,
/// and which loops are dealt out to the instances of the memory below. It says nothing of time; it is what
/// accesses are counted from.
struct NestLoop {
  kernel::LoopId loop;
  std::int64_t trips = 1;
};

/// A loop whose iterations go side by side to instances of the next memory (or to the units that compute).
struct SpatialLoop {
  kernel::LoopId loop;
  std::int64_t unroll = 1;
  int axis = 0;  ///< 0: x, 1: y; neighbours along an axis can hand on what both need
};

struct NestLevel {
  std::string memory;
  std::vector<NestLoop> loops;             ///< outermost first
  std::vector<SpatialLoop> spatialLoops;   ///< inside the loops, outermost first
  std::vector<kernel::TensorId> bypassed;  ///< not kept here: passed through to the next level

  bool keeps(kernel::TensorId tensor) const;
};

struct MemoryNest {
  std::vector<NestLevel> levels;  ///< outermost memory first
};

/// The `.nest` language, by the names the user wrote:
///   level(Buffer)          from here on, loops stand over tiles below this memory; outermost first
///   loop(k, 16)            one temporal loop, inside those before it; loop(k): whatever is left of k
///   spread(k->x, 16)       side by side along x (or y); spread(k, 16): along x
///   bypass(W, O)           these tensors are not kept in this memory
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

/// Resolves names against kernel and hardware. Errors, located: unknown names, factors that do not make up
/// a loop's extent, more instances than the hardware has, tiles larger than their memory, a tensor that is
/// kept nowhere; kernels of more than one statement, or whose domain is no box.
base::Result<MemoryNest> resolve(const NestDirectives& directives, const kernel::Kernel& kernel,
                                 const hardware::HardwareSpec& hardware);

/// Elements per loop that the loops and spatialLoops of `firstLevel` and the levels inside it span; all 1 for
/// levels.size(), where a tile is one point.
std::vector<std::int64_t> tileExtents(const kernel::Kernel& kernel, const MemoryNest& nest,
                                      std::size_t firstLevel);

/// Extent of a tensor's box per dimension, for loops of these extents.
std::vector<std::int64_t> boxOf(const kernel::Access& access,
                                const std::vector<std::int64_t>& extents);

/// The accesses of a kernel of one statement: what it reads, in order, then what it writes.
std::vector<const kernel::Access*> nestAccesses(const kernel::Kernel& kernel);

}  // namespace gridloom::access
