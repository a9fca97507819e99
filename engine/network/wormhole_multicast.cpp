// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "network/wormhole_network.h"

namespace gridloom::network {

namespace {

/// The routers of an area. It wraps around where its end comes before its start.
std::vector<hardware::NodeId> routersOf(const TransferArea& area,
                                        std::span<const std::int64_t> grid) {
  std::vector<std::int64_t> nodes{0};
  for (std::size_t d = 0; d < grid.size(); ++d) {
    const std::int64_t span = (area.last[d] - area.first[d] + grid[d]) % grid[d];
    std::vector<std::int64_t> wider;
    for (const std::int64_t node : nodes) {
      for (std::int64_t c = 0; c <= span; ++c) {
        wider.push_back(node * grid[d] + (area.first[d] + c) % grid[d]);
      }
    }
    nodes = std::move(wider);
  }
  std::vector<hardware::NodeId> routers;
  for (const std::int64_t node : nodes) {
    routers.push_back(hardware::NodeId(static_cast<std::int32_t>(node)));
  }
  return routers;
}

}  // namespace

WormholeNetwork::Delivery WormholeNetwork::multicast(Ticks now, std::int32_t planeIndex,
                                                     hardware::NodeId from,
                                                     const TransferArea& area, std::int64_t bytes) {
  const Plane& described = plane(planeIndex);
  const std::int64_t size = bytes + described.header;
  const Ticks service = described.multicast(size);
  Delivery delivery{now, now};
  // Every link of the tree carries the packet once: when its head and its tail left the link
  // before.
  std::unordered_map<std::int32_t, ServiceInterval> passed;
  for (const hardware::NodeId to : routersOf(area, m_hw.nodeGrid())) {
    if (to == from && !area.withSelf) continue;
    const Path path = pathOf(planeIndex, from, to);
    ServiceInterval interval{now + described.endpoint, now + described.endpoint + service};
    for (std::int32_t hop = 0; hop < path.hops; ++hop) {
      const std::int32_t link = m_pathLinks[path.begin + static_cast<std::size_t>(hop)];
      Port& out = port(link);
      const auto [known, first] = passed.try_emplace(link);
      if (first) {
        known->second.start = std::max(interval.start, out.free);
        out.free = known->second.start + service;
        out.busy += service;
        known->second.finish = std::max(out.free, interval.finish);
      }
      interval = {known->second.start + out.latency, known->second.finish + out.latency};
    }
    const Ticks arrived = interval.finish + described.endpoint;
    delivery.arrived = std::max(delivery.arrived, arrived);
    delivery.complete = std::max(delivery.complete, arrived + flight(planeIndex, to, from));
  }
  return delivery;
}

}  // namespace gridloom::network
