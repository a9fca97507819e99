// SPDX-License-Identifier: Apache-2.0
// What collective traffic is summed up in.
#include <memory>
#include <utility>

#include "traffic/collective_traffic.h"
#include "traffic/dominant_resources.h"

namespace gridloom::traffic {

using hardware::Link;
using hardware::LinkId;

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
  load.scale(part);
  alone *= part;
}

void Moved::addTo(Pattern& pattern) const {
  pattern.network += network;
  pattern.localIn += localIn;
  pattern.localOut += localOut;
}

KnownPhase::KnownPhase(Phase phase, const Pattern& pattern)
    : load(std::make_shared<const Load>(std::move(phase.load))),
      peak(load->peak()),
      latency(phase.latency),
      meanLatency(phase.meanLatency),
      alone(phase.alone),
      moved{pattern.network, pattern.localIn, pattern.localOut},
      transfers(pattern.transfers) {}

}  // namespace gridloom::traffic
