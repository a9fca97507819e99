// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/chunked_vector.h"
#include "base/large_vector.h"
#include "hardware/topology.h"
#include "network/server.h"
#include "schedule/placed_schedule.h"

namespace gridloom::network {

/// The router of a port. Ports are numbered: first those of the cores, then those of the instances
/// of the shared buffers, as SharedBuffer::firstInstance numbers them.
hardware::NodeId nodeOfPort(const hardware::Topology& hw, std::int32_t port);
/// Bytes per cycle of one DMA channel of the memory at a port; 0: unlimited.
double dmaRateOf(const hardware::Topology& hw, std::int32_t port);
/// Port of the instance of a shared buffer that holds a buffer's tiles for a core's group.
std::int32_t sharedBufferPort(const schedule::PlacedSchedule& placed,
                              const schedule::Buffer& buffer, std::int32_t core);

/// The links from every sender of a channel to its leaves, as trees. Built on first use.
class MulticastTrees {
 public:
  explicit MulticastTrees(const schedule::PlacedSchedule& placed);

  /// Cycles before a send leaves: handshake, then setup.
  struct SendCosts {
    Ticks sync = 0, setup = 0;
    friend bool operator==(const SendCosts&, const SendCosts&) = default;
  };
  /// Of many trees.
  struct Rates {
    SendCosts costs;
    double dma = 0;  ///< bytes per cycle of the slower of the DMA channels at its ends; 0: any
    Pace pace;       ///< the same
  };
  /// A link of a tree, or the root of one: the sender's router. A tree's hops and their leaves lie
  /// one after the other, breadth first, so that those of a hop end where those of the next one
  /// begin.
  struct Hop {
    std::int32_t link = -1;  ///< of a root: ~port of the memory that the bytes come from
    std::int32_t firstChild = 0, firstLeaf = 0;
    std::int32_t rate = 0;  ///< in m_linkRates; of a root: in m_rates
  };
  /// Hops or leaves from `begin` to before `end`.
  struct Range {
    std::int32_t begin = 0, end = 0;
  };
  struct Leaf {
    std::int32_t position = 0;  ///< index in Wiring::leavesOf
    std::int32_t port = 0;      ///< memory that the bytes enter
    std::int32_t core = 0;      ///< the leaf
  };

  /// The root of the tree.
  std::int32_t of(int channel, std::int32_t core) {
    std::int32_t& root =
        m_roots[static_cast<std::size_t>(channel) * m_cores + static_cast<std::size_t>(core)];
    if (root < 0) root = make(channel, core);
    return root;
  }
  /// No tree is asked for again.
  void release() {
    m_roots = {};
    m_hops = {};
    m_leaves = {};
  }
  std::int32_t portOf(std::int32_t root) const { return ~hop(root).link; }
  const Rates& ratesOf(std::int32_t root) const {
    return m_rates[static_cast<std::size_t>(hop(root).rate)];
  }
  const ServiceRate& rateOf(const Hop& hop) const {
    return m_linkRates[static_cast<std::size_t>(hop.rate)];
  }
  const Hop& hop(std::int32_t n) const { return m_hops[static_cast<std::size_t>(n)]; }
  Range children(std::int32_t n) const {
    // A root's children follow it. It names itself, where the hop before it ends.
    return {std::max(hop(n).firstChild, n + 1), hop(n + 1).firstChild};
  }
  Range leaves(std::int32_t n) const { return {hop(n).firstLeaf, hop(n + 1).firstLeaf}; }
  const Leaf& leaf(std::int32_t n) const { return m_leaves[static_cast<std::size_t>(n)]; }

 private:
  struct Branch;
  void appendHop(std::int32_t firstChild, hardware::LinkId link = {}, bool multicast = false);
  std::int32_t make(int channel, std::int32_t core);
  std::int32_t sendingPort(const schedule::Channel& channel, std::int32_t core) const;
  std::int32_t receivingPort(int channel, std::int32_t leaf) const;
  std::vector<hardware::LinkId> feedLinks(int channel, std::int64_t plane, std::int32_t port,
                                          std::int32_t core) const;
  void appendPath(std::span<const hardware::LinkId> route, std::span<const std::int32_t> leaves,
                  int channel);
  std::vector<Branch> branchesFrom(hardware::NodeId root,
                                   std::span<const hardware::LinkId> links) const;
  void append(std::vector<Branch> branches, int channel, std::int32_t core);
  std::int32_t rateOn(hardware::LinkId link, bool multicast) const;
  std::int32_t ratesWith(const SendCosts& costs, double dma);
  SendCosts costsOf(std::int32_t root, std::int64_t plane) const;
  double dmaRateBetween(std::int32_t from, std::int32_t to) const;

  const schedule::PlacedSchedule& m_placed;
  const schedule::Schedule& m_schedule;
  const schedule::Wiring& m_wiring;
  const hardware::Topology& m_hw;
  std::size_t m_cores;
  base::LargeVector<std::int32_t> m_roots;  ///< [channel][core]; -1: not built
  base::ChunkedVector<Hop> m_hops;          ///< the last one is the root of the next tree
  base::ChunkedVector<Leaf> m_leaves;
  std::vector<Rates> m_rates;
  /// Two per group of links: of transfers to one core, and of multicasts.
  std::vector<ServiceRate> m_linkRates;
};

}  // namespace gridloom::network
