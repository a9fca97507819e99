// SPDX-License-Identifier: Apache-2.0
//
// Statements for the loads and stores of a function, when it is known what each load reads.
#include <fmt/format.h>

#include <algorithm>

#include "importer/flow.h"
#include "importer/forms.h"
#include "importer/mlir_reader.h"

namespace gridloom::importer {

namespace {

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

// Loops that an equation gives are replaced by what it gives.
void solve(Statement& statement) {
  for (std::size_t n = 0; n < statement.where.size(); ++n) {
    const Linear form = statement.where[n];
    if (std::ranges::find(statement.where, form * -1) == statement.where.end()) continue;
    const auto unit = std::ranges::find_if(form.terms, [](const auto& term) {
      return term.second == 1 || term.second == -1;
    });
    if (unit == form.terms.end()) continue;
    const auto [loop, c] = *unit;
    Linear rest = form;
    rest.terms.erase(loop);
    const std::map<Loop, Linear> by{{loop, rest * -c}};
    changeForms(statement, [&](const Linear& f) { return substituted(f, by); });
    std::erase_if(statement.where,
                  [](const Linear& f) { return f.isConstant() && f.constant >= 0; });
    n = static_cast<std::size_t>(-1);
  }
}

}  // namespace

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
  throw Refusal{"it reads memory before anything was written to it", "fill it first",
                of.place.line, of.place.column};
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
  return std::make_shared<const Expr>(std::move(copy));
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
    const auto both =
        static_cast<std::size_t>(remain(form) + remain(form * -1 - Linear::of(1)));
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
    throw Refusal{refusal.message, refusal.hint, place.line, place.column};
  }
}

// Statements of a store, one for each piece of its iterations.
void Reader::stateStore(const Dataflow& dataflow, std::size_t number,
                        std::vector<Statement>& to) {
  const Flow::Store store = m_flow->stores[number];
  const bool isDirect = m_flow->direct.contains(store.memory.get());
  Statement statement = m_program.statements[store.statement];
  statement.target = isDirect ? bufferFor(store.memory) : store.buffer;
  statement.index = isDirect ? store.access.index : formsOf(dataflow.keptLoops(number));
  if (statement.index.empty()) statement.index = {Linear::loop(m_program.loops.add(1))};
  for (const std::vector<Linear>& piece : dataflow.domainOf(number)) {
    statement.where = piece;
    statement.where.insert(statement.where.end(), store.bounds.begin(), store.bounds.end());
    statement.value = withSources(dataflow, store.value, piece, store.bounds);
    to.push_back(statement);
    solve(to.back());
  }
}

// A statement that no store made.
void Reader::stateOther(const Dataflow& dataflow, Statement& statement) {
  std::set<Loop> reduced;
  forReduced(*statement.value, [&](Loop loop) { reduced.insert(loop); });
  std::vector<Linear> where, bounds;
  for (const Linear& form : statement.where) {
    const bool isOfSum = std::ranges::any_of(
        form.terms, [&](const auto& term) { return reduced.contains(term.first); });
    (isOfSum ? bounds : where).push_back(form);
  }
  statement.value = withSources(dataflow, statement.value, where, bounds);
}

// Whether all values of a store stand in the argument at last, and what reads them may read those.
bool Reader::isDirect(const Dataflow& dataflow, std::size_t final) const {
  const Memory& memory = *m_flow->loads[final].memory;
  for (const Source& source : sourcesOf(dataflow, final)) {
    if (source.store < 0) continue;
    const auto number = static_cast<std::size_t>(source.store);
    if (m_flow->stores[number].isInlined || !dataflow.readsAllOnce(final, number)) return false;
    const std::vector<Loop> kept = dataflow.keptLoops(number);
    for (const Linear& form : m_flow->stores[number].access.index)
      for (const auto& [loop, c] : form.terms)
        if (std::ranges::find(kept, loop) == kept.end()) return false;
  }
  return !isReadAcross(dataflow, memory);
}

// Whether a reduction runs over several dimensions of a memory that it reads.
bool Reader::isReadAcross(const Dataflow& dataflow, const Memory& memory) const {
  std::set<std::size_t> dims;
  for (std::size_t s = 0; s < m_flow->stores.size(); ++s) {
    std::set<Loop> reduced;
    forReduced(*m_flow->stores[s].value, [&](Loop loop) { reduced.insert(loop); });
    forLoads(*m_flow->stores[s].value, [&](const Expr& old) {
      const auto at = m_flow->standIns.find(old.buffer);
      if (at == m_flow->standIns.end()) return;
      const Flow::Load& of = m_flow->loads[at->second];
      if (of.memory.get() != &memory) return;
      const auto by = byForms(dataflow.loopsOf(at->second), old.index);
      const std::vector<Linear> index = substituted(of.access.index, by);
      for (std::size_t d = 0; d < index.size(); ++d)
        for (const auto& [loop, c] : index[d].terms)
          if (reduced.contains(loop)) dims.insert(d);
    });
  }
  return dims.size() > 1;
}

// A store of what is computed elsewhere, which does not follow from itself.
void Reader::inlineCopies(const Dataflow& dataflow) {
  for (std::size_t s = 0; s < m_flow->stores.size(); ++s) {
    Flow::Store& store = m_flow->stores[s];
    if (store.isInlined || !isPlain(*store.value) || !store.bounds.empty()) continue;
    store.isInlined = !leadsTo(dataflow, s, s, 0);
  }
}

// Whether the value of a store that would be computed in its place contains another one's.
bool Reader::leadsTo(const Dataflow& dataflow, std::size_t from, std::size_t to,
                     int depth) const {
  constexpr int most = 64;
  if (depth > most) return true;
  bool found = false;
  forLoads(*m_flow->stores[from].value, [&](const Expr& old) {
    const auto at = m_flow->standIns.find(old.buffer);
    if (found || at == m_flow->standIns.end()) return;
    for (std::size_t s = 0; s < m_flow->stores.size() && !found; ++s) {
      if (!dataflow.readsFrom(at->second, s)) continue;
      found = s == to || (m_flow->stores[s].isInlined && leadsTo(dataflow, s, to, depth + 1));
    }
  });
  return found;
}

// What an argument holds at last.
void Reader::stateFinal(const Dataflow& dataflow, std::size_t final,
                        std::vector<Statement>& to) {
  const MemoryRef memory = m_flow->loads[final].memory;
  const bool isDirect = m_flow->direct.contains(memory.get());
  const std::vector<Linear> index = formsOf(dataflow.loopsOf(final));
  for (const Source& source : sourcesOf(dataflow, final)) {
    if (isDirect && source.store >= 0) {
      m_flow->stores[static_cast<std::size_t>(source.store)].isLive = true;
      continue;
    }
    Statement statement{bufferFor(memory), index, nullptr, source.where};
    const Flow::Load& of = m_flow->loads[final];
    statement.value = withSources(dataflow, sourceElement(dataflow, of, source), source.where, {});
    statement.place =
        source.store < 0
            ? placeOf(m_function)
            : m_program.statements[m_flow->stores[static_cast<std::size_t>(source.store)].statement]
                  .place;
    to.push_back(std::move(statement));
    solve(to.back());
  }
}

void Reader::stateFlow(const Dataflow& dataflow) {
  inlineCopies(dataflow);
  for (std::size_t r = m_flow->firstFinal; r < m_flow->loads.size(); ++r)
    if (isDirect(dataflow, r)) m_flow->direct.insert(m_flow->loads[r].memory.get());
  std::vector<Statement> finals, statements;
  for (std::size_t r = m_flow->firstFinal; r < m_flow->loads.size(); ++r)
    stateFinal(dataflow, r, finals);
  std::map<std::size_t, std::vector<Statement>> stated;
  for (Statement& statement : m_program.statements)
    if (statement.target >= 0) stateOther(dataflow, statement);
  // What is live makes others live.
  for (bool again = true; again;) {
    again = false;
    for (std::size_t s = 0; s < m_flow->stores.size(); ++s) {
      const Flow::Store& store = m_flow->stores[s];
      if (!store.isLive || stated.contains(store.statement)) continue;
      stateStore(dataflow, s, stated[store.statement]);
      again = true;
    }
  }
  for (std::size_t n = 0; n < m_program.statements.size(); ++n) {
    if (m_program.statements[n].target >= 0) statements.push_back(m_program.statements[n]);
    std::ranges::move(stated[n], std::back_inserter(statements));
  }
  for (Statement& final : finals) {
    // All parts of a tensor stand together.
    const auto same = std::find_if(statements.rbegin(), statements.rend(), [&](const auto& s) {
      return s.target == final.target;
    });
    statements.insert(same == statements.rend() ? statements.end() : same.base(),
                      std::move(final));
  }
  m_program.statements = std::move(statements);
  keepTogether();
}

// Statements that need each other are one kernel, with those between them.
void Reader::keepTogether() {
  std::vector<Statement>& all = m_program.statements;
  const std::size_t count = all.size();
  std::vector<std::vector<bool>> needs(count, std::vector<bool>(count, false));
  for (std::size_t a = 0; a < count; ++a) {
    forLoads(*all[a].value, [&](const Expr& load) {
      for (std::size_t b = 0; b < count; ++b)
        if (all[b].target == load.buffer) needs[a][b] = true;
    });
    for (std::size_t b = 0; b < count; ++b)
      if (all[b].target == all[a].target) needs[a][b] = true;
  }
  for (std::size_t via = 0; via < count; ++via)
    for (std::size_t a = 0; a < count; ++a)
      for (std::size_t b = 0; needs[a][via] && b < count; ++b)
        if (needs[via][b]) needs[a][b] = true;
  // A statement that needs a later one stands with all up to it.
  std::size_t end = 0;
  int together = -1;
  for (std::size_t a = 0; a < count; ++a) {
    if (a >= end) together = -1;
    for (std::size_t b = a + 1; b < count; ++b) {
      if (!needs[a][b]) continue;
      if (together < 0) together = m_carrying++;
      end = std::max(end, b + 1);
    }
    if (together >= 0 && a < end) all[a].together = together;
  }
}

}  // namespace gridloom::importer
