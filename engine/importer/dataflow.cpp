// SPDX-License-Identifier: Apache-2.0
#include "importer/dataflow.h"

#include <fmt/format.h>

#include <algorithm>

#include "importer/program.h"

namespace gridloom::importer {

namespace {

std::size_t longestTime(const std::vector<MemoryAccess>& accesses) {
  std::size_t longest = 0;
  for (const MemoryAccess& access : accesses) longest = std::max(longest, access.time.size());
  return longest;
}

std::string nameOf(char kind, std::size_t number) { return fmt::format("{}{}", kind, number); }

// From iterations to what they touch, and to when they do.
isl::map elements(isl::ctx ctx, const Loops& all, char kind, std::size_t number,
                  const MemoryAccess& access) {
  return isl::map(ctx,
                  fmt::format("{{ {} -> {} : {} }}", tupleText(nameOf(kind, number), access.loops),
                              tupleText(fmt::format("M{}", access.memory), access.index),
                              boundsText(all, access.loops, access.where)));
}

// isl takes a number in a time for a place in the text, also where a condition fixes a loop to it,
// and then orders the iteration wrongly against those of others. All times have one unknown start,
// so that none is a number.
isl::map schedule(isl::ctx ctx, char kind, std::size_t number, const MemoryAccess& access,
                  std::size_t dims) {
  std::vector<Linear> time = access.time;
  time.resize(dims);
  const isl::map at(ctx,
                    fmt::format("{{ {} -> {} }}", tupleText(nameOf(kind, number), access.loops),
                                tupleText("", time)));
  std::string from, to;
  for (std::size_t d = 0; d < dims; ++d) {
    from += fmt::format("{}t{}", d == 0 ? "" : ", ", d);
    to += fmt::format("{}start + t{}", d == 0 ? "" : ", ", d);
  }
  return at.apply_range(isl::map(ctx, fmt::format("[start] -> {{ [{}] -> [{}] }}", from, to)));
}

isl::map nameless(const isl::map& map) {
  isl_map* raw = map.copy();
  if (isl_map_has_tuple_id(raw, isl_dim_in) == isl_bool_true)
    raw = isl_map_reset_tuple_id(raw, isl_dim_in);
  if (isl_map_has_tuple_id(raw, isl_dim_out) == isl_bool_true)
    raw = isl_map_reset_tuple_id(raw, isl_dim_out);
  return isl::manage(raw);
}

}  // namespace

Dataflow::Dataflow(const Loops& loops, const std::vector<MemoryAccess>& stores,
                   const std::vector<MemoryAccess>& loads, bool tellsApart)
    : m_loops(loops), m_tellsApart(tellsApart) {
  const isl::ctx ctx(m_context.raw);
  const std::size_t dims = std::max(longestTime(stores), longestTime(loads));
  isl::union_map written(ctx, "{ }"), read(ctx, "{ }"), times(ctx, "{ }");
  for (std::size_t s = 0; s < stores.size(); ++s) {
    const isl::map to = elements(ctx, loops, 'S', s, stores[s]);
    written = written.unite(isl::union_map(to));
    times = times.unite(isl::union_map(schedule(ctx, 'S', s, stores[s], dims)));
    const isl::map element = nameless(to);
    const isl::set all = element.domain();
    m_stores.push_back({stores[s].loops, std::vector<bool>(stores[s].loops.size(), true), element,
                        all, all, all.subtract(all)});
  }
  for (std::size_t r = 0; r < loads.size(); ++r) {
    const isl::map to = elements(ctx, loops, 'R', r, loads[r]);
    read = read.unite(isl::union_map(to));
    times = times.unite(isl::union_map(schedule(ctx, 'R', r, loads[r], dims)));
    const isl::map element = nameless(to);
    m_loads.push_back({loads[r].loops, element.domain(), element, {}, element.domain()});
  }
  const isl::union_flow flow =
      isl::union_access_info(read).set_must_source(written).set_schedule_map(times).compute_flow();
  flow.must_dependence().project_out_all_params().foreach_map([&](const isl::map& found) {
    const auto number = [&](isl_dim_type type) {
      const char* const name = isl_map_get_tuple_name(found.get(), type);
      return static_cast<std::size_t>(std::stoull(name + 1));
    };
    const std::size_t store = number(isl_dim_in);
    Load& load = m_loads[number(isl_dim_out)];
    const isl::map from = nameless(found.reverse()).coalesce();
    load.before = load.before.subtract(from.domain());
    load.from.emplace(store, from);
  });
}

isl::set Dataflow::boxOf(const std::vector<Loop>& loops) const {
  return nameless(isl::map(isl::ctx(m_context.raw),
                           fmt::format("{{ {} -> [] : {} }}", tupleText("", loops),
                                       boundsText(m_loops, loops, {}))))
      .domain();
}

std::vector<Source> Dataflow::sourcesOf(std::size_t number) const {
  const Load& load = m_loads[number];
  std::vector<Source> sources;
  const auto add = [&](const isl::map& map, int store) {
    for (AffinePiece& piece : casesOf(map, load.loops, load.domain, m_loops, m_tellsApart ? 2 : 0))
      sources.push_back({std::move(piece.where), store, std::move(piece.at)});
  };
  for (const auto& [store, map] : load.from)
    if (!map.is_empty()) add(map, static_cast<int>(store));
  if (!load.before.is_empty()) add(load.element.intersect_domain(load.before), -1);
  return sources;
}

std::vector<std::vector<Linear>> Dataflow::keptBy(std::size_t number, Loops& loops) const {
  const Load& load = m_loads[number];
  return liftedPiecesOf(load.before, load.loops, loops);
}

std::vector<std::vector<Linear>> Dataflow::keptByCases(std::size_t number) const {
  const Load& load = m_loads[number];
  std::vector<std::vector<Linear>> kept;
  if (load.before.is_empty()) return kept;
  const isl::map nowhere = isl::manage(isl_map_from_domain(load.before.copy()));
  for (AffinePiece& piece : casesOf(nowhere, load.loops, boxOf(load.loops), m_loops))
    kept.push_back(std::move(piece.where));
  return kept;
}

bool Dataflow::readsFrom(std::size_t load, std::size_t store) const {
  const auto at = m_loads[load].from.find(store);
  return at != m_loads[load].from.end() && !at->second.is_empty();
}

bool Dataflow::isSameIteration(std::size_t number, std::size_t store) const {
  const Load& load = m_loads[number];
  if (!load.before.is_empty() || load.loops.size() != keptLoops(store).size()) return false;
  for (const auto& [from, map] : load.from)
    if (from != store && !map.is_empty()) return false;
  const auto at = load.from.find(store);
  return at != load.from.end() &&
         at->second.is_subset(isl::manage(isl_set_identity(load.domain.copy())));
}

bool Dataflow::readsAllOnce(std::size_t load, std::size_t store) const {
  const auto at = m_loads[load].from.find(store);
  return at != m_loads[load].from.end() && at->second.is_injective() &&
         m_stores[store].domain.is_subset(at->second.range());
}

bool Dataflow::readsAcross(std::size_t number, std::size_t store, Loop loop) const {
  const Load& load = m_loads[number];
  const std::vector<Loop> kept = keptLoops(store);
  const auto here = std::ranges::find(load.loops, loop), there = std::ranges::find(kept, loop);
  const auto at = load.from.find(store);
  if (here == load.loops.end() || there == kept.end() || at == load.from.end()) return false;
  const isl::map same = isl::manage(
      isl_map_equate(at->second.copy(), isl_dim_in, static_cast<int>(here - load.loops.begin()),
                     isl_dim_out, static_cast<int>(there - kept.begin())));
  return !at->second.is_equal(same);
}

bool Dataflow::storesAgain(std::size_t number, Loop loop) const {
  const Store& store = m_stores[number];
  const auto at =
      static_cast<std::size_t>(std::ranges::find(store.loops, loop) - store.loops.begin());
  if (at == store.loops.size() || !store.keeps[at]) return false;
  isl_map* raw = store.element.apply_range(store.element.reverse()).release();
  for (std::size_t d = 0; d < at; ++d)
    raw = isl_map_equate(raw, isl_dim_in, static_cast<int>(d), isl_dim_out, static_cast<int>(d));
  const int dim = static_cast<int>(at);
  const isl::map all = isl::manage(raw);
  return !isl::manage(isl_map_order_lt(all.copy(), isl_dim_in, dim, isl_dim_out, dim)).is_empty();
}

std::vector<Loop> Dataflow::keptLoops(std::size_t number) const {
  const Store& store = m_stores[number];
  std::vector<Loop> kept;
  for (std::size_t n = 0; n < store.loops.size(); ++n)
    if (store.keeps[n]) kept.push_back(store.loops[n]);
  return kept;
}

std::vector<Loop> Dataflow::reducedLoops(std::size_t number) const {
  const Store& store = m_stores[number];
  std::vector<Loop> reduced;
  for (std::size_t n = 0; n < store.loops.size(); ++n)
    if (!store.keeps[n]) reduced.push_back(store.loops[n]);
  return reduced;
}

std::vector<std::vector<Linear>> Dataflow::domainOf(std::size_t number) const {
  const std::vector<Loop> kept = keptLoops(number);
  std::vector<std::vector<Linear>> pieces;
  for (AffinePiece& piece : piecesOf(m_stores[number].domain.gist(boxOf(kept)), kept))
    pieces.push_back(std::move(piece.where));
  return pieces;
}

std::vector<Linear> Dataflow::reducedBounds(std::size_t number) const {
  const auto bounds = boundsWithin(number, m_stores[number].domain);
  if (!bounds)
    throw Refusal{"a loop adds to an element in several ranges of iterations",
                  "write a loop for each of them"};
  return *bounds;
}

// Conditions that leave of the reduced loops what the store has of them, for all points of a domain
// of the others; nothing where no conditions on reduced loops say it.
std::optional<std::vector<Linear>> Dataflow::boundsWithin(std::size_t number,
                                                          const isl::set& domain) const {
  const Store& store = m_stores[number];
  isl_set* raw = domain.copy();
  for (std::size_t d = 0; d < store.keeps.size(); ++d)
    if (!store.keeps[d]) raw = isl_set_insert_dims(raw, isl_dim_set, static_cast<unsigned>(d), 1);
  const isl::set within = isl::manage(raw).intersect(boxOf(store.loops));
  const auto pieces = piecesOf(store.all.gist(within), store.loops);
  if (pieces.size() > 1) return std::nullopt;
  const std::vector<Linear> bounds = pieces.empty() ? std::vector<Linear>{} : pieces.front().where;
  const std::vector<Loop> reduced = reducedLoops(number);
  const bool areOfReduced = std::ranges::all_of(bounds, [&](const Linear& form) {
    return std::ranges::any_of(reduced, [&](Loop loop) { return form.terms.contains(loop); });
  });
  return areOfReduced ? std::optional(bounds) : std::nullopt;
}

}  // namespace gridloom::importer
