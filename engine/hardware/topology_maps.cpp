// SPDX-License-Identifier: Apache-2.0
// What the ends of interconnects and their maps refer to.
#include <fmt/format.h>

#include "hardware/coordinate_tables.h"
#include "hardware/topology_builder.h"

namespace gridloom::hardware {

TopologyBuilder::Part TopologyBuilder::partOf(std::string_view name) const {
  if (name == cores().name) return Part::Cores;
  if (m_localMemory != nullptr && name == m_localMemory->name) return Part::Local;
  if (m_globalMemory != nullptr && name == m_globalMemory->name) return Part::Global;
  return Part::Other;
}

Grid TopologyBuilder::gridOfPart(std::string_view name) const {
  if (name == cores().name) return m_coreGrid;
  for (const Memory& memory : m_spec.memories) {
    if (memory.name == name) return gridOf(memory.scaleout);
  }
  return {};
}

std::vector<NodeId> TopologyBuilder::nodesOf(Part part) const {
  if (part == Part::Cores) return m_nodeOfPhysical;
  std::vector<NodeId> nodes(static_cast<std::size_t>(m_localGrid.count()));
  if (m_routersAreLocal) {
    for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] = NodeId::of(i);
    return nodes;
  }
  for (std::size_t core = m_instanceOfCore.size(); core-- > 0;) {
    nodes[static_cast<std::size_t>(m_instanceOfCore[core])] = m_nodeOfPhysical[core];
  }
  return nodes;
}

bool TopologyBuilder::checkMapShape(std::string_view name, base::Span span,
                                    const affine::AffineMap& map, const Grid& from,
                                    const Grid& to) {
  const auto dims = static_cast<std::int64_t>(from.sizes.size());
  if (map.numDims != dims) {
    error(span, fmt::format("the map of `%{}` has {} dimensions, its source has {}", name,
                            map.numDims, dims));
    return false;
  }
  if (map.results.size() != to.sizes.size()) {
    error(span, fmt::format("the map of `%{}` has {} results, its destination has {} dimensions",
                            name, map.results.size(), to.sizes.size()));
    return false;
  }
  for (const affine::AffineExpr& result : map.results) {
    if (result.maxDim() < map.numDims) continue;
    error(span,
          fmt::format("the map of `%{}` uses dimension d{} of {}", name, result.maxDim(), dims));
    return false;
  }
  return true;
}

bool TopologyBuilder::checkMap(std::string_view name, base::Span span, const affine::AffineMap& map,
                               const Grid& from, const Grid& to) {
  if (!checkMapShape(name, span, map, from, to)) return false;
  const auto tables = coordinateTables(map, from);
  if (tables && tables->fitInto(to)) return true;
  std::vector<std::int64_t> member(from.sizes.size());
  std::vector<std::int64_t> result(to.sizes.size());
  for (std::int64_t i = 0; i < from.count(); ++i) {
    from.pointOf(i, member);
    map.evaluate(member, result);
    if (to.contains(result)) continue;
    error(span,
          fmt::format("the map of `%{}` sends {} to {}, but the destination is {}", name,
                      pointName(member), pointName(result), pointName(to.sizes)),
          "coordinates run from 0 to the size minus 1");
    return false;
  }
  return true;
}

}  // namespace gridloom::hardware
