// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/large_vector.h"
#include "base/progress.h"
#include "hardware/topology.h"

namespace gridloom::traffic {

/// Link loads of many routes on one plane. A route is a sequence of straight runs, one per
/// dimension. A run is noted at its two ends only; the loads of its links are summed once, at the
/// end.
class RouteLoads {
 public:
  /// Incomplete once `progress` is cancelled.
  RouteLoads(const hardware::Topology& hw, std::int64_t plane,
             const base::Progress* progress = nullptr);

  /// Properties of one route.
  struct Path {
    double latency = 0;  ///< cycles: sum over its links
    double slowest = 0;  ///< cycles per byte of its slowest link
    std::int64_t hops = 0;
  };
  /// Adds bytes from one router to another. Calls onRun(step, run) for every straight run.
  template <class OnRun>
  Path add(hardware::NodeId from, hardware::NodeId to, double bytes, const OnRun& onRun) {
    Path path;
    std::int64_t node = from.value();
    for (std::size_t step = 0; step < m_strides.size(); ++step) {
      const std::size_t dim = m_hw.dimAt(m_plane, step);
      const hardware::NodeId here(static_cast<std::int32_t>(node));
      const std::int64_t at = m_hw.nodeCoordinate(here, dim), end = m_hw.nodeCoordinate(to, dim);
      if (at == end) continue;
      const hardware::Topology::Run run = m_hw.runBetween(m_plane, dim, here, at, end);
      onRun(step, run);
      const std::int64_t stride = m_strides[dim];
      const std::int64_t base = node - at * stride;
      base::LargeVector<double>& ends = endsAt(dim, run.direction);
      noteRun(dim, run, at, bytes,
              [&](std::int64_t c, double change) { ends[index(base + c * stride)] += change; });
      const hardware::Network& network = *m_networks[slot(dim, run.direction)];
      path.latency += static_cast<double>(run.hops) * network.latency;
      path.slowest = std::max(path.slowest, 1 / network.bandwidth);
      path.hops += run.hops;
      node = base + end * stride;
    }
    return path;
  }
  Path add(hardware::NodeId from, hardware::NodeId to) {
    return add(from, to, 1, [](std::size_t, hardware::Topology::Run) {});
  }
  /// Adds one byte from every router of `from` to every router of `to`. A router that occurs
  /// n times counts n times.
  void addAll(std::span<const hardware::NodeId> from, std::span<const hardware::NodeId> to);

  /// The network of the links in a direction; there must be one.
  const hardware::Network& networkAt(std::size_t dim,
                                     hardware::Topology::Direction direction) const {
    return *m_networks[slot(dim, direction)];
  }

  /// Calls visit(link, bytes) for every link with traffic.
  template <class Visit> void forLinks(const Visit& visit) const {
    for (std::size_t dim = 0; dim < m_hw.nodeGrid().size(); ++dim) {
      for (const auto direction : {hardware::Topology::Up, hardware::Topology::Down}) {
        sumAlong(dim, direction, visit);
      }
    }
  }

 private:
  using Direction = hardware::Topology::Direction;
  /// Changes of the load along one line, per direction and coordinate.
  using Profile = std::vector<double>;

  /// Routers of one line: coordinate and number of occurrences.
  using Counts = std::vector<std::pair<std::int32_t, std::int32_t>>;
  /// Routers grouped by line: where each line begins, and which entry of `different` holds its
  /// routers.
  struct Groups {
    std::vector<std::int32_t> base;  ///< NodeId with 0 in all other dimensions
    std::vector<std::size_t> counts;
    std::vector<Counts> different;
  };

  std::size_t slot(std::size_t dim, Direction direction) const { return 2 * dim + direction; }
  static std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }
  Groups groupsOf(std::span<const hardware::NodeId> nodes, std::size_t step, bool arrived) const;
  Profile profileOf(std::size_t dim, const Counts& from, const Counts& to) const;
  /// Notes where the load along a run changes: it starts at the first link and ends behind the last
  /// one. A run over the edge of a ring continues at the other end of the line.
  template <class Note>
  void noteRun(std::size_t dim, hardware::Topology::Run run, std::int64_t at, double bytes,
               const Note& note) const {
    const std::int64_t size = m_hw.nodeGrid()[dim];
    const bool up = run.direction == hardware::Topology::Up;
    const std::int64_t end = up ? at + run.hops : at - run.hops;
    note(at, bytes);
    if (end >= 0 && end < size) return note(end, -bytes);
    const std::int64_t over = up ? end - size : end + size;
    if (over == (up ? 0 : size - 1)) return;  // the last link is the one over the edge
    note(up ? 0 : size - 1, bytes);
    note(over, -bytes);
  }

  template <class Visit>
  void sumAlong(std::size_t dim, Direction direction, const Visit& visit) const {
    const auto links = m_hw.hops(m_plane, dim, direction);
    const base::LargeVector<double>& ends = m_ends[slot(dim, direction)];
    if (ends.empty()) return;
    const auto size = m_hw.nodeGrid()[dim];
    const auto stride = static_cast<std::int64_t>(m_strides[dim]);
    for (std::int64_t block = 0; block < m_hw.nodeCount(); block += stride * size) {
      for (std::int64_t base = block; base < block + stride; ++base) {
        double bytes = 0;
        for (std::int64_t n = 0; n < size; ++n) {
          const std::int64_t c = direction == hardware::Topology::Up ? n : size - 1 - n;
          const auto node = index(base + c * stride);
          bytes += ends[node];
          if (bytes > 0) visit(links[node], bytes);
        }
      }
    }
  }

  /// Changes of the load in a direction that a route takes.
  base::LargeVector<double>& endsAt(std::size_t dim, Direction direction) {
    base::LargeVector<double>& ends = m_ends[slot(dim, direction)];
    if (ends.empty()) ends.assign(index(m_hw.nodeCount()), 0.0);
    return ends;
  }

  const hardware::Topology& m_hw;
  std::int64_t m_plane;
  const base::Progress* m_progress;
  std::vector<std::int64_t> m_strides;               ///< of NodeIds, per dimension
  std::vector<const hardware::Network*> m_networks;  ///< per slot; null where there is no link
  /// [slot][NodeId]: change of the load there; empty where no route goes
  std::vector<base::LargeVector<double>> m_ends;
};

}  // namespace gridloom::traffic
