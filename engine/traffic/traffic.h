// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/progress.h"
#include "hardware/topology.h"
#include "mapping/transfers.h"
#include "traffic/channel_window.h"

namespace gridloom::traffic {

/// Load that one movement puts on the machine, per byte of a tile, when all groups of cores run it
/// at once.
struct Pattern {
  /// Cycles per byte for which each dominant resource is busy.
  std::vector<double> resourceLoads;
  /// Cycles per byte of the load when all cores start it at the same moment: of its most loaded
  /// resource. `stepPeak`: the same for the steps after it. For an output, the load is its store.
  double loadPeak = 0;
  /// `resourceLoads` of an input's load (an output's store) alone, where other steps follow it.
  std::vector<double> transferLoads;
  const std::vector<double>& load() const {
    return transferLoads.empty() ? resourceLoads : transferLoads;
  }
  std::vector<double> stepPeak;
  /// The same for the load (for an output: the store) when only the cores along the dimensions of a
  /// mask start together, by mask; [0]: a transfer that has the machine to itself.
  std::vector<double> together;
  mapping::DimMask loaders = 0;   ///< dimensions along which cores load (store) for themselves
  std::vector<double> stepAlone;  ///< cycles per byte of each step without contention
  /// Latency of the load and of each step: cycles of the links on the longest route. Of tiles that
  /// neighbours forward: the mean over cores, as each of them is one step of a chain.
  double loadLatency = 0;
  /// Of loads and stores that go around the channels: the mean over the channels, of the core that
  /// is farthest from them. Below it, `loadLatency` is that of single routes.
  double meanLatency = 0;
  std::vector<double> stepLatency;
  /// steps after the load; for a reduction: one per split dimension, before the store
  int stepCount = 0;
  double hops = 0;  ///< Stream, gather, ring: number of hops between neighbours, or rounds
  /// Reduction, per step: number of partial results that are combined, without the core's own. For
  /// an all-reduce, the steps that send the result back follow.
  std::vector<double> joins;
  double transfers = 1;  ///< concurrent loads or stores of tiles over the machine
  /// Bytes over the whole machine per byte of a tile.
  double network = 0, localIn = 0, localOut = 0;
  /// The part of these that partial results cause, or tiles that rotate.
  double partialNetwork = 0, partialIn = 0, partialOut = 0;
};

/// Layouts (mapping::TensorLayout) that patterns are made for. Tile-interleaved tensors load the
/// machine as pages do.
enum class LayoutScope : std::uint8_t {
  Pages,
  Search,  ///< and the nearest-channel layout for tiles of a single core: the layouts of a search
  Every,
};

/// Conditions that select the patterns to make.
struct PatternScope {
  LayoutScope places = LayoutScope::Every;
  bool splits = true;       ///< reductions are split in space
  bool finishing = true;    ///< an epilogue follows them, at coordinate 0 of the split dimensions
  bool passes = false;      ///< tiles are forwarded
  bool allReduces = false;  ///< local tensors are all-reduced
  /// Along these dimensions, only coordinate 0 may move an input: other cores do not use it, or
  /// read its shared copy.
  mapping::DimMask without = ~mapping::DimMask{0};
};

/// Position of the cores whose tiles a core receives along a mesh dimension, as bits.
enum Direction : std::uint8_t {
  kAnywhere = 0,  ///< spread evenly over the line
  kBelow = 1,     ///< at the previous coordinate
  kAbove = 2,     ///< at the next one
  /// Beside kBelow or kAbove: a core at an end of the line receives from the other end, since cores
  /// have several tiles along it, in turn.
  kWraps = 4,
};

/// The movements that a caller needs, where these are not all. The dimensions along which tiles are
/// shared or reductions split make no difference.
class WantedPatterns {
 public:
  void add(const mapping::InputMovement& movement);
  void add(const mapping::OutputMovement& movement);
  bool has(const mapping::InputMovement& movement) const;
  bool has(const mapping::OutputMovement& movement) const;
  /// Reduction topologies of all-reduces.
  void add(mapping::ReductionTopology how) { m_allReduces |= 1U << static_cast<unsigned>(how); }
  bool has(mapping::ReductionTopology how) const {
    return (m_allReduces >> static_cast<unsigned>(how) & 1U) != 0;
  }
  bool passes() const { return m_passes; }
  std::size_t count() const { return m_keys.size(); }
  /// Whether a tensor's tiles lie whole in one channel each.
  bool tiles() const { return m_tiles; }

 private:
  bool m_tiles = false;
  unsigned m_allReduces = 0;  ///< a bit per ReductionTopology
  bool m_passes = false;      ///< tiles are forwarded
  std::set<std::uint64_t> m_keys;
};

/// Patterns of a machine on which `active[d]` coordinates of each mesh dimension work. Tensors are
/// interleaved over all channels, or over the windows of those that are named (global loads spread
/// over the network as routing says), and only resources that can be the most loaded one are kept:
/// a resource whose load is below another's in every pattern never decides, so the largest sum over
/// the kept rows is exact. What a mapping costs does not depend on which other patterns there are.
class TrafficPatterns {
 public:
  /// Once `progress` is cancelled, the patterns are incomplete and must not be used; see
  /// `complete`.
  TrafficPatterns(const hardware::Topology& hw, std::vector<std::int64_t> active,
                  const base::Progress* progress = nullptr, PatternScope scope = {},
                  const WantedPatterns* wanted = nullptr, std::vector<ChannelWindow> windows = {});

  /// Names of the resources: "dram", the network's name, "read port", "write port", "local memory".
  const std::vector<std::string>& resourceNames() const { return m_resourceNames; }
  /// Number of leading resources that can dominate a sum of whole patterns.
  std::size_t resourceCount() const { return m_sumResources; }
  /// These, and the ones that can dominate where loads are summed without the steps after them.
  std::size_t allResourceCount() const { return m_resourceNames.size(); }
  bool complete() const { return m_complete; }
  /// Number of a window, from 1; 0: all channels, where there is none or it has no patterns of its
  /// own.
  std::size_t numberOf(const std::optional<ChannelWindow>& window) const;
  bool hasWindows() const { return !m_windows.empty(); }

  /// `shared`: the dimensions along which cores use the same tile (mapping::sharedDims); `without`:
  /// those along which only coordinate 0 moves it, as no other core uses it
  /// (mapping::finishingDims) or as they read its copy. `window`: its number.
  const Pattern& input(const mapping::InputMovement& movement, mapping::DimMask shared = 0,
                       mapping::DimMask without = 0, std::size_t window = 0) const;
  const Pattern& output(const mapping::OutputMovement& movement, mapping::DimMask finishing,
                        std::size_t window = 0) const;
  /// Tiles that other cores along `along` made, per byte taken; `where` are bits of Direction.
  const Pattern& passed(mapping::DimMask along, std::uint8_t where) const;
  /// An all-reduce along `dims`: results reduced and sent back, per byte of one result.
  const Pattern& allReduce(mapping::ReductionTopology how, mapping::DimMask dims) const;
  /// A step between the shared buffer and another memory.
  const Pattern& through(const mapping::TransferStep& step) const;

 private:
  friend class PatternBuilder;
  friend class WantedPatterns;
  /// `home`: dimensions along which cores load the same tile, each for itself; the nearest channel
  /// of a tile is that of the core at coordinate 0 of them.
  using Key = std::uint64_t;
  static Key key(const mapping::InputMovement& movement, mapping::DimMask home,
                 mapping::DimMask finishing = 0, std::size_t window = 0);
  static Key key(const mapping::OutputMovement& movement, mapping::DimMask finishing,
                 std::size_t window = 0);
  static Key key(const mapping::TransferStep& step);
  static Key key(mapping::ReductionTopology allReduce, mapping::DimMask dims);

  mapping::DimMask m_wide = 0;  ///< wideDims
  bool m_complete = true;
  std::vector<std::string> m_resourceNames;
  std::size_t m_sumResources = 0;
  std::vector<ChannelWindow> m_windows;  ///< sorted
  std::map<Key, Pattern> m_patterns;
};

/// Patterns, made when first asked for. Any thread.
class TrafficCache {
 public:
  TrafficCache(const hardware::Topology& hw, const base::Progress* progress, PatternScope scope)
      : m_hw(hw), m_progress(progress), m_scope(scope) {}
  /// Active extents and windows.
  using Key = std::pair<std::vector<std::int64_t>, std::vector<ChannelWindow>>;
  /// Only these movements will be asked for; before the first call of `of`.
  void restrictTo(WantedPatterns wanted) { m_wanted = std::move(wanted); }
  const TrafficPatterns& of(Key key);
  /// Loads of single resources that are counted to make those of one key without windows.
  double loads() const;

 private:
  const hardware::Topology& m_hw;
  const base::Progress* m_progress;
  PatternScope m_scope;
  std::optional<WantedPatterns> m_wanted;
  std::mutex m_mutex;
  struct Slot {
    std::once_flag once;
    std::unique_ptr<TrafficPatterns> patterns;
  };
  std::map<Key, Slot> m_made;
};

}  // namespace gridloom::traffic
