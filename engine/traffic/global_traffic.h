// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "traffic/channel_traffic.h"
#include "traffic/channel_window.h"
#include "traffic/pattern_draft.h"

namespace gridloom::traffic {

/// Where the tiles of an operand live. Tiles in the nearest channel that several cores load are
/// near to the one at coordinate 0 along `shared`. Pages lie in all channels, or in the window of a
/// number from 1.
struct Home {
  mapping::TensorLayout layout = mapping::TensorLayout::PageInterleaved;
  mapping::DimMask shared = 0;
  std::size_t window = 0;
  int gather = -1;  ///< the core at coordinate 0 along it also moves the tiles of the others
  std::uint64_t key() const {
    return static_cast<std::uint64_t>(layout) << 16 | static_cast<std::uint64_t>(shared) << 18 |
           window << 34 | static_cast<std::uint64_t>(window > 0 ? gather + 1 : 0) << 50;
  }
};

/// Transfers between global memory and the active cores of a machine.
class GlobalTraffic {
 public:
  /// `nothing`: no load.
  GlobalTraffic(const hardware::Topology& hw, const std::vector<std::int64_t>& active,
                const std::vector<ChannelWindow>& windows, const base::Progress* progress,
                std::shared_ptr<const Load> nothing);

  /// Of the cores of `mask`, which load or store one byte per byte of a tile; none for tiles in
  /// local layout.
  PatternDraft of(mapping::DimMask mask, bool write, Home home);

 private:
  hardware::ChannelId nearestTo(hardware::CoreId core, mapping::DimMask shared, bool write) const;
  ChannelChoice choiceFor(Home home, bool write) const;
  /// Of a core that also moves the tiles of the others along a dimension.
  ChannelChoice gathered(const ChannelWindow& window, int along) const;
  Phase phaseOf(mapping::DimMask mask, bool write, Home home, Pattern& pattern) const;
  const KnownPhase& knownPhase(mapping::DimMask mask, bool write, Home home);
  /// Pattern::together of subsets of the loaders; `alone`: its first.
  std::vector<double> together(mapping::DimMask loaders, bool write, Home home, double alone);
  bool isCancelled() const { return m_progress != nullptr && m_progress->cancelled(); }

  const hardware::Topology& m_hw;
  const std::vector<std::int64_t>& m_active;
  const std::vector<ChannelWindow>& m_windows;
  const base::Progress* m_progress;
  Resources m_resources;
  std::shared_ptr<const Load> m_nothing;
  ChannelChoice m_all;                                     ///< every channel alike
  using Key = std::pair<mapping::DimMask, std::uint64_t>;  ///< mask and home
  /// [write]: of cores that patterns load or store with.
  std::map<Key, KnownPhase> m_known[2];
  /// [write]: the busiest resource, of other sets of cores, too.
  std::map<Key, double> m_together[2];
};

}  // namespace gridloom::traffic
