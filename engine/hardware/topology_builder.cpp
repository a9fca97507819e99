// SPDX-License-Identifier: Apache-2.0
#include "hardware/topology_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/message_limit.h"

namespace gridloom::hardware {

namespace {

constexpr std::int64_t kMostCores = std::int64_t{1} << 22;

bool tooLarge(const Grid& grid) {
  std::int64_t count = 1;
  for (const std::int64_t size : grid.sizes) {
    if (size < 1 || size > kMostCores / count) return true;
    count *= size;
  }
  return grid.sizes.size() > kMostDims;
}

}  // namespace

base::Result<Topology> makeTopology(const HardwareSpec& spec, const Topology* like) {
  return TopologyBuilder(spec, like).build();
}

base::Result<Topology> TopologyBuilder::build() {
  m_made.m_name = m_spec.name;
  checkContradictions();
  readCores();
  if (!failed()) checkMemorySizes();
  if (!failed()) readLocal();
  if (!failed()) placeCores();
  if (!failed()) {
    readNetworks();
    readRates();
  }
  if (!failed()) readGlobal();
  if (!failed()) checkMapsNotUsed();
  if (!failed()) readSharedBuffers();
  if (failed()) return std::move(m_out);
  notePartsNotUsed();
  return {std::move(m_made), std::move(m_out)};
}

void TopologyBuilder::error(base::Span span, std::string message, std::string hint) {
  base::report(m_out, base::errorAt(m_spec.source, span, std::move(message), std::move(hint)));
}

void TopologyBuilder::note(base::Span span, std::string message, std::string hint) {
  base::report(m_out, base::noteAt(m_spec.source, span, std::move(message), std::move(hint)));
}

Grid TopologyBuilder::gridOf(const std::vector<SpatialDimId>& dims) const {
  Grid grid;
  for (const SpatialDimId dim : dims) grid.sizes.push_back(m_spec.dims[dim.index()].size);
  return grid;
}

void TopologyBuilder::readCores() {
  if (m_spec.cores.empty()) {
    error({}, "the description has no cores", "add `%cores = df.core { scaleout = (%x, %y) }`");
    return;
  }
  if (m_spec.cores.size() > 1) {
    error(m_spec.cores[1].span, "a second core array", "one description has one `df.core`");
    return;
  }
  m_coreGrid = gridOf(cores().scaleout);
  if (m_coreGrid.sizes.empty() || tooLarge(m_coreGrid)) {
    error(cores().span,
          fmt::format("`scaleout` of `%{}` must have 1 to 8 dimensions and at most 2^22 cores",
                      cores().name));
    return;
  }
  std::vector<bool> disabled(static_cast<std::size_t>(m_coreGrid.count()));
  readDisabled(disabled);
  readEnabled(disabled);
  chooseLogicalGrid(disabled);
  m_made.m_times.clock = cores().clock ? cores().clock->value : 0;
  m_made.m_times.launch = cores().launch ? cores().launch->value : 0;
  m_made.m_times.reload = cores().reload ? cores().reload->value : 0;
}

/// The routers are those of `grid`, else the local memories when a network connects them, else the
/// cores.
void TopologyBuilder::placeCores() {
  const auto count = static_cast<std::size_t>(m_coreGrid.count());
  const bool joinsLocal = std::any_of(
      m_spec.interconnects.begin(), m_spec.interconnects.end(), [&](const Interconnect& link) {
        return partOf(link.source) == Part::Local && partOf(link.destination) == Part::Local;
      });
  m_nodeOfPhysical.resize(count);
  m_routersAreLocal = joinsLocal && cores().grid.empty();
  if (!cores().grid.empty()) {
    placeRoutersOnGrid();
  } else {
    m_nodeGrid = joinsLocal ? m_localGrid : m_coreGrid;
    for (std::size_t i = 0; i < count; ++i) {
      m_nodeOfPhysical[i] =
          joinsLocal ? NodeId(static_cast<std::int32_t>(m_instanceOfCore[i])) : NodeId::of(i);
    }
    if (cores().at) error(cores().span, "`at` needs `grid`", "add `grid = (%nx, %ny)`");
  }
  if (failed()) return;
  m_made.m_nodeGrid = m_nodeGrid.sizes;
  m_made.m_nodeCount = m_nodeGrid.count();
  m_made.m_nodeStride.assign(m_nodeGrid.sizes.size(), 1);
  for (std::size_t d = m_nodeGrid.sizes.size(); d-- > 1;) {
    m_made.m_nodeStride[d - 1] = m_made.m_nodeStride[d] * m_nodeGrid.sizes[d];
  }
  m_made.m_nodeOfCore.reserve(m_physicalCore.size());
  for (const std::int64_t core : m_physicalCore) {
    m_made.m_nodeOfCore.push_back(m_nodeOfPhysical[static_cast<std::size_t>(core)]);
  }
  listCoresAside();
}

/// The described cores that are not in the logical grid.
void TopologyBuilder::listCoresAside() {
  if (m_physicalCore.size() == m_disabled.size()) return;
  std::vector<bool> isKept(m_disabled.size());
  for (const std::int64_t core : m_physicalCore) isKept[static_cast<std::size_t>(core)] = true;
  std::vector<std::int64_t> point(m_coreGrid.sizes.size());
  for (std::size_t i = 0; i < isKept.size(); ++i) {
    if (isKept[i]) continue;
    m_coreGrid.pointOf(static_cast<std::int64_t>(i), point);
    m_made.m_coresAside.push_back({point, m_nodeOfPhysical[i], m_disabled[i]});
  }
}

void TopologyBuilder::placeRoutersOnGrid() {
  m_nodeGrid = gridOf(cores().grid);
  if (tooLarge(m_nodeGrid)) {
    error(cores().span, "`grid` must have at most 8 dimensions and 2^22 routers");
    return;
  }
  if (!cores().at) {
    error(cores().span, "`grid` needs `at`, the router of each core",
          "add `at = affine_map<(d0, d1) -> (d0, d1)>`");
    return;
  }
  const affine::AffineMap& at = *cores().at;
  if (!checkMap("at", cores().span, at, m_coreGrid, m_nodeGrid)) return;
  std::vector<std::int64_t> from(m_coreGrid.sizes.size());
  std::vector<std::int64_t> to(m_nodeGrid.sizes.size());
  for (std::size_t i = 0; i < m_nodeOfPhysical.size(); ++i) {
    m_coreGrid.pointOf(static_cast<std::int64_t>(i), from);
    at.evaluate(from, to);
    m_nodeOfPhysical[i] = NodeId(static_cast<std::int32_t>(m_nodeGrid.indexOf(to)));
  }
}

void TopologyBuilder::readRates() {
  int matrices = 0;
  int vectors = 0;
  for (const UnitCount& unit : cores().scalein) {
    for (const MatrixUnit& matrix : m_spec.matrixUnits) {
      if (matrix.name != unit.unit) continue;
      m_made.m_units.matrix = matrix;
      m_made.m_units.matrixCount = unit.count;
      ++matrices;
    }
    for (const VectorUnit& vector : m_spec.vectorUnits) {
      if (vector.name != unit.unit) continue;
      m_made.m_units.vector = vector;
      m_made.m_units.vectorCount = unit.count;
      ++vectors;
    }
  }
  if (matrices > 1 || vectors > 1) {
    error(cores().span, "a core may have one kind of matrix unit and one kind of vector unit",
          "give the number of copies with `scalein = (%FPU, %SFPU, [8, 1])`");
  }
  const VectorUnit& vector = m_made.m_units.vector;
  if (vector.chained && matrices == 0) {
    error(vector.span,
          fmt::format("`%{}` is chained, and the cores have no matrix unit", vector.name),
          "leave out `chained`, or add a `df.mat` to `scalein`");
  }
  checkSustained(m_made.m_units.matrix);
  for (const auto& [mode, rate] : m_made.m_units.matrix.throughput) {
    if (!mode.empty()) m_made.m_units.modes.push_back(mode);
  }
}

void TopologyBuilder::checkSustained(const MatrixUnit& unit) {
  for (const auto& [mode, rate] : unit.sustained) {
    const auto peak = std::find_if(unit.throughput.begin(), unit.throughput.end(),
                                   [&](const auto& entry) { return entry.first == mode; });
    if (peak == unit.throughput.end()) {
      error(rate.span,
            fmt::format("`sustained` of `%{}` names a mode that `throughput` does not: `{}`",
                        unit.name, mode),
            "name the same modes in both");
    } else if (rate.value > peak->second.value) {
      error(rate.span,
            fmt::format("`sustained` of `%{}` is above its peak `throughput`", unit.name));
    }
  }
}

}  // namespace gridloom::hardware
