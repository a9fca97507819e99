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
#include "mapping/mapping.h"

namespace gridloom::traffic {

/// What one way of moving tiles does to the machine, per byte of a tile, when all groups of cores do it at
/// once.
struct Pattern {
  /// Cycles per byte that each row (a resource that can be the most loaded one) is busy.
  std::vector<double> resourceLoads;
  /// Cycles per byte of each phase in turn (load, then first and second spread) when all cores start it at
  /// the same moment: its most loaded resource. An output's load is its store.
  double loadPeak = 0;
  /// `rows` of an input's load (an output's store) alone, where there are spreads besides.
  std::vector<double> transferLoads;
  const std::vector<double>& load() const {
    return transferLoads.empty() ? resourceLoads : transferLoads;
  }
  std::vector<double> stepPeak;
  /// The same for the load (an output's: the store) when only the cores along the dimensions of a mask
  /// start together, by mask; [0]: a transfer that has the machine to itself.
  std::vector<double> together;
  mapping::DimMask loaders = 0;   ///< dimensions along which cores load (store) for themselves
  std::vector<double> stepAlone;  ///< a spread that has the machine to itself
  /// Latency of each phase: links on the longest way, cycles.
  double loadLatency = 0;
  std::vector<double> stepLatency;
  int stepCount =
      0;  ///< phases after the load; of a combination: one per split dimension, before the store
  double hops = 0;  ///< Stream, gather: neighbours in a row
  std::vector<double>
      joins;  ///< combination, per phase: cores whose partial results come together, but one. Of an
              ///< all-reduce, more phases follow: the steps of the way back
  double transfers = 1;  ///< tiles loaded or stored at once over the machine
  /// Bytes over the whole machine per byte of a tile.
  double network = 0, localIn = 0, localOut = 0;
  /// Of these, by partial results.
  double partialNetwork = 0, partialIn = 0, partialOut = 0;
};

/// Which placements of tensors (mapping::Place) patterns are made for. Tiles whole in one channel load the
/// machine as pages do.
enum class LayoutScope : std::uint8_t {
  Pages,
  Search,  ///< and tiles near the only core that loads them: what a search chooses from
  Every,
};

struct SharedBufferTraffic;

/// What patterns are made for.
struct PatternScope {
  LayoutScope places = LayoutScope::Every;
  bool splits = true;       ///< reductions are split in space
  bool finishing = true;    ///< and something follows them, at coordinate 0 of the split dimensions
  bool passes = false;      ///< cores take tiles from each other
  bool allReduces = false;  ///< and reduce local tensors together
  /// Along these dimensions, only coordinate 0 may move an input: others do not use it, or read its copy.
  mapping::DimMask without = ~mapping::DimMask{0};
};

/// Where the tiles lie that a core takes from other cores along a mesh dimension, as bits.
enum Direction : std::uint8_t {
  kAnywhere = 0,  ///< spread evenly over the line
  kBelow = 1,     ///< at the previous coordinate
  kAbove = 2,     ///< at the next one
};

/// The ways of moving tiles that somebody asks for, where that is not all there are. Along which dimensions
/// tiles are shared or reductions split makes no difference.
class WantedPatterns {
 public:
  void add(const mapping::InputMovement& movement);
  void add(const mapping::OutputMovement& movement);
  bool has(const mapping::InputMovement& movement) const;
  bool has(const mapping::OutputMovement& movement) const;
  /// How local tensors are reduced together.
  void add(mapping::ReductionTopology how) { m_allReduces |= 1U << static_cast<unsigned>(how); }
  bool has(mapping::ReductionTopology how) const {
    return (m_allReduces >> static_cast<unsigned>(how) & 1U) != 0;
  }
  bool passes() const { return m_passes; }

 private:
  unsigned m_allReduces = 0;  ///< a bit per ReductionTopology
  bool m_passes = false;      ///< cores take tiles from each other
  std::set<std::uint64_t> m_keys;
};

/// Patterns of a machine on which `active[d]` coordinates of each mesh dimension work. Tensors are
/// interleaved over all channels (global loads spread over the network as routing says; TL: Li et
/// al., 2025, Sec. 2.5), and only resources that can be the most loaded one are kept: a resource
/// whose load is below another's in every pattern never decides, so the largest sum over the kept
/// rows is exact. What a mapping costs does not depend on which other patterns there are. Of the
/// several hundred links of an 8x8 mesh, one or two dozen rows are kept.
///
/// Routes are not walked link by link: a route is a few straight runs, noted at their ends, and
/// lines with the same senders and receivers are counted once (traffic/route_loads.h,
/// traffic/channel_traffic.h). Only movements that the space still has get a pattern. So a wafer with
/// three million links takes about a second per number of working cores.
class TrafficPatterns {
 public:
  /// Once `progress` is cancelled, the patterns are cut short, and not to be used: `complete` tells.
  TrafficPatterns(const hardware::Topology& hw, std::vector<std::int64_t> active,
                  const base::Progress* progress = nullptr, PatternScope scope = {},
                  const WantedPatterns* wanted = nullptr);

  /// Names of the rows: "dram", the network's name, "read port", "write port", "local memory".
  const std::vector<std::string>& resourceNames() const { return m_resourceNames; }
  /// The rows, in front, of which one is the most loaded by any sum of patterns.
  std::size_t resourceCount() const { return m_sumResources; }
  /// Those, and the ones that can be it where loads are summed apart from what follows them.
  std::size_t allResourceCount() const { return m_resourceNames.size(); }
  bool complete() const { return m_complete; }

  /// `shared`: the dimensions along which cores use the same tile (mapping::sharedDims); `without`: those
  /// along which only coordinate 0 moves it, as no other core uses it (mapping::finishingDims) or as they read its copy.
  const Pattern& input(const mapping::InputMovement& movement, mapping::DimMask shared = 0,
                       mapping::DimMask without = 0) const;
  const Pattern& output(const mapping::OutputMovement& movement, mapping::DimMask finishing) const;
  /// Tiles that other cores along `along` made, per byte taken; `where` are bits of Direction.
  const Pattern& passed(mapping::DimMask along, std::uint8_t where) const;
  /// Results joined along `dims`, and what they give sent back to all, per byte of one result.
  const Pattern& allReduce(mapping::ReductionTopology how, mapping::DimMask dims) const;
  /// Through the middle memory: from global memory into it, and from it to the cores.
  const Pattern& sharedBuffer(const mapping::InputMovement& movement) const;
  const Pattern& feed(const mapping::InputMovement& movement) const;
  /// From the cores into it, and from it to global memory.
  const Pattern& drain() const;
  const Pattern& write() const;

 private:
  friend class PatternBuilder;
  friend class WantedPatterns;
  /// `home`: dimensions along which cores load the same tile, each for itself; a tile in the nearest
  /// channel is near to the core at coordinate 0 of them.
  using Key = std::uint64_t;
  static Key key(const mapping::InputMovement& movement, mapping::DimMask home,
                 mapping::DimMask finishing = 0);
  static Key key(const mapping::OutputMovement& movement, mapping::DimMask finishing);
  static Key key(const SharedBufferTraffic& through);
  static Key key(mapping::ReductionTopology allReduce, mapping::DimMask dims);

  mapping::DimMask m_wide = 0;  ///< dimensions with work at more than one coordinate
  bool m_complete = true;
  std::vector<std::string> m_resourceNames;
  std::size_t m_sumResources = 0;
  std::map<Key, Pattern> m_patterns;
};

/// Patterns by active extents, made when first asked for. Any thread.
class TrafficCache {
 public:
  TrafficCache(const hardware::Topology& hw, const base::Progress* progress, PatternScope scope)
      : m_hw(hw), m_progress(progress), m_scope(scope) {}
  /// Only these movements will be asked for; before the first call of `of`.
  void restrictTo(WantedPatterns wanted) { m_wanted = std::move(wanted); }
  const TrafficPatterns& of(const std::vector<std::int64_t>& active);

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
  std::map<std::vector<std::int64_t>, Slot> m_made;
};

}  // namespace gridloom::traffic
