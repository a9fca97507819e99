// SPDX-License-Identifier: Apache-2.0
#include "traffic/route_loads.h"

#include <algorithm>
#include <map>

namespace gridloom::traffic {

using hardware::NodeId;
using hardware::Topology;

RouteLoads::RouteLoads(const Topology& hw, std::int64_t plane, const base::Progress* progress)
    : m_hw(hw), m_plane(plane), m_progress(progress) {
  const std::size_t rank = hw.nodeGrid().size();
  m_strides.assign(rank, 1);
  for (std::size_t d = rank; d-- > 1;) m_strides[d - 1] = m_strides[d] * hw.nodeGrid()[d];
  m_networks.assign(2 * rank, nullptr);
  m_ends.resize(2 * rank);
  for (std::size_t dim = 0; dim < rank; ++dim) {
    for (const auto direction : {Topology::Up, Topology::Down}) {
      const auto links = hw.hops(plane, dim, direction);
      const auto any = std::ranges::find_if(links, &hardware::LinkId::valid);
      if (any == links.end()) continue;
      m_networks[slot(dim, direction)] = &hw.networks()[hw.links()[any->index()].network.index()];
    }
  }
}

/// Groups routers by the line that their routes use at a step of dimension order. Sources keep
/// their coordinates along the later dimensions; destinations (`arrived`) along the earlier ones.
RouteLoads::Groups RouteLoads::groupsOf(std::span<const NodeId> nodes, std::size_t step,
                                        bool arrived) const {
  const std::size_t dim = m_hw.dimAt(m_plane, step);
  std::vector<std::int32_t> groupAt(index(m_hw.nodeCount()), -1);
  Groups groups;
  std::vector<std::vector<std::int32_t>> coordinates;
  for (const NodeId node : nodes) {
    std::int64_t base = 0;
    for (std::size_t other = 0; other < m_strides.size(); ++other) {
      const std::size_t d = m_hw.dimAt(m_plane, other);
      const bool common = arrived ? other < step : other > step;
      if (common) base += m_hw.nodeCoordinate(node, d) * m_strides[d];
    }
    std::int32_t& group = groupAt[index(base)];
    if (group < 0) {
      group = static_cast<std::int32_t>(groups.base.size());
      groups.base.push_back(static_cast<std::int32_t>(base));
      coordinates.emplace_back();
    }
    coordinates[index(group)].push_back(static_cast<std::int32_t>(m_hw.nodeCoordinate(node, dim)));
  }
  std::map<Counts, std::size_t> known;
  for (std::vector<std::int32_t>& at : coordinates) {
    std::ranges::sort(at);
    Counts counts;
    for (const std::int32_t c : at) {
      if (counts.empty() || counts.back().first != c) counts.emplace_back(c, 0);
      ++counts.back().second;
    }
    const auto [entry, added] = known.try_emplace(std::move(counts), groups.different.size());
    if (added) groups.different.push_back(entry->first);
    groups.counts.push_back(entry->second);
  }
  return groups;
}

RouteLoads::Profile RouteLoads::profileOf(std::size_t dim, const Counts& from,
                                          const Counts& to) const {
  const std::int64_t size = m_hw.nodeGrid()[dim];
  const std::int64_t stride = m_strides[dim];
  Profile profile(index(2 * size), 0.0);
  for (const auto& [start, senders] : from) {
    if (m_progress != nullptr && m_progress->cancelled()) break;
    for (const auto& [end, receivers] : to) {
      const auto run =
          m_hw.runAlong(m_plane, dim, NodeId(static_cast<std::int32_t>(start * stride)),
                        NodeId(static_cast<std::int32_t>(end * stride)));
      if (run.hops == 0) continue;
      const double bytes = static_cast<double>(senders) * static_cast<double>(receivers);
      double* const line = profile.data() + static_cast<std::int64_t>(run.direction) * size;
      noteRun(dim, run, start, bytes, [&](std::int64_t c, double change) { line[c] += change; });
    }
  }
  return profile;
}

/// At a step, a route uses the line given by its destination's coordinates along the earlier
/// dimensions and its source's along the later ones. Lines with the same senders and receivers
/// carry the same load.
void RouteLoads::addAll(std::span<const NodeId> from, std::span<const NodeId> to) {
  for (std::size_t step = 0; step < m_strides.size(); ++step) {
    const std::size_t dim = m_hw.dimAt(m_plane, step);
    const std::int64_t size = m_hw.nodeGrid()[dim];
    const Groups senders = groupsOf(from, step, false);
    const Groups receivers = groupsOf(to, step, true);
    std::map<std::pair<std::size_t, std::size_t>, Profile> profiles;
    for (std::size_t s = 0; s < senders.base.size(); ++s) {
      for (std::size_t r = 0; r < receivers.base.size(); ++r) {
        const std::pair which{senders.counts[s], receivers.counts[r]};
        const auto [entry, added] = profiles.try_emplace(which);
        if (added) {
          entry->second =
              profileOf(dim, senders.different[which.first], receivers.different[which.second]);
        }
        if (m_progress != nullptr && m_progress->cancelled()) return;
        const std::int64_t base = senders.base[s] + receivers.base[r];
        for (const auto direction : {Topology::Up, Topology::Down}) {
          if (m_networks[slot(dim, direction)] == nullptr) continue;
          base::LargeVector<double>& ends = endsAt(dim, direction);
          const double* const line =
              entry->second.data() + static_cast<std::int64_t>(direction) * size;
          for (std::int64_t c = 0; c < size; ++c) {
            ends[index(base + c * m_strides[dim])] += line[c];
          }
        }
      }
    }
  }
}

}  // namespace gridloom::traffic
