// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/strong_id.h"
#include "base/units.h"
#include "hardware/hardware_spec.h"
#include "hardware/systolic.h"

namespace gridloom::hardware {

using CoreId = base::StrongId<struct CoreTag>;  ///< row-major over the logical grid
using NodeId = base::StrongId<struct NodeTag>;  ///< routers
using LinkId = base::StrongId<struct LinkTag>;  ///< directed: router to router, or a memory port
using NetworkId = base::StrongId<struct NetworkTag>;
using ChannelId = base::StrongId<struct ChannelTag>;  ///< instances of the global memory

/// A hardware dimension that mappings may use.
struct MeshDim {
  std::string name;
  std::int64_t size = 1;
};

struct Network {
  std::string name;
  std::int64_t plane = 0;
  double bandwidth = 0;           ///< bytes/cycle per link
  double multicastBandwidth = 0;  ///< bytes/cycle per link when multicasting; 0: cannot multicast
  double latency = 1;             ///< cycles per hop
  double setup = 0;               ///< cycles to start one transfer between cores
  double sync = 0;                ///< cycles per handshake between cores
  std::int64_t packet = 1;        ///< bytes that a link serves at a time
  std::int64_t header = 0;        ///< bytes of overhead per packet
  double endpoint = 0;            ///< cycles between an endpoint and its router
  double contended = 0;           ///< bytes/cycle for packets that contend with others
  std::int64_t virtualChannels = 0;  ///< per class of traffic; 0: queues never block
  std::int64_t buffer = 0;           ///< bytes per virtual channel at the end of a link
};

/// Costs of one network transaction to the cores at its ends.
struct CoreInterface {
  double readIssue = 0;   ///< cycles for the issuing core
  double writeIssue = 0;  ///< cycles for the issuing core
  double completion = 0;  ///< cycles from the last byte to the resumption of the waiting program
  double answer = 0;      ///< bytes/cycle at which a core serves reads; 0: as fast as the network
};

struct Link {
  enum class Kind {
    Hop,       ///< router to router
    ReadPort,  ///< memory channel to router
    WritePort  ///< router to memory channel
  };
  Kind kind = Kind::Hop;
  NetworkId network;     ///< Hop only
  NodeId from, to;       ///< ports have one valid end
  ChannelId channel;     ///< ports only
  double bandwidth = 0;  ///< bytes/cycle
  double latency = 0;    ///< cycles
};

/// The scratchpad of each core.
struct LocalMemory {
  std::string name;
  std::int64_t bytes = 0;     ///< per instance
  double bandwidth = 0;       ///< bytes/cycle between an instance and the network
  std::int64_t sharedBy = 1;  ///< cores of the instance with the most cores
  /// Bit d: all cores of a line along mesh dimension d share an instance, and cores that differ
  /// along other dimensions have other instances. 0 where instances are shared differently: then
  /// each core gets an equal part.
  std::uint32_t sharedDims = 0;
  std::vector<std::int32_t> firstUser;  ///< per core: the first core of its instance; empty: itself
  DmaChannels dma;     ///< per core (at least one each if several cores share the memory)
  double dmaRate = 0;  ///< bytes/cycle of one DMA channel; 0: unlimited

  /// The core that represents the instance of a core.
  std::size_t portOf(std::size_t core) const {
    return firstUser.empty() ? core : static_cast<std::size_t>(firstUser[core]);
  }
  /// Copies of a tile in the fullest instance, when `active[d]` coordinates of each mesh dimension
  /// are active and cores along the dimensions in `together` share one copy.
  std::int64_t copies(std::span<const std::int64_t> active, std::uint32_t together = 0) const;
};

struct GlobalMemory {
  std::string name;
  std::int64_t channels = 0;
  std::int64_t bytesPerChannel = 0;
  double readBandwidth = 0;  ///< bytes/cycle per channel
  double writeBandwidth = 0;
  bool duplex = false;      ///< reads and writes each have the full bandwidth
  double latency = 0;       ///< cycles from request to first byte at the channel
  double writeLatency = 0;  ///< cycles from the last byte to the acknowledgement
  double setup = 0;         ///< cycles to start one transfer
  /// bytes per page; page p of a tensor is in channel p mod channels
  std::int64_t interleave = 2048;
  bool searchesLayouts = false;  ///< the search also tries nearest-channel layouts
};

/// A memory level between global and local memory: one instance per line of the mesh (AMD's memory
/// tile per column) or one for the whole mesh. Tiles reach it over the network of the cores.
struct SharedBuffer {
  std::string name;
  std::int64_t instances = 0;
  std::int64_t bytes = 0;            ///< per instance
  double bandwidth = 0;              ///< bytes/cycle per instance, both directions together
  DmaChannels dma;                   ///< per instance
  double dmaRate = 0;                ///< as LocalMemory::dmaRate
  std::uint32_t sharedDims = 0;      ///< bit d: cores along mesh dimension d share an instance
  std::vector<NodeId> nodes;         ///< router of each instance
  std::vector<std::int32_t> ofCore;  ///< instance of each core
};

/// Rates of one core in one numeric mode.
struct ComputeModel {
  std::string mode;
  std::int64_t matrixShape[3] = {1, 1, 1};
  SystolicShape systolic;
  double matrixPeak = 0;       ///< flop/cycle/core, all units; 0: no matrix unit
  double matrixSustained = 0;  ///< flop/cycle/core
  double fullRateOutput = 0;   ///< output elements; below, the sustained rate falls in proportion
  double issuePerOutput = 0;   ///< cycles per output element per tile operation
  double matrixIssue = 0;      ///< cycles per tile operation
  std::int64_t vectorLanes = 1;
  double vectorDefault = 0;  ///< elements/cycle/core; 0: no vector unit
  std::vector<std::pair<std::string, double>> vectorRates;  ///< per function name
  double vectorIssue = 0;                                   ///< cycles per tile operation
  /// Reductions default to "reduce", other functions to the default rate. 0 without a vector unit.
  double vectorRate(std::string_view function) const;
  /// flop/cycle/core of the fastest operation: products, multiply-adds (2 flop each) or vector
  /// functions.
  double peakFlops() const;
};

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
/// as possible remain. Enabled cores on those lines are idle.
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

  /// Shape of the plane of routers (equal to the cores' grid unless the hardware places cores on
  /// it).
  std::span<const std::int64_t> nodeGrid() const { return m_nodeGrid; }
  std::int64_t nodeCount() const { return m_nodeCount; }
  /// Coordinates on the plane of routers; `out` has nodeGrid().size() entries.
  void nodeCoordinates(NodeId node, std::span<std::int64_t> out) const;

  std::span<const Network> networks() const { return m_networks; }
  std::span<const Link> links() const { return m_links; }
  /// "noc_h (3,1)->(4,1)", "dram 2->(7,0)", "(7,0)->dram 2". Computed on demand: a wafer has
  /// millions of links.
  std::string linkName(LinkId link) const;
  std::int64_t planes() const { return m_planes; }
  const CoreInterface& coreInterface() const { return m_interface; }

  const LocalMemory& local() const { return m_local; }
  const GlobalMemory& global() const { return m_global; }
  const SharedBuffer& sharedBuffer() const { return m_sharedBuffer; }
  bool hasSharedBuffer() const { return m_sharedBuffer.instances > 0; }
  bool hasGlobal() const { return m_global.channels > 0; }

  double clock() const { return m_clock; }    ///< hertz; 0 when the description gives none
  double launch() const { return m_launch; }  ///< cycles per kernel
  double reload() const { return m_reload; }  ///< cycles between two kernels of a dispatch
  std::span<const std::string> modes() const { return m_modes; }
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
  /// Link of every router in a direction, by NodeId; empty when no network goes there.
  std::span<const LinkId> hops(std::int64_t plane, std::size_t dim, Direction direction) const {
    return m_hop[hopTable(plane, dim, direction)];
  }
  std::int64_t nodeCoordinate(NodeId node, std::size_t dim) const;
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
  ChannelId findNearest(CoreId core, bool write) const;

  std::string m_name;
  std::vector<MeshDim> m_dims;
  std::vector<NodeId> m_nodeOfCore;
  std::int64_t m_enabledCores = 0;
  std::vector<std::int64_t> m_nodeGrid;
  std::vector<std::int64_t> m_nodeStride;  ///< row-major
  std::int64_t m_nodeCount = 0;
  std::vector<Network> m_networks;
  std::vector<Link> m_links;
  std::int64_t m_planes = 1;
  /// m_hop[hopTable(plane, dim, direction)][node] = link or none; empty when no network goes there.
  std::vector<std::vector<LinkId>> m_hop;
  std::vector<std::vector<LinkId>> m_readPorts;   ///< per channel
  std::vector<std::vector<LinkId>> m_writePorts;  ///< per channel
  /// For reads and writes, per channel with several ports: the nearest port of every router. Empty
  /// on very large machines.
  std::vector<std::vector<LinkId>> m_nearestPort[2];
  std::vector<ChannelId> m_nearest[2];  ///< per core, for reads and writes; empty on large machines
  LocalMemory m_local;
  GlobalMemory m_global;
  SharedBuffer m_sharedBuffer;
  double m_clock = 0;
  double m_launch = 0;
  double m_reload = 0;
  CoreInterface m_interface;
  std::vector<std::string> m_modes;
  MatrixUnit m_matrix;
  std::int64_t m_matrixCount = 0;
  VectorUnit m_vector;
  std::int64_t m_vectorCount = 0;
};

/// Checks a description and resolves it. Errors name the attribute and show the line: map ranges,
/// cores that cannot reach each other, sizes that overflow, no cores, no local memory. Notes name
/// parts that mappings do not use. A description without a global memory is legal; `hasGlobal()` is
/// false then.
base::Result<Topology> makeTopology(const HardwareSpec& spec);

}  // namespace gridloom::hardware
