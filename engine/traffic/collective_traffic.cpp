// SPDX-License-Identifier: Apache-2.0
#include "traffic/collective_traffic.h"

#include <algorithm>
#include <utility>

#include "traffic/active_cores.h"
#include "traffic/dominant_resources.h"
#include "traffic/route_loads.h"

namespace gridloom::traffic {

using hardware::CoreId;
using hardware::Link;
using hardware::LinkId;
using hardware::Route;
using mapping::DimMask;

Resources::Resources(const hardware::Topology& hw)
    : m_hw(hw),
      m_firstLink(channelResources(hw)),
      m_firstPort(m_firstLink + hw.links().size()),
      m_firstInstance(m_firstPort + static_cast<std::size_t>(hw.coreCount())),
      m_size(m_firstInstance + static_cast<std::size_t>(hw.sharedInstances())) {}

void Resources::addLink(Phase& phase, LinkId id, double bytes, Pattern& pattern) const {
  const Link l = m_hw.links()[id.index()];
  link(phase.load, id) += bytes / l.bandwidth;
  if (l.kind == Link::Kind::Hop) pattern.network += bytes;
}

void Phase::scale(double part) {
  for (double& cycles : load) cycles *= part;
  alone *= part;
}

void Moved::addTo(Pattern& pattern) const {
  pattern.network += network;
  pattern.localIn += localIn;
  pattern.localOut += localOut;
}

KnownPhase::KnownPhase(Phase phase, const Pattern& pattern)
    : load(std::make_shared<const Load>(std::move(phase.load))),
      peak(*std::ranges::max_element(*load)),
      latency(phase.latency),
      alone(phase.alone),
      moved{pattern.network, pattern.localIn, pattern.localOut},
      transfers(pattern.transfers) {}

DimMask wideDims(std::span<const std::int64_t> active) {
  DimMask wide = 0;
  for (std::size_t d = 0; d < active.size(); ++d) {
    if (active[d] > 1) wide |= DimMask{1} << d;
  }
  return wide;
}

const KnownPhase& CollectiveTraffic::of(const mapping::TransferStep& step) {
  const DimMask members = m_wide & ~step.zero;
  const Key key{step.kind, members, step.along, step.first, step.direction};
  const auto known = m_known.find(key);
  if (known != m_known.end()) return known->second;
  Pattern moved;
  Phase phase = made(step, members, moved);
  return m_known.emplace(key, KnownPhase(std::move(phase), moved)).first->second;
}

Phase CollectiveTraffic::made(const mapping::TransferStep& step, DimMask members,
                              Pattern& pattern) {
  using Kind = mapping::TransferStep::Kind;
  switch (step.kind) {
  case Kind::Multicast:
    return multicast(members & ~step.along, step.along, step.first, pattern);
  case Kind::Stream:
    return neighbours(members, step.first, step.direction, m_hw.readPlane(), pattern);
  case Kind::AllGather:
    return ring(members, step.first, m_hw.readPlane(), pattern);
  case Kind::ReduceScatter:
    return ring(members, step.first, m_hw.writePlane(), pattern);
  case Kind::Chain:
    return neighbours(members, step.first, step.direction, m_hw.writePlane(), pattern,
                      step.direction > 0);
  case Kind::Tree:
    return pairs(members, step.first, m_hw.writePlane(), pattern);
  case Kind::Gather:
    return toRoot(members, step.first, m_hw.writePlane(), pattern);
  case Kind::Rotate:  // every core sends to the next one, the last to the first
    return send(ringSends(members, step.first), m_hw.readPlane(), pattern);
  case Kind::Load:
  case Kind::Forward:
  case Kind::SharedCopy:
  case Kind::Store:
    break;
  }
  return {m_resources.empty()};
}

template <class Visit> void CollectiveTraffic::forCores(DimMask mask, const Visit& visit) const {
  traffic::forCores(m_active, mask, visit, m_progress);
}

double CollectiveTraffic::latencyOf(const Route& route) const {
  double sum = 0;
  for (const LinkId id : route) sum += m_hw.links()[id.index()].latency;
  return sum;
}

void CollectiveTraffic::routeTo(const std::vector<std::int64_t>& root,
                                const std::vector<std::int64_t>& member, int first, Route& out) {
  m_corner = root;
  m_corner[static_cast<std::size_t>(first)] = member[static_cast<std::size_t>(first)];
  const std::int64_t plane = m_hw.readPlane();
  const auto node = [&](const std::vector<std::int64_t>& at) {
    return m_hw.nodeOf(m_hw.coreAt(at));
  };
  m_hw.route(plane, node(root), node(m_corner), out);
  m_hw.route(plane, node(m_corner), node(member), m_rest);
  out.insert(out.end(), m_rest.begin(), m_rest.end());
}

Phase CollectiveTraffic::multicast(DimMask roots, DimMask along, int first, Pattern& pattern) {
  Phase phase{m_resources.empty()};
  m_marks.resize(m_hw.links().size(), 0);
  const double portRate = m_resources.portRate();
  Route route;
  std::vector<std::int64_t> root, member;
  forCores(roots, [&](std::vector<std::int64_t>& at) {
    root = at;
    ++m_mark;
    forCores(along, [&](std::vector<std::int64_t>& offset) {
      member = root;
      bool self = true;
      for (std::size_t d = 0; d < member.size(); ++d) {
        if (along >> d & 1) member[d] = offset[d];
        self = self && member[d] == root[d];
      }
      if (self) return;
      routeTo(root, member, first, route);
      for (const LinkId id : route) {
        if (m_marks[id.index()] == m_mark) continue;
        m_marks[id.index()] = m_mark;
        const Link l = m_hw.links()[id.index()];
        const double rate = m_hw.networks()[l.network.index()].multicastBandwidth;
        m_resources.link(phase.load, id) += 1 / rate;
        phase.alone = std::max({phase.alone, 1 / rate, m_resources.loneRate()});
        pattern.network += 1;
      }
      phase.latency = std::max(phase.latency, latencyOf(route));
      m_resources.port(phase.load, m_hw.coreAt(member)) += portRate;
      pattern.localIn += 1;
    });
    m_resources.port(phase.load, m_hw.coreAt(root)) += portRate;
    pattern.localOut += 1;
  });
  return phase;
}

/// Adds a send from `at` to coordinate `to` along d; `at` is the same afterwards.
void CollectiveTraffic::add(Sends& sends, std::vector<std::int64_t>& at, std::size_t d,
                            std::int64_t to) const {
  const CoreId source = m_hw.coreAt(at);
  const std::int64_t own = std::exchange(at[d], to);
  sends.emplace_back(source, m_hw.coreAt(at));
  at[d] = own;
}

Phase CollectiveTraffic::send(const Sends& sends, std::int64_t plane, Pattern& pattern) const {
  Phase phase{m_resources.empty()};
  const double portRate = m_resources.portRate();
  RouteLoads loads(m_hw, plane, m_progress);
  for (const auto& [source, target] : sends) {
    const RouteLoads::Path path = loads.add(m_hw.nodeOf(source), m_hw.nodeOf(target));
    phase.alone = std::max({phase.alone, m_resources.loneRate(), path.slowest});
    phase.latency = std::max(phase.latency, path.latency);
    m_resources.port(phase.load, source) += portRate;
    m_resources.port(phase.load, target) += portRate;
  }
  loads.forLinks([&](LinkId id, double bytes) { m_resources.addLink(phase, id, bytes, pattern); });
  pattern.localOut += static_cast<double>(sends.size());
  pattern.localIn += static_cast<double>(sends.size());
  return phase;
}

Phase CollectiveTraffic::neighbours(DimMask mask, std::size_t d, std::int64_t step,
                                    std::int64_t plane, Pattern& pattern, bool closes) const {
  Sends sends;
  forCores(mask, [&](std::vector<std::int64_t>& at) {
    std::int64_t to = at[d] + step;
    if (closes && to == m_active[d]) to = 0;
    if (to < 0 || to >= m_active[d] || (closes && at[d] == 0)) return;
    add(sends, at, d, to);
  });
  return send(sends, plane, pattern);
}

Phase CollectiveTraffic::pairs(DimMask cores, std::size_t d, std::int64_t plane,
                               Pattern& pattern) const {
  Sends sends;
  for (std::int64_t step = 1; step < m_active[d]; step *= 2) {
    forCores(cores, [&](std::vector<std::int64_t>& at) {
      if (at[d] % (2 * step) == step) add(sends, at, d, at[d] - step);
    });
  }
  return send(sends, plane, pattern);
}

Phase CollectiveTraffic::toRoot(DimMask cores, std::size_t d, std::int64_t plane,
                                Pattern& pattern) const {
  Sends sends;
  forCores(cores, [&](std::vector<std::int64_t>& at) {
    if (at[d] != 0) add(sends, at, d, 0);
  });
  return send(sends, plane, pattern);
}

CollectiveTraffic::Sends CollectiveTraffic::ringSends(DimMask cores, std::size_t d) const {
  Sends sends;
  forCores(cores,
           [&](std::vector<std::int64_t>& at) { add(sends, at, d, (at[d] + 1) % m_active[d]); });
  return sends;
}

Phase CollectiveTraffic::ring(DimMask cores, std::size_t d, std::int64_t plane,
                              Pattern& pattern) const {
  const auto rounds = static_cast<double>(m_active[d] - 1);
  Pattern moved;
  Phase phase = send(ringSends(cores, d), plane, moved);
  const Sends line = ringSends(DimMask{1} << d, d);
  Pattern unused;
  const Phase single = send(line, plane, unused);
  phase.alone = std::max(single.alone, *std::ranges::max_element(single.load));
  // A share crosses all links of its line but one.
  double all = 0, least = single.latency;
  Route route;
  for (const auto& [source, target] : line) {
    m_hw.route(plane, m_hw.nodeOf(source), m_hw.nodeOf(target), route);
    all += latencyOf(route);
    least = std::min(least, latencyOf(route));
  }
  phase.latency = (all - least) / rounds;
  const double part = rounds / (rounds + 1);
  phase.scale(part);
  pattern.network += part * moved.network;
  pattern.localIn += part * moved.localIn;
  pattern.localOut += part * moved.localOut;
  return phase;
}

}  // namespace gridloom::traffic
