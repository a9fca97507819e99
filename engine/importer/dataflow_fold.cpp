// SPDX-License-Identifier: Apache-2.0
//
// Stores that continue what their former iterations left, as one reduction each.
#include <isl/aff.h>

#include <algorithm>

#include "importer/dataflow.h"

namespace gridloom::importer {

namespace {

// From the dimensions that are kept to all points.
isl::map pointsOf(const isl::set& all, const std::vector<bool>& keeps) {
  const isl::map points = isl::manage(isl_set_identity(all.copy()));
  return withRangeDims(points.reverse(), keeps).reverse();
}

// The one affine form of a relation, beyond its domain; nothing where there are several.
std::optional<isl::map> onlyForm(const isl::map& map) {
  const isl::map joined = map.coalesce();
  const isl::pw_multi_aff parts =
      isl::manage(isl_pw_multi_aff_coalesce(isl_pw_multi_aff_from_map(joined.copy())));
  std::optional<isl::map> form;
  int pieces = 0;
  parts.foreach_piece([&](const isl::set&, const isl::multi_aff& to) {
    form = isl::manage(isl_map_from_multi_aff(to.copy()));
    ++pieces;
  });
  return pieces == 1 ? form : std::nullopt;
}

}  // namespace

// The loops along which a store does not continue what it left.
std::optional<std::vector<bool>> Dataflow::keptOf(const Store& store, std::size_t number,
                                                  std::size_t load) const {
  const auto at = m_loads[load].from.find(number);
  if (at == m_loads[load].from.end() || m_loads[load].loops.size() != store.loops.size())
    return std::nullopt;
  const isl::map own = at->second.intersect_domain(store.all);
  if (!store.all.is_subset(m_loads[load].domain) || !own.is_injective()) return std::nullopt;
  std::vector<bool> keeps;
  for (std::size_t d = 0; d < store.loops.size(); ++d) {
    const int dim = static_cast<int>(d);
    const isl::map equal =
        isl::manage(isl_map_equate(own.copy(), isl_dim_in, dim, isl_dim_out, dim));
    keeps.push_back(own.is_equal(equal));
  }
  const isl::map points = pointsOf(store.all, keeps);
  const isl::set firsts = points.lexmin().range(), lasts = points.lexmax().range();
  if (!own.domain().is_equal(store.all.subtract(firsts)) ||
      !own.range().is_equal(store.all.subtract(lasts)))
    return std::nullopt;
  for (std::size_t other = 0; other < m_loads.size(); ++other) {
    const auto of = m_loads[other].from.find(number);
    if (other == load || of == m_loads[other].from.end()) continue;
    if (!of->second.range().is_subset(lasts)) return std::nullopt;
  }
  return keeps;
}

bool Dataflow::fold(std::size_t number, std::size_t load) {
  Store& store = m_stores[number];
  if (std::ranges::find(store.keeps, false) != store.keeps.end()) return false;
  const auto keeps = keptOf(store, number, load);
  if (!keeps || std::ranges::find(*keeps, false) == keeps->end()) return false;
  const isl::set firsts = pointsOf(store.all, *keeps).lexmin().range();
  store.keeps = *keeps;
  store.domain = withDims(store.all, *keeps).coalesce();
  store.empty = store.domain.subtract(store.domain);
  standForStart(m_loads[load], number, store, firsts);
  for (std::size_t other = 0; other < m_loads.size(); ++other) {
    const auto at = m_loads[other].from.find(number);
    if (at == m_loads[other].from.end()) continue;
    at->second = withRangeDims(at->second, *keeps);
    takeEmpty(m_loads[other], number, m_loads[load]);
  }
  return true;
}

// The load of a chain becomes that of its first iteration.
void Dataflow::standForStart(Load& load, std::size_t number, const Store& store,
                             const isl::set& firsts) {
  const auto ofFirsts = [&](const isl::map& map) {
    return withRangeDims(map.intersect_domain(firsts).reverse(), store.keeps).reverse();
  };
  load.from.erase(number);
  for (auto& [from, map] : load.from) map = ofFirsts(map);
  load.before = withDims(load.before.intersect(firsts), store.keeps);
  load.element = ofFirsts(load.element);
  load.domain = store.domain;
  load.loops = keptLoops(number);
}

// Where a reduction has no iterations, it is what it would start with: a load that reads one or the
// other reads the reduction alone.
void Dataflow::takeEmpty(Load& reader, std::size_t number, Load& start) {
  Store& store = m_stores[number];
  isl::map& ends = reader.from.at(number);
  const auto to = onlyForm(ends);
  const bool isBefore = !start.before.is_empty();
  isl::map* other = isBefore ? &start.element : nullptr;
  std::size_t from = 0, sources = isBefore ? 1 : 0;
  for (auto& [which, map] : start.from) {
    if (map.is_empty()) continue;
    ++sources;
    from = which;
    other = &map;
  }
  const auto first = sources == 1 ? onlyForm(*other) : std::nullopt;
  if (!to || !first) return;
  const auto of = isBefore ? reader.from.end() : reader.from.find(from);
  if (!isBefore && of == reader.from.end()) return;
  const isl::map read = isBefore ? reader.element.intersect_domain(reader.before) : of->second;
  const isl::set rest = read.domain();
  const isl::map added = to->intersect_domain(rest);
  const bool isFree = added.range().intersect(store.domain).is_subset(store.empty) &&
                      added.range().is_subset(boxOf(keptLoops(number)));
  const isl::set wider = store.domain.unite(added.range()).coalesce();
  if (rest.is_empty() || !isFree || !read.is_equal(added.apply_range(*first)) ||
      isl_set_n_basic_set(wider.get()) != 1 || !boundsWithin(number, wider))
    return;
  ends = ends.unite(added).coalesce();
  if (isBefore) {
    reader.before = reader.before.subtract(rest);
    start.before = wider;
  } else {
    reader.from.erase(of);
  }
  *other = first->intersect_domain(wider);
  start.domain = store.domain = wider;
  store.empty = store.empty.unite(added.range());
}

}  // namespace gridloom::importer
