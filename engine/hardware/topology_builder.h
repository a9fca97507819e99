// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "hardware/grid.h"
#include "hardware/topology.h"

namespace gridloom::hardware {

/// The map of a network: the same step along one dimension from every router.
struct NetworkMove {
  std::size_t dim = 0;
  bool up = true;
  bool both = false;  ///< both directions coincide: a ring of two
};

/// Resolves a description in the order of `build()`. A step runs only when the steps before it
/// found no error.
class TopologyBuilder {
 public:
  TopologyBuilder(const HardwareSpec& spec, const Topology* like) : m_spec(spec), m_like(like) {}
  base::Result<Topology> build();

 private:
  /// The role of an interconnect's end in the plane of routers.
  enum class Part { Cores, Local, Global, Other };

  // topology_builder.cpp
  void readCores();
  void placeCores();
  void listCoresAside();
  void placeRoutersOnGrid();
  void readRates();
  void checkSustained(const MatrixUnit& unit);

  // topology_grid.cpp
  void readDisabled(std::vector<bool>& disabled);
  void readEnabled(std::vector<bool>& disabled);
  void disable(const CorePattern& pattern, std::vector<bool>& disabled) const;
  void chooseLogicalGrid(const std::vector<bool>& disabled);
  bool sharesMemories() const;
  void takeLogicalGrid(const Grid& logical, const std::vector<bool>& disabled);
  void noteLogicalGrid(const Grid& logical, bool folds);

  // contradictions.cpp
  void checkContradictions();
  void checkArray(const MatrixUnit& unit);
  void checkBandwidths(const Memory& memory);

  // topology_memories.cpp
  void checkMemorySizes();
  void readLocal();
  const Memory* findLocal();
  const Mux* muxToLocal() const;
  void mapCoresToLocal();
  void projectCoresOntoLocal();
  void describeLocal();
  void findSharers();
  void checkMapsNotUsed();
  bool carriesTiles(const Interconnect& link) const;
  void notePartsNotUsed();
  void noteUnitsNotUsed();

  // topology_shared_buffer.cpp
  void readSharedBuffers();
  bool readSharedBuffer(const Memory& memory);
  bool isSharedBuffer(std::string_view name) const;
  struct Connection {
    std::string_view from;
    const affine::AffineMap* map = nullptr;  ///< null: none
  };
  Connection connectionTo(const Memory& memory) const;
  std::vector<std::int64_t> instancesOf(const Memory& memory) const;
  std::optional<std::uint32_t> sharedDims(const std::vector<std::int64_t>& instances) const;
  bool placeSharedBuffer(const Memory& memory, SharedBuffer& made);

  // topology_ports.cpp
  void readGlobal();
  const Memory* findGlobal();
  bool reachesGlobal(const Memory& memory) const;
  void describeGlobal();
  void readPorts();
  void readPlacedPorts();
  void readMappedPorts(const Interconnect& link, bool read, bool write);
  void readMuxPorts(const Mux& mux);
  void addPort(std::int64_t channel, NodeId node, double bandwidth, double latency, bool read,
               bool write);
  void checkPorts();

  // topology_nearest.cpp
  void findNearestPorts();
  std::vector<LinkId> nearestPorts(const std::vector<LinkId>& ports, bool write) const;
  void findNearestChannels();

  // topology_networks.cpp
  void readNetworks();
  bool isNetwork(const Interconnect& link) const;
  void numberPlanes(const std::vector<const Interconnect*>& networks);
  void readNetwork(const Interconnect& link);
  HopLayout::Source hopsOf(const std::vector<const Interconnect*>& networks) const;
  void makeHops(const std::vector<const Interconnect*>& networks, HopLayout::Source source);
  void shareHops();
  void readInterface();
  /// Fills in where the map leads from each router.
  std::optional<NetworkMove> moveOf(const Interconnect& link, base::LargeVector<NodeId>& ends);
  void addHops(const Interconnect& link, NetworkId network, HopLayout& hops);
  void checkReachable();

  // Shared helpers.
  void error(base::Span span, std::string message, std::string hint = {});
  void note(base::Span span, std::string message, std::string hint = {});
  bool failed() const { return base::hasError(m_out); }
  const CoreArray& cores() const { return m_spec.cores.front(); }
  Grid gridOf(const std::vector<SpatialDimId>& dims) const;

  // topology_maps.cpp
  Part partOf(std::string_view name) const;
  Grid gridOfPart(std::string_view name) const;
  /// Router of each core or of each instance of the local memory.
  std::vector<NodeId> nodesOf(Part part) const;
  /// Reports a map whose shape does not fit, or the first member whose result is out of range.
  bool checkMap(std::string_view name, base::Span span, const affine::AffineMap& map,
                const Grid& from, const Grid& to);
  bool checkMapShape(std::string_view name, base::Span span, const affine::AffineMap& map,
                     const Grid& from, const Grid& to);

  const HardwareSpec& m_spec;
  const Topology* m_like;  ///< may be null
  base::Diagnostics m_out;
  Topology m_made;
  Grid m_coreGrid;  ///< as described, with the lines that are dropped
  Grid m_nodeGrid;
  std::vector<bool> m_disabled;              ///< per described core
  std::vector<std::int64_t> m_physicalCore;  ///< per logical core
  std::vector<NodeId> m_nodeOfPhysical;
  bool m_routersAreLocal = false;  ///< one router per instance of the local memory
  const Memory* m_localMemory = nullptr;
  const Memory* m_globalMemory = nullptr;
  Grid m_localGrid;
  /// per described core: its instance of the local memory
  std::vector<std::int64_t> m_instanceOfCore;
  std::vector<std::int64_t> m_planeNumbers;  ///< as written, ascending
};

}  // namespace gridloom::hardware
