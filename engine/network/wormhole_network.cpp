// SPDX-License-Identifier: Apache-2.0
#include "network/wormhole_network.h"

#include <algorithm>
#include <cstdlib>

#include "base/units.h"
#include "network/slots.h"

namespace gridloom::network {

namespace {

// Limit on pairs of routers for a dense table of paths. Larger networks store the pairs in use.
constexpr std::size_t kDensePairs = std::size_t{1} << 21;
// Requests and responses; before and after the dateline.
constexpr std::int32_t kClasses = 2;
constexpr std::int32_t kDatelines = 2;

using base::index;

}  // namespace

WormholeNetwork::WormholeNetwork(const hardware::Topology& hw, TransferEvents& events)
    : m_hw(hw), m_events(events), m_nodes(static_cast<std::size_t>(hw.nodeCount())) {
  describePlanes();
  describeLinks();
  describeEndpoints();
  const std::size_t pairs = m_planes.size() * m_nodes * m_nodes;
  if (m_nodes < (std::size_t{1} << 16) && pairs <= kDensePairs) m_paths.resize(pairs);
}

void WormholeNetwork::describePlanes() {
  m_planes.resize(static_cast<std::size_t>(m_hw.planes()));
  for (const hardware::Network& network : m_hw.networks()) {
    Plane& plane = m_planes[static_cast<std::size_t>(network.plane)];
    plane.endpoint = ticksOf(network.endpoint);
    plane.header = network.header;
    plane.packet = std::max<std::int64_t>(1, network.packet);
    plane.buffer = network.buffer;
    plane.virtualChannels = static_cast<std::int32_t>(network.virtualChannels);
    plane.link = Pace::of(network.bandwidth);
    plane.multicast =
        Pace::of(network.multicastBandwidth > 0 ? network.multicastBandwidth : network.bandwidth);
  }
}

void WormholeNetwork::describeLinks() {
  std::vector<std::int64_t> from(m_hw.nodeGrid().size());
  std::vector<std::int64_t> to(from.size());
  for (const hardware::Link& link : m_hw.links()) {
    Port& port = m_ports.emplace_back();
    port.latency = ticksOf(link.latency);
    if (link.kind != hardware::Link::Kind::Hop) continue;
    const hardware::Network& network = m_hw.networks()[link.network.index()];
    port.pace = Pace::of(link.bandwidth);
    port.contended = Pace::of(network.contended);
    m_hw.nodeCoordinates(link.from, from);
    m_hw.nodeCoordinates(link.to, to);
    for (std::size_t d = 0; d < from.size(); ++d) {
      if (from[d] == to[d]) continue;
      port.dim = static_cast<std::uint8_t>(d);
      port.wraps = std::abs(to[d] - from[d]) > 1;
    }
    port.lanes = static_cast<std::int32_t>(m_lanes.size());
    for (std::int64_t i = 0; i < kClasses * kDatelines * network.virtualChannels; ++i) {
      Lane& lane = m_lanes.emplace_back();
      lane.room = network.buffer;
      lane.port = static_cast<std::int32_t>(m_ports.size() - 1);
    }
  }
}

void WormholeNetwork::describeEndpoints() {
  m_firstNodeSink = static_cast<std::int32_t>(m_ports.size());
  m_firstSource = static_cast<std::int32_t>(m_lanes.size());
  const double answer = m_hw.coreInterface().answer;
  for (const Plane& plane : m_planes) {
    Port sink;
    sink.pace = sink.contended = plane.link;
    m_ports.insert(m_ports.end(), m_nodes, sink);
    m_lanes.resize(m_lanes.size() + m_nodes);
    m_answerPaces.push_back(answer > 0 ? Pace::of(answer) : plane.link);
    m_answers.resize(m_answers.size() + m_nodes);
  }
  m_firstChannelSink = static_cast<std::int32_t>(m_ports.size());
  m_ports.resize(m_ports.size() + static_cast<std::size_t>(m_hw.global().channels));
  Channel channel;
  channel.read = Pace::of(m_hw.global().readBandwidth);
  channel.write = Pace::of(m_hw.global().writeBandwidth);
  m_channels.assign(static_cast<std::size_t>(m_hw.global().channels), channel);
}

std::int64_t WormholeNetwork::packetBytes(std::int32_t planeIndex) const {
  return plane(planeIndex).packet;
}

std::int32_t WormholeNetwork::sourceLane(std::int32_t planeIndex, hardware::NodeId node) const {
  return m_firstSource + planeIndex * static_cast<std::int32_t>(m_nodes) + node.value();
}

std::int32_t WormholeNetwork::nodeSink(std::int32_t planeIndex, hardware::NodeId node) const {
  return m_firstNodeSink + planeIndex * static_cast<std::int32_t>(m_nodes) + node.value();
}

WormholeNetwork::Path WormholeNetwork::newPath(std::int32_t planeIndex, hardware::NodeId from,
                                               hardware::NodeId to) {
  m_hw.route(planeIndex, from, to, m_route);
  Path path{m_pathLinks.size(), static_cast<std::int32_t>(m_route.size())};
  for (const hardware::LinkId link : m_route) m_pathLinks.push_back(link.value());
  return path;
}

WormholeNetwork::Path WormholeNetwork::pathOf(std::int32_t planeIndex, hardware::NodeId from,
                                              hardware::NodeId to) {
  const std::size_t pair = (index(planeIndex) * m_nodes + from.index()) * m_nodes + to.index();
  Path& path = m_paths.empty() ? m_farPaths[pair] : m_paths[pair];
  if (path.hops < 0) path = newPath(planeIndex, from, to);
  return path;
}

/// Latency from the interface of one endpoint to that of another without contention.
Ticks WormholeNetwork::flight(std::int32_t planeIndex, hardware::NodeId from, hardware::NodeId to) {
  const Path path = pathOf(planeIndex, from, to);
  Ticks time = 2 * plane(planeIndex).endpoint;
  for (std::int32_t hop = 0; hop < path.hops; ++hop) {
    time += port(m_pathLinks[path.begin + index(hop)]).latency;
  }
  return time;
}

std::int32_t WormholeNetwork::take(std::int32_t owner, std::int32_t planeIndex,
                                   hardware::NodeId from, hardware::NodeId to, std::int64_t bytes) {
  const std::int32_t id = slotIn(m_packets, m_unused);
  Packet& packet = at(id);
  std::vector<Hold> holds = std::move(packet.holds);
  holds.clear();
  packet = Packet{};
  packet.holds = std::move(holds);
  packet.owner = owner;
  packet.ends = {planeIndex, kNone, from, to};
  packet.bytes = bytes;
  packet.size = bytes + plane(planeIndex).header;
  packet.source = packet.input = sourceLane(planeIndex, from);
  packet.sink = nodeSink(planeIndex, to);
  packet.path = pathOf(planeIndex, from, to);
  return id;
}

std::int32_t WormholeNetwork::write(Ticks now, std::int32_t owner, std::int32_t planeIndex,
                                    hardware::NodeId from, hardware::NodeId to,
                                    std::int32_t channel, std::int64_t bytes) {
  const std::int32_t id = take(owner, planeIndex, from, to, bytes);
  Packet& packet = at(id);
  packet.ends.channel = channel;
  if (channel >= 0) packet.sink = m_firstChannelSink + channel;
  packet.tail = now + plane(planeIndex).endpoint;
  m_events.push(packet.tail, TransferEventKind::Head, id);
  return id;
}

std::int32_t WormholeNetwork::read(Ticks now, std::int32_t owner, std::int32_t planeIndex,
                                   hardware::NodeId reader, hardware::NodeId from,
                                   std::int32_t channel, std::int64_t bytes) {
  const std::int32_t id = take(owner, planeIndex, from, reader, bytes);
  Packet& packet = at(id);
  packet.response = true;
  packet.ends.channel = channel;
  Ticks arrives = now + flight(planeIndex, reader, from);
  if (channel >= 0) arrives += ticksOf(m_hw.global().latency);
  m_events.push(arrives, TransferEventKind::Asked, id);
  return id;
}

void WormholeNetwork::asked(Ticks now, std::int32_t id) {
  Packet& packet = at(id);
  if (packet.ends.channel >= 0) {
    Channel& channel = m_channels[index(packet.ends.channel)];
    if (channel.firstAsked == kNone) {
      channel.firstAsked = id;
    } else {
      at(channel.lastAsked).next = id;
    }
    channel.lastAsked = id;
    serveChannel(now, m_firstChannelSink + packet.ends.channel);
    return;
  }
  const std::size_t node = index(packet.ends.plane) * m_nodes + packet.ends.from.index();
  const Ticks service = m_answerPaces[index(packet.ends.plane)](packet.bytes);
  const ServiceInterval interval = m_answers[node].pass(now, now, packet.bytes, service);
  answer(interval.start, id, interval.finish);
}

/// The endpoint sends the response as fast as it has the data.
void WormholeNetwork::answer(Ticks start, std::int32_t id, Ticks finish) {
  Packet& packet = at(id);
  packet.tail = finish + plane(packet.ends.plane).endpoint;
  m_events.push(start + plane(packet.ends.plane).endpoint, TransferEventKind::Head, id);
}

std::vector<double> WormholeNetwork::linkBusy() const {
  std::vector<double> busy;
  for (std::size_t l = 0; l < m_hw.links().size(); ++l) {
    busy.push_back(inCycles(m_ports[l].busy));
  }
  return busy;
}

std::vector<double> WormholeNetwork::channelBusy() const {
  std::vector<double> busy;
  for (std::size_t c = 0; c < m_channels.size(); ++c) {
    busy.push_back(inCycles(m_ports[index(m_firstChannelSink) + c].busy));
  }
  return busy;
}

}  // namespace gridloom::network
