// SPDX-License-Identifier: Apache-2.0
#include "network/multicast_trees.h"

#include <algorithm>
#include <unordered_map>

#include "schedule/op_names.h"

namespace gridloom::network {

using hardware::LinkId;
using hardware::NodeId;

/// A link towards some leaf; the first one stands for the sender's router.
struct MulticastTrees::Branch {
  LinkId link;
  NodeId node;
  std::int32_t parent = -1;
  bool needed = false;
  std::vector<std::int32_t> leaves;
};

namespace {

// Inputs and the results of all-reduces travel on the plane of the reads. Outputs and partial
// results travel on the plane of the writes.
std::int64_t planeFor(const schedule::Schedule& schedule, const schedule::Channel& channel,
                      const hardware::Topology& hw) {
  const schedule::Buffer::Use use = schedule.buffers[channel.target.index()].use;
  if (!schedule::isOfInput(use) && use != schedule::Buffer::Use::Total) return hw.writePlane();
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

MulticastTrees::MulticastTrees(const schedule::PlacedSchedule& placed)
    : m_placed(placed),
      m_schedule(placed.schedule),
      m_wiring(placed.wiring),
      m_hw(placed.hw),
      m_cores(static_cast<std::size_t>(m_hw.coreCount())),
      m_roots(m_schedule.channels.size() * m_cores, -1) {
  for (const hardware::Link& group : m_hw.links().groups()) {
    const double shared =
        group.network.valid() ? m_hw.networks()[group.network.index()].multicastBandwidth : 0;
    const Ticks latency = ticksOf(group.latency);
    m_linkRates.push_back({Pace::of(group.bandwidth), latency});
    m_linkRates.push_back({Pace::of(shared > 0 ? shared : group.bandwidth), latency});
  }
  appendHop(0);
}

NodeId nodeOfPort(const hardware::Topology& hw, std::int32_t port) {
  const std::int64_t instance = port - hw.coreCount();
  if (instance < 0) return hw.nodeOf(hardware::CoreId(port));
  const hardware::SharedBuffer& buffer = hw.sharedBufferOf(instance);
  return buffer.nodes[static_cast<std::size_t>(instance - buffer.firstInstance)];
}

double dmaRateOf(const hardware::Topology& hw, std::int32_t port) {
  const std::int64_t instance = port - hw.coreCount();
  return instance < 0 ? hw.local().dmaRate : hw.sharedBufferOf(instance).dmaRate;
}

std::int32_t sharedBufferPort(const schedule::PlacedSchedule& placed,
                              const schedule::Buffer& buffer, std::int32_t core) {
  const auto entry = static_cast<std::size_t>(schedule::entryCore(
      placed.hw, buffer.sharedLevel, placed.placement, sharersOf(placed.schedule, buffer), core));
  const hardware::SharedBuffer& memory = placed.hw.sharedBuffer(buffer.sharedLevel);
  return static_cast<std::int32_t>(placed.hw.coreCount() + memory.firstInstance) +
         memory.ofCore[entry];
}

// The links of a feed. To cores: from the port to the core where the group's tiles enter, and from
// there to the others. To shared buffers: the routes to all of them.
std::vector<LinkId> MulticastTrees::feedLinks(int channelIndex, std::int64_t plane,
                                              std::int32_t port, std::int32_t core) const {
  const schedule::Channel& channel = m_schedule.channels[static_cast<std::size_t>(channelIndex)];
  hardware::Route links, route;
  const auto add = [&](const hardware::Route& more) {
    for (const LinkId link : more) {
      if (std::find(links.begin(), links.end(), link) == links.end()) links.push_back(link);
    }
  };
  if (schedule::isInSharedBuffer(m_schedule.buffers[channel.target.index()].use)) {
    for (const std::int32_t leaf : m_wiring.leavesOf(channelIndex, core)) {
      const NodeId to = nodeOfPort(m_hw, receivingPort(channelIndex, leaf));
      m_hw.route(plane, nodeOfPort(m_hw, port), to, route);
      add(route);
    }
    return links;
  }
  const schedule::Buffer& source = m_schedule.buffers[sourceOf(m_schedule, channel).index()];
  const hardware::CoreId entry(
      schedule::entryCore(m_hw, source.sharedLevel, m_wiring.placement(), channel.along, core));
  m_hw.route(plane, nodeOfPort(m_hw, port), m_hw.nodeOf(entry), links);
  const auto order = dimsOf(channel, static_cast<int>(m_hw.dims().size()));
  add(m_hw.multicastTree(plane, entry, order).links);
  return links;
}

std::int32_t MulticastTrees::sendingPort(const schedule::Channel& channel,
                                         std::int32_t core) const {
  const bool mayBeShared = channel.kind == schedule::Channel::Kind::Feed ||
                           channel.kind == schedule::Channel::Kind::Drain;
  const schedule::BufferId source =
      mayBeShared ? sourceOf(m_schedule, channel) : schedule::BufferId{};
  if (!source.valid()) return core;
  return sharedBufferPort(m_placed, m_schedule.buffers[source.index()], core);
}

std::int32_t MulticastTrees::receivingPort(int channel, std::int32_t leaf) const {
  const std::int32_t core = m_wiring.receiverOf(channel, leaf);
  const schedule::BufferId target = m_schedule.channels[static_cast<std::size_t>(channel)].target;
  const schedule::Buffer& buffer = m_schedule.buffers[target.index()];
  return schedule::isInSharedBuffer(buffer.use) ? sharedBufferPort(m_placed, buffer, core) : core;
}

std::int32_t MulticastTrees::make(int channelIndex, std::int32_t core) {
  const schedule::Channel& channel = m_schedule.channels[static_cast<std::size_t>(channelIndex)];
  const std::int64_t plane = planeFor(m_schedule, channel, m_hw);
  const auto root = static_cast<std::int32_t>(m_hops.size() - 1);
  const std::int32_t port = sendingPort(channel, core);
  const NodeId from = nodeOfPort(m_hw, port);
  const auto leaves = m_wiring.leavesOf(channelIndex, core);
  const std::int32_t to = leaves.empty() ? core : receivingPort(channelIndex, leaves.front());
  if (channel.kind == schedule::Channel::Kind::Feed) {
    append(branchesFrom(from, feedLinks(channelIndex, plane, port, core)), channelIndex, core);
  } else if (channel.kind == schedule::Channel::Kind::Multicast) {
    const auto order = dimsOf(channel, static_cast<int>(m_hw.dims().size()));
    const auto kind = m_hw.multicastTree(plane, hardware::CoreId(core), order);
    append(branchesFrom(from, kind.links), channelIndex, core);
  } else {
    hardware::Route route;
    m_hw.route(plane, from, nodeOfPort(m_hw, to), route);
    appendPath(route, leaves, channelIndex);
  }
  appendHop(static_cast<std::int32_t>(m_hops.size()));
  Hop& sender = m_hops[static_cast<std::size_t>(root)];
  sender.link = ~port;
  sender.rate = ratesWith(costsOf(root, plane), dmaRateBetween(port, to));
  return root;
}

/// Links in breadth-first order from the sender's router.
std::vector<MulticastTrees::Branch>
MulticastTrees::branchesFrom(NodeId root, std::span<const LinkId> links) const {
  std::vector<LinkId> byOrigin(links.begin(), links.end());
  const auto originOf = [&](LinkId link) { return m_hw.links()[link.index()].from; };
  std::stable_sort(byOrigin.begin(), byOrigin.end(),
                   [&](LinkId a, LinkId b) { return originOf(a) < originOf(b); });
  std::vector<std::uint8_t> used(links.size(), 0);
  std::vector<Branch> branches{{{}, root, -1, true, {}}};
  for (std::size_t b = 0; b < branches.size(); ++b) {
    const NodeId node = branches[b].node;
    auto at = std::lower_bound(byOrigin.begin(), byOrigin.end(), node,
                               [&](LinkId link, NodeId to) { return originOf(link) < to; });
    for (; at != byOrigin.end() && originOf(*at) == node; ++at) {
      std::uint8_t& taken = used[static_cast<std::size_t>(at - byOrigin.begin())];
      if (taken != 0) continue;
      taken = 1;
      branches.push_back(
          {*at, m_hw.links()[at->index()].to, static_cast<std::int32_t>(b), false, {}});
    }
  }
  return branches;
}

void MulticastTrees::appendHop(std::int32_t firstChild, LinkId link, bool multicast) {
  Hop hop;
  hop.firstChild = firstChild;
  hop.firstLeaf = static_cast<std::int32_t>(m_leaves.size());
  if (link.valid()) {
    hop.link = link.value();
    hop.rate = rateOn(link, multicast);
  }
  m_hops.push_back(hop);
}

/// A path to at most one leaf, link by link.
void MulticastTrees::appendPath(std::span<const LinkId> route, std::span<const std::int32_t> leaves,
                                int channel) {
  if (leaves.empty()) return;
  for (const LinkId link : route) appendHop(static_cast<std::int32_t>(m_hops.size()) + 1, link);
  m_leaves.push_back({0, receivingPort(channel, leaves.front()), leaves.front()});
}

/// Appends the branches that lead to a leaf.
void MulticastTrees::append(std::vector<Branch> branches, int channel, std::int32_t core) {
  std::unordered_map<std::int32_t, std::size_t> branchAt;
  for (std::size_t b = 0; b < branches.size(); ++b) {
    branchAt.try_emplace(branches[b].node.value(), b);
  }
  const auto leaves = m_wiring.leavesOf(channel, core);
  for (std::size_t n = 0; n < leaves.size(); ++n) {
    const NodeId node = nodeOfPort(m_hw, receivingPort(channel, leaves[n]));
    const auto at = branchAt.find(node.value());
    if (at == branchAt.end()) continue;
    branches[at->second].leaves.push_back(static_cast<std::int32_t>(n));
    for (auto b = static_cast<std::int32_t>(at->second); b >= 0;) {
      Branch& branch = branches[static_cast<std::size_t>(b)];
      if (branch.needed) break;
      branch.needed = true;
      b = branch.parent;
    }
  }
  const schedule::Channel& cast = m_schedule.channels[static_cast<std::size_t>(channel)];
  const bool multicast = cast.kind == schedule::Channel::Kind::Multicast ||
                         (cast.kind == schedule::Channel::Kind::Feed && cast.along != 0);
  std::vector<std::int32_t> children(branches.size(), 0);
  for (const Branch& branch : branches) {
    if (branch.needed && branch.parent >= 0) ++children[static_cast<std::size_t>(branch.parent)];
  }
  auto firstChild = static_cast<std::int32_t>(m_hops.size());
  for (std::size_t b = 0; b < branches.size(); ++b) {
    const Branch& branch = branches[b];
    if (!branch.needed) continue;
    if (branch.parent >= 0) appendHop(firstChild, branch.link, multicast);
    firstChild += children[b];
    for (const std::int32_t n : branch.leaves) {
      const std::int32_t leaf = leaves[static_cast<std::size_t>(n)];
      m_leaves.push_back({n, receivingPort(channel, leaf), leaf});
    }
  }
}

std::int32_t MulticastTrees::rateOn(LinkId link, bool multicast) const {
  return static_cast<std::int32_t>(2 * m_hw.links().groupOf(link.index())) + (multicast ? 1 : 0);
}

/// The latest first: trees are built for one channel after the other.
std::int32_t MulticastTrees::ratesWith(const SendCosts& costs, double dma) {
  const auto same = std::find_if(m_rates.rbegin(), m_rates.rend(), [&](const Rates& rates) {
    return rates.costs == costs && rates.dma == dma;
  });
  if (same != m_rates.rend()) return static_cast<std::int32_t>(m_rates.rend() - same - 1);
  m_rates.push_back({costs, dma, Pace::of(dma)});
  return static_cast<std::int32_t>(m_rates.size() - 1);
}

/// Bytes per cycle of a transfer between the memories at two ports; 0: unlimited.
double MulticastTrees::dmaRateBetween(std::int32_t from, std::int32_t to) const {
  double rate = dmaRateOf(m_hw, from);
  const double other = dmaRateOf(m_hw, to);
  if (rate <= 0 || (other > 0 && other < rate)) rate = other;
  return rate;
}

MulticastTrees::SendCosts MulticastTrees::costsOf(std::int32_t root, std::int64_t plane) const {
  SendCosts costs;
  bool anyLink = false;
  const auto count = [&](const hardware::Network& network) {
    costs.sync = std::max(costs.sync, ticksOf(network.sync));
    costs.setup = std::max(costs.setup, ticksOf(network.setup));
  };
  for (auto n = static_cast<std::size_t>(root); n < m_hops.size(); ++n) {
    if (m_hops[n].link < 0) continue;
    anyLink = true;
    const hardware::Link link = m_hw.links()[static_cast<std::size_t>(m_hops[n].link)];
    count(m_hw.networks()[link.network.index()]);
  }
  // Cores at one router still handshake.
  for (const hardware::Network& network : m_hw.networks()) {
    if (!anyLink && network.plane == plane) count(network);
  }
  return costs;
}

}  // namespace gridloom::network
