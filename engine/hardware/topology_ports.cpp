// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "hardware/topology_builder.h"

namespace gridloom::hardware {

bool TopologyBuilder::reachesGlobal(const Memory& memory) const {
  const auto isNear = [&](const std::string& name) {
    const Part part = partOf(name);
    return part == Part::Cores || part == Part::Local;
  };
  const auto joins = [&](const std::string& a, const std::string& b) {
    return (a == memory.name && isNear(b)) || (b == memory.name && isNear(a));
  };
  return !memory.at.empty() ||
         std::any_of(m_spec.interconnects.begin(), m_spec.interconnects.end(),
                     [&](const auto& link) { return joins(link.source, link.destination); }) ||
         std::any_of(m_spec.muxes.begin(), m_spec.muxes.end(),
                     [&](const auto& mux) { return joins(mux.source, mux.destination); });
}

/// The memory with `kind = global`, else the largest memory that the cores reach and do not own.
const Memory* TopologyBuilder::findGlobal() {
  const Memory* found = nullptr;
  for (const Memory& memory : m_spec.memories) {
    if (!memory.global) continue;
    if (found != nullptr) {
      error(memory.span, "a second memory with `kind = global`", "one memory is the global one");
      return nullptr;
    }
    found = &memory;
  }
  if (found != nullptr) return found;
  const auto total = [&](const Memory& m) {
    return m.size.value * static_cast<double>(gridOf(m.scaleout).count());
  };
  for (const Memory& memory : m_spec.memories) {
    if (&memory == m_localMemory || !reachesGlobal(memory)) continue;
    if (found == nullptr || total(memory) > total(*found)) found = &memory;
  }
  return found;
}

void TopologyBuilder::readGlobal() {
  m_globalMemory = findGlobal();
  if (m_globalMemory == nullptr) return;
  describeGlobal();
  readPorts();
  if (!failed()) checkPorts();
  if (failed()) return;
  findNearestPorts();
  findNearestChannels();
}

void TopologyBuilder::describeGlobal() {
  const Memory& memory = *m_globalMemory;
  if (memory.dma.limited() || memory.dmaRate) {
    error(memory.span, fmt::format("`dma` of the global memory `%{}` limits nothing", memory.name),
          "it belongs to local memories and shared buffers");
  }
  GlobalMemory& global = m_made.m_global;
  global.name = memory.name;
  global.channels = gridOf(memory.scaleout).count();
  global.bytesPerChannel = static_cast<std::int64_t>(memory.size.value);
  global.readBandwidth = memory.readBandwidth.value_or(memory.bandwidth).value;
  global.writeBandwidth = memory.writeBandwidth.value_or(memory.bandwidth).value;
  global.duplex = memory.duplex;
  global.latency = memory.latency ? memory.latency->value : 0;
  global.writeLatency = memory.writeLatency ? memory.writeLatency->value : global.latency;
  global.setup = memory.setup ? memory.setup->value : 0;
  if (memory.interleave) global.interleave = static_cast<std::int64_t>(memory.interleave->value);
  if (memory.randomAccess) {
    global.randomAccess = static_cast<std::int64_t>(memory.randomAccess->value);
    global.randomAccessIsAssumed = false;
  }
  global.stripes = memory.stripes;
  m_made.m_readPorts.resize(static_cast<std::size_t>(global.channels));
  m_made.m_writePorts.resize(static_cast<std::size_t>(global.channels));
}

/// A port serves reads and writes over a link each. With one interconnect to the memory and another
/// one from it, each serves its direction only.
void TopologyBuilder::readPorts() {
  if (!m_globalMemory->at.empty()) {
    readPlacedPorts();
    return;
  }
  std::vector<const Interconnect*> outward;
  std::vector<const Interconnect*> inward;
  for (const Interconnect& link : m_spec.interconnects) {
    const Part from = partOf(link.source);
    const Part to = partOf(link.destination);
    if (to == Part::Global && (from == Part::Cores || from == Part::Local)) inward.push_back(&link);
    if (from == Part::Global && (to == Part::Cores || to == Part::Local)) outward.push_back(&link);
  }
  for (const Interconnect* link : outward) readMappedPorts(*link, true, inward.empty());
  for (const Interconnect* link : inward) readMappedPorts(*link, outward.empty(), true);
  for (const Mux& mux : m_spec.muxes) {
    if (mux.destination == cores().name && mux.source == m_globalMemory->name) readMuxPorts(mux);
  }
}

void TopologyBuilder::readPlacedPorts() {
  const Memory& memory = *m_globalMemory;
  if (static_cast<std::int64_t>(memory.at.size()) != m_made.m_global.channels) {
    error(memory.span, fmt::format("`at` of `%{}` places {} instances, `scaleout` has {}",
                                   memory.name, memory.at.size(), m_made.m_global.channels));
    return;
  }
  double bandwidth = memory.bandwidth.value;
  double latency = 0;
  for (const Interconnect& link : m_spec.interconnects) {
    if (partOf(link.source) != Part::Global && partOf(link.destination) != Part::Global) continue;
    bandwidth = link.bandwidth.value;
    latency = link.latency ? link.latency->value : 0;
  }
  for (std::size_t channel = 0; channel < memory.at.size(); ++channel) {
    for (const std::vector<std::int64_t>& position : memory.at[channel]) {
      if (position.size() != m_nodeGrid.sizes.size() || !m_nodeGrid.contains(position)) {
        error(memory.span,
              fmt::format("`at` of `%{}` names the router {}, but the routers are {}", memory.name,
                          pointName(position), pointName(m_nodeGrid.sizes)));
        return;
      }
      const NodeId node(static_cast<std::int32_t>(m_nodeGrid.indexOf(position)));
      addPort(static_cast<std::int64_t>(channel), node, bandwidth, latency, true, true);
    }
  }
}

void TopologyBuilder::readMappedPorts(const Interconnect& link, bool read, bool write) {
  const bool fromChannels = partOf(link.source) == Part::Global;
  const Grid from = gridOfPart(link.source);
  const Grid to = gridOfPart(link.destination);
  if (!checkMap(link.name, link.span, link.map, from, to)) return;
  const std::vector<NodeId> nodes = nodesOf(partOf(fromChannels ? link.destination : link.source));
  const double latency = link.latency ? link.latency->value : 0;
  std::vector<std::int64_t> member(from.sizes.size());
  std::vector<std::int64_t> result(to.sizes.size());
  for (std::int64_t i = 0; i < from.count(); ++i) {
    from.pointOf(i, member);
    link.map.evaluate(member, result);
    const std::int64_t j = to.indexOf(result);
    const std::int64_t channel = fromChannels ? i : j;
    const NodeId node = nodes[static_cast<std::size_t>(fromChannels ? j : i)];
    if (node.valid()) addPort(channel, node, link.bandwidth.value, latency, read, write);
  }
}

void TopologyBuilder::readMuxPorts(const Mux& mux) {
  const Grid channels = gridOf(m_globalMemory->scaleout);
  if (!checkMap(mux.name, mux.span, mux.map, m_coreGrid, channels)) return;
  const double bandwidth = mux.bandwidth.value_or(m_globalMemory->bandwidth).value;
  std::vector<std::int64_t> core(m_coreGrid.sizes.size());
  std::vector<std::int64_t> channel(channels.sizes.size());
  for (std::size_t i = 0; i < m_nodeOfPhysical.size(); ++i) {
    m_coreGrid.pointOf(static_cast<std::int64_t>(i), core);
    mux.map.evaluate(core, channel);
    addPort(channels.indexOf(channel), m_nodeOfPhysical[i], bandwidth, 0, true, true);
  }
}

void TopologyBuilder::addPort(std::int64_t channel, NodeId node, double bandwidth, double latency,
                              bool read, bool write) {
  Link port;
  port.channel = ChannelId(static_cast<std::int32_t>(channel));
  port.bandwidth = bandwidth;
  port.latency = latency;
  const auto add = [&](std::vector<LinkId>& ports) {
    ports.push_back(LinkId::of(m_made.m_links.size()));
    m_made.m_links.push_back(port);
  };
  if (read) {
    port.kind = Link::Kind::ReadPort;
    port.to = node;
    add(m_made.m_readPorts[port.channel.index()]);
  }
  if (write) {
    port.kind = Link::Kind::WritePort;
    port.from = node;
    port.to = NodeId();
    add(m_made.m_writePorts[port.channel.index()]);
  }
}

void TopologyBuilder::checkPorts() {
  for (std::size_t channel = 0; channel < m_made.m_readPorts.size(); ++channel) {
    if (!m_made.m_readPorts[channel].empty() && !m_made.m_writePorts[channel].empty()) continue;
    error(m_globalMemory->span,
          fmt::format("no core reaches channel {} of `%{}`", channel, m_globalMemory->name),
          "an interconnect between the cores and this memory must name every channel");
    return;
  }
}

}  // namespace gridloom::hardware
