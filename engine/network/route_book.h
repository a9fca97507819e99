// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/chunked_vector.h"
#include "hardware/topology.h"

namespace gridloom::network {

/// Links of one group whose numbers form an arithmetic sequence: a straight line through the mesh.
struct LinkRun {
  std::int32_t first = 0, step = 0, count = 0;
  std::uint32_t group = 0;  ///< in hardware::LinkTable::groups
};

/// Caches routes between cores and memory channels as runs of links. Even a route across a wafer
/// has few runs.
class RouteBook {
 public:
  explicit RouteBook(const hardware::Topology& hw) : m_hw(hw) {}

  /// Runs [begin, end) of `run`.
  struct Path {
    std::int32_t begin = 0, end = 0;
  };
  /// The route from a channel to the memory behind a port (nodeOfPort).
  Path read(std::int32_t channel, std::int32_t port) { return find(channel, port, false); }
  Path write(std::int32_t core, std::int32_t channel) { return find(channel, core, true); }
  Path between(std::int32_t from, std::int32_t to);
  const LinkRun& run(std::int32_t n) const { return m_runs[static_cast<std::size_t>(n)]; }

 private:
  Path find(std::int32_t channel, std::int32_t port, bool writes);
  Path append(const hardware::Route& route);

  const hardware::Topology& m_hw;
  base::ChunkedVector<LinkRun> m_runs;
  std::unordered_map<std::int64_t, Path> m_known, m_between;
  hardware::Route m_route;  ///< scratch
};

}  // namespace gridloom::network
