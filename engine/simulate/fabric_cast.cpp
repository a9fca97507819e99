// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "simulate/fabric.h"

namespace gridloom::simulate {

using hardware::LinkId;
using hardware::NodeId;

namespace {

// Operands travel on the plane of the reads, results on the plane of the writes.
std::int64_t planeFor(const schedule::Schedule& schedule, const schedule::Channel& channel,
                      const hardware::Topology& hw) {
  if (schedule.buffers[channel.target.index()].use != schedule::Buffer::Use::Input) {
    return hw.writePlane();
  }
  if (channel.kind != schedule::Channel::Kind::Multicast) return hw.readPlane();
  for (std::int64_t plane = 0; plane < hw.planes(); ++plane) {
    if (hw.canMulticast(plane)) return plane;
  }
  return hw.readPlane();
}

std::vector<int> dimsOf(const schedule::Channel& channel, int dims) {
  std::vector<int> order;
  const auto has = [&](int d) { return (channel.along >> d & 1u) != 0; };
  if (has(channel.first)) order.push_back(channel.first);
  for (int d = 0; d < dims; ++d) {
    if (has(d) && (order.empty() || d != order.front())) order.push_back(d);
  }
  return order;
}

}  // namespace

Fabric::SendCosts Fabric::sendCosts(int channel, std::int32_t core) {
  return m_trees[index(treeFor(channel, core))].costs;
}

std::int32_t Fabric::treeFor(int channel, std::int32_t core) {
  std::int32_t& tree = m_treeOf[index(arrivalIndex(channel, core))];
  if (tree < 0) {
    tree = static_cast<std::int32_t>(m_trees.size());
    m_trees.push_back(makeTree(channel, core));
  }
  return tree;
}

Fabric::Tree Fabric::makeTree(int channelIndex, std::int32_t core) const {
  const schedule::Channel& channel = m_schedule.channels[static_cast<std::size_t>(channelIndex)];
  const std::int64_t plane = planeFor(m_schedule, channel, m_hw);
  const bool multicast = channel.kind == schedule::Channel::Kind::Multicast;
  Tree tree;
  if (multicast) {
    const auto order = dimsOf(channel, static_cast<int>(m_hw.dims().size()));
    const auto spread = m_hw.multicastTree(plane, hardware::CoreId(core), order);
    growTree(tree, spread.links, channelIndex, core, true);
  } else {
    const auto leaves = m_wiring.leavesOf(channelIndex, core);
    const std::int32_t to =
        leaves.empty() ? core : m_wiring.receiverOf(channelIndex, leaves.front());
    hardware::Route route;
    m_hw.route(plane, m_hw.nodeOf(hardware::CoreId(core)), m_hw.nodeOf(hardware::CoreId(to)),
               route);
    growTree(tree, route, channelIndex, core, false);
  }
  bool anyLink = false;
  const auto count = [&](const hardware::Network& network) {
    tree.costs.sync = std::max(tree.costs.sync, ticksOf(network.sync));
    tree.costs.setup = std::max(tree.costs.setup, ticksOf(network.setup));
  };
  for (const Tree::Hop& hop : tree.hops) {
    if (!hop.link.valid()) continue;
    anyLink = true;
    count(m_hw.networks()[m_hw.links()[hop.link.index()].network.index()]);
  }
  // Cores at one router still shake hands.
  for (const hardware::Network& network : m_hw.networks()) {
    if (!anyLink && network.plane == plane) count(network);
  }
  return tree;
}

// Orders the links breadth first from the sender's router and drops the branches that lead to no leaf.
void Fabric::growTree(Tree& tree, std::span<const LinkId> links, int channel, std::int32_t core,
                      bool multicast) const {
  struct Branch {
    LinkId link;
    NodeId node;
    std::int32_t parent;
    bool needed;
    std::vector<std::int32_t> leaves;
  };
  std::vector<Branch> branches{{{}, m_hw.nodeOf(hardware::CoreId(core)), -1, true, {}}};
  std::vector<std::uint8_t> used(links.size(), 0);
  for (std::size_t b = 0; b < branches.size(); ++b) {
    for (std::size_t l = 0; l < links.size(); ++l) {
      const hardware::Link& link = m_hw.links()[links[l].index()];
      if (used[l] != 0 || link.from != branches[b].node) continue;
      used[l] = 1;
      branches.push_back({links[l], link.to, static_cast<std::int32_t>(b), false, {}});
    }
  }
  const auto leaves = m_wiring.leavesOf(channel, core);
  for (std::size_t n = 0; n < leaves.size(); ++n) {
    const NodeId node = m_hw.nodeOf(hardware::CoreId(m_wiring.receiverOf(channel, leaves[n])));
    const auto at = std::find_if(branches.begin(), branches.end(),
                                 [&](const Branch& branch) { return branch.node == node; });
    if (at == branches.end()) continue;
    at->leaves.push_back(static_cast<std::int32_t>(n));
    for (auto b = at - branches.begin(); b >= 0; b = branches[static_cast<std::size_t>(b)].parent) {
      branches[static_cast<std::size_t>(b)].needed = true;
    }
  }
  std::vector<std::int32_t> kept(branches.size(), -1);
  for (std::size_t b = 0; b < branches.size(); ++b) {
    if (!branches[b].needed) continue;
    Tree::Hop hop;
    hop.link = branches[b].link;
    if (hop.link.valid()) {
      const hardware::Link& link = m_hw.links()[hop.link.index()];
      const double shared = m_hw.networks()[link.network.index()].multicastBandwidth;
      hop.pace = Pace::of(multicast && shared > 0 ? shared : link.bandwidth);
    }
    hop.firstLeaf = static_cast<std::int32_t>(tree.leaves.size());
    tree.leaves.insert(tree.leaves.end(), branches[b].leaves.begin(), branches[b].leaves.end());
    hop.endLeaf = static_cast<std::int32_t>(tree.leaves.size());
    kept[b] = static_cast<std::int32_t>(tree.hops.size());
    if (branches[b].parent >= 0) {
      Tree::Hop& parent = tree.hops[index(kept[index(branches[b].parent)])];
      if (parent.firstChild == 0) parent.firstChild = kept[b];
      parent.endChild = kept[b] + 1;
    }
    tree.hops.push_back(hop);
  }
}

void Fabric::send(Ticks now, std::int32_t process, int channel, std::int32_t core,
                  std::int64_t bytes, std::span<const std::uint8_t> takesPart) {
  const std::int32_t id = take(m_casts, m_unusedCasts);
  const std::int32_t tree = treeFor(channel, core);
  Cast& cast = m_casts[index(id)];
  cast.process = process;
  cast.core = core;
  cast.channel = channel;
  cast.tree = tree;
  cast.left = bytes;
  cast.chunk = partOf(cast.left);
  cast.flying = 0;
  const auto parts =
      static_cast<std::int32_t>(std::max<std::int64_t>(1, base::ceilDiv(cast.left, cast.chunk)));
  cast.parts.assign(takesPart.size(), 0);
  cast.done.assign(takesPart.size(), now);
  for (std::size_t n = 0; n < takesPart.size(); ++n) {
    if (takesPart[n] == 0) continue;
    cast.parts[n] = parts;
    m_totals.issued += cast.left;
  }
  m_queue.push(now, Happening::SendNext, id);
}

void Fabric::sendNext(Ticks now, std::int32_t id) {
  const std::int32_t tree = m_casts[index(id)].tree;
  const std::int64_t bytes = std::min(m_casts[index(id)].left, m_casts[index(id)].chunk);
  const Passage passage = m_ports[index(m_casts[index(id)].core)].pass(now, now, bytes);
  m_totals.localRead += bytes;
  Ticks pace = 0;
  const Tree::Hop& root = m_trees[index(tree)].hops.front();
  for (std::int32_t child = root.firstChild; child < root.endChild; ++child) {
    pace = std::max(pace, m_trees[index(tree)].hops[index(child)].pace(bytes));
  }
  const Ticks next = std::max(passage.finish, passage.start + pace);
  m_casts[index(id)].left -= bytes;
  if (m_casts[index(id)].left > 0) {
    m_queue.push(next, Happening::SendNext, id);
  } else {
    m_queue.push(next, Happening::Process, m_casts[index(id)].process);
  }
  ++m_casts[index(id)].flying;
  spread(id, 0, passage.start, passage.finish, bytes);
  if (--m_casts[index(id)].flying == 0) endCast(id);
}

void Fabric::castHop(Ticks now, std::int32_t id) {
  const Flight flight = m_flights[index(id)];
  m_unusedFlights.push_back(id);
  const Tree::Hop& hop = m_trees[index(m_casts[index(flight.owner)].tree)].hops[index(flight.hop)];
  Server& server = m_links[hop.link.index()];
  const Passage passage = server.pass(now, flight.tail, flight.bytes, hop.pace(flight.bytes));
  m_totals.network += flight.bytes;
  spread(flight.owner, flight.hop, passage.start + server.latency, passage.finish + server.latency,
         flight.bytes);
  if (--m_casts[index(flight.owner)].flying == 0) endCast(flight.owner);
}

// A part stands at a router: its leaves there take it, the links onward get a copy each.
void Fabric::spread(std::int32_t id, std::int32_t at, Ticks head, Ticks tail, std::int64_t bytes) {
  Cast& cast = m_casts[index(id)];
  const Tree& tree = m_trees[index(cast.tree)];
  const Tree::Hop& hop = tree.hops[index(at)];
  for (std::int32_t n = hop.firstLeaf; n < hop.endLeaf; ++n) {
    arriveAt(cast, tree.leaves[index(n)], head, tail, bytes);
  }
  for (std::int32_t child = hop.firstChild; child < hop.endChild; ++child) {
    const std::int32_t flight = take(m_flights, m_unusedFlights);
    m_flights[index(flight)] = {id, child, tail, bytes};
    ++cast.flying;
    m_queue.push(head, Happening::CastHop, flight);
  }
}

void Fabric::arriveAt(Cast& cast, std::int32_t position, Ticks head, Ticks tail,
                      std::int64_t bytes) {
  if (cast.parts[index(position)] == 0) return;
  const std::int32_t leaf = m_wiring.leavesOf(cast.channel, cast.core)[index(position)];
  Server& port = m_ports[index(m_wiring.receiverOf(cast.channel, leaf))];
  const Passage passage = port.pass(head, tail, bytes);
  m_totals.localWrite += bytes;
  m_totals.landed += bytes;
  Ticks& done = cast.done[index(position)];
  done = std::max(done, passage.finish);
  if (--cast.parts[index(position)] == 0) {
    m_queue.push(done, Happening::Arrived, arrivalIndex(cast.channel, leaf));
  }
}

void Fabric::endCast(std::int32_t cast) {
  if (m_casts[index(cast)].left <= 0) m_unusedCasts.push_back(cast);
}

}  // namespace gridloom::simulate
