// SPDX-License-Identifier: Apache-2.0
#include "traffic/line_loads.h"

#include <algorithm>
#include <array>

namespace gridloom::traffic {

using hardware::NodeId;
using hardware::Topology;

LineLoads::LineLoads(const Topology& hw, std::int64_t plane, std::size_t dim,
                     std::span<const std::pair<std::int64_t, std::int64_t>> sends) {
  const std::int64_t size = hw.nodeGrid()[dim];
  std::int64_t stride = 1;
  for (std::size_t d = dim + 1; d < hw.nodeGrid().size(); ++d) stride *= hw.nodeGrid()[d];
  std::array<std::vector<double>, 2> bytes;
  for (auto& line : bytes) line.assign(static_cast<std::size_t>(size), 0);
  std::vector<int> ends(static_cast<std::size_t>(size), 0);
  for (const auto& [from, to] : sends) {
    const NodeId start(static_cast<std::int32_t>(from * stride));
    const Topology::Run run = hw.runBetween(plane, dim, start, from, to);
    const std::int64_t step = run.direction == Topology::Up ? 1 : size - 1;
    for (std::int64_t hop = 0, at = from; hop < run.hops; ++hop, at = (at + step) % size)
      bytes[run.direction][static_cast<std::size_t>(at)] += 1;
    m_hops += static_cast<double>(run.hops);
    if (run.hops > 0) {
      const auto id = hw.hops(plane, dim, run.direction)[start.index()];
      const hardware::Network& network = hw.networks()[hw.links()[id.index()].network.index()];
      m_latency = std::max(m_latency, static_cast<double>(run.hops) * network.latency);
      m_slowest = std::max(m_slowest, 1 / network.bandwidth);
    }
    ++ends[static_cast<std::size_t>(from)];
    ++ends[static_cast<std::size_t>(to)];
  }
  for (std::size_t c = 0; c < ends.size(); ++c) {
    const std::size_t offset = c * static_cast<std::size_t>(stride);
    if (ends[c] > 0) m_ports.emplace_back(offset, ends[c]);
    for (const auto direction : {Topology::Up, Topology::Down}) {
      if (bytes[direction][c] == 0) continue;
      const auto hops = hw.hops(plane, dim, direction);
      const hardware::Link link = hw.links()[hops[offset].index()];
      m_links.push_back({hops, offset, bytes[direction][c] / link.bandwidth});
    }
  }
}

}  // namespace gridloom::traffic
