// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "hardware/topology.h"
#include "network/server.h"
#include "network/transfer_events.h"
#include "network/transfer_program.h"

namespace gridloom::network {

/// The network between routers, packet by packet and hop by hop: links per direction and plane,
/// endpoints, memory channels.
///
/// Wormhole switching with virtual channels. A packet takes a virtual channel of every link on its
/// route and holds it until its tail has passed. What does not fit into the buffers ahead blocks
/// the links behind it, and everything that waits for them. Requests and responses have separate
/// virtual channels, and so have packets that went around a ring (dateline), so there is no
/// deadlock. Networks without virtual channels never block: packets queue at the links in the order
/// of arrival.
class WormholeNetwork {
 public:
  WormholeNetwork(const hardware::Topology& hw, TransferEvents& events);

  struct Delivery {
    Ticks arrived = 0;   ///< the last byte is at its destination
    Ticks complete = 0;  ///< acknowledged (writes); the same for reads
  };
  /// Starts one packet of a write. `Complete(packet)` follows.
  std::int32_t write(Ticks now, std::int32_t owner, std::int32_t plane, hardware::NodeId from,
                     hardware::NodeId to, std::int32_t channel, std::int64_t bytes);
  /// Requests one packet. `Complete(packet)` follows when it has arrived at `reader`.
  std::int32_t read(Ticks now, std::int32_t owner, std::int32_t plane, hardware::NodeId reader,
                    hardware::NodeId from, std::int32_t channel, std::int64_t bytes);
  /// Writes to all routers of an area at once. Links serve in order of arrival; never blocks.
  Delivery multicast(Ticks now, std::int32_t plane, hardware::NodeId from, const TransferArea& area,
                     std::int64_t bytes);

  void asked(Ticks now, std::int32_t packet);
  void head(Ticks now, std::int32_t packet);
  void retry(Ticks now, std::int32_t port);

  std::int32_t ownerOf(std::int32_t packet) const { return at(packet).owner; }
  const Delivery& deliveryOf(std::int32_t packet) const { return at(packet).delivery; }
  bool isRead(std::int32_t packet) const { return at(packet).response; }
  void forget(std::int32_t packet) { m_unused.push_back(packet); }
  std::int64_t packetsUnderway() const {
    return static_cast<std::int64_t>(m_packets.size() - m_unused.size());
  }
  std::int64_t packetBytes(std::int32_t plane) const;

  std::vector<double> linkBusy() const;
  std::vector<double> channelBusy() const;

 private:
  static constexpr std::int32_t kNone = -1;
  static constexpr Ticks kUnknown = kEndOfTime;

  struct Path {
    std::size_t begin = 0;
    std::int32_t hops = -1;
  };
  /// A link, or an endpoint that takes packets from the network.
  struct Port {
    Ticks free = 0;
    Pace pace, contended;
    Ticks latency = 0;
    Ticks busy = 0;
    Ticks retryAt = kUnknown;
    std::int32_t firstWaiting = kNone, lastWaiting = kNone;
    std::int32_t lastInput = kNone;
    std::int32_t lanes = 0;  ///< first lane
    std::uint8_t dim = 0;
    bool wraps = false;  ///< crosses the dateline
  };
  /// A virtual channel of a link with the buffer at its end, or the send queue of an endpoint.
  struct Lane {
    /// time at which the tail of the last packet has passed the link; kUnknown: not yet
    Ticks free = 0;
    Ticks drained = 0;  ///< time at which the last packet has left the buffer
    std::int64_t room = 0;
    std::int32_t front = kNone;  ///< the packet at the front, whose tail has not left yet
    std::int32_t firstBehind = kNone, lastBehind = kNone;
    std::int32_t port = kNone;
  };
  struct Hold {
    std::int32_t lane = kNone;
    Ticks until = 0;
  };
  struct Ends {
    std::int32_t plane = 0;
    std::int32_t channel = kNone;  ///< of the global memory; kNone: from core to core
    hardware::NodeId from, to;
  };
  struct Packet {
    std::int32_t owner = 0;
    std::int32_t next = kNone;    ///< the next packet that waits for the same port
    std::int32_t behind = kNone;  ///< the next packet behind the front of its lane
    std::int32_t source = kNone;  ///< lane of the endpoint that sends it
    std::int32_t input = kNone;   ///< the lane that holds it
    std::int32_t sink = kNone;    ///< destination port
    std::int32_t hop = 0, finalised = 0;
    std::int32_t dateline = 0;
    Ends ends;
    bool response = false;
    bool queued = false;  ///< it is in the lane `input`
    std::int64_t bytes = 0, size = 0;
    Ticks asked = 0;  ///< start of its wait for a port
    Ticks tail = 0;
    Path path;
    Delivery delivery;
    std::vector<Hold> holds;
  };
  struct Channel {
    Pace read, write;
    std::int32_t firstAsked = kNone, lastAsked = kNone;
    bool readLast = false;
  };
  struct Plane {
    Ticks endpoint = 0;
    std::int64_t header = 0, packet = 1, buffer = 0;
    std::int32_t virtualChannels = 0;
    double latency = 1;
    Pace multicast, link;
  };

  Packet& at(std::int32_t packet) { return m_packets[static_cast<std::size_t>(packet)]; }
  const Packet& at(std::int32_t packet) const {
    return m_packets[static_cast<std::size_t>(packet)];
  }
  Port& port(std::int32_t i) { return m_ports[static_cast<std::size_t>(i)]; }
  Lane& lane(std::int32_t i) { return m_lanes[static_cast<std::size_t>(i)]; }
  Plane& plane(std::int32_t i) { return m_planes[static_cast<std::size_t>(i)]; }
  const Plane& plane(std::int32_t i) const { return m_planes[static_cast<std::size_t>(i)]; }

  void describePlanes();
  void describeLinks();
  void describeEndpoints();
  std::int32_t sourceLane(std::int32_t planeIndex, hardware::NodeId node) const;
  std::int32_t nodeSink(std::int32_t planeIndex, hardware::NodeId node) const;
  Path pathOf(std::int32_t planeIndex, hardware::NodeId from, hardware::NodeId to);
  Path newPath(std::int32_t planeIndex, hardware::NodeId from, hardware::NodeId to);
  Ticks flight(std::int32_t planeIndex, hardware::NodeId from, hardware::NodeId to);

  std::int32_t take(std::int32_t owner, std::int32_t planeIndex, hardware::NodeId from,
                    hardware::NodeId to, std::int64_t bytes);
  void enter(Ticks now, std::int32_t packet);
  void ask(Ticks now, std::int32_t packet);
  void answer(Ticks now, std::int32_t packet, Ticks finish);
  void serveLink(Ticks now, std::int32_t out);
  void serveSink(Ticks now, std::int32_t out);
  void serveChannel(Ticks now, std::int32_t out);
  std::int32_t freeLane(const Packet& packet, std::int32_t out, Ticks now, Ticks& known);
  void wakeAt(std::int32_t out, Ticks time);
  void unlink(Port& out, std::int32_t before, std::int32_t packet);
  void grant(Ticks now, std::int32_t packet, std::int32_t out, std::int32_t lane);
  void hold(Packet& packet, Ticks now, const Pace& pace);
  void sink(Ticks now, std::int32_t packet, Port& out, const Pace& pace);
  void finalise(std::int32_t packet, Ticks now, std::int32_t upTo);
  void leave(Ticks now, std::int32_t packet, std::int32_t from, Ticks until);
  void deliver(std::int32_t packet, Ticks tail);
  void passFreely(Ticks now, std::int32_t packet);

  const hardware::Topology& m_hw;
  TransferEvents& m_events;
  std::size_t m_nodes = 0;
  std::int32_t m_firstNodeSink = 0, m_firstChannelSink = 0, m_firstSource = 0;
  std::vector<Plane> m_planes;
  std::vector<Port> m_ports;
  std::vector<Lane> m_lanes;
  std::vector<Server> m_answers;    ///< [plane][node]
  std::vector<Pace> m_answerPaces;  ///< [plane]
  std::vector<Channel> m_channels;
  std::vector<Packet> m_packets;
  std::vector<std::int32_t> m_unused;
  std::vector<std::int32_t> m_pathLinks;
  std::vector<Path> m_paths;  ///< [plane][from][to], for small networks
  std::unordered_map<std::uint64_t, Path> m_farPaths;
  hardware::Route m_route;
};

}  // namespace gridloom::network
