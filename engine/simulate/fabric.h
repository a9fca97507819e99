// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hardware/topology.h"
#include "schedule/wiring.h"
#include "simulate/event_queue.h"
#include "simulate/server.h"
#include "simulate/simulation.h"

namespace gridloom::simulate {

/// Everything that moves bytes: memory channels, links, and each core's port to its local memory. All are
/// servers that take parts (at most a chunk) of tiles. Parts of one transfer follow each other as their
/// source lets them, so that concurrent transfers take turns.
class Fabric {
 public:
  Fabric(const schedule::Schedule& schedule, const schedule::Wiring& wiring,
         const hardware::Topology& hw, EventQueue& queue);

  /// Starts a transfer with global memory for a process; its setup is over. The pages of the tile start at
  /// the channel after `firstPage` others. Happening::Process(process) follows when it is done.
  void load(Ticks now, std::int32_t process, std::int32_t core, std::int64_t bytes,
            std::int64_t firstPage);
  void store(Ticks now, std::int32_t process, std::int32_t core, std::int64_t bytes,
             std::int64_t firstPage);
  /// Starts a transfer to the leaves of a channel that `takesPart` marks. Happening::Process(process)
  /// follows when the last byte has left, Happening::Arrived(arrivalIndex) per leaf.
  void send(Ticks now, std::int32_t process, int channel, std::int32_t core, std::int64_t bytes,
            std::span<const std::uint8_t> takesPart);
  void handle(const Event& event);

  std::int32_t arrivalIndex(int channel, std::int32_t leaf) const {
    return channel * m_cores + leaf;
  }
  int channelOf(std::int32_t arrival) const { return arrival / m_cores; }
  std::int32_t leafOf(std::int32_t arrival) const { return arrival % m_cores; }

  /// Cycles before a send leaves: handshake, then setup.
  struct SendCosts {
    Ticks sync = 0, setup = 0;
  };
  SendCosts sendCosts(int channel, std::int32_t core);

  /// Moments of a process's current load, for attribution: first byte at a channel, last byte served.
  Ticks firstServed(std::int32_t process) const { return m_transfers[index(process)].first; }
  Ticks lastServed(std::int32_t process) const { return m_transfers[index(process)].served; }

  /// Resource use up to now, and the bytes that entered and left the fabric.
  std::vector<ResourceUse> links() const { return usesOf(m_links); }
  std::vector<ResourceUse> channelReads() const { return usesOf(m_reads); }
  std::vector<ResourceUse> channelWrites() const { return usesOf(m_writes); }
  double busiestPort() const;
  struct Totals {
    std::int64_t issued = 0, landed = 0;
    std::int64_t network = 0, localWrite = 0, localRead = 0;
  };
  const Totals& totals() const { return m_totals; }

  /// Everything that decides what happens after `now`, relative to it; moments before `base` count as that.
  /// Pieces, casts and flights get their numbers in the order of `events`, which is the order of time.
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
    for (std::int64_t* total : {&m_totals.issued, &m_totals.landed, &m_totals.network,
                                &m_totals.localWrite, &m_totals.localRead}) {
      visit(*total);
    }
  }

 private:
  struct Transfer {
    std::int64_t parts = 0;
    Ticks done = 0, first = 0, served = 0;
  };
  /// The share of a tile that one memory channel holds.
  struct Piece {
    std::int32_t process = 0, core = 0, channel = 0;
    bool stores = false;
    std::int64_t left = 0, chunk = 0;
    std::int32_t flying = 0;
    hardware::Route path;
  };
  /// Links from a sender to its leaves, breadth first; hop 0 is the sender's router.
  struct Tree {
    struct Hop {
      hardware::LinkId link;
      Pace pace;
      std::int32_t firstChild = 0, endChild = 0;
      std::int32_t firstLeaf = 0, endLeaf = 0;
    };
    std::vector<Hop> hops;
    std::vector<std::int32_t> leaves;  ///< positions in Wiring::leavesOf
    SendCosts costs;
  };
  struct Cast {
    std::int32_t process = 0, core = 0, channel = 0, tree = 0;
    std::int64_t left = 0, chunk = 0;
    std::int32_t flying = 0;
    std::vector<std::int32_t> parts;  ///< per leaf: still to come; 0 where it does not take part
    std::vector<Ticks> done;          ///< per leaf
  };
  struct Flight {
    std::int32_t owner = 0, hop = 0;
    Ticks tail = 0;
    std::int64_t bytes = 0;
  };
  class StateWriter;
  static std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }
  std::int64_t partOf(std::int64_t bytes) const;
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

  void transfer(Ticks now, std::int32_t process, std::int32_t core, std::int64_t bytes,
                std::int64_t firstPage, bool stores);
  void startPiece(Ticks now, std::int32_t process, std::int32_t core, std::int32_t channel,
                  std::int64_t bytes, bool stores);
  Passage atChannel(std::vector<Server>& direction, std::int32_t channel, Ticks head, Ticks tail,
                    std::int64_t bytes);
  void readNext(Ticks now, std::int32_t piece);
  void writeNext(Ticks now, std::int32_t piece);
  void pieceHop(Ticks now, std::int32_t flight);
  void landPart(std::int32_t flight, Ticks head);
  void finishPart(std::int32_t process, Ticks done);
  void endFlight(std::int32_t flight, Piece& piece);

  std::int32_t treeFor(int channel, std::int32_t core);
  Tree makeTree(int channel, std::int32_t core) const;
  void growTree(Tree& tree, std::span<const hardware::LinkId> links, int channel, std::int32_t core,
                bool multicast) const;
  void sendNext(Ticks now, std::int32_t cast);
  void castHop(Ticks now, std::int32_t flight);
  void spread(std::int32_t cast, std::int32_t hop, Ticks head, Ticks tail, std::int64_t bytes);
  void arriveAt(Cast& cast, std::int32_t position, Ticks head, Ticks tail, std::int64_t bytes);
  void endCast(std::int32_t cast);

  const schedule::Schedule& m_schedule;
  const schedule::Wiring& m_wiring;
  const hardware::Topology& m_hw;
  EventQueue& m_queue;
  std::int32_t m_cores;
  static std::vector<ResourceUse> usesOf(const std::vector<Server>& servers);

  std::int64_t m_packet = 1;  ///< bytes that take one turn at a server
  Ticks m_latency = 0;        ///< of a memory channel
  std::vector<Server> m_links, m_ports;
  std::vector<Server> m_reads, m_writes;  ///< per channel: its two directions share `m_channelFree`
  std::vector<Ticks> m_channelFree;
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
