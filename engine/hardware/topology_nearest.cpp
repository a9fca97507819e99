// SPDX-License-Identifier: Apache-2.0
//
// The port of a memory channel, and the channel, that are nearest to a core.
#include <algorithm>
#include <array>
#include <limits>

#include "hardware/topology_builder.h"

namespace gridloom::hardware {

namespace {

/// Entries of the tables of nearest ports, for reads and for writes each.
constexpr std::size_t kMostEntries = std::size_t{1} << 24;

/// The hops to a port, and its position among the ports of its channel: the first of equally near
/// ones wins.
struct Distance {
  std::int32_t hops = std::numeric_limits<std::int32_t>::max();
  std::int32_t port = -1;

  bool isKnown() const { return port >= 0; }
  void offer(std::int32_t otherHops, std::int32_t otherPort) {
    if (isKnown() && (hops < otherHops || (hops == otherHops && port <= otherPort))) return;
    *this = {otherHops, otherPort};
  }
};

/// Propagates distances over the links of one dimension: along the links for reads, against them
/// for writes. Two passes over each line go all the way round a ring.
void spreadAlong(std::span<const LinkId> hops, const LinkTable& links, bool ascending, bool against,
                 std::vector<Distance>& distances) {
  const auto nodes = static_cast<std::int64_t>(hops.size());
  for (int round = 0; round < 2; ++round) {
    for (std::int64_t n = 0; n < nodes; ++n) {
      const LinkId id = hops[static_cast<std::size_t>(ascending ? n : nodes - 1 - n)];
      if (!id.valid()) continue;
      const Link link = links[id.index()];
      const Distance known = distances[(against ? link.to : link.from).index()];
      if (!known.isKnown()) continue;
      distances[(against ? link.from : link.to).index()].offer(known.hops + 1, known.port);
    }
  }
}

}  // namespace

/// Hops are counted dimension by dimension, so the nearest port along one dimension is found before
/// those along the next.
std::vector<LinkId> TopologyBuilder::nearestPorts(const std::vector<LinkId>& ports,
                                                  bool write) const {
  std::vector<Distance> distances(static_cast<std::size_t>(m_made.nodeCount()));
  for (std::size_t p = 0; p < ports.size(); ++p) {
    const Link port = m_made.m_links[ports[p].index()];
    distances[(write ? port.from : port.to).index()].offer(0, static_cast<std::int32_t>(p));
  }
  const std::int64_t plane = write ? m_made.writePlane() : m_made.readPlane();
  for (std::size_t dim = 0; dim < m_made.m_nodeGrid.size(); ++dim) {
    for (const auto direction : {Topology::Up, Topology::Down}) {
      const bool ascending = (direction == Topology::Up) != write;
      spreadAlong(m_made.hops(plane, dim, direction), m_made.m_links, ascending, write, distances);
    }
  }
  std::vector<LinkId> nearest(distances.size());
  for (std::size_t n = 0; n < nearest.size(); ++n) {
    if (distances[n].isKnown()) nearest[n] = ports[static_cast<std::size_t>(distances[n].port)];
  }
  return nearest;
}

void TopologyBuilder::findNearestPorts() {
  for (const bool write : {false, true}) {
    const auto& ports = write ? m_made.m_writePorts : m_made.m_readPorts;
    const auto several = static_cast<std::size_t>(
        std::ranges::count_if(ports, [](const auto& channel) { return channel.size() > 1; }));
    if (several == 0) continue;
    if (several * static_cast<std::size_t>(m_made.nodeCount()) > kMostEntries) continue;
    auto& nearest = m_made.m_nearestPort[write ? 1 : 0];
    nearest.resize(ports.size());
    for (std::size_t channel = 0; channel < ports.size(); ++channel) {
      if (ports[channel].size() > 1) nearest[channel] = nearestPorts(ports[channel], write);
    }
  }
}

/// On larger machines, only directives select nearest-channel layouts.
void TopologyBuilder::findNearestChannels() {
  constexpr std::size_t kMostPairs = 1 << 20;
  std::size_t ports = 0;
  for (const auto& channel : m_made.m_readPorts) ports += channel.size();
  const auto cores = static_cast<std::size_t>(m_made.coreCount());
  if (ports < 2 || cores * ports > kMostPairs) return;
  for (const bool write : {false, true}) {
    auto& nearest = m_made.m_nearest[write ? 1 : 0];
    nearest.reserve(cores);
    for (std::size_t c = 0; c < cores; ++c) {
      nearest.push_back(m_made.findNearest(CoreId::of(c), write));
    }
  }
  m_made.m_global.searchesLayouts = !m_globalMemory->pagesOnly && m_made.m_global.channels > 1;
}

LinkId Topology::readPort(ChannelId channel, NodeId to) const {
  const std::vector<LinkId>& ports = m_readPorts[channel.index()];
  if (ports.size() == 1) return ports.front();
  if (!m_nearestPort[0].empty()) return m_nearestPort[0][channel.index()][to.index()];
  return *std::ranges::min_element(ports, {}, [&](LinkId port) {
    return hopsBetween(readPlane(), m_links[port.index()].to, to);
  });
}

LinkId Topology::writePort(NodeId from, ChannelId channel) const {
  const std::vector<LinkId>& ports = m_writePorts[channel.index()];
  if (ports.size() == 1) return ports.front();
  if (!m_nearestPort[1].empty()) return m_nearestPort[1][channel.index()][from.index()];
  return *std::ranges::min_element(ports, {}, [&](LinkId port) {
    return hopsBetween(writePlane(), from, m_links[port.index()].from);
  });
}

void Topology::readRoute(ChannelId channel, NodeId to, Route& out) const {
  const LinkId port = readPort(channel, to);
  out.assign(1, port);
  appendRoute(readPlane(), m_links[port.index()].to, to, out);
}

void Topology::writeRoute(NodeId from, ChannelId channel, Route& out) const {
  out.clear();
  const LinkId port = writePort(from, channel);
  appendRoute(writePlane(), from, m_links[port.index()].from, out);
  out.push_back(port);
}

ChannelId Topology::nearestChannel(CoreId core, bool write) const {
  const auto& known = m_nearest[write ? 1 : 0];
  return known.empty() ? findNearest(core, write) : known[core.index()];
}

/// Equally near channels alternate between neighbouring cores.
ChannelId Topology::findNearest(CoreId core, bool write) const {
  const NodeId at = nodeOf(core);
  std::vector<ChannelId> nearest;
  std::int64_t fewest = 0;
  for (std::size_t c = 0; c < m_readPorts.size(); ++c) {
    const ChannelId channel = ChannelId::of(c);
    const Link port = m_links[(write ? writePort(at, channel) : readPort(channel, at)).index()];
    const std::int64_t hops =
        write ? hopsBetween(writePlane(), at, port.from) : hopsBetween(readPlane(), port.to, at);
    if (nearest.empty() || hops < fewest) {
      nearest.clear();
      fewest = hops;
    }
    if (hops == fewest) nearest.push_back(channel);
  }
  std::array<std::int64_t, kMostDims> coordinates{};
  coordinatesOf(core, std::span(coordinates.data(), m_dims.size()));
  std::int64_t diagonal = 0;
  for (const std::int64_t c : coordinates) diagonal += c;
  return nearest[static_cast<std::size_t>(diagonal) % nearest.size()];
}

}  // namespace gridloom::hardware
