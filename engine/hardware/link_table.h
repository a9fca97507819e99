// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "base/large_vector.h"
#include "hardware/topology_parts.h"

namespace gridloom::hardware {

/// The two ends of a link, and its group.
struct LinkEnds {
  std::int32_t from = -1, to = -1;  ///< routers; of a port, the channel is one of them
  std::uint32_t group = 0;
};

/// All links of a machine. A wafer has millions in a few groups that differ in their ends only, so
/// a link is stored as its ends and its group, and put together when it is asked for. The ends of
/// the first ones may be shared with other machines, which differ in what the groups say.
class LinkTable {
 public:
  std::size_t size() const { return m_sharedCount + m_ends.size(); }
  Link operator[](std::size_t link) const {
    const LinkEnds& ends = endsOf(link);
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
  /// Whether both share links, and the others lead to the same places.
  bool hasSameEnds(const LinkTable& other) const {
    const auto same = [&](const LinkEnds& a, const LinkEnds& b) {
      return a.from == b.from && a.to == b.to &&
             m_groups[a.group].kind == other.m_groups[b.group].kind;
    };
    return m_shared == other.m_shared &&
           std::equal(m_ends.begin(), m_ends.end(), other.m_ends.begin(), other.m_ends.end(), same);
  }
  /// Links with the same group have the same kind, network, bandwidth and latency.
  std::uint32_t groupOf(std::size_t link) const { return endsOf(link).group; }
  /// A link of each group, without its ends.
  const std::vector<Link>& groups() const { return m_groups; }

  using SharedEnds = std::shared_ptr<const base::LargeVector<LinkEnds>>;
  /// Takes these as the first links; the table has none yet. Group g of them is `groups[g]`.
  void share(SharedEnds ends, std::vector<Link> groups) {
    m_shared = std::move(ends);
    m_sharedEnds = m_shared->data();
    m_sharedCount = m_shared->size();
    m_groups = std::move(groups);
  }
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
  const LinkEnds& endsOf(std::size_t link) const {
    return link < m_sharedCount ? m_sharedEnds[link] : m_ends[link - m_sharedCount];
  }
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

  SharedEnds m_shared;
  const LinkEnds* m_sharedEnds = nullptr;
  std::size_t m_sharedCount = 0;
  base::LargeVector<LinkEnds> m_ends;  ///< of the others
  std::vector<Link> m_groups;
};

}  // namespace gridloom::hardware
