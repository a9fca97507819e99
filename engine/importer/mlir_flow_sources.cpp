// SPDX-License-Identifier: Apache-2.0
//
// What loads read, as elements of local tensors, outputs and inputs.
#include <fmt/format.h>

#include <algorithm>

#include "importer/mlir_reader.h"

namespace gridloom::importer {

std::map<Loop, Linear> byForms(const std::vector<Loop>& loops, const std::vector<Linear>& forms) {
  std::map<Loop, Linear> by;
  for (std::size_t n = 0; n < loops.size(); ++n) by[loops[n]] = forms[n];
  return by;
}

Linear substituted(const Linear& form, const std::map<Loop, Linear>& by) {
  Linear result = Linear::of(form.constant);
  for (const auto& [loop, c] : form.terms) {
    const auto at = by.find(loop);
    result = result + (at == by.end() ? Linear::loop(loop) : at->second) * c;
  }
  return result;
}

std::vector<Linear> substituted(std::vector<Linear> forms, const std::map<Loop, Linear>& by) {
  for (Linear& form : forms) form = substituted(form, by);
  return forms;
}

// The element that a store's iteration leaves.
ExprRef Reader::storedElement(const Dataflow& dataflow, std::size_t number,
                              const std::vector<Linear>& at) {
  Flow::Store& store = m_flow->stores[number];
  const auto by = byForms(dataflow.keptLoops(number), at);
  if (store.isInlined) return substitute(store.value, by);
  store.isLive = true;
  if (m_flow->direct.contains(store.memory.get()))
    return load(bufferFor(store.memory), substituted(store.access.index, by));
  if (store.buffer < 0) {
    store.buffer = static_cast<int>(m_program.buffers.size());
    Buffer buffer{fmt::format("t{}", m_locals++), store.memory->dtype, {}, false, false};
    for (const Loop loop : dataflow.keptLoops(number))
      buffer.shape.push_back(m_program.loops.extent(loop));
    if (buffer.shape.empty()) buffer.shape = {1};
    m_program.buffers.push_back(std::move(buffer));
  }
  return load(store.buffer, at.empty() ? std::vector<Linear>{Linear{}} : at);
}

// What a load reads, over its loops.
ExprRef Reader::sourceElement(const Dataflow& dataflow, const Flow::Load& of,
                              const Source& source) {
  if (source.store >= 0)
    return storedElement(dataflow, static_cast<std::size_t>(source.store), source.at);
  if (of.memory->isArgument) return load(of.memory->before, source.at);
  if (of.mayBeUnwritten) return number(0);
  throw Refusal{"it reads memory before anything was written to it", "fill it first", of.place.line,
                of.place.column};
}

// A value with what its loads read. `where` holds around it; of `bounds`, those of a reduction's
// loops hold inside of it.
ExprRef Reader::withSources(const Dataflow& dataflow, const ExprRef& value,
                            const std::vector<Linear>& where, const std::vector<Linear>& bounds) {
  const auto at = m_flow->standIns.find(value->buffer);
  if (value->kind == Expr::Kind::Load && at != m_flow->standIns.end())
    return elementRead(dataflow, at->second, *value, where);
  std::vector<Linear> inside = where;
  for (const Linear& form : bounds) {
    const bool isOfThis = std::ranges::any_of(
        form.terms, [&](const auto& term) { return std::ranges::count(value->loops, term.first); });
    if (isOfThis) inside.push_back(form);
  }
  Expr copy = *value;
  for (ExprRef& arg : copy.args) arg = withSources(dataflow, arg, inside, bounds);
  if (copy.kind == Expr::Kind::Call) return call(copy.name, std::move(copy.args));
  if (copy.kind == Expr::Kind::Reduce) return reduce(copy.name, copy.loops, copy.args[0]);
  return made(std::move(copy));
}

// The element that a load reads, over the loops that its index names.
ExprRef Reader::elementRead(const Dataflow& dataflow, std::size_t which, const Expr& old,
                            const std::vector<Linear>& where) {
  const auto by = byForms(dataflow.loopsOf(which), old.index);
  std::vector<Source> sources = sourcesOf(dataflow, which);
  for (Source& source : sources) {
    source.where = substituted(std::move(source.where), by);
    source.at = substituted(std::move(source.at), by);
  }
  const ExprRef chosen = choice(dataflow, m_flow->loads[which], sources, where);
  return chosen ? chosen : number(0);  // no iteration reads it
}

// What a load reads where some forms are at least 0: a choice by one condition after the other.
// Nothing where no source remains.
ExprRef Reader::choice(const Dataflow& dataflow, const Flow::Load& load,
                       const std::vector<Source>& sources, const std::vector<Linear>& where) {
  constexpr int most = 20'000;
  if (++m_flow->choices > most)
    throw Refusal{"what it reads follows from very many conditions", "split the function",
                  load.place.line, load.place.column};
  const auto with = [&](const Linear& form) {
    std::vector<Linear> more = where;
    more.push_back(form);
    return more;
  };
  std::vector<Source> left;
  for (const Source& source : sources) {
    std::vector<Linear> all = where;
    all.insert(all.end(), source.where.begin(), source.where.end());
    if (isEmpty(all)) continue;
    left.push_back(source);
    std::erase_if(left.back().where,
                  [&](const Linear& form) { return isEmpty(with(form * -1 - Linear::of(1))); });
  }
  if (left.empty()) return nullptr;
  std::ranges::stable_sort(left, {}, [](const Source& source) { return source.where.size(); });
  if (left.front().where.empty())
    return withSources(dataflow, sourceElement(dataflow, load, left.front()), where, {});
  // The condition that most of the others do not share.
  std::optional<Linear> best;
  std::size_t fewest = 0;
  for (const Linear& form : left.front().where) {
    const auto remain = [&](const Linear& holds) {
      return std::ranges::count_if(left, [&](const Source& source) {
        std::vector<Linear> all = with(holds);
        all.insert(all.end(), source.where.begin(), source.where.end());
        return !isEmpty(all);
      });
    };
    const auto both = static_cast<std::size_t>(remain(form) + remain(form * -1 - Linear::of(1)));
    if (best && both >= fewest) continue;
    best = form;
    fewest = both;
  }
  const Linear otherwise = *best * -1 - Linear::of(1);
  const ExprRef then = choice(dataflow, load, left, with(*best));
  const ExprRef other = choice(dataflow, load, left, with(otherwise));
  if (!then || !other) return then ? then : other;
  return call("select", {condition({*best}), then, other});
}

// With the place of the load.
std::vector<Source> Reader::sourcesOf(const Dataflow& dataflow, std::size_t load) const {
  const Place place = m_flow->loads[load].place;
  try {
    return dataflow.sourcesOf(load);
  } catch (const Refusal& refusal) {
    Refusal placed = refusal;
    placed.line = place.line;
    placed.column = place.column;
    throw placed;
  }
}

}  // namespace gridloom::importer
