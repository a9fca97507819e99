// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "hardware/topology_builder.h"

namespace gridloom::hardware {

/// The first memory, neither local nor global, to which the cores are connected and that whole
/// lines of the mesh share. Other such memories are unused, and a note says so.
void TopologyBuilder::readSharedBuffer() {
  if (m_globalMemory == nullptr) return;
  for (const Memory& memory : m_spec.memories) {
    if (&memory == m_localMemory || &memory == m_globalMemory) continue;
    std::vector<std::int64_t> instances;
    if (!reachesSharedBuffer(memory, instances)) continue;
    const auto shared = sharedDims(instances);
    if (!shared || !placeSharedBuffer(memory, instances)) continue;
    SharedBuffer& sharedBuffer = m_made.m_sharedBuffer;
    sharedBuffer.name = memory.name;
    sharedBuffer.instances = gridOf(memory.scaleout).count();
    sharedBuffer.bytes = static_cast<std::int64_t>(memory.size.value);
    sharedBuffer.bandwidth = memory.bandwidth.value;
    sharedBuffer.dma = memory.dma;
    if (memory.dmaRate) sharedBuffer.dmaRate = memory.dmaRate->value;
    sharedBuffer.sharedDims = *shared;
    for (const std::int64_t i : instances)
      sharedBuffer.ofCore.push_back(static_cast<std::int32_t>(i));
    m_sharedBuffer = &memory;
    return;
  }
}

/// Finds the instance of every core, from an interconnect between the cores (or their memories) and
/// the memory, or from a mux.
bool TopologyBuilder::reachesSharedBuffer(const Memory& memory,
                                          std::vector<std::int64_t>& instances) {
  const affine::AffineMap* map = nullptr;
  bool fromLocal = false;
  for (const Interconnect& link : m_spec.interconnects) {
    const Part from = partOf(link.source);
    if (link.destination != memory.name || (from != Part::Cores && from != Part::Local)) continue;
    map = &link.map;
    fromLocal = from == Part::Local;
  }
  for (const Mux& mux : m_spec.muxes) {
    if (mux.destination != cores().name || mux.source != memory.name) continue;
    map = &mux.map;
    fromLocal = false;
  }
  if (map == nullptr) return false;
  const Grid& from = fromLocal ? m_localGrid : m_coreGrid;
  const Grid to = gridOf(memory.scaleout);
  std::vector<std::int64_t> member(from.sizes.size()), instance(to.sizes.size());
  for (const std::int64_t core : m_physicalCore) {
    from.pointOf(fromLocal ? m_instanceOfCore[static_cast<std::size_t>(core)] : core, member);
    map->evaluate(member, instance);
    instances.push_back(to.indexOf(instance));
  }
  return true;
}

/// Dimensions along which cores share an instance; none unless it changes with every step along the
/// others.
std::optional<std::uint32_t>
TopologyBuilder::sharedDims(const std::vector<std::int64_t>& instances) const {
  const std::size_t rank = m_made.m_dims.size();
  std::uint32_t shared = 0;
  std::vector<std::int64_t> at(rank);
  const auto instanceAt = [&] { return instances[m_made.coreAt(at).index()]; };
  for (std::size_t d = 0; d < rank; ++d) {
    std::fill(at.begin(), at.end(), 0);
    at[d] = m_made.m_dims[d].size - 1;
    if (instanceAt() == instances.front()) shared |= std::uint32_t{1} << d;
  }
  // Along the other dimensions, every line has its own instance.
  std::map<std::vector<std::int64_t>, std::int64_t> byLine;
  std::map<std::int64_t, std::vector<std::int64_t>> lineOf;
  for (std::size_t core = 0; core < instances.size(); ++core) {
    m_made.coordinatesOf(CoreId::of(core), at);
    for (std::size_t d = 0; d < rank; ++d) {
      if ((shared >> d & 1u) != 0) at[d] = 0;
    }
    if (byLine.try_emplace(at, instances[core]).first->second != instances[core]) return {};
    if (lineOf.try_emplace(instances[core], at).first->second != at) return {};
  }
  return shared;
}

/// An instance without a position is at the router of the first core that it serves.
bool TopologyBuilder::placeSharedBuffer(const Memory& memory,
                                        const std::vector<std::int64_t>& instances) {
  std::vector<NodeId> nodes(static_cast<std::size_t>(gridOf(memory.scaleout).count()));
  for (std::size_t core = instances.size(); core-- > 0;) {
    nodes[static_cast<std::size_t>(instances[core])] = m_made.m_nodeOfCore[core];
  }
  if (!memory.at.empty() && memory.at.size() != nodes.size()) {
    error(memory.span, fmt::format("`at` of `%{}` places {} instances, `scaleout` has {}",
                                   memory.name, memory.at.size(), nodes.size()));
    return false;
  }
  for (std::size_t i = 0; i < memory.at.size(); ++i) {
    const bool placed = memory.at[i].size() == 1;
    const std::vector<std::int64_t> position =
        placed ? memory.at[i].front() : std::vector<std::int64_t>();
    if (position.size() != m_nodeGrid.sizes.size() || !m_nodeGrid.contains(position)) {
      error(memory.span,
            fmt::format("`at` of `%{}` names the router {}, but the routers are {}", memory.name,
                        pointName(position), pointName(m_nodeGrid.sizes)),
            "name one router for every instance");
      return false;
    }
    nodes[i] = NodeId(static_cast<std::int32_t>(m_nodeGrid.indexOf(position)));
  }
  m_made.m_sharedBuffer.nodes = std::move(nodes);
  return true;
}

}  // namespace gridloom::hardware
