// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "hardware/coordinate_tables.h"
#include "hardware/topology_builder.h"

namespace gridloom::hardware {

namespace {

constexpr double kMostBytes = 4.611686018427387904e18;  // 2^62
constexpr double kMostMembers = 1 << 22;

}  // namespace

void TopologyBuilder::checkMemorySizes() {
  for (const Memory& memory : m_spec.memories) {
    double instances = 1;
    for (const std::int64_t size : gridOf(memory.scaleout).sizes) {
      instances *= static_cast<double>(size);
    }
    if (instances > kMostMembers) {
      error(memory.span, fmt::format("`%{}` has more than 2^22 instances", memory.name));
    } else if (memory.size.value * instances > kMostBytes) {
      error(memory.size.span, fmt::format("`size` of `%{}` overflows: {} instances of {} bytes",
                                          memory.name, instances, memory.size.value));
    }
  }
}

const Mux* TopologyBuilder::muxToLocal() const {
  for (const Mux& mux : m_spec.muxes) {
    if (mux.destination == cores().name && mux.source == m_localMemory->name) return &mux;
  }
  return nullptr;
}

/// The memory that the cores address through a mux (with several levels, the one with the most
/// instances), else the memory with an instance for every core.
const Memory* TopologyBuilder::findLocal() {
  const Memory* found = nullptr;
  for (const Memory& memory : m_spec.memories) {
    const bool muxed = std::any_of(m_spec.muxes.begin(), m_spec.muxes.end(), [&](const Mux& mux) {
      return mux.destination == cores().name && mux.source == memory.name;
    });
    if (memory.global || !muxed) continue;
    const bool nearer =
        found == nullptr || gridOf(memory.scaleout).count() > gridOf(found->scaleout).count();
    if (nearer) found = &memory;
  }
  if (found != nullptr) return found;
  for (const Memory& memory : m_spec.memories) {
    const auto& dims = memory.scaleout;
    const bool same = std::is_permutation(dims.begin(), dims.end(), cores().scaleout.begin(),
                                          cores().scaleout.end());
    if (!memory.global && same) return &memory;
  }
  return nullptr;
}

void TopologyBuilder::readLocal() {
  m_localMemory = findLocal();
  if (m_localMemory == nullptr) {
    error(cores().span, fmt::format("no memory belongs to the cores `%{}`", cores().name),
          "add a `df.memory` with the cores' `scaleout`, or a `df.mux` from the cores to a memory");
    return;
  }
  m_localGrid = gridOf(m_localMemory->scaleout);
  mapCoresToLocal();
  if (!failed()) describeLocal();
}

void TopologyBuilder::mapCoresToLocal() {
  m_instanceOfCore.resize(static_cast<std::size_t>(m_coreGrid.count()));
  const Mux* mux = muxToLocal();
  if (mux == nullptr) {
    projectCoresOntoLocal();
    return;
  }
  if (!checkMap(mux->name, mux->span, mux->map, m_coreGrid, m_localGrid)) return;
  if (const auto tables = coordinateTables(mux->map, m_coreGrid)) {
    m_instanceOfCore = tables->indices(m_coreGrid, m_localGrid);
    return;
  }
  std::vector<std::int64_t> core(m_coreGrid.sizes.size());
  std::vector<std::int64_t> instance(m_localGrid.sizes.size());
  for (std::size_t i = 0; i < m_instanceOfCore.size(); ++i) {
    m_coreGrid.pointOf(static_cast<std::int64_t>(i), core);
    mux->map.evaluate(core, instance);
    m_instanceOfCore[i] = m_localGrid.indexOf(instance);
  }
}

/// Without a mux each core uses the instance with its own coordinates.
void TopologyBuilder::projectCoresOntoLocal() {
  std::vector<std::size_t> dimOf;
  for (const SpatialDimId dim : m_localMemory->scaleout) {
    const auto at = std::find(cores().scaleout.begin(), cores().scaleout.end(), dim);
    dimOf.push_back(static_cast<std::size_t>(at - cores().scaleout.begin()));
  }
  std::vector<std::int64_t> core(m_coreGrid.sizes.size());
  std::vector<std::int64_t> instance(m_localGrid.sizes.size());
  for (std::size_t i = 0; i < m_instanceOfCore.size(); ++i) {
    m_coreGrid.pointOf(static_cast<std::int64_t>(i), core);
    for (std::size_t d = 0; d < dimOf.size(); ++d) instance[d] = core[dimOf[d]];
    m_instanceOfCore[i] = m_localGrid.indexOf(instance);
  }
}

void TopologyBuilder::describeLocal() {
  std::vector<std::int64_t> users(static_cast<std::size_t>(m_localGrid.count()));
  for (const std::int64_t core : m_physicalCore) {
    ++users[static_cast<std::size_t>(m_instanceOfCore[static_cast<std::size_t>(core)])];
  }
  const std::int64_t sharedBy = *std::max_element(users.begin(), users.end());
  LocalMemory& local = m_made.m_local;
  local.name = m_localMemory->name;
  local.sharedBy = sharedBy;
  local.bytes = static_cast<std::int64_t>(m_localMemory->size.value);
  local.bandwidth = m_localMemory->bandwidth.value;
  const auto share = [&](std::int64_t channels) {
    return channels == 0 ? 0 : std::max<std::int64_t>(1, channels / sharedBy);
  };
  local.dma = {share(m_localMemory->dma.in), share(m_localMemory->dma.out)};
  if (m_localMemory->dmaRate) local.dmaRate = m_localMemory->dmaRate->value;
  if (sharedBy > 1) findSharers();
}

void TopologyBuilder::findSharers() {
  LocalMemory& local = m_made.m_local;
  std::vector<std::int64_t> instances;
  std::vector<std::int32_t> first(static_cast<std::size_t>(m_localGrid.count()), -1);
  for (std::size_t core = 0; core < m_physicalCore.size(); ++core) {
    instances.push_back(m_instanceOfCore[static_cast<std::size_t>(m_physicalCore[core])]);
    std::int32_t& user = first[static_cast<std::size_t>(instances.back())];
    if (user < 0) user = static_cast<std::int32_t>(core);
    local.firstUser.push_back(user);
  }
  local.sharedDims = sharedDims(instances).value_or(0);
  for (std::size_t d = 0; d < m_made.m_dims.size(); ++d) {
    if (m_made.m_dims[d].size == 1) local.sharedDims &= ~(std::uint32_t{1} << d);
  }
}

/// Connections that no route uses are still checked.
void TopologyBuilder::checkMapsNotUsed() {
  for (const Interconnect& link : m_spec.interconnects) {
    if (carriesTiles(link) || (link.map.numDims == 0 && link.map.results.empty())) continue;
    const Grid from = gridOfPart(link.source);
    const Grid to = gridOfPart(link.destination);
    if (link.source == link.destination) {
      checkMapShape(link.name, link.span, link.map, from, to);
    } else {
      checkMap(link.name, link.span, link.map, from, to);
    }
  }
  for (const Mux& mux : m_spec.muxes) {
    if (partOf(mux.source) == Part::Local && partOf(mux.destination) == Part::Cores) continue;
    checkMap(mux.name, mux.span, mux.map, gridOfPart(mux.destination), gridOfPart(mux.source));
  }
}

bool TopologyBuilder::carriesTiles(const Interconnect& link) const {
  const Part from = partOf(link.source);
  const Part to = partOf(link.destination);
  const bool port = (from == Part::Global && (to == Part::Cores || to == Part::Local)) ||
                    (to == Part::Global && (from == Part::Cores || from == Part::Local));
  return port || isNetwork(link);
}

void TopologyBuilder::notePartsNotUsed() {
  for (const Memory& memory : m_spec.memories) {
    if (memory.duplex && &memory != m_globalMemory) {
      note(memory.span, fmt::format("`duplex` of `%{}` changes nothing", memory.name),
           "it belongs to the global memory; transfers in both directions share the port of any "
           "other");
    }
    if (memory.stripes.parts > 1 && &memory != m_globalMemory) {
      note(memory.span, fmt::format("`stripes` of `%{}` change nothing", memory.name),
           "they belong to the global memory; the bytes of any other have all of its bandwidth");
    }
    if (partOf(memory.name) != Part::Other || isSharedBuffer(memory.name)) continue;
    note(memory.span, fmt::format("mappings do not use the memory `%{}`", memory.name),
         "tiles live in the memory of the cores, in the global memory, and in memories between "
         "them to which interconnects lead from the cores, shared by whole lines of the mesh");
  }
  for (const Interconnect& link : m_spec.interconnects) {
    if (carriesTiles(link)) continue;
    if (partOf(link.source) == Part::Other || partOf(link.destination) == Part::Other) continue;
    note(link.span, fmt::format("tiles do not move over `%{}`", link.name),
         m_routersAreLocal ? "the network that joins the memories of the cores carries them" : "");
  }
  noteUnitsNotUsed();
}

void TopologyBuilder::noteUnitsNotUsed() {
  if (m_made.m_units.matrix.throughput.empty() && m_made.m_units.vector.throughput.empty()) {
    note(cores().span, "the cores have no compute unit", "name units in `scalein`");
  }
  const auto checkUse = [&](const std::string& name, base::Span span) {
    const bool used = std::any_of(cores().scalein.begin(), cores().scalein.end(),
                                  [&](const UnitCount& unit) { return unit.unit == name; });
    if (!used) note(span, fmt::format("no core has the unit `%{}`", name), "name it in `scalein`");
  };
  for (const MatrixUnit& unit : m_spec.matrixUnits) checkUse(unit.name, unit.span);
  for (const VectorUnit& unit : m_spec.vectorUnits) checkUse(unit.name, unit.span);
}

}  // namespace gridloom::hardware
