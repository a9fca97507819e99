// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/chunked_vector.h"
#include "base/large_vector.h"
#include "hardware/topology.h"
#include "network/event_queue.h"
#include "network/multicast_trees.h"
#include "network/resource_use.h"
#include "network/route_book.h"
#include "network/server.h"
#include "network/slots.h"
#include "schedule/verify.h"

namespace gridloom::network {

/// How the bytes of a transfer lie in global memory (timing/interleaving.h): in units of `unit`
/// bytes, from the channel of the diagonal `first` on.
struct Layout {
  std::int64_t first = 0;
  std::int64_t unit = 1;
};

/// All resources that move bytes: memory channels, links, and each core's port to its local memory.
/// All are servers of parts (packets) of tiles. Parts of one transfer follow each other at the rate
/// of their source, so concurrent transfers interleave. Servers serve in order of arrival and never
/// block each other. A transfer through DMA channels is paced at its source (`Piece`). A part is a
/// packet of the network, or 256 cycles' worth of bytes where the description gives no packet size;
/// it is larger where a piece would have over 64 parts. Schedules run on this network. Recorded
/// transfers run on WormholeNetwork, which models blocking.
class QueueingNetwork {
 public:
  /// After `progress` is cancelled, the network must not be used.
  QueueingNetwork(const schedule::VerifiedSchedule& schedule, EventQueue& queue,
                  const base::Progress& progress);

  /// Starts a transfer with global memory for a process; its setup is over.
  /// EventKind::Process(process) follows when it is done. A load goes to the memory behind `port`,
  /// a store comes from it. `port`: a core, or `sharedBufferPort`.
  void load(Ticks now, std::int32_t process, std::int32_t port, std::int64_t bytes, Layout layout);
  void store(Ticks now, std::int32_t process, std::int32_t port, std::int64_t bytes, Layout layout);
  /// The bytes that a core takes from another core's local memory.
  struct Taken {
    std::int32_t from = 0;
    std::int64_t bytes = 0;
  };
  /// The same from other cores, all in parallel.
  void take(Ticks now, std::int32_t process, std::int32_t core, std::span<const Taken> parts);
  /// Starts a transfer to the leaves of a channel that `takesPart` marks.
  /// EventKind::Process(process) follows when the last byte has left,
  /// EventKind::Arrived(arrivalIndex) per leaf.
  void send(Ticks now, std::int32_t process, int channel, std::int32_t core, std::int64_t bytes,
            std::span<const std::uint8_t> takesPart);
  void handle(const Event& event) {
    switch (event.what()) {
    case EventKind::ReadNext:
      return readNext(event.time, event.who());
    case EventKind::WriteNext:
      return writeNext(event.time, event.who());
    case EventKind::PieceHop:
      return pieceHop(event.time, event.who());
    case EventKind::SendNext:
      return sendNext(event.time, event.who());
    case EventKind::CastHop:
      return castHop(event.time, event.who());
    case EventKind::Process:
    case EventKind::Arrived:
      return;
    }
  }

  std::int32_t arrivalIndex(int channel, std::int32_t leaf) const {
    return channel * m_cores + leaf;
  }
  int channelOf(std::int32_t arrival) const { return arrival / m_cores; }
  std::int32_t leafOf(std::int32_t arrival) const { return arrival % m_cores; }

  MulticastTrees::SendCosts sendCosts(int channel, std::int32_t core) {
    return m_trees.ratesOf(m_trees.of(channel, core)).costs;
  }

  /// Times of a process's current load, for attribution: first byte at a channel, last byte served.
  Ticks firstServed(std::int32_t process) const { return transferOf(process).first; }
  Ticks lastServed(std::int32_t process) const { return transferOf(process).served; }

  /// Busy time and bytes of each resource up to now, and the bytes that entered and left the
  /// network.
  std::vector<ResourceUse> links() const { return usesOf(m_links); }
  std::vector<ResourceUse> channelReads() const { return usesOf(m_reads); }
  std::vector<ResourceUse> channelWrites() const { return usesOf(m_writes); }
  double busiestPort() const;  ///< busy cycles, over the cores
  /// Busy cycles, over the instances of a shared buffer.
  double busiestInstance(const hardware::SharedBuffer& buffer) const;
  std::int64_t bytesThrough(const hardware::SharedBuffer& buffer) const;  ///< over its instances
  std::size_t resourceCount() const { return m_links.size() + m_reads.size(); }
  /// Appends the busy cycles until `now`, per link and then per channel. Of a duplex channel: the
  /// mean of its two directions.
  void appendUse(base::LargeVector<float>& row, Ticks now) const;
  std::size_t memoryBytes() const;
  /// No transfer follows: frees what only they need. What the resources have done stays.
  void releaseTransfers();
  std::int64_t networkBytes() const;  ///< bytes times hops
  struct Totals {
    std::int64_t issued = 0, landed = 0;
    std::int64_t localWrite = 0, localRead = 0;
  };
  const Totals& totals() const { return m_totals; }

  /// Appends the state that decides what happens after `now`, relative to it. Times before `base`
  /// count as `base`. Pieces, multicasts and flights are numbered in the order of `events`, which
  /// is by time.
  void appendState(std::vector<std::int64_t>& words, std::span<const Event> events, Ticks now,
                   Ticks base) const;
  /// Visits every counter that only grows.
  template <class Visit> void forEachCount(const Visit& visit) {
    for (auto* servers : {&m_links, &m_ports, &m_reads, &m_writes}) {
      for (Server& server : *servers) {
        visit(server.busy);
        visit(server.bytes);
      }
    }
    for (std::int64_t* total :
         {&m_totals.issued, &m_totals.landed, &m_totals.localWrite, &m_totals.localRead}) {
      visit(*total);
    }
  }

 private:
  struct Transfer {
    std::int64_t parts = 0;
    Ticks done = 0, first = 0, served = 0;
    std::int32_t process = -1;
  };
  /// The part of a transfer that one memory channel, or one other core, serves.
  struct Piece {
    enum class Kind : std::uint8_t { Read, Write, Between };
    std::int32_t transfer = 0, port = 0;
    std::int32_t far = 0;  ///< the channel; Between: the core that sends
    Kind kind = Kind::Read;
    /// The memory that the bytes leave, for Write and Between.
    std::int32_t source() const { return kind == Kind::Between ? far : port; }
    std::int64_t left = 0, chunk = 0;
    std::int32_t flying = 0;
    Pace pace;  ///< rate of its share of the transfer's DMA channel
    RouteBook::Path path;
  };
  struct Multicast {
    std::int32_t process = 0, port = 0, channel = 0, root = 0;
    Pace pace;  ///< rate of the DMA channels at its ends
    std::int64_t left = 0, chunk = 0;
    std::int32_t flying = 0;
    struct Branch {
      std::int32_t parts = 0;  ///< parts still to arrive; 0: the leaf is inactive
      Ticks done = 0;
    };
    std::vector<Branch> branches;  ///< per leaf
  };
  /// A part in flight, at a hop of its tree or at a link of its path.
  struct Flight {
    std::int32_t owner = 0;
    std::int32_t at = 0;  ///< hop, or link; -1: past the last link
    /// of a path: current run of links, and links left in it from `at` on
    std::int32_t run = 0, left = 0;
    Ticks tail = 0;
    std::int64_t bytes = 0;
  };
  class StateWriter;
  static std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }
  void placeTransfers(const schedule::PlacedSchedule& placed);
  const Transfer& transferOf(std::int32_t process) const {
    static constexpr Transfer kNone;
    const std::int32_t transfer = m_transferOf[index(process)];
    return transfer < 0 ? kNone : m_transfers[index(transfer)];
  }
  static std::vector<ResourceUse> usesOf(const base::LargeVector<Server>& servers);
  /// Through the port of a core's memory or of a shared buffer. Cores that share a memory share
  /// its port.
  ServiceInterval passPort(std::int32_t port, Ticks head, Ticks tail, std::int64_t bytes) {
    if (port < m_cores) {
      return m_ports[m_hw.local().portOf(index(port))].pass(head, tail, bytes, m_corePace(bytes));
    }
    return m_ports[index(port)].pass(head, tail, bytes,
                                     m_instancePaces[index(port - m_cores)](bytes));
  }
  std::int64_t partOf(std::int64_t bytes) const;

  void transfer(Ticks now, std::int32_t process, std::int32_t port, std::int64_t bytes,
                Layout layout, bool stores);
  ServiceInterval atChannel(Server& direction, const Pace& pace, std::int32_t channel, Ticks head,
                            Ticks tail, std::int64_t bytes);
  void startPiece(Ticks now, std::int32_t transfer, std::int32_t port, std::int32_t far,
                  std::int64_t bytes, Piece::Kind kind, Pace pace = {});
  void readNext(Ticks now, std::int32_t piece);
  void writeNext(Ticks now, std::int32_t piece);
  void startFlight(Ticks now, std::int32_t piece, Ticks tail, std::int64_t bytes);
  void pieceHop(Ticks now, std::int32_t flight);
  void nextLink(Flight& flight, const LinkRun& run, std::int32_t lastRun) const;
  void landPart(std::int32_t flight, Ticks head);
  void finishPart(std::int32_t id, Ticks done);
  void endFlight(std::int32_t flight);

  void sendNext(Ticks now, std::int32_t cast);
  void castHop(Ticks now, std::int32_t flight);
  void sendOn(std::int32_t cast, std::int32_t hop, Ticks head, Ticks tail, std::int64_t bytes);
  void arriveAt(Multicast& cast, const MulticastTrees::Leaf& leaf, Ticks head, Ticks tail,
                std::int64_t bytes);
  void endMulticast(std::int32_t cast);

  const hardware::Topology& m_hw;
  EventQueue& m_queue;
  RouteBook m_routes;
  MulticastTrees m_trees;
  std::int32_t m_cores;

  std::int64_t m_packet = 1;             ///< bytes that a server serves at a time
  Ticks m_latency = 0;                   ///< of a memory channel
  std::vector<ServiceRate> m_linkRates;  ///< per group of links
  Pace m_corePace, m_readPace, m_writePace;
  std::vector<Pace> m_instancePaces;  ///< per instance of a shared buffer
  /// ports: of the cores, then of the shared buffer's instances
  base::LargeVector<Server> m_links, m_ports;
  base::LargeVector<Server> m_reads,
      m_writes;  ///< per channel; both directions share `m_channelFree`, unless it is duplex
  std::vector<Ticks> m_channelFree;
  base::LargeVector<std::int32_t> m_transferOf;  ///< per process; -1: it has none
  base::LargeVector<Transfer> m_transfers;       ///< per process with some
  base::ChunkedVector<Piece> m_pieces;
  base::LargeVector<Multicast> m_multicasts;
  base::ChunkedVector<Flight> m_flights;
  std::vector<std::int32_t> m_unusedPieces, m_unusedMulticasts, m_unusedFlights;
  Totals m_totals;
};

}  // namespace gridloom::network
