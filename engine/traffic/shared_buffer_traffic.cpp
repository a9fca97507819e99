// SPDX-License-Identifier: Apache-2.0
#include "traffic/shared_buffer_traffic.h"

#include <algorithm>
#include <bit>

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
using mapping::Memory;
using mapping::MovementKind;
using mapping::TransferStep;

namespace {

class SharedBufferWalk {
 public:
  SharedBufferWalk(const hardware::Topology& hw, const std::vector<std::int64_t>& active)
      : m_hw(hw),
        m_active(active),
        m_resources(hw),
        m_channels(static_cast<std::size_t>(hw.global().channels)),
        m_wide(wideDims(active)),
        m_casts(hw.canMulticast(hw.readPlane())),
        m_share(hw.links().size(), 0.0) {}

  std::vector<SharedBufferTraffic> run() {
    const std::size_t levels = m_hw.sharedBuffers().size();
    for (std::size_t k = 0; k < levels; ++k) {
      const Memory here = Memory::shared(k);
      store(Memory::Local, here);
      store(here, Memory::Global);
      for (std::size_t inner = 0; inner < k; ++inner) store(Memory::shared(inner), here);
      for (const InputMovement& m : mapping::movementsAlong(m_wide, m_hw)) {
        if (m.kind == MovementKind::Direct || m.kind == MovementKind::Multicast)
          add({Kind::Multicast, here, Memory::Local, 0, m.along, m.first});
      }
      for (DimMask group = 0; group <= m_wide; ++group) {
        // With one level, the multicast to the cores alone shares a tile.
        const int most = !m_casts ? 0 : levels == 1 ? 2 : std::popcount(m_wide);
        if ((group & ~m_wide) != 0 || std::popcount(group) > most) continue;
        add({Kind::Load, Memory::Global, here, group});
        for (std::size_t outer = k + 1; outer < levels; ++outer) inwards(outer, k, group);
      }
    }
    return std::move(m_out);
  }

 private:
  using Coordinates = std::vector<std::int64_t>;
  using Kind = TransferStep::Kind;

  void store(Memory from, Memory to) { add({Kind::Store, from, to}); }

  // From one shared buffer to the next inwards, whose copies serve `group`.
  void inwards(std::size_t outer, std::size_t inner, DimMask group) {
    for (DimMask along = 0; along <= m_wide; ++along) {
      if ((along & (~m_wide | group)) != 0 || std::popcount(along) > (m_casts ? 2 : 0)) continue;
      add({Kind::Multicast, Memory::shared(outer), Memory::shared(inner), group, along});
    }
  }

  // `groups`: dimensions along which groups of cores take the step at once.
  Phase phaseOf(const TransferStep& step, DimMask groups, Pattern& pattern) {
    pattern.transfers = 0;
    if (step.from.isShared() && step.to.isShared()) return between(groups, step, pattern);
    if (step.kind == Kind::Multicast) return outOf(groups, step, pattern);
    if (step.from == Memory::Local) return drained(groups, step, pattern);
    return betweenChannels(groups, step, pattern);
  }

  void add(const TransferStep& step) {
    SharedBufferTraffic made{step, {}, {}};
    Pattern& p = made.pattern;
    p.loaders = m_wide & ~(step.zero | step.along);
    Phase phase = phaseOf(step, p.loaders, p);
    p.loadPeak = phase.load.peak();
    p.loadLatency = phase.latency;
    p.together.assign(std::size_t{1} << m_active.size(), phase.alone);
    for (DimMask mask = 1; mask < p.together.size(); ++mask) {
      if ((mask & ~p.loaders) != 0) continue;
      Pattern unused;
      p.together[mask] = std::max(phase.alone, phaseOf(step, mask, unused).load.peak());
    }
    made.load = std::move(phase.load);
    m_out.push_back(std::move(made));
  }

  Phase begin() const { return {m_resources.empty()}; }

  double latencyOf(const Route& route) const {
    double sum = 0;
    for (const LinkId id : route) sum += m_hw.links()[id.index()].latency;
    return sum;
  }

  // An instance of a shared buffer.
  struct Instance {
    std::size_t number = 0;  ///< over all shared buffers
    NodeId node;
    double rate = 0;     ///< cycles per byte
    double channel = 0;  ///< the same of one of its DMA channels
  };

  // The instance that serves the group of `at`; moves `at` to the core where its tiles enter.
  Instance enter(Memory memory, DimMask along, Coordinates& at) const {
    const hardware::SharedBuffer& buffer = m_hw.sharedBuffer(memory.level());
    mapping::moveToEntry(buffer, m_active, along, at);
    const auto instance = static_cast<std::size_t>(buffer.ofCore[m_hw.coreAt(at).index()]);
    return {static_cast<std::size_t>(buffer.firstInstance) + instance, buffer.nodes[instance],
            1 / buffer.bandwidth, buffer.dmaRate > 0 ? 1 / buffer.dmaRate : 0};
  }

  void passInstance(Phase& phase, const Instance& instance) const {
    m_resources.instance(phase.load, instance.number) += instance.rate;
    phase.alone = std::max({phase.alone, instance.rate, instance.channel});
  }

  // Adds the link loads of one transfer to the phase and clears them. `bandwidthOf`: bandwidth of a
  // link for it.
  template <class Bandwidth>
  void settle(Phase& phase, Pattern& pattern, const Bandwidth& bandwidthOf) {
    for (const LinkId id : m_touched) {
      const Link l = m_hw.links()[id.index()];
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

  // Bandwidth of a link for a step's transfer.
  auto bandwidthFor(const TransferStep& step) const {
    return [this, alone = step.along == 0](const Link& l) {
      return alone ? l.bandwidth : m_hw.networks()[l.network.index()].multicastBandwidth;
    };
  }

  // Calls visit(coordinates) for the cores at `root` that differ from it along `along` only.
  template <class Visit>
  void forMembers(const Coordinates& root, DimMask along, const Visit& visit) const {
    forCores(m_active, along, [&](Coordinates& offset) {
      Coordinates member = root;
      for (std::size_t d = 0; d < member.size(); ++d) {
        if (along >> d & 1) member[d] = offset[d];
      }
      visit(member);
    });
  }

  // From the instance of every group to its cores.
  Phase outOf(DimMask groups, const TransferStep& step, Pattern& pattern) {
    Phase phase = begin();
    const double port = m_resources.portRate();
    phase.alone = m_resources.loneRate();
    forCores(m_active, groups, [&](Coordinates& at) {
      Coordinates entry = at;
      const Instance instance = enter(step.from, step.along, entry);
      passInstance(phase, instance);
      forMembers(at, step.along, [&](const Coordinates& member) {
        const Route route = routeTo(instance.node, entry, member, step.first);
        touch(route, 1, true);
        phase.latency = std::max(phase.latency, latencyOf(route));
        m_resources.port(phase.load, m_hw.coreAt(member)) += port;
        pattern.localIn += 1;
      });
      settle(phase, pattern, bandwidthFor(step));
    });
    return phase;
  }

  // From every core to its instance.
  Phase drained(DimMask cores, const TransferStep& step, Pattern& pattern) {
    Phase phase = begin();
    const double port = m_resources.portRate();
    phase.alone = m_resources.loneRate();
    Route route;
    forCores(m_active, cores, [&](Coordinates& at) {
      const auto core = m_hw.coreAt(at);
      const Instance instance = enter(step.to, 0, at);
      m_hw.route(m_hw.writePlane(), m_hw.nodeOf(core), instance.node, route);
      touch(route, 1, true);
      phase.latency = std::max(phase.latency, latencyOf(route));
      m_resources.port(phase.load, core) += port;
      pattern.localOut += 1;
      settle(phase, pattern, bandwidthFor(step));
      passInstance(phase, instance);
    });
    return phase;
  }

  // Between two shared buffers: inputs inwards, one copy for all groups along `along`; outputs
  // outwards, for each core by itself.
  Phase between(DimMask groups, const TransferStep& step, Pattern& pattern) {
    Phase phase = begin();
    const bool reads = step.kind == Kind::Multicast;
    const std::int64_t plane = reads ? m_hw.readPlane() : m_hw.writePlane();
    Route route;
    forCores(m_active, groups, [&](Coordinates& at) {
      Coordinates entry = at;
      const Instance source = enter(step.from, step.zero | step.along, entry);
      passInstance(phase, source);
      forMembers(at, step.along, [&](Coordinates member) {
        const Instance target = enter(step.to, step.zero, member);
        m_hw.route(plane, source.node, target.node, route);
        touch(route, 1, true);
        phase.latency = std::max(phase.latency, latencyOf(route));
        passInstance(phase, target);
      });
      settle(phase, pattern, bandwidthFor(step));
    });
    return phase;
  }

  // Between all channels and the instance of every group that shares a tile.
  Phase betweenChannels(DimMask groups, const TransferStep& step, Pattern& pattern) {
    const hardware::GlobalMemory& global = m_hw.global();
    const bool reads = step.kind == Kind::Load;
    Phase phase = begin();
    const double share = 1.0 / static_cast<double>(m_channels);
    const double cycles = share / (reads ? global.readBandwidth : global.writeBandwidth);
    phase.alone = cycles;
    Route route;
    forCores(m_active, groups, [&](Coordinates& at) {
      Coordinates entry = at;
      const Instance instance =
          enter(reads ? step.to : step.from, reads ? step.zero : DimMask{0}, entry);
      for (std::size_t c = 0; c < m_channels; ++c) {
        if (reads) {
          m_hw.readRoute(ChannelId::of(c), instance.node, route);
        } else {
          m_hw.writeRoute(instance.node, ChannelId::of(c), route);
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
  Route routeTo(NodeId from, const Coordinates& entry, const Coordinates& member, int first) const {
    Coordinates corner = entry;
    corner[static_cast<std::size_t>(first)] = member[static_cast<std::size_t>(first)];
    Route route, branch;
    for (const Coordinates* next : {&entry, static_cast<const Coordinates*>(&corner), &member}) {
      const NodeId to = m_hw.nodeOf(m_hw.coreAt(*next));
      m_hw.route(m_hw.readPlane(), from, to, branch);
      route.insert(route.end(), branch.begin(), branch.end());
      from = to;
    }
    return route;
  }

  const hardware::Topology& m_hw;
  const Coordinates& m_active;
  Resources m_resources;
  std::size_t m_channels;
  DimMask m_wide;
  bool m_casts;
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
