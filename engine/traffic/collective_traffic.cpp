// SPDX-License-Identifier: Apache-2.0
#include "traffic/collective_traffic.h"

#include <algorithm>
#include <utility>

#include "traffic/active_cores.h"
#include "traffic/dominant_resources.h"
#include "traffic/line_loads.h"
#include "traffic/route_loads.h"

namespace gridloom::traffic {

using hardware::CoreId;
using hardware::Link;
using hardware::LinkId;
using hardware::Route;
using mapping::DimMask;

DimMask wideDims(std::span<const std::int64_t> active) {
  DimMask wide = 0;
  for (std::size_t d = 0; d < active.size(); ++d) {
    if (active[d] > 1) wide |= DimMask{1} << d;
  }
  return wide;
}

bool routersAreCores(const hardware::Topology& hw) {
  if (hw.nodeCount() != hw.coreCount() || hw.nodeGrid().size() != hw.dims().size()) return false;
  for (std::size_t d = 0; d < hw.dims().size(); ++d) {
    if (hw.nodeGrid()[d] != hw.dims()[d].size) return false;
  }
  for (std::size_t core = 0; core < static_cast<std::size_t>(hw.coreCount()); ++core) {
    if (hw.nodeOf(CoreId::of(core)).index() != core) return false;
  }
  return true;
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
    return send(neighbours(step.first, step.direction), members, step.first, m_hw.readPlane(),
                pattern);
  case Kind::AllGather:
    return ring(members, step.first, m_hw.readPlane(), pattern);
  case Kind::ReduceScatter:
    return ring(members, step.first, m_hw.writePlane(), pattern);
  case Kind::Chain:
    return send(neighbours(step.first, step.direction, step.direction > 0), members, step.first,
                m_hw.writePlane(), pattern);
  case Kind::Tree:
    return send(pairs(step.first), members, step.first, m_hw.writePlane(), pattern);
  case Kind::Gather:
    return send(toRoot(step.first), members, step.first, m_hw.writePlane(), pattern);
  case Kind::Rotate:
    return send(ringSends(step.first), members, step.first, m_hw.readPlane(), pattern);
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

Phase CollectiveTraffic::send(const LineSends& sends, DimMask cores, std::size_t d,
                              std::int64_t plane, Pattern& pattern) const {
  LineSends own = sends;
  if (!(cores >> d & 1)) std::erase_if(own, [](const auto& each) { return each.first != 0; });
  const DimMask others = cores & ~(DimMask{1} << d);
  Phase phase{m_resources.empty()};
  if (own.empty()) return phase;
  phase.alone = m_resources.loneRate();
  if (m_linesAreAlike)
    sendOnLines(own, others, d, plane, phase, pattern);
  else
    sendOneByOne(own, others, d, plane, phase, pattern);
  return phase;
}

/// Counts the routes of the first line, and loads every line with them: a wafer has a million
/// sends on a thousand lines.
void CollectiveTraffic::sendOnLines(const LineSends& sends, DimMask others, std::size_t d,
                                    std::int64_t plane, Phase& phase, Pattern& pattern) const {
  const LineLoads line(m_hw, plane, d, sends);
  phase.alone = std::max(phase.alone, line.slowest());
  phase.latency = line.latency();
  double lines = 0;
  forCores(others, [&](std::vector<std::int64_t>& at) {
    const CoreId first = m_hw.coreAt(at);
    lines += 1;
    for (const LineLoads::LinkLoad& each : line.links()) {
      const LinkId id = each.hops[first.index() + each.offset];
      m_resources.link(phase.load, id) += each.cycles;
    }
    for (const auto& [offset, ends] : line.ports()) {
      double& port = m_resources.port(phase.load, CoreId::of(first.index() + offset));
      // One by one, as sends are added: the sum of a rate is not always its multiple.
      for (int n = 0; n < ends; ++n) port += m_resources.portRate();
    }
  });
  pattern.network += lines * line.hops();
  pattern.localOut += lines * static_cast<double>(sends.size());
  pattern.localIn += lines * static_cast<double>(sends.size());
}

void CollectiveTraffic::sendOneByOne(const LineSends& sends, DimMask others, std::size_t d,
                                     std::int64_t plane, Phase& phase, Pattern& pattern) const {
  const double portRate = m_resources.portRate();
  RouteLoads loads(m_hw, plane, m_progress);
  double count = 0;
  forCores(others, [&](std::vector<std::int64_t>& at) {
    for (const auto& [from, to] : sends) {
      at[d] = from;
      const CoreId source = m_hw.coreAt(at);
      at[d] = to;
      const CoreId target = m_hw.coreAt(at);
      const RouteLoads::Path path = loads.add(m_hw.nodeOf(source), m_hw.nodeOf(target));
      phase.alone = std::max(phase.alone, path.slowest);
      phase.latency = std::max(phase.latency, path.latency);
      m_resources.port(phase.load, source) += portRate;
      m_resources.port(phase.load, target) += portRate;
    }
    count += static_cast<double>(sends.size());
    at[d] = 0;
  });
  loads.forLinks([&](LinkId id, double bytes) { m_resources.addLink(phase, id, bytes, pattern); });
  pattern.localOut += count;
  pattern.localIn += count;
}

CollectiveTraffic::LineSends CollectiveTraffic::neighbours(std::size_t d, std::int64_t step,
                                                           bool closes) const {
  LineSends sends;
  for (std::int64_t at = closes ? 1 : 0; at < m_active[d]; ++at) {
    const std::int64_t to = closes && at + step == m_active[d] ? 0 : at + step;
    if (to >= 0 && to < m_active[d]) sends.emplace_back(at, to);
  }
  return sends;
}

CollectiveTraffic::LineSends CollectiveTraffic::pairs(std::size_t d) const {
  LineSends sends;
  for (std::int64_t step = 1; step < m_active[d]; step *= 2) {
    for (std::int64_t at = step; at < m_active[d]; at += 2 * step)
      sends.emplace_back(at, at - step);
  }
  return sends;
}

CollectiveTraffic::LineSends CollectiveTraffic::toRoot(std::size_t d) const {
  LineSends sends;
  for (std::int64_t at = 1; at < m_active[d]; ++at) sends.emplace_back(at, 0);
  return sends;
}

CollectiveTraffic::LineSends CollectiveTraffic::ringSends(std::size_t d) const {
  LineSends sends;
  for (std::int64_t at = 0; at < m_active[d]; ++at) sends.emplace_back(at, (at + 1) % m_active[d]);
  return sends;
}

Phase CollectiveTraffic::ring(DimMask cores, std::size_t d, std::int64_t plane,
                              Pattern& pattern) const {
  const auto rounds = static_cast<double>(m_active[d] - 1);
  const LineSends sends = ringSends(d);
  const DimMask line = DimMask{1} << d;
  Pattern moved;
  Phase phase = send(sends, cores, d, plane, moved);
  Pattern unused;
  const Phase single = send(sends, line, d, plane, unused);
  phase.alone = std::max(single.alone, single.load.peak());
  // A share crosses all links of its line but one.
  double all = 0, least = single.latency;
  Route route;
  std::vector<std::int64_t> at(m_active.size(), 0);
  const auto node = [&](std::int64_t coordinate) {
    at[d] = coordinate;
    return m_hw.nodeOf(m_hw.coreAt(at));
  };
  for (const auto& [from, to] : sends) {
    m_hw.route(plane, node(from), node(to), route);
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
