// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "hardware/coordinate_tables.h"
#include "hardware/enabled_grid.h"
#include "hardware/folded_grid.h"
#include "hardware/topology_builder.h"

namespace gridloom::hardware {

void TopologyBuilder::readDisabled(std::vector<bool>& disabled) {
  std::set<std::vector<std::optional<std::int64_t>>> seen;
  for (const CorePattern& pattern : cores().disabled) {
    bool fits = pattern.coordinates.size() == m_coreGrid.sizes.size();
    for (std::size_t d = 0; fits && d < m_coreGrid.sizes.size(); ++d) {
      const auto& c = pattern.coordinates[d];
      fits = !c || (*c >= 0 && *c < m_coreGrid.sizes[d]);
    }
    if (!fits) {
      error(cores().span, "`disabled` names a core outside the array",
            fmt::format("the array is {}", pointName(m_coreGrid.sizes)));
      return;
    }
    if (seen.insert(pattern.coordinates).second) disable(pattern, disabled);
  }
}

void TopologyBuilder::readEnabled(std::vector<bool>& disabled) {
  const auto& enabled = cores().enabled;
  if (!enabled) return;
  const std::size_t rank = m_coreGrid.sizes.size();
  if (enabled->numDims != static_cast<std::int64_t>(rank)) {
    error(cores().span,
          fmt::format("the set of `enabled` has {} dimensions, the array has {}", enabled->numDims,
                      rank),
          fmt::format("the array is {}", pointName(m_coreGrid.sizes)));
    return;
  }
  std::vector<std::int64_t> point(rank), atLeastZero(enabled->results.size());
  for (std::int64_t core = 0; core < m_coreGrid.count(); ++core) {
    m_coreGrid.pointOf(core, point);
    enabled->evaluate(point, atLeastZero);
    if (std::ranges::any_of(atLeastZero, [](std::int64_t value) { return value < 0; }))
      disabled[static_cast<std::size_t>(core)] = true;
  }
}

/// Visits the cores of the pattern only, as there may be many patterns on many cores.
void TopologyBuilder::disable(const CorePattern& pattern, std::vector<bool>& disabled) const {
  const std::size_t rank = m_coreGrid.sizes.size();
  std::vector<std::int64_t> point(rank);
  for (std::size_t d = 0; d < rank; ++d) point[d] = pattern.coordinates[d].value_or(0);
  const auto next = [&] {
    for (std::size_t d = rank; d-- > 0;) {
      if (pattern.coordinates[d]) continue;
      if (++point[d] < m_coreGrid.sizes[d]) return true;
      point[d] = 0;
    }
    return false;
  };
  do {
    disabled[static_cast<std::size_t>(m_coreGrid.indexOf(point))] = true;
  } while (next());
}

/// The largest grid of whole lines, or a fold of the array that uses more cores.
void TopologyBuilder::chooseLogicalGrid(const std::vector<bool>& disabled) {
  const KeptLines kept = largestEnabledGrid(m_coreGrid, disabled);
  if (kept.empty()) {
    error(cores().span, "every core is disabled", "leave at least one core enabled");
    return;
  }
  Grid logical;
  CoordinateTables tables;
  for (std::size_t d = 0; d < kept.size(); ++d) {
    logical.sizes.push_back(static_cast<std::int64_t>(kept[d].size()));
    tables.results.push_back({d, kept[d]});
  }
  m_physicalCore = tables.indices(logical, m_coreGrid);
  const bool mayFold = cores().enabled && !sharesMemories();
  FoldedGrid fold = mayFold ? foldedGrid(m_coreGrid, disabled) : FoldedGrid();
  const bool folds = fold.cores.size() > m_physicalCore.size();
  if (folds) {
    logical.sizes = std::move(fold.sizes);
    m_physicalCore = std::move(fold.cores);
  }
  takeLogicalGrid(logical, disabled);
  if (!failed()) noteLogicalGrid(logical, folds);
}

/// Whether several cores use one memory: it then belongs to whole lines of the description.
bool TopologyBuilder::sharesMemories() const {
  return std::ranges::any_of(m_spec.memories, [&](const Memory& memory) {
    double instances = 1;  // not checked yet: may overflow
    for (const std::int64_t size : gridOf(memory.scaleout).sizes)
      instances *= static_cast<double>(size);
    return !memory.global && instances != static_cast<double>(m_coreGrid.count());
  });
}

void TopologyBuilder::takeLogicalGrid(const Grid& logical, const std::vector<bool>& disabled) {
  for (std::size_t d = 0; d < logical.sizes.size(); ++d)
    m_made.m_dims.push_back({m_spec.dims[cores().scaleout[d].index()].name, logical.sizes[d]});
  m_made.m_describedGrid = m_coreGrid;
  m_made.m_describedCore.reserve(m_physicalCore.size());
  for (const std::int64_t core : m_physicalCore)
    m_made.m_describedCore.push_back(static_cast<std::int32_t>(core));
  m_disabled = disabled;
  m_made.m_enabledCores = std::count(disabled.begin(), disabled.end(), false);
}

void TopologyBuilder::noteLogicalGrid(const Grid& logical, bool folds) {
  const std::int64_t enabled = m_made.m_enabledCores;
  if (folds) {
    note(
        cores().span,
        fmt::format("mappings use {} of {} enabled cores, folded to {}: lines close up where cores "
                    "are disabled, and short ones continue long ones",
                    logical.count(), enabled, pointName(logical.sizes)),
        std::string("transfers between cores of a line take the routes of the array as described") +
            (enabled == logical.count() ? "" : "; cores that are not used count as idle"));
  } else if (enabled != logical.count()) {
    note(cores().span,
         fmt::format("mappings use {} of {} enabled cores: the lines without a disabled core, {}",
                     logical.count(), enabled, pointName(logical.sizes)),
         "the others count as idle; routes still pass their routers");
  }
}

}  // namespace gridloom::hardware
