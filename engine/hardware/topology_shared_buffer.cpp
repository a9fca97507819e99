// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "hardware/topology_builder.h"

namespace gridloom::hardware {

/// The memories, neither local nor global, to which cores or other shared buffers are connected and
/// that whole lines of the mesh share; those with most instances are innermost. A note names
/// memories that are not used.
void TopologyBuilder::readSharedBuffers() {
  if (m_globalMemory == nullptr) return;
  // A memory may be described before the one through which cores reach it.
  for (bool found = true; found && !failed();) {
    found = false;
    for (const Memory& memory : m_spec.memories) {
      if (partOf(memory.name) == Part::Other && !isSharedBuffer(memory.name))
        found |= readSharedBuffer(memory);
    }
  }
  std::vector<SharedBuffer>& levels = m_made.m_sharedBuffers;
  std::ranges::stable_sort(levels, std::greater<>(), &SharedBuffer::instances);
  for (std::size_t k = 1; k < levels.size(); ++k) {
    levels[k].firstInstance = levels[k - 1].firstInstance + levels[k - 1].instances;
  }
}

bool TopologyBuilder::isSharedBuffer(std::string_view name) const {
  const auto& known = m_made.m_sharedBuffers;
  return std::ranges::find(known, name, &SharedBuffer::name) != known.end();
}

/// False: not reached yet, or not shared by whole lines.
bool TopologyBuilder::readSharedBuffer(const Memory& memory) {
  const std::vector<std::int64_t> instances = instancesOf(memory);
  if (instances.empty()) return false;
  const auto shared = sharedDims(instances);
  if (!shared) return false;
  if (m_made.m_sharedBuffers.size() == kMostSharedBuffers) {
    error(memory.span,
          fmt::format("`%{}` is one shared buffer more than the {} that mappings use", memory.name,
                      kMostSharedBuffers),
          "leave out the memories between the cores and global memory that matter least");
    return false;
  }
  SharedBuffer made;
  made.name = memory.name;
  made.instances = gridOf(memory.scaleout).count();
  made.bytes = static_cast<std::int64_t>(memory.size.value);
  made.bandwidth = memory.bandwidth.value;
  made.dma = memory.dma;
  if (memory.dmaRate) made.dmaRate = memory.dmaRate->value;
  made.sharedDims = *shared;
  for (const std::int64_t i : instances) made.ofCore.push_back(static_cast<std::int32_t>(i));
  if (!placeSharedBuffer(memory, made)) return false;
  m_made.m_sharedBuffers.push_back(std::move(made));
  return true;
}

/// The connection through which tiles reach a memory: from the cores, their memories or another
/// shared buffer, by an interconnect to it or a mux from it. The last one counts.
TopologyBuilder::Connection TopologyBuilder::connectionTo(const Memory& memory) const {
  Connection found;
  const auto offer = [&](const std::string& from, const affine::AffineMap& map) {
    const Part part = partOf(from);
    const bool inner = part == Part::Cores || part == Part::Local || isSharedBuffer(from);
    if (inner && from != memory.name) found = {from, &map};
  };
  for (const Interconnect& link : m_spec.interconnects) {
    if (link.destination == memory.name) offer(link.source, link.map);
  }
  for (const Mux& mux : m_spec.muxes) {
    if (mux.source == memory.name && partOf(mux.destination) != Part::Local)
      offer(mux.destination, mux.map);
  }
  return found;
}

/// The instance of every core; empty where no connection leads there.
std::vector<std::int64_t> TopologyBuilder::instancesOf(const Memory& memory) const {
  const Connection connection = connectionTo(memory);
  if (connection.map == nullptr) return {};
  const Part part = partOf(connection.from);
  const auto inner =
      std::ranges::find(m_made.m_sharedBuffers, connection.from, &SharedBuffer::name);
  const Grid from = gridOfPart(connection.from);
  const Grid to = gridOf(memory.scaleout);
  std::vector<std::int64_t> member(from.sizes.size()), instance(to.sizes.size()), instances;
  for (std::size_t core = 0; core < m_physicalCore.size(); ++core) {
    std::int64_t source = m_physicalCore[core];
    if (part == Part::Local) source = m_instanceOfCore[static_cast<std::size_t>(source)];
    if (part == Part::Other) source = inner->ofCore[core];
    from.pointOf(source, member);
    connection.map->evaluate(member, instance);
    instances.push_back(to.indexOf(instance));
  }
  return instances;
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
bool TopologyBuilder::placeSharedBuffer(const Memory& memory, SharedBuffer& made) {
  std::vector<NodeId> nodes(static_cast<std::size_t>(made.instances));
  for (std::size_t core = made.ofCore.size(); core-- > 0;) {
    nodes[static_cast<std::size_t>(made.ofCore[core])] = m_made.m_nodeOfCore[core];
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
  made.nodes = std::move(nodes);
  return true;
}

}  // namespace gridloom::hardware
