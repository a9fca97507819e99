// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hardware/topology.h"
#include "schedule/wiring.h"
#include "simulate/event_queue.h"
#include "simulate/simulation.h"

namespace gridloom::simulate {

/// Everything that moves bytes: memory channels, links, and each core's port to its local memory. All are
/// servers that take parts of tiles in the order of their arrival.
///
/// A part (at most a chunk) goes through the network by virtual cut-through: its head may enter the next
/// link one hop latency after it entered this one, each link is busy for bytes/bandwidth, and the tail
/// leaves a link no earlier than it left the previous one plus the latency. Parts of one transfer follow
/// each other as their source lets them, so that concurrent transfers take turns.
class Fabric {
 public:
  Fabric(const schedule::Schedule& schedule, const schedule::Wiring& wiring,
         const hardware::Topology& hw, EventQueue& queue);

  /// Starts a transfer with global memory for a process; its setup is over. The pages of the tile start at
  /// the channel after `firstPage` others. Happening::Process(process) follows when it is done.
  void load(double now, std::int32_t process, std::int32_t core, std::int64_t bytes,
            std::int64_t firstPage);
  void store(double now, std::int32_t process, std::int32_t core, std::int64_t bytes,
             std::int64_t firstPage);
  /// Starts a transfer to the leaves of a channel that `takesPart` marks. Happening::Process(process)
  /// follows when the last byte has left, Happening::Arrived(arrivalIndex) per leaf.
  void send(double now, std::int32_t process, int channel, std::int32_t core, std::int64_t bytes,
            std::span<const std::uint8_t> takesPart);
  void handle(const Event& event);

  std::int32_t arrivalIndex(int channel, std::int32_t leaf) const {
    return channel * m_cores + leaf;
  }
  int channelOf(std::int32_t arrival) const { return arrival / m_cores; }
  std::int32_t leafOf(std::int32_t arrival) const { return arrival % m_cores; }

  /// Cycles before a send leaves: handshake, then setup.
  struct SendCosts {
    double sync = 0, setup = 0;
  };
  SendCosts sendCosts(int channel, std::int32_t core);

  /// Moments of a process's current load, for attribution: first byte at a channel, last byte served.
  double firstServed(std::int32_t process) const { return m_transfers[index(process)].first; }
  double lastServed(std::int32_t process) const { return m_transfers[index(process)].served; }

  /// Resource use up to now, and the bytes that entered and left the fabric.
  std::vector<ResourceUse> links() const;
  std::vector<ResourceUse> channelReads() const { return m_reads; }
  std::vector<ResourceUse> channelWrites() const { return m_writes; }
  double busiestPort() const;
  struct Totals {
    double issued = 0, landed = 0;
    double network = 0, localWrite = 0, localRead = 0;
  };
  const Totals& totals() const { return m_totals; }

 private:
  struct Server {
    double free = 0;
    double cyclesPerByte = 0;
    double latency = 0;
    double busy = 0;
    double bytes = 0;
  };
  struct Transfer {
    std::int64_t parts = 0;
    double done = 0, first = 0, served = 0;
  };
  /// The share of a tile that one memory channel holds.
  struct Piece {
    std::int32_t process = 0, core = 0, channel = 0;
    bool stores = false;
    double left = 0, chunk = 0;
    std::int32_t flying = 0;
    hardware::Route path;
  };
  /// Links from a sender to its leaves, breadth first; hop 0 is the sender's router.
  struct Tree {
    struct Hop {
      hardware::LinkId link;
      double cyclesPerByte = 0;
      std::int32_t firstChild = 0, endChild = 0;
      std::int32_t firstLeaf = 0, endLeaf = 0;
    };
    std::vector<Hop> hops;
    std::vector<std::int32_t> leaves;  ///< positions in Wiring::leavesOf
    SendCosts costs;
  };
  struct Cast {
    std::int32_t process = 0, core = 0, channel = 0, tree = 0;
    double left = 0, chunk = 0;
    std::int32_t flying = 0;
    std::vector<std::int32_t> parts;  ///< per leaf: still to come; 0 where it does not take part
    std::vector<double> done;         ///< per leaf
  };
  struct Flight {
    std::int32_t owner = 0, hop = 0;
    double tail = 0, bytes = 0;
  };
  /// When a part starts on a server and when its last byte has left it.
  struct Passage {
    double start = 0, finish = 0;
  };

  static std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }
  double partOf(double bytes) const;
  static Passage pass(Server& server, double head, double tail, double bytes);
  static Passage pass(Server& server, double head, double tail, double bytes, double cyclesPerByte);
  template <class T>
  static std::int32_t take(std::vector<T>& pool, std::vector<std::int32_t>& unused) {
    if (unused.empty()) {
      pool.emplace_back();
      return static_cast<std::int32_t>(pool.size() - 1);
    }
    const std::int32_t slot = unused.back();
    unused.pop_back();
    return slot;
  }

  void transfer(double now, std::int32_t process, std::int32_t core, std::int64_t bytes,
                std::int64_t firstPage, bool stores);
  void startPiece(double now, std::int32_t process, std::int32_t core, std::int32_t channel,
                  double bytes, bool stores);
  void readNext(double now, std::int32_t piece);
  void writeNext(double now, std::int32_t piece);
  void pieceHop(double now, std::int32_t flight);
  void landPart(std::int32_t flight, double head);
  void finishPart(std::int32_t process, double done);
  void endFlight(std::int32_t flight, Piece& piece);

  std::int32_t treeFor(int channel, std::int32_t core);
  Tree makeTree(int channel, std::int32_t core) const;
  void growTree(Tree& tree, std::span<const hardware::LinkId> links, int channel, std::int32_t core,
                bool multicast) const;
  void sendNext(double now, std::int32_t cast);
  void castHop(double now, std::int32_t flight);
  void spread(std::int32_t cast, std::int32_t hop, double head, double tail, double bytes);
  void arriveAt(Cast& cast, std::int32_t position, double head, double tail, double bytes);
  void endCast(std::int32_t cast);

  const schedule::Schedule& m_schedule;
  const schedule::Wiring& m_wiring;
  const hardware::Topology& m_hw;
  EventQueue& m_queue;
  std::int32_t m_cores;
  double m_packet = 1;  ///< bytes that take one turn at a server
  std::vector<Server> m_links, m_channels, m_ports;
  std::vector<ResourceUse> m_reads, m_writes;
  std::vector<Transfer> m_transfers;   ///< per process
  std::vector<std::int32_t> m_treeOf;  ///< [channel][core], -1 not made yet
  std::vector<Tree> m_trees;
  std::vector<Piece> m_pieces;
  std::vector<Cast> m_casts;
  std::vector<Flight> m_flights;
  std::vector<std::int32_t> m_unusedPieces, m_unusedCasts, m_unusedFlights;
  Totals m_totals;
};

}  // namespace gridloom::simulate
