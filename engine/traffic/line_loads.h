// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "hardware/topology.h"

namespace gridloom::traffic {

/// What sends of one byte each along a line of routers load: the line through router 0. Other lines
/// along the same dimension are loaded alike, behind their first router.
class LineLoads {
 public:
  /// `sends`: from one coordinate to another.
  LineLoads(const hardware::Topology& hw, std::int64_t plane, std::size_t dim,
            std::span<const std::pair<std::int64_t, std::int64_t>> sends);

  struct LinkLoad {
    std::span<const hardware::LinkId> hops;  ///< by router, as Topology::hops
    std::size_t offset = 0;                  ///< of the router behind the first of the line
    double cycles = 0;                       ///< for which it is busy
  };
  const std::vector<LinkLoad>& links() const { return m_links; }
  /// Of each router that sends or receives: its offset, and how often.
  const std::vector<std::pair<std::size_t, int>>& ports() const { return m_ports; }
  double latency() const { return m_latency; }  ///< cycles of the longest route
  double slowest() const { return m_slowest; }  ///< cycles per byte of the slowest link
  double hops() const { return m_hops; }        ///< of all sends

 private:
  std::vector<LinkLoad> m_links;
  std::vector<std::pair<std::size_t, int>> m_ports;
  double m_latency = 0, m_slowest = 0, m_hops = 0;
};

}  // namespace gridloom::traffic
