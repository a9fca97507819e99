// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "hardware/coordinate_tables.h"
#include "hardware/topology_builder.h"

namespace gridloom::hardware {

namespace {

// Default packet: the bytes that occupy a link for this many cycles (an 8 KiB packet of Wormhole at
// its 32 B/cycle: ISA documentation, NoC).
constexpr double kTurnCycles = 256;

}  // namespace

bool TopologyBuilder::isNetwork(const Interconnect& link) const {
  const Part from = partOf(link.source);
  const Part to = partOf(link.destination);
  if (from != to) return false;
  if (!cores().grid.empty()) return from == Part::Cores || from == Part::Local;
  return from == (m_routersAreLocal ? Part::Local : Part::Cores);
}

void TopologyBuilder::readNetworks() {
  std::vector<const Interconnect*> networks;
  for (const Interconnect& link : m_spec.interconnects) {
    if (isNetwork(link)) networks.push_back(&link);
  }
  numberPlanes(networks);
  for (const Interconnect* link : networks) readNetwork(*link);
  if (failed()) return;
  HopLayout::Source source = hopsOf(networks);
  if (m_like && m_like->hopLayout()->source == source)
    m_made.m_hops = m_like->hopLayout();
  else
    makeHops(networks, std::move(source));
  shareHops();
  readInterface();
  if (!failed()) checkReachable();
}

void TopologyBuilder::numberPlanes(const std::vector<const Interconnect*>& networks) {
  for (const Interconnect* link : networks) m_planeNumbers.push_back(link->plane);
  std::sort(m_planeNumbers.begin(), m_planeNumbers.end());
  m_planeNumbers.erase(std::unique(m_planeNumbers.begin(), m_planeNumbers.end()),
                       m_planeNumbers.end());
  m_made.m_planes = std::max<std::int64_t>(1, static_cast<std::int64_t>(m_planeNumbers.size()));
}

/// Issue cycles that the description omits default to the setup of the slowest network.
void TopologyBuilder::readInterface() {
  double setup = 0;
  for (const Network& network : m_made.m_networks) setup = std::max(setup, network.setup);
  CoreInterface& core = m_made.m_times.interface;
  core.readIssue = cores().readIssue ? cores().readIssue->value : setup;
  core.writeIssue = cores().writeIssue ? cores().writeIssue->value : setup;
  core.completion = cores().completion ? cores().completion->value : 0;
  core.answer = cores().answer ? cores().answer->value : 0;
}

namespace {

/// A step from one router to another: its dimension and way, and whether it is one, to a neighbour
/// or from an edge to the other.
struct RouterStep {
  NetworkMove move;
  std::size_t moved = 0;  ///< dimensions
  bool isOne = false;
};

RouterStep stepBetween(const std::vector<std::int64_t>& from, const std::vector<std::int64_t>& to,
                       const std::vector<std::int64_t>& sizes) {
  RouterStep step;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    if (to[d] == from[d]) continue;
    ++step.moved;
    step.move.dim = d;
  }
  const std::int64_t size = sizes[step.move.dim];
  // Saturated map results can be any number, so the code compares before it subtracts.
  const std::int64_t c = from[step.move.dim];
  const std::int64_t t = to[step.move.dim];
  const bool up = t == c + 1 || (c == size - 1 && t == 0);
  const bool down = t == c - 1 || (c == 0 && t == size - 1);
  step.move.both = up && down;
  step.move.up = up;
  step.isOne = step.moved == 1 && (up || down);
  return step;
}

/// The only dimension whose coordinates change, each of them; none in any other case.
std::optional<std::size_t> onlyMoved(const CoordinateTables& tables) {
  std::optional<std::size_t> moved;
  for (std::size_t d = 0; d < tables.results.size(); ++d) {
    const std::vector<std::int64_t>& to = tables.results[d].values;
    if (tables.results[d].dim != d) return std::nullopt;
    std::size_t changes = 0;
    for (std::size_t c = 0; c < to.size(); ++c)
      changes += to[c] != static_cast<std::int64_t>(c) ? 1 : 0;
    if (changes == 0) continue;
    if (moved || changes != to.size()) return std::nullopt;
    moved = d;
  }
  return moved;
}

/// The step of a map whose results depend on their own dimension each, as of most networks. None
/// where it takes another look to know.
std::optional<NetworkMove> moveByCoordinates(const affine::AffineMap& map, const Grid& grid,
                                             base::LargeVector<NodeId>& ends) {
  const auto tables = coordinateTables(map, grid);
  const std::optional<std::size_t> dim = tables ? onlyMoved(*tables) : std::nullopt;
  if (!dim) return std::nullopt;
  const std::vector<std::int64_t>& to = tables->results[*dim].values;
  const std::int64_t size = grid.sizes[*dim];
  std::optional<NetworkMove> move;
  for (std::int64_t c = 0; c < size; ++c) {
    const RouterStep step = stepBetween({c}, {to[static_cast<std::size_t>(c)]}, {size});
    NetworkMove here = step.move;
    here.dim = *dim;
    if (!step.isOne || (move && !here.both && !move->both && here.up != move->up))
      return std::nullopt;
    if (!move || move->both) move = here;
  }
  std::int64_t stride = 1;
  for (std::size_t d = *dim + 1; d < grid.sizes.size(); ++d) stride *= grid.sizes[d];
  for (std::int64_t at = 0; at < grid.count();) {
    const std::int64_t c = at / stride % size, t = to[static_cast<std::size_t>(c)];
    const std::int64_t next = at + stride;  // of the next coordinate
    for (; at < next; ++at) {
      if (t >= 0 && t < size)
        ends[static_cast<std::size_t>(at)] =
            NodeId(static_cast<std::int32_t>(at + (t - c) * stride));
    }
  }
  return move;
}

}  // namespace

/// The one step that the map takes from every router. At an edge it may leave the grid (no link
/// there) or wrap to the other edge.
std::optional<NetworkMove> TopologyBuilder::moveOf(const Interconnect& link,
                                                   base::LargeVector<NodeId>& ends) {
  const std::size_t rank = m_nodeGrid.sizes.size();
  std::vector<std::int64_t> from(rank);
  std::vector<std::int64_t> to(rank);
  const bool isLine = std::ranges::find(m_nodeGrid.sizes, 1) != m_nodeGrid.sizes.end();
  ends.assign(static_cast<std::size_t>(m_nodeGrid.count()), NodeId());
  std::optional<NetworkMove> move = moveByCoordinates(link.map, m_nodeGrid, ends);
  if (move) return move;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    m_nodeGrid.pointOf(static_cast<std::int64_t>(i), from);
    link.map.evaluate(from, to);
    if (from != to && m_nodeGrid.contains(to))
      ends[i] = NodeId(static_cast<std::int32_t>(m_nodeGrid.indexOf(to)));
    const RouterStep step = stepBetween(from, to, m_nodeGrid.sizes);
    const NetworkMove& here = step.move;
    if (step.moved == 0 && isLine) continue;  // a ring of one router
    bool fits = step.isOne;
    if (fits && move) {
      fits = here.dim == move->dim && (here.both || move->both || here.up == move->up);
    }
    if (!fits) {
      error(link.span,
            fmt::format("the map of `%{}` sends {} to {}: not yet supported by routing", link.name,
                        pointName(from), pointName(to)),
            fmt::format("a network moves one step along one dimension of {}, the same everywhere",
                        pointName(m_nodeGrid.sizes)));
      return {};
    }
    if (!move || move->both) move = here;
  }
  return move;
}

void TopologyBuilder::readNetwork(const Interconnect& link) {
  if (!checkMapShape(link.name, link.span, link.map, m_nodeGrid, m_nodeGrid)) return;
  Network network;
  network.name = link.name;
  const auto plane = std::find(m_planeNumbers.begin(), m_planeNumbers.end(), link.plane);
  network.plane = plane - m_planeNumbers.begin();
  network.bandwidth = link.bandwidth.value;
  if (link.multicast) {
    network.multicastBandwidth =
        link.multicastBandwidth ? link.multicastBandwidth->value : link.bandwidth.value;
  }
  network.latency = link.latency ? link.latency->value : 1;
  network.setup = link.setup ? link.setup->value : 0;
  network.sync = link.sync ? link.sync->value : 0;
  network.packet =
      static_cast<std::int64_t>(link.packet ? link.packet->value : kTurnCycles * network.bandwidth);
  network.header = link.header ? static_cast<std::int64_t>(link.header->value) : 0;
  network.endpoint = link.endpoint ? link.endpoint->value : 0;
  network.contended = link.contended ? link.contended->value : network.bandwidth;
  if (link.virtualChannels) {
    network.virtualChannels = static_cast<std::int64_t>(link.virtualChannels->value);
    network.buffer = link.buffer ? static_cast<std::int64_t>(link.buffer->value)
                                 : network.packet + network.header;
  }
  if (network.contended > network.bandwidth) {
    error(link.span, fmt::format("`contended` of `%{}` is above its `bandwidth`", link.name));
    return;
  }
  if (network.multicastBandwidth > network.bandwidth) {
    error(link.span, fmt::format("`multicast` of `%{}` is above its `bandwidth`", link.name));
    return;
  }
  m_made.m_networks.push_back(std::move(network));
}

HopLayout::Source TopologyBuilder::hopsOf(const std::vector<const Interconnect*>& networks) const {
  HopLayout::Source source{m_nodeGrid.sizes, {}};
  for (std::size_t i = 0; i < networks.size(); ++i)
    source.networks.push_back({networks[i]->map, m_made.m_networks[i].plane});
  return source;
}

void TopologyBuilder::makeHops(const std::vector<const Interconnect*>& networks,
                               HopLayout::Source source) {
  auto made = std::make_shared<HopLayout>();
  made->source = std::move(source);
  const auto planes = static_cast<std::size_t>(m_made.m_planes);
  made->hops.resize(planes * m_nodeGrid.sizes.size() * 2);
  made->ends.reserve(networks.size() * static_cast<std::size_t>(m_made.m_nodeCount));
  for (std::size_t i = 0; i < networks.size(); ++i) addHops(*networks[i], NetworkId::of(i), *made);
  m_made.m_hops = std::move(made);
}

/// The hops are the first links; each network is their group.
void TopologyBuilder::shareHops() {
  std::vector<Link> groups;
  for (std::size_t i = 0; i < m_made.m_networks.size(); ++i) {
    Link group;
    group.network = NetworkId::of(i);
    group.bandwidth = m_made.m_networks[i].bandwidth;
    group.latency = m_made.m_networks[i].latency;
    groups.push_back(group);
  }
  m_made.m_links.share({m_made.m_hops, &m_made.m_hops->ends}, std::move(groups));
}

void TopologyBuilder::addHops(const Interconnect& link, NetworkId network, HopLayout& hops) {
  base::LargeVector<NodeId> ends;
  const std::optional<NetworkMove> move = moveOf(link, ends);
  if (!move) return;
  const std::int64_t number = m_made.m_networks[network.index()].plane;
  auto direction = move->up ? Topology::Up : Topology::Down;
  if (move->both && !hops.hops[m_made.hopTable(number, move->dim, direction)].empty()) {
    direction = Topology::Down;
  }
  auto& table = hops.hops[m_made.hopTable(number, move->dim, direction)];
  if (!table.empty()) {
    error(link.span,
          fmt::format("`%{}` goes the same way as another network of plane {}", link.name,
                      link.plane),
          "independent networks have their own `plane`");
    return;
  }
  table.resize(ends.size());
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (!ends[i].valid()) continue;
    table[i] = LinkId::of(hops.ends.size());
    hops.ends.push_back({static_cast<std::int32_t>(i), ends[i].value(),
                         static_cast<std::uint32_t>(network.index())});
  }
}

/// On every plane, every router must reach every other one. Moves are the same everywhere, so
/// checking the first and the last router of each dimension suffices.
void TopologyBuilder::checkReachable() {
  for (std::int64_t plane = 0; plane < m_made.m_planes; ++plane) {
    for (std::size_t d = 0; d < m_nodeGrid.sizes.size(); ++d) {
      if (m_nodeGrid.sizes[d] == 1) continue;
      const auto last =
          static_cast<std::size_t>((m_nodeGrid.sizes[d] - 1) * m_made.m_nodeStride[d]);
      const auto up = m_made.hops(plane, d, Topology::Up);
      const auto down = m_made.hops(plane, d, Topology::Down);
      const bool ring = (!up.empty() && up[last].valid()) || (!down.empty() && down[0].valid());
      if (ring || (!up.empty() && !down.empty())) continue;
      std::vector<std::int64_t> from(m_nodeGrid.sizes.size(), 0);
      std::vector<std::int64_t> to = from;
      (up.empty() ? to : from)[d] = m_nodeGrid.sizes[d] - 1;
      const std::string where =
          m_planeNumbers.empty()
              ? ""
              : fmt::format(" on plane {}", m_planeNumbers[static_cast<std::size_t>(plane)]);
      error(cores().span,
            fmt::format("{} cannot be reached from {}{}: no network leads there along d{}",
                        pointName(to), pointName(from), where, d),
            "add a `df.interconnects` in the other direction, or close the ring with `mod`");
    }
  }
}

}  // namespace gridloom::hardware
