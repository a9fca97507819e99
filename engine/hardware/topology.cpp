// SPDX-License-Identifier: Apache-2.0
#include "hardware/topology.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace gridloom::hardware {

double ComputeModel::vectorRate(std::string_view function) const {
  for (const auto& [name, rate] : vectorRates) {
    if (name == function) return rate;
  }
  const bool reduces =
      function == "sumreduce" || function == "maxreduce" || function == "prodreduce";
  return reduces ? vectorRate("reduce") : vectorDefault;
}

double ComputeModel::vectorPeak() const {
  double peak = 2 * vectorDefault;
  for (const auto& [name, rate] : vectorRates) peak = std::max(peak, rate);
  return peak;
}

double ComputeModel::peakFlops() const {
  return chained ? matrixPeak + vectorPeak() : std::max(matrixPeak, vectorPeak());
}

std::int64_t Topology::sharedInstances() const {
  if (m_sharedBuffers.empty()) return 0;
  return m_sharedBuffers.back().firstInstance + m_sharedBuffers.back().instances;
}

const SharedBuffer& Topology::sharedBufferOf(std::int64_t instance) const {
  std::size_t level = m_sharedBuffers.size() - 1;
  while (instance < m_sharedBuffers[level].firstInstance) --level;
  return m_sharedBuffers[level];
}

std::int64_t LocalMemory::copies(std::span<const std::int64_t> active,
                                 std::uint32_t together) const {
  if (sharedDims == 0) return sharedBy;
  std::int64_t count = 1;
  for (std::size_t d = 0; d < active.size(); ++d) {
    if ((sharedDims & ~together) >> d & 1U) count *= active[d];
  }
  return count;
}

CoreId Topology::coreAt(std::span<const std::int64_t> coordinates) const {
  assert(coordinates.size() == m_dims.size());
  std::int64_t index = 0;
  for (std::size_t d = 0; d < m_dims.size(); ++d) index = index * m_dims[d].size + coordinates[d];
  return CoreId(static_cast<std::int32_t>(index));
}

void Topology::coordinatesOf(CoreId core, std::span<std::int64_t> out) const {
  std::int64_t rest = core.value();
  for (std::size_t d = m_dims.size(); d-- > 0;) {
    out[d] = rest % m_dims[d].size;
    rest /= m_dims[d].size;
  }
}

void Topology::describedCoordinates(CoreId core, std::span<std::int64_t> out) const {
  m_describedGrid.pointOf(m_describedCore[core.index()], out);
}

bool Topology::looksLike(const Topology& other) const {
  const auto sameDim = [](const MeshDim& a, const MeshDim& b) {
    return a.name == b.name && a.size == b.size;
  };
  const auto sameAside = [](const CoreAside& a, const CoreAside& b) {
    return a.node == b.node && a.disabled == b.disabled;
  };
  return m_hops == other.m_hops && m_name == other.m_name && m_nodeOfCore == other.m_nodeOfCore &&
         m_describedCore == other.m_describedCore &&
         std::ranges::equal(m_dims, other.m_dims, sameDim) &&
         std::ranges::equal(m_coresAside, other.m_coresAside, sameAside) &&
         m_links.hasSameEnds(other.m_links);
}

void Topology::nodeCoordinates(NodeId node, std::span<std::int64_t> out) const {
  for (std::size_t d = 0; d < m_nodeGrid.size(); ++d) out[d] = nodeCoordinate(node, d);
}

bool Topology::canMulticast(std::int64_t plane) const {
  bool any = false;
  for (const Network& network : m_networks) {
    if (network.plane != plane % m_planes) continue;
    if (network.multicastBandwidth <= 0) return false;
    any = true;
  }
  return any;
}

namespace {

double rateOf(const Rates& rates, std::string_view name, double otherwise) {
  for (const auto& [key, figure] : rates) {
    if (key == name) return figure.value;
  }
  return otherwise;
}

double valueOf(const std::optional<Figure>& figure) { return figure ? figure->value : 0; }

std::string fastestOf(std::span<const std::string> modes, const MatrixUnit& unit) {
  const auto rate = [&](const std::string& mode) {
    return rateOf(unit.sustained, mode, rateOf(unit.throughput, mode, 0));
  };
  return *std::ranges::max_element(modes, {}, rate);
}

// flop/cycle at which operands of a width can feed the unit. For every step of k, a subblock of r x
// c intrinsics takes r operands from the left and r*c from above.
double operandRate(const MatrixUnit& unit, double bits) {
  const auto rows = static_cast<double>(unit.subblock[0]);
  const auto columns = static_cast<double>(unit.subblock[1]);
  const auto m = static_cast<double>(unit.shape[0]), n = static_cast<double>(unit.shape[1]),
             k = static_cast<double>(unit.shape[2]);
  const double bandwidth = unit.operandBandwidth->value, setup = valueOf(unit.operandSetup);
  const double left = m * k * bits / 8 / bandwidth + setup;
  const double above = k * n * bits / 8 / bandwidth + setup;
  return 2 * m * n * k * rows * columns / (rows * left + rows * columns * above);
}

std::string listOf(std::span<const std::string> modes) {
  std::string list;
  for (const std::string& mode : modes) list += (list.empty() ? "`" : ", `") + mode + "`";
  return list;
}

}  // namespace

base::Result<ComputeModel> Topology::compute(std::string_view mode, double bitsPerElement) const {
  ComputeModel model;
  model.mode = mode;
  if (mode.empty() && !m_units.modes.empty()) {
    // Block floats store a shared exponent: bfp8 has 8.5 bits per element, bfp4 4.5.
    const bool narrow = bitsPerElement <= 8.5 && m_units.modes.size() > 1;
    model.mode = m_units.modes[narrow ? 1 : 0];
    if (bitsPerElement <= 4.5 && !m_units.modes.empty())
      model.mode = fastestOf(m_units.modes, m_units.matrix);
  } else if (!mode.empty() &&
             std::find(m_units.modes.begin(), m_units.modes.end(), mode) == m_units.modes.end()) {
    const std::string known = m_units.modes.empty() ? "it names no numeric modes"
                                                    : "its modes are " + listOf(m_units.modes);
    return base::plainError("`" + m_name + "` has no numeric mode `" + std::string(mode) + "`",
                            known);
  }
  const auto matrices = static_cast<double>(m_units.matrixCount);
  const double peak = rateOf(m_units.matrix.throughput, model.mode, 0);
  std::copy_n(m_units.matrix.shape.begin(), 3, model.matrixShape);
  model.matrixPeak = peak * matrices;
  model.matrixSustained = rateOf(m_units.matrix.sustained, model.mode, peak) * matrices;
  if (m_units.matrix.operandBandwidth) {
    model.matrixSustained =
        std::min(model.matrixSustained, operandRate(m_units.matrix, bitsPerElement) * matrices);
  }
  model.fullRateOutput = valueOf(m_units.matrix.fullRateOutput);
  model.issuePerOutput = valueOf(m_units.matrix.issuePerOutput);
  model.matrixIssue = valueOf(m_units.matrix.issue);
  model.systolic = systolicShape(m_units.matrix, model.matrixPeak);

  const auto vectors = static_cast<double>(m_units.vectorCount);
  model.vectorLanes = m_units.vector.shape.front();
  model.vectorIssue = valueOf(m_units.vector.issue);
  model.chained = m_units.vector.chained;
  // A unit without a default rate runs an unnamed function at its slowest rate.
  double slowest = std::numeric_limits<double>::infinity();
  for (const auto& [function, figure] : m_units.vector.throughput) {
    slowest = std::min(slowest, figure.value);
    if (!function.empty()) model.vectorRates.emplace_back(function, figure.value * vectors);
  }
  if (!m_units.vector.throughput.empty()) {
    model.vectorDefault = rateOf(m_units.vector.throughput, "", slowest) * vectors;
  }
  return model;
}

}  // namespace gridloom::hardware
