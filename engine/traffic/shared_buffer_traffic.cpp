// SPDX-License-Identifier: Apache-2.0
#include "traffic/shared_buffer_traffic.h"

#include <algorithm>

#include "mapping/space.h"
#include "traffic/active_cores.h"
#include "traffic/dominant_resources.h"

namespace gridloom::traffic {

using hardware::ChannelId;
using hardware::Link;
using hardware::LinkId;
using hardware::NodeId;
using hardware::Route;
using mapping::DimMask;
using mapping::InputMovement;
using mapping::MovementKind;

using mapping::Memory;
using mapping::TransferStep;

namespace {

// Cycles per byte of a DMA channel of a memory.
template <class Memory> double channelRate(const Memory& memory) {
  return memory.dmaRate > 0 ? 1 / memory.dmaRate : 0;
}

class SharedBufferWalk {
 public:
  SharedBufferWalk(const hardware::Topology& hw, const std::vector<std::int64_t>& active)
      : m_hw(hw),
        m_active(active),
        m_resources(hw),
        m_channels(static_cast<std::size_t>(hw.global().channels)),
        m_wide(wideDims(active)),
        m_share(hw.links().size(), 0.0) {}

  std::vector<SharedBufferTraffic> run() {
    mapping::OutputMovement through;
    through.sharedBuffer = 1;
    for (const TransferStep& step : mapping::outputSteps(through, 0, m_hw)) add(step);
    for (const InputMovement& m : mapping::movementsAlong(m_wide, m_hw)) {
      if (m.kind == MovementKind::Direct || m.kind == MovementKind::Multicast) input(m);
    }
    return std::move(m_out);
  }

 private:
  using Coordinates = std::vector<std::int64_t>;

  void input(InputMovement movement) {
    movement.sharedBuffer.level = 0;
    for (const TransferStep& step : mapping::inputSteps(movement, 0)) add(step);
  }

  // `groups`: dimensions along which groups of cores take the step at once.
  Phase phaseOf(const TransferStep& step, DimMask groups, Pattern& pattern) {
    pattern.transfers = 0;
    if (step.kind == TransferStep::Kind::Multicast) return outOf(groups, step, pattern);
    if (step.from == Memory::Local) return drained(groups, pattern);
    const bool reads = step.kind == TransferStep::Kind::Load;
    return betweenChannels(reads, groups, reads ? step.zero : 0, pattern);
  }

  void add(const TransferStep& step) {
    if (isKnown(step)) return;
    SharedBufferTraffic made{step, {}, {}};
    Pattern& p = made.pattern;
    p.loaders = m_wide & ~(step.zero | step.along);
    Phase phase = phaseOf(step, p.loaders, p);
    p.loadPeak = peakOf(phase.load);
    p.loadLatency = phase.latency;
    p.together.assign(std::size_t{1} << m_active.size(), phase.alone);
    for (DimMask mask = 1; mask < p.together.size(); ++mask) {
      if ((mask & ~p.loaders) != 0) continue;
      Pattern unused;
      p.together[mask] = std::max(phase.alone, peakOf(phaseOf(step, mask, unused).load));
    }
    made.load = std::move(phase.load);
    m_out.push_back(std::move(made));
  }

  // Trees that take their dimensions in another order are loaded alike.
  bool isKnown(const TransferStep& step) const {
    return step.kind == TransferStep::Kind::Load &&
           std::ranges::any_of(m_out, [&](const SharedBufferTraffic& made) {
             return made.step.kind == step.kind && made.step.zero == step.zero;
           });
  }

  static double peakOf(const Load& load) { return *std::max_element(load.begin(), load.end()); }

  Phase begin() const { return {m_resources.empty()}; }

  double latencyOf(const Route& route) const {
    double sum = 0;
    for (const LinkId id : route) sum += m_hw.links()[id.index()].latency;
    return sum;
  }

  // Returns the instance that serves the group of `at`; moves `at` to the core where its tiles
  // enter.
  std::size_t enter(DimMask along, Coordinates& at) const {
    mapping::moveToEntry(m_hw, m_active, along, at);
    return static_cast<std::size_t>(m_hw.sharedBuffer().ofCore[m_hw.coreAt(at).index()]);
  }

  void passInstance(Phase& phase, std::size_t instance) const {
    const double rate = 1 / m_hw.sharedBuffer().bandwidth;
    m_resources.instance(phase.load, instance) += rate;
    phase.alone = std::max(phase.alone, rate);
  }

  // Adds the link loads of one transfer to the phase and clears them. `bandwidthOf`: bandwidth of a
  // link for it.
  template <class Bandwidth>
  void settle(Phase& phase, Pattern& pattern, const Bandwidth& bandwidthOf) {
    for (const LinkId id : m_touched) {
      const Link& l = m_hw.links()[id.index()];
      const double cycles = m_share[id.index()] / bandwidthOf(l);
      m_resources.link(phase.load, id) += cycles;
      phase.alone = std::max(phase.alone, cycles);
      if (l.kind == Link::Kind::Hop) pattern.network += m_share[id.index()];
      m_share[id.index()] = 0;
    }
    m_touched.clear();
  }

  void touch(const Route& route, double bytes, bool once) {
    for (const LinkId id : route) {
      double& share = m_share[id.index()];
      if (share == 0) m_touched.push_back(id);
      share = once ? bytes : share + bytes;
    }
  }

  // From the instance of every group to its cores.
  Phase outOf(DimMask groups, const TransferStep& step, Pattern& pattern) {
    Phase phase = begin();
    const double port = m_resources.portRate();
    phase.alone = std::max(m_resources.loneRate(), channelRate(m_hw.sharedBuffer()));
    const bool alone = step.along == 0;
    forCores(m_active, groups, [&](Coordinates& at) {
      Coordinates entry = at;
      const std::size_t instance = enter(step.along, entry);
      passInstance(phase, instance);
      forCores(m_active, step.along, [&](Coordinates& offset) {
        Coordinates member = at;
        for (std::size_t d = 0; d < member.size(); ++d) {
          if (step.along >> d & 1) member[d] = offset[d];
        }
        const Route route =
            wayTo(m_hw.sharedBuffer().nodes[instance], entry, member, step.first);
        touch(route, 1, true);
        phase.latency = std::max(phase.latency, latencyOf(route));
        m_resources.port(phase.load, m_hw.coreAt(member)) += port;
        pattern.localIn += 1;
      });
      settle(phase, pattern, [&](const Link& l) {
        return alone ? l.bandwidth : m_hw.networks()[l.network.index()].multicastBandwidth;
      });
    });
    return phase;
  }

  // From every core to its instance.
  Phase drained(DimMask cores, Pattern& pattern) {
    Phase phase = begin();
    const double port = m_resources.portRate();
    phase.alone = std::max(m_resources.loneRate(), channelRate(m_hw.sharedBuffer()));
    Route route;
    forCores(m_active, cores, [&](Coordinates& at) {
      const auto core = m_hw.coreAt(at);
      const std::size_t instance = enter(0, at);
      m_hw.route(m_hw.writePlane(), m_hw.nodeOf(core), m_hw.sharedBuffer().nodes[instance], route);
      touch(route, 1, true);
      phase.latency = std::max(phase.latency, latencyOf(route));
      m_resources.port(phase.load, core) += port;
      pattern.localOut += 1;
      settle(phase, pattern, [](const Link& l) { return l.bandwidth; });
      passInstance(phase, instance);
    });
    return phase;
  }

  // Between all channels and the instance of every group that shares a tile.
  Phase betweenChannels(bool reads, DimMask groups, DimMask along, Pattern& pattern) {
    const hardware::GlobalMemory& global = m_hw.global();
    Phase phase = begin();
    const double share = 1.0 / static_cast<double>(m_channels);
    const double cycles = share / (reads ? global.readBandwidth : global.writeBandwidth);
    phase.alone = std::max(cycles, channelRate(m_hw.sharedBuffer()));
    Route route;
    forCores(m_active, groups, [&](Coordinates& at) {
      Coordinates entry = at;
      const std::size_t instance = enter(along, entry);
      const NodeId node = m_hw.sharedBuffer().nodes[instance];
      for (std::size_t c = 0; c < m_channels; ++c) {
        if (reads) {
          m_hw.readRoute(ChannelId::of(c), node, route);
        } else {
          m_hw.writeRoute(node, ChannelId::of(c), route);
        }
        touch(route, share, false);
        phase.load[firstChannelResource(m_hw, !reads) + c] += cycles;
        phase.latency = std::max(phase.latency, latencyOf(route));
      }
      settle(phase, pattern, [](const Link& l) { return l.bandwidth; });
      passInstance(phase, instance);
      pattern.transfers += 1;
    });
    return phase;
  }

  // To the core where tiles enter, then along the dimension `first`, then along the other one.
  Route wayTo(NodeId from, const Coordinates& entry, const Coordinates& member, int first) const {
    Coordinates corner = entry;
    corner[static_cast<std::size_t>(first)] = member[static_cast<std::size_t>(first)];
    Route way, branch;
    for (const Coordinates* next : {&entry, static_cast<const Coordinates*>(&corner), &member}) {
      const NodeId to = m_hw.nodeOf(m_hw.coreAt(*next));
      m_hw.route(m_hw.readPlane(), from, to, branch);
      way.insert(way.end(), branch.begin(), branch.end());
      from = to;
    }
    return way;
  }

  const hardware::Topology& m_hw;
  const Coordinates& m_active;
  Resources m_resources;
  std::size_t m_channels;
  DimMask m_wide;
  std::vector<double> m_share;    ///< per link, of the current transfer
  std::vector<LinkId> m_touched;  ///< links with a share
  std::vector<SharedBufferTraffic> m_out;
};

}  // namespace

std::vector<SharedBufferTraffic> sharedBufferTraffic(const hardware::Topology& hw,
                                                     const std::vector<std::int64_t>& active) {
  if (!hw.hasSharedBuffer()) return {};
  return SharedBufferWalk(hw, active).run();
}

}  // namespace gridloom::traffic
