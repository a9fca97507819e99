// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "hardware/grid.h"
#include "hardware/hardware_spec.h"
#include "hardware/hop_layout.h"
#include "hardware/link_table.h"
#include "hardware/topology_parts.h"

namespace gridloom::hardware {

/// A route: links from source to destination, in order.
using Route = std::vector<LinkId>;

/// A hardware description resolved for mapping, cost and simulation: a grid of enabled cores on a
/// graph of routers and directed links, with routing. Immutable. Everything after the parser uses
/// it instead of the text.
///
/// Cores may be on a plane of routers larger than their grid (`grid`, `at` in `.hw`). So
/// coordinates describe a die with its DRAM, Ethernet and harvested positions.
///
/// Rows and columns with a disabled core are dropped from the logical grid, so that as many cores
/// as possible remain. Enabled cores on those lines are idle. An array whose shape is given by
/// `enabled`, such as a triangle, is folded instead where that uses more cores (folded_grid.h).
class Topology {
 public:
  const std::string& name() const { return m_name; }
  std::span<const MeshDim> dims() const { return m_dims; }
  std::int64_t coreCount() const { return static_cast<std::int64_t>(m_nodeOfCore.size()); }
  /// All cores that are not disabled, those outside the logical grid included: the base of
  /// utilizations.
  std::int64_t enabledCores() const { return m_enabledCores; }

  CoreId coreAt(std::span<const std::int64_t> coordinates) const;
  /// Coordinates in the logical grid; `out` has dims().size() entries.
  void coordinatesOf(CoreId core, std::span<std::int64_t> out) const;
  NodeId nodeOf(CoreId core) const { return m_nodeOfCore[core.index()]; }
  /// Coordinates as in the description, which also counts the lines that were dropped; `out` has
  /// dims().size() entries.
  void describedCoordinates(CoreId core, std::span<std::int64_t> out) const;
  /// A core that is not in the logical grid.
  struct CoreAside {
    std::vector<std::int64_t> coordinates;  ///< as in the description
    NodeId node;
    bool disabled = false;  ///< false: enabled, but idle
  };
  std::span<const CoreAside> coresAside() const { return m_coresAside; }

  /// Shape of the plane of routers (equal to the cores' grid unless the hardware places cores on
  /// it).
  std::span<const std::int64_t> nodeGrid() const { return m_nodeGrid; }
  std::int64_t nodeCount() const { return m_nodeCount; }
  /// Coordinates on the plane of routers; `out` has nodeGrid().size() entries.
  void nodeCoordinates(NodeId node, std::span<std::int64_t> out) const;

  std::span<const Network> networks() const { return m_networks; }
  const LinkTable& links() const { return m_links; }
  /// "noc_h (3,1)->(4,1)", "dram 2->(7,0)", "(7,0)->dram 2". Computed on demand: a wafer has
  /// millions of links.
  std::string linkName(LinkId link) const;
  /// The link of such a name, without a walk over all links; none has any other name.
  std::optional<LinkId> linkNamed(std::string_view name) const;
  std::int64_t planes() const { return m_planes; }
  const CoreInterface& coreInterface() const { return m_times.interface; }

  const LocalMemory& local() const { return m_local; }
  const GlobalMemory& global() const { return m_global; }
  /// The memory levels between the cores and global memory, innermost first; at most
  /// kMostSharedBuffers.
  std::span<const SharedBuffer> sharedBuffers() const { return m_sharedBuffers; }
  const SharedBuffer& sharedBuffer(std::size_t level) const { return m_sharedBuffers[level]; }
  bool hasSharedBuffer() const { return !m_sharedBuffers.empty(); }
  /// Over all shared buffers; SharedBuffer::firstInstance numbers them.
  std::int64_t sharedInstances() const;
  /// The shared buffer to which an instance belongs.
  const SharedBuffer& sharedBufferOf(std::int64_t instance) const;
  bool hasGlobal() const { return m_global.channels > 0; }

  double clock() const { return m_times.clock; }    ///< hertz; 0 when the description gives none
  double launch() const { return m_times.launch; }  ///< cycles per kernel
  double reload() const { return m_times.reload; }  ///< cycles between two kernels of a dispatch
  std::span<const std::string> modes() const { return m_units.modes; }
  /// Rates in a numeric mode. "" selects the mode by element width: the most exact mode for 16 bits
  /// and more, the next for 8-bit block float, the fastest for 4-bit. A mode without a sustained
  /// rate runs at its peak, limited by the rate at which operands of this width enter the unit.
  /// Error: a mode that the hardware does not name.
  base::Result<ComputeModel> compute(std::string_view mode, double bitsPerElement) const;

  /// Dimension-ordered route between two routers on a plane (modulo the number of planes): along
  /// dimension 0 first on even planes, in the shorter direction where both exist. Empty when from
  /// == to. Every pair is reachable, as `makeTopology` rejects any other description.
  void route(std::int64_t plane, NodeId from, NodeId to, Route& out) const;
  /// Whether the upward neighbour along a mesh dimension is nearer than the downward one: a one-way
  /// ring.
  bool goesUpwards(std::int64_t plane, std::size_t meshDim) const;
  /// Whether the route from the last core of a line along a mesh dimension to the first one wraps
  /// around the edge: the line is a ring.
  bool wrapsAround(std::int64_t plane, std::size_t meshDim) const;
  /// Routes as straight runs, for callers that count many of them. `dimAt`: the dimension that
  /// routes of a plane take as their `step`-th. `runAlong`: direction and hops along a dimension,
  /// also for routers that differ along others. `hops`: the next links.
  enum Direction : std::size_t { Up = 0, Down = 1 };
  struct Run {
    Direction direction = Up;
    std::int64_t hops = 0;
  };
  std::size_t dimAt(std::int64_t plane, std::size_t step) const;
  Run runAlong(std::int64_t plane, std::size_t dim, NodeId from, NodeId to) const;
  /// The same from coordinate `a`, which is the router's along the dimension, to coordinate `b`.
  Run runBetween(std::int64_t plane, std::size_t dim, NodeId from, std::int64_t a,
                 std::int64_t b) const;
  /// Link of every router in a direction, by NodeId; empty when no network goes there.
  std::span<const LinkId> hops(std::int64_t plane, std::size_t dim, Direction direction) const {
    return m_hops->hops[hopTable(plane, dim, direction)];
  }
  /// Shared by machines whose networks differ in figures alone.
  const HopLayoutRef& hopLayout() const { return m_hops; }
  /// Whether both share it, and have their cores and ports at the same places.
  bool looksLike(const Topology& other) const;
  std::int64_t nodeCoordinate(NodeId node, std::size_t dim) const {
    // Both operands fit 32 bits: there are at most 2^22 routers, and 32-bit division is several
    // times faster.
    const auto stride = static_cast<std::uint32_t>(m_nodeStride[dim]);
    const auto size = static_cast<std::uint32_t>(m_nodeGrid[dim]);
    return static_cast<std::uint32_t>(node.value()) / stride % size;
  }
  /// The port of a channel with the fewest hops to a router (for writes: from it); the first of
  /// several.
  LinkId readPort(ChannelId channel, NodeId to) const;
  LinkId writePort(NodeId from, ChannelId channel) const;
  std::span<const LinkId> readPorts(ChannelId channel) const {
    return m_readPorts[channel.index()];
  }
  std::span<const LinkId> writePorts(ChannelId channel) const {
    return m_writePorts[channel.index()];
  }
  /// channel -> core, read port included. Enters the network at the port nearest to the core.
  void readRoute(ChannelId channel, CoreId core, Route& out) const {
    readRoute(channel, nodeOf(core), out);
  }
  void readRoute(ChannelId channel, NodeId to, Route& out) const;
  /// core -> channel, write port included. Writes use the last plane, reads the first.
  void writeRoute(CoreId core, ChannelId channel, Route& out) const {
    writeRoute(nodeOf(core), channel, out);
  }
  void writeRoute(NodeId from, ChannelId channel, Route& out) const;
  /// The channel with the fewest hops to a core (for writes: from it). Equally near channels
  /// alternate between neighbouring cores.
  ChannelId nearestChannel(CoreId core, bool write) const;
  std::int64_t readPlane() const { return 0; }
  std::int64_t writePlane() const { return m_planes - 1; }

  /// Links of a multicast from `root` to all cores that share its coordinates outside `dims` (bit d
  /// set: the multicast runs along mesh dimension d), taking the dimensions in `order`. Each link
  /// is in the tree once, in unspecified order. `depth` is the number of hops to the farthest core.
  /// Cannot fail: every core is reachable.
  struct Tree {
    std::vector<LinkId> links;
    std::int64_t depth = 0;
  };
  Tree multicastTree(std::int64_t plane, CoreId root, std::span<const int> order) const;
  /// Whether the plane's networks can multicast.
  bool canMulticast(std::int64_t plane) const;

 private:
  friend class TopologyBuilder;
  std::size_t hopTable(std::int64_t plane, std::size_t dim, Direction direction) const;
  NodeId walk(std::int64_t plane, std::size_t dim, Run run, NodeId from, Route& out) const;
  void appendRoute(std::int64_t plane, NodeId from, NodeId to, Route& out) const;
  std::int64_t hopsBetween(std::int64_t plane, NodeId from, NodeId to) const;
  std::int64_t spread(std::int64_t plane, CoreId from, std::size_t meshDim, Route& out) const;
  std::string nodeName(NodeId node) const;
  /// Of "(3,1)"; none where there is no such router.
  std::optional<NodeId> nodeNamed(std::string_view name) const;
  ChannelId findNearest(CoreId core, bool write) const;

  std::string m_name;
  std::vector<MeshDim> m_dims;
  base::LargeVector<NodeId> m_nodeOfCore;
  std::int64_t m_enabledCores = 0;
  Grid m_describedGrid;
  base::LargeVector<std::int32_t> m_describedCore;  ///< per core: its index in that grid
  std::vector<CoreAside> m_coresAside;
  std::vector<std::int64_t> m_nodeGrid;
  std::vector<std::int64_t> m_nodeStride;  ///< row-major
  std::int64_t m_nodeCount = 0;
  std::vector<Network> m_networks;
  LinkTable m_links;
  std::int64_t m_planes = 1;
  HopLayoutRef m_hops;
  std::vector<std::vector<LinkId>> m_readPorts;   ///< per channel
  std::vector<std::vector<LinkId>> m_writePorts;  ///< per channel
  /// For reads and writes, per channel with several ports: the nearest port of every router. Empty
  /// on very large machines.
  std::vector<std::vector<LinkId>> m_nearestPort[2];
  std::vector<ChannelId> m_nearest[2];  ///< per core, for reads and writes; empty on large machines
  LocalMemory m_local;
  GlobalMemory m_global;
  std::vector<SharedBuffer> m_sharedBuffers;
  CoreTimes m_times;
  ComputeUnits m_units;
};

/// Checks a description and resolves it. Errors name the attribute and show the line: map ranges,
/// cores that cannot reach each other, sizes that overflow, no cores, no local memory. Notes name
/// parts that mappings do not use. A description without a global memory is legal; `hasGlobal()` is
/// false then. Of `like`, another machine, it takes what is the same: an edit of a figure makes a
/// machine again.
base::Result<Topology> makeTopology(const HardwareSpec& spec, const Topology* like = nullptr);

}  // namespace gridloom::hardware
