// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/strong_id.h"
#include "base/units.h"
#include "hardware/hardware_spec.h"
#include "hardware/systolic.h"

/// The parts of a resolved machine (`Topology`). Bandwidths are bytes per cycle, latencies cycles.
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
  /// Bytes that a request at any address takes at least, and in whole multiples. The default is
  /// assumed: one burst of GDDR6 (two of 32 bytes) or of DDR4 and DDR5.
  std::int64_t randomAccess = 64;
  bool randomAccessIsAssumed = true;  ///< the description does not say
  MemoryStripes stripes;              ///< of a channel, in which tensors lie row by row
  bool searchesLayouts = false;       ///< the search also tries nearest-channel layouts
};

/// Mesh dimensions, at most.
inline constexpr std::size_t kMostDims = 8;

/// Shared buffers between global and local memory, at most. Movements have room for so many.
inline constexpr std::size_t kMostSharedBuffers = 4;

/// A memory level between global and local memory: one instance per line of the mesh (AMD's memory
/// tile per column), per block of it, or one for the whole mesh. Tiles reach it over the network of
/// the cores.
struct SharedBuffer {
  std::string name;
  std::int64_t instances = 0;
  /// Number of the first instance, when the instances of all shared buffers are numbered,
  /// innermost level first.
  std::int64_t firstInstance = 0;
  std::int64_t bytes = 0;            ///< per instance
  double bandwidth = 0;              ///< bytes/cycle per instance, both directions together
  DmaChannels dma;                   ///< per instance
  double dmaRate = 0;                ///< as LocalMemory::dmaRate
  std::uint32_t sharedDims = 0;      ///< bit d: cores along mesh dimension d share an instance
  std::vector<NodeId> nodes;         ///< router of each instance
  std::vector<std::int32_t> ofCore;  ///< instance of each core
};

/// The units of one core, as described.
struct ComputeUnits {
  std::vector<std::string> modes;  ///< names of the numeric modes
  MatrixUnit matrix;
  std::int64_t matrixCount = 0;
  VectorUnit vector;
  std::int64_t vectorCount = 0;
};

/// What a kernel and its transfers cost a core.
struct CoreTimes {
  double clock = 0;   ///< hertz; 0: not given
  double launch = 0;  ///< cycles per kernel
  double reload = 0;  ///< cycles between two kernels of a dispatch
  CoreInterface interface;
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
  bool chained = false;  ///< vector work of an iteration runs behind its products (chaining)
  /// Reductions default to "reduce", other functions to the default rate. 0 without a vector unit.
  double vectorRate(std::string_view function) const;
  /// flop/cycle/core of the vector unit's fastest operation: multiply-adds (2 flop each) or vector
  /// functions.
  double vectorPeak() const;
  /// flop/cycle/core of the fastest operation, on either unit.
  double peakFlops() const;
};

}  // namespace gridloom::hardware
