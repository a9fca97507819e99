// SPDX-License-Identifier: Apache-2.0
// What the resources of the network have done so far.
#include <algorithm>
#include <numeric>

#include "network/queueing_network.h"

namespace gridloom::network {

std::vector<ResourceUse> QueueingNetwork::usesOf(const base::LargeVector<Server>& servers) {
  std::vector<ResourceUse> use;
  use.reserve(servers.size());
  for (const Server& server : servers) {
    use.push_back({inCycles(server.busy), static_cast<double>(server.bytes)});
  }
  return use;
}

double QueueingNetwork::busiestPort() const {
  Ticks busiest = 0;
  for (std::size_t p = 0; p < index(m_cores); ++p) busiest = std::max(busiest, m_ports[p].busy);
  return inCycles(busiest);
}

double QueueingNetwork::busiestInstance(const hardware::SharedBuffer& buffer) const {
  const std::size_t first = index(m_cores) + static_cast<std::size_t>(buffer.firstInstance);
  Ticks busiest = 0;
  for (std::size_t i = 0; i < buffer.nodes.size(); ++i) {
    busiest = std::max(busiest, m_ports[first + i].busy);
  }
  return inCycles(busiest);
}

std::int64_t QueueingNetwork::bytesThrough(const hardware::SharedBuffer& buffer) const {
  const auto first = m_ports.begin() + m_cores + buffer.firstInstance;
  return std::accumulate(first, first + static_cast<std::ptrdiff_t>(buffer.nodes.size()),
                         std::int64_t{0},
                         [](std::int64_t bytes, const Server& port) { return bytes + port.bytes; });
}

void QueueingNetwork::appendUse(base::LargeVector<float>& row, Ticks now) const {
  // Accepted work that lies in the future does not count as busy yet.
  const auto add = [&](Ticks busy, Ticks free) {
    row.push_back(static_cast<float>(inCycles(busy - std::max(free - now, Ticks{0}))));
  };
  for (const Server& link : m_links) add(link.busy, link.free);
  for (std::size_t c = 0; c < m_channelFree.size(); ++c) {
    if (!m_hw.global().duplex) {
      add(m_reads[c].busy + m_writes[c].busy, m_channelFree[c]);
      continue;
    }
    const Ticks ahead =
        std::max(m_reads[c].free - now, Ticks{0}) + std::max(m_writes[c].free - now, Ticks{0});
    add((m_reads[c].busy + m_writes[c].busy - ahead) / 2, now);
  }
}

std::size_t QueueingNetwork::memoryBytes() const {
  std::size_t bytes = (m_links.size() + m_ports.size()) * sizeof(Server) +
                      m_pieces.size() * sizeof(Piece) + m_flights.size() * sizeof(Flight) +
                      m_flights.size() * sizeof(Event) + m_multicasts.size() * sizeof(Multicast);
  if (!m_multicasts.empty())
    bytes += m_multicasts.size() * m_multicasts.front().branches.size() * sizeof(Multicast::Branch);
  return bytes;
}

void QueueingNetwork::releaseTransfers() {
  m_trees.release();
  m_transferOf = {};
  m_transfers = {};
  m_pieces = {};
  m_multicasts = {};
  m_flights = {};
  m_unusedPieces = m_unusedMulticasts = m_unusedFlights = {};
}

std::int64_t QueueingNetwork::networkBytes() const {
  std::int64_t bytes = 0;
  for (std::size_t l = 0; l < m_links.size(); ++l) {
    if (m_hw.links()[l].kind == hardware::Link::Kind::Hop) bytes += m_links[l].bytes;
  }
  return bytes;
}

}  // namespace gridloom::network
