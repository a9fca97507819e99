// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "hardware/topology.h"
#include "mapping/transfers.h"
#include "traffic/load.h"
#include "traffic/traffic.h"

namespace gridloom::traffic {

/// Loads of one step of a movement when all groups of cores take it at once.
struct Phase {
  Load load;
  double latency = 0;
  double meanLatency = 0;  ///< as in ChannelTraffic
  double alone = 0;        ///< cycles per byte of the slowest resource of a single transfer

  /// Takes a part of every byte instead.
  void scale(double part);
};

/// What a phase moves over the whole machine, per byte of a tile.
struct Moved {
  double network = 0, localIn = 0, localOut = 0;
  void addTo(Pattern& pattern) const;
};

/// A phase that several patterns have.
struct KnownPhase {
  std::shared_ptr<const Load> load;
  double peak = 0;  ///< of the load
  double latency = 0;
  double meanLatency = 0;
  double alone = 0;
  Moved moved;
  double transfers = 0;  ///< as in Pattern

  KnownPhase(Phase phase, const Pattern& pattern);
};

/// Indices of a machine's resources in a Load.
class Resources {
 public:
  explicit Resources(const hardware::Topology& hw);
  Load empty() const { return Load(m_size); }
  double& link(Load& load, hardware::LinkId id) const { return load[m_firstLink + id.index()]; }
  double& port(Load& load, hardware::CoreId core) const {
    return load[m_firstPort + m_hw.local().portOf(core.index())];
  }
  double& instance(Load& load, std::size_t instance) const {
    return load[m_firstInstance + instance];
  }
  double portRate() const { return m_hw.local().bandwidth > 0 ? 1 / m_hw.local().bandwidth : 0; }
  /// Cycles per byte of a single transfer at a core's port, through one of its DMA channels.
  double loneRate() const {
    const double channel = m_hw.local().dmaRate;
    return std::max(portRate(), channel > 0 ? 1 / channel : 0);
  }
  /// Adds bytes to a link; counts those between routers in `pattern`.
  void addLink(Phase& phase, hardware::LinkId id, double bytes, Pattern& pattern) const;

 private:
  const hardware::Topology& m_hw;
  std::size_t m_firstLink, m_firstPort, m_firstInstance, m_size;
};

/// Dimensions with work at more than one coordinate.
mapping::DimMask wideDims(std::span<const std::int64_t> active);

/// Every core has a router of its own, in the same order.
bool routersAreCores(const hardware::Topology& hw);

/// Transfers between the active cores of a machine, one byte each; `pattern` sums what they move.
class CollectiveTraffic {
 public:
  CollectiveTraffic(const hardware::Topology& hw, const std::vector<std::int64_t>& active,
                    const base::Progress* progress)
      : m_hw(hw),
        m_active(active),
        m_wide(wideDims(active)),
        m_progress(progress),
        m_resources(hw),
        m_linesAreAlike(routersAreCores(hw)) {}

  /// A step between local memories, taken by all groups of cores at once.
  const KnownPhase& of(const mapping::TransferStep& step);

 private:
  Phase made(const mapping::TransferStep& step, mapping::DimMask members, Pattern& pattern);
  /// One multicast from every core of `roots` along `along`, the dimension `first` before the
  /// others: each link of a tree carries a byte once.
  Phase multicast(mapping::DimMask roots, mapping::DimMask along, int first, Pattern& pattern);
  /// Sends along a dimension d: from one coordinate to another, on every line.
  using LineSends = std::vector<std::pair<std::int64_t, std::int64_t>>;
  /// Every core with a neighbour at coordinate + step sends to it. With `closes`, the chain starts
  /// at coordinate 1 and its last core sends to coordinate 0.
  LineSends neighbours(std::size_t d, std::int64_t step, bool closes = false) const;
  /// Reduction tree: in round r, cores at odd multiples of 2^r send to the next lower multiple.
  LineSends pairs(std::size_t d) const;
  /// All other cores send to coordinate 0.
  LineSends toRoot(std::size_t d) const;
  /// Every core sends to the next one, the last to the first.
  LineSends ringSends(std::size_t d) const;

  /// Every core of `cores` sends all shares of a tile but one to the next along d, round the line.
  /// Its cores move in step: `alone` is of one line at once, `latency` that of an average round.
  Phase ring(mapping::DimMask cores, std::size_t d, std::int64_t plane, Pattern& pattern) const;

  template <class Visit> void forCores(mapping::DimMask mask, const Visit& visit) const;
  void routeTo(const std::vector<std::int64_t>& root, const std::vector<std::int64_t>& member,
               int first, hardware::Route& out);
  double latencyOf(const hardware::Route& route) const;
  /// The sends on all lines along d that have cores of `cores`.
  Phase send(const LineSends& sends, mapping::DimMask cores, std::size_t d, std::int64_t plane,
             Pattern& pattern) const;
  void sendOnLines(const LineSends& sends, mapping::DimMask cores, std::size_t d,
                   std::int64_t plane, Phase& phase, Pattern& pattern) const;
  void sendOneByOne(const LineSends& sends, mapping::DimMask cores, std::size_t d,
                    std::int64_t plane, Phase& phase, Pattern& pattern) const;

  const hardware::Topology& m_hw;
  const std::vector<std::int64_t>& m_active;
  mapping::DimMask m_wide;
  const base::Progress* m_progress;
  Resources m_resources;
  bool m_linesAreAlike;  ///< what is sent on one line loads it as the same loads any other
  /// By kind, members, `along`, `first` and direction of a step.
  using Key = std::tuple<mapping::TransferStep::Kind, mapping::DimMask, mapping::DimMask,
                         std::uint8_t, std::int8_t>;
  std::map<Key, KnownPhase> m_known;
  std::vector<std::uint32_t> m_marks;  ///< per link: the last tree that used it
  std::uint32_t m_mark = 0;
  std::vector<std::int64_t> m_corner;  ///< scratch of routeTo
  hardware::Route m_rest;
};

}  // namespace gridloom::traffic
