// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "base/large_vector.h"
#include "hardware/topology_parts.h"

namespace gridloom::hardware {

/// All links of a machine. A wafer has millions in a few groups that differ in their ends only, so
/// a link is stored as its ends and its group, and put together when it is asked for.
class LinkTable {
 public:
  std::size_t size() const { return m_ends.size(); }
  Link operator[](std::size_t link) const {
    const Ends& ends = m_ends[link];
    Link out = m_groups[ends.group];
    switch (out.kind) {
    case Link::Kind::Hop:
      out.from = NodeId(ends.from);
      out.to = NodeId(ends.to);
      break;
    case Link::Kind::ReadPort:
      out.channel = ChannelId(ends.from);
      out.to = NodeId(ends.to);
      break;
    case Link::Kind::WritePort:
      out.from = NodeId(ends.from);
      out.channel = ChannelId(ends.to);
    }
    return out;
  }
  /// Links with the same group have the same kind, network, bandwidth and latency.
  std::uint32_t groupOf(std::size_t link) const { return m_ends[link].group; }
  /// A link of each group, without its ends.
  const std::vector<Link>& groups() const { return m_groups; }

  void reserve(std::size_t links) { m_ends.reserve(links); }
  void push_back(const Link& link) {
    const bool reads = link.kind == Link::Kind::ReadPort;
    const bool writes = link.kind == Link::Kind::WritePort;
    m_ends.push_back({reads ? link.channel.value() : link.from.value(),
                      writes ? link.channel.value() : link.to.value(), groupFor(link)});
  }

  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Link;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = Link;
    Iterator(const LinkTable& table, std::size_t at) : m_table(&table), m_at(at) {}
    Link operator*() const { return (*m_table)[m_at]; }
    Iterator& operator++() {
      ++m_at;
      return *this;
    }
    bool operator==(const Iterator& other) const { return m_at == other.m_at; }

   private:
    const LinkTable* m_table;
    std::size_t m_at;
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size()}; }

 private:
  struct Ends {
    std::int32_t from = -1, to = -1;  ///< routers; of a port, the channel is one of them
    std::uint32_t group = 0;
  };
  /// The latest groups first: links are made group by group.
  std::uint32_t groupFor(const Link& link) {
    const auto same = std::find_if(m_groups.rbegin(), m_groups.rend(), [&](const Link& group) {
      return group.kind == link.kind && group.network == link.network &&
             group.bandwidth == link.bandwidth && group.latency == link.latency;
    });
    if (same != m_groups.rend()) return static_cast<std::uint32_t>(m_groups.rend() - same - 1);
    m_groups.push_back(link);
    m_groups.back().from = m_groups.back().to = NodeId();
    m_groups.back().channel = ChannelId();
    return static_cast<std::uint32_t>(m_groups.size() - 1);
  }

  base::LargeVector<Ends> m_ends;
  std::vector<Link> m_groups;
};

}  // namespace gridloom::hardware
