// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "hardware/topology.h"
#include "kernel/tile_nest.h"
#include "mapping/mapping.h"

namespace gridloom::traffic {

/// Shares of channels are rounded to eighths of the largest share, so that few windows differ.
constexpr std::int64_t kMostParts = 8;

/// What windows depend on of a mapping: all but its temporal order and movements.
struct TiledSpace {
  const mapping::Mapping& mapping;
  const mapping::Tiling& tiling;
  const std::vector<std::int64_t>& active;  ///< coordinates with work, per mesh dimension
};

/// The channels of global memory that transfers of small tiles use. A core at some place of the
/// mesh uses those that are `offsets` after its own first one (around the end); its first one is
/// the sum of `step[d]` times its coordinate along d. Its bytes lie in them as `parts` says: a last
/// page may hold few of them.
struct ChannelWindow {
  std::vector<std::int64_t> offsets;  ///< ascending
  std::vector<std::int64_t> parts;    ///< per offset, from 1 to kMostParts
  std::vector<std::int64_t> step;     ///< per mesh dimension
  auto operator<=>(const ChannelWindow&) const = default;
  bool operator==(const ChannelWindow&) const = default;
};

/// Finds the windows of a kernel's operands, from where pages and tiles lie
/// (timing/interleaving.h). A core whose transfers reach as many channels as there are is taken to
/// use all of them alike.
class ChannelWindows {
 public:
  ChannelWindows(const kernel::TileNest& nest, const hardware::Topology& hw);

  /// Of transfers with the loops of the set `outside` around them; none where they use all
  /// channels.
  std::optional<ChannelWindow> of(const TiledSpace& space, const kernel::Operand& operand,
                                  std::uint64_t outside, mapping::TensorLayout layout) const;
  /// All that the operands can have under any order of the temporal loops, sorted. `tiles`: of
  /// tensors whose tiles lie whole in one channel each, too.
  std::vector<ChannelWindow> all(const TiledSpace& space, bool tiles) const;

 private:
  void add(const TiledSpace& space, const kernel::Operand& operand, bool tiles,
           std::vector<ChannelWindow>& windows) const;

  const hardware::Topology& m_hw;
  const kernel::TileNest& m_nest;
};

}  // namespace gridloom::traffic
