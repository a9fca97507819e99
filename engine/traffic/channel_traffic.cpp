// SPDX-License-Identifier: Apache-2.0
#include "traffic/channel_traffic.h"

#include <algorithm>
#include <numeric>

#include "traffic/route_loads.h"

namespace gridloom::traffic {

using hardware::ChannelId;
using hardware::CoreId;
using hardware::Link;
using hardware::LinkId;
using hardware::NodeId;
using hardware::Topology;

namespace {

/// Distinct router coordinates along each dimension, and whether the routers are all combinations
/// of them.
struct Extents {
  std::vector<std::vector<NodeId>> along;  ///< per dimension: one router per coordinate
  bool everyCombination = false;
};

Extents extentsOf(const Topology& hw, std::span<const NodeId> nodes) {
  Extents out;
  double combinations = 1;
  for (std::size_t dim = 0; dim < hw.nodeGrid().size(); ++dim) {
    std::vector<NodeId> at(static_cast<std::size_t>(hw.nodeGrid()[dim]));
    for (const NodeId node : nodes)
      at[static_cast<std::size_t>(hw.nodeCoordinate(node, dim))] = node;
    std::erase_if(at, [](NodeId node) { return !node.valid(); });
    combinations *= static_cast<double>(at.size());
    out.along.push_back(std::move(at));
  }
  std::vector<bool> seen(static_cast<std::size_t>(hw.nodeCount()), false);
  double different = 0;
  for (const NodeId node : nodes) {
    if (!seen[node.index()]) different += 1;
    seen[node.index()] = true;
  }
  out.everyCombination = different == combinations;
  return out;
}

/// A port that bytes of a core go through, and how many parts of them.
struct PortUse {
  LinkId port;
  double parts = 0;
};

class Count {
 public:
  Count(const Topology& hw, bool write, const base::Progress* progress)
      : m_hw(hw),
        m_write(write),
        m_plane(write ? hw.writePlane() : hw.readPlane()),
        m_progress(progress),
        m_loads(hw, m_plane, progress),
        m_ports(hw.links().size(), 0.0),
        m_lines(hw.nodeGrid().size()) {
    m_out.channels.assign(static_cast<std::size_t>(hw.global().channels), 0.0);
  }

  ChannelTraffic run(std::span<const CoreId> cores, const ChannelChoice& choice,
                     const std::function<void(LinkId, double)>& visit) {
    const double share =
        1 / static_cast<double>(std::reduce(choice.parts.begin(), choice.parts.end()));
    if (choice.first) {
      throughOwn(cores, choice, share);
    } else {
      commonChannels(cores, choice, share);
    }
    m_loads.forLinks([&](LinkId link, double bytes) { visit(link, bytes * share); });
    for (std::size_t l = 0; l < m_ports.size(); ++l) {
      if (m_ports[l] > 0) visit(LinkId::of(l), m_ports[l] * share);
    }
    return std::move(m_out);
  }

 private:
  bool isCancelled() const { return m_progress != nullptr && m_progress->cancelled(); }
  Link link(LinkId id) const { return m_hw.links()[id.index()]; }
  NodeId routerAt(LinkId port) const { return m_write ? link(port).from : link(port).to; }
  LinkId portFor(NodeId core, ChannelId channel) const {
    return m_write ? m_hw.writePort(core, channel) : m_hw.readPort(channel, core);
  }
  std::span<const LinkId> portsOf(ChannelId channel) const {
    return m_write ? m_hw.writePorts(channel) : m_hw.readPorts(channel);
  }

  /// Returns the latency of the route.
  double addPath(NodeId core, ChannelId channel, const PortUse& use) {
    m_ports[use.port.index()] += use.parts;
    m_out.channels[channel.index()] += use.parts;
    const NodeId end = routerAt(use.port);
    const auto note = [&](std::size_t step, Topology::Run run) {
      m_lines[step].emplace_back(2 * lineOf(step, end) + run.direction, use.parts);
    };
    const RouteLoads::Path path =
        m_write ? m_loads.add(core, end, use.parts, note) : m_loads.add(end, core, use.parts, note);
    return path.latency + link(use.port).latency;
  }

  void commonChannels(std::span<const CoreId> cores, const ChannelChoice& choice, double share) {
    std::vector<PortUse> uses;
    for (std::size_t n = 0; n < choice.offsets.size(); ++n) {
      const auto all = portsOf(ChannelId(static_cast<std::int32_t>(choice.offsets[n])));
      if (all.size() > 1) {
        const auto first = [](CoreId) { return ChannelId::of(0); };
        return throughOwn(cores, {choice.offsets, choice.parts, first}, share);
      }
      uses.push_back({all.front(), static_cast<double>(choice.parts[n])});
    }
    throughOnly(cores, uses, share);
    for (std::size_t n = 0; n < uses.size(); ++n) {
      m_out.channels[static_cast<std::size_t>(choice.offsets[n])] =
          static_cast<double>(cores.size()) * uses[n].parts * share;
    }
  }

  // Which channels a core uses, or through which ports, depends on where it is.
  void throughOwn(std::span<const CoreId> cores, const ChannelChoice& choice, double share) {
    for (const CoreId core : cores) {
      if (isCancelled()) return;
      const NodeId node = m_hw.nodeOf(core);
      const std::size_t first = choice.first(core).index();
      double sum = 0;
      for (std::size_t n = 0; n < choice.offsets.size(); ++n) {
        const auto offset = static_cast<std::size_t>(choice.offsets[n]);
        const ChannelId channel = ChannelId::of((first + offset) % m_out.channels.size());
        const PortUse use{portFor(node, channel), static_cast<double>(choice.parts[n])};
        const double latency = addPath(node, channel, use);
        m_out.latency = std::max(m_out.latency, latency);
        sum += latency;
        m_out.alone = std::max(m_out.alone, use.parts * share / link(use.port).bandwidth);
      }
      m_out.meanLatency =
          std::max(m_out.meanLatency, sum / static_cast<double>(choice.offsets.size()));
      for (std::size_t step = 0; step < m_lines.size(); ++step) busiestLine(step, share);
    }
    for (double& bytes : m_out.channels) bytes *= share;
  }

  // Each channel has one port: everything between their routers and those of
  // the cores at once.
  void throughOnly(std::span<const CoreId> cores, const std::vector<PortUse>& uses, double share) {
    std::vector<NodeId> ends, nodes;
    for (const PortUse& use : uses)
      ends.insert(ends.end(), static_cast<std::size_t>(use.parts), routerAt(use.port));
    for (const CoreId core : cores) nodes.push_back(m_hw.nodeOf(core));
    m_write ? m_loads.addAll(nodes, ends) : m_loads.addAll(ends, nodes);
    for (const PortUse& use : uses)
      m_ports[use.port.index()] += static_cast<double>(cores.size()) * use.parts;
    const Extents extents = extentsOf(m_hw, nodes);
    for (std::size_t step = 0; step < m_hw.nodeGrid().size(); ++step) {
      for (const NodeId node : extents.along[m_hw.dimAt(m_plane, step)]) {
        if (isCancelled()) return;
        ownAt(step, node, uses, share);
      }
    }
    for (const PortUse& use : uses) {
      if (isCancelled()) return;
      m_out.latency = std::max(m_out.latency, longestTo(extents, nodes, std::span(&use, 1)));
    }
    m_out.meanLatency = longestTo(extents, nodes, uses);
  }

  double latencyAlong(std::size_t dim, NodeId core, NodeId end) const {
    const Topology::Run run =
        m_write ? m_hw.runAlong(m_plane, dim, core, end) : m_hw.runAlong(m_plane, dim, end, core);
    if (run.hops == 0) return 0;
    return static_cast<double>(run.hops) * m_loads.networkAt(dim, run.direction).latency;
  }

  // Of a core's coordinate along a dimension, on average over the ports.
  double latencyAlong(std::size_t dim, NodeId core, std::span<const PortUse> uses) const {
    double sum = 0;
    for (const PortUse& use : uses) sum += latencyAlong(dim, core, routerAt(use.port));
    return sum / static_cast<double>(uses.size());
  }

  // Latency of the routes to the ports on average, of the core that is farthest from them.
  double longestTo(const Extents& extents, const std::vector<NodeId>& nodes,
                   std::span<const PortUse> uses) const {
    double ports = 0, longest = 0;
    for (const PortUse& use : uses) ports += link(use.port).latency;
    if (extents.everyCombination) {
      for (std::size_t dim = 0; dim < extents.along.size(); ++dim) {
        double most = 0;
        for (const NodeId core : extents.along[dim]) {
          most = std::max(most, latencyAlong(dim, core, uses));
        }
        longest += most;
      }
    } else {
      for (const NodeId core : nodes) {
        double sum = 0;
        for (std::size_t dim = 0; dim < m_hw.nodeGrid().size(); ++dim) {
          sum += latencyAlong(dim, core, uses);
        }
        longest = std::max(longest, sum);
      }
    }
    return longest + ports / static_cast<double>(uses.size());
  }

  // The routes of one core to or from ports that all cores use.
  void ownAt(std::size_t step, NodeId core, const std::vector<PortUse>& uses, double share) {
    const std::size_t dim = m_hw.dimAt(m_plane, step);
    for (const auto& [port, parts] : uses) {
      m_out.alone = std::max(m_out.alone, parts * share / link(port).bandwidth);
      const NodeId end = routerAt(port);
      const Topology::Run run =
          m_write ? m_hw.runAlong(m_plane, dim, core, end) : m_hw.runAlong(m_plane, dim, end, core);
      if (run.hops > 0) m_lines[step].emplace_back(2 * lineOf(step, end) + run.direction, parts);
    }
    busiestLine(step, share);
  }

  // Finds the busiest link of a step for one core without contention: next to the core for reads
  // (next to the first port for writes), on each line that its routes share.
  void busiestLine(std::size_t step, double share) {
    const std::size_t dim = m_hw.dimAt(m_plane, step);
    auto& lines = m_lines[step];
    std::ranges::sort(lines);
    for (auto line = lines.begin(); line != lines.end();) {
      const std::int64_t here = line->first;
      double together = 0;
      for (; line != lines.end() && line->first == here; ++line) together += line->second;
      const auto direction = here % 2 == 0 ? Topology::Up : Topology::Down;
      const double bytes = together * share;
      m_out.alone = std::max(m_out.alone, bytes / m_loads.networkAt(dim, direction).bandwidth);
    }
    lines.clear();
  }

  // Number of the line of a route. Routes of one core share a line where their ends agree: in the
  // later dimensions for reads, in the earlier ones for writes.
  std::int64_t lineOf(std::size_t step, NodeId end) const {
    std::int64_t line = 0;
    for (std::size_t other = 0; other < m_hw.nodeGrid().size(); ++other) {
      const std::size_t dim = m_hw.dimAt(m_plane, other);
      line *= m_hw.nodeGrid()[dim];
      if (m_write ? other < step : other > step) line += m_hw.nodeCoordinate(end, dim);
    }
    return line;
  }

  const Topology& m_hw;
  bool m_write;
  std::int64_t m_plane;
  const base::Progress* m_progress;
  RouteLoads m_loads;
  std::vector<double> m_ports;  ///< parts per port, by LinkId
  /// Per step, of one core: line and parts.
  std::vector<std::vector<std::pair<std::int64_t, double>>> m_lines;
  ChannelTraffic m_out;
};

}  // namespace

ChannelTraffic channelTraffic(const Topology& hw, std::span<const CoreId> cores, bool write,
                              const ChannelChoice& choice, const base::Progress* progress,
                              const std::function<void(LinkId, double)>& visit) {
  return Count(hw, write, progress).run(cores, choice, visit);
}

}  // namespace gridloom::traffic
