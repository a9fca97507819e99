// SPDX-License-Identifier: Apache-2.0
#include "network/route_book.h"

#include "network/multicast_trees.h"

namespace gridloom::network {

RouteBook::Path RouteBook::find(std::int32_t channel, std::int32_t port, bool writes) {
  const std::int64_t key =
      (port * m_hw.global().channels + channel) * 2 + static_cast<std::int64_t>(writes);
  const auto [entry, added] = m_known.try_emplace(key);
  if (!added) return entry->second;
  m_route.clear();
  if (writes) {
    m_hw.writeRoute(nodeOfPort(m_hw, port), hardware::ChannelId(channel), m_route);
  } else {
    m_hw.readRoute(hardware::ChannelId(channel), nodeOfPort(m_hw, port), m_route);
  }
  return entry->second = append(m_route);
}

RouteBook::Path RouteBook::between(std::int32_t from, std::int32_t to) {
  const auto [entry, added] =
      m_between.try_emplace(from * static_cast<std::int64_t>(m_hw.coreCount()) + to);
  if (!added) return entry->second;
  m_route.clear();
  m_hw.route(m_hw.readPlane(), m_hw.nodeOf(hardware::CoreId(from)),
             m_hw.nodeOf(hardware::CoreId(to)), m_route);
  return entry->second = append(m_route);
}

RouteBook::Path RouteBook::append(const hardware::Route& route) {
  const auto begin = static_cast<std::int32_t>(m_runs.size());
  for (const hardware::LinkId link : route) {
    const std::uint32_t group = m_hw.links().groupOf(link.index());
    const bool isFirst = static_cast<std::int32_t>(m_runs.size()) == begin;
    LinkRun* last = isFirst ? nullptr : &m_runs[m_runs.size() - 1];
    if (last != nullptr && last->group != group) last = nullptr;
    if (last != nullptr && last->count == 1) last->step = link.value() - last->first;
    if (last != nullptr && link.value() == last->first + last->step * last->count) {
      ++last->count;
    } else {
      m_runs.push_back({link.value(), 0, 1, group});
    }
  }
  return {begin, static_cast<std::int32_t>(m_runs.size())};
}

}  // namespace gridloom::network
