// SPDX-License-Identifier: Apache-2.0
//
// Statements for the loads and stores of a function, when it is known what each load reads.
#include <algorithm>
#include <optional>
#include <utility>

#include "importer/flow.h"
#include "importer/forms.h"
#include "importer/mlir_reader.h"

namespace gridloom::importer {

namespace {

// Whether a form is at most 0, by another bound or as its loops go no further.
bool isAtMostZero(const Loops& loops, const Linear& form, const std::vector<Linear>& where) {
  return std::ranges::find(where, form * -1) != where.end() ||
         (!form.isConstant() && loops.range(form).second == 0);
}

// Loops that an equation gives are replaced by what it gives, within the range that they had. A
// loop of a sum stays: the sum runs over it, and without the bound each element would be added as
// often as the loop is long. So do those at which elements of a local tensor are written.
void solve(const Loops& loops, Statement& statement, bool isLocal) {
  std::set<Loop> reduced;
  forReduced(*statement.value, [&](Loop loop) { reduced.insert(loop); });
  for (std::size_t n = 0; n < statement.where.size(); ++n) {
    const Linear form = statement.where[n];
    if (!isAtMostZero(loops, form, statement.where)) continue;
    const auto unit = std::ranges::find_if(form.terms, [&](const auto& term) {
      return (term.second == 1 || term.second == -1) && !reduced.contains(term.first);
    });
    if (unit == form.terms.end()) continue;
    const auto [loop, c] = *unit;
    Linear rest = form;
    rest.terms.erase(loop);
    const Linear value = rest * -c;
    if (isLocal && !value.isConstant()) continue;
    const std::map<Loop, Linear> by{{loop, value}};
    changeForms(statement, [&](const Linear& f) { return substituted(f, by); });
    statement.where.push_back(value);
    statement.where.push_back(Linear::of(loops.extent(loop) - 1) - value);
    std::erase_if(statement.where, [&](const Linear& f) { return loops.range(f).first >= 0; });
    n = static_cast<std::size_t>(-1);
  }
}

// Whether bounds name loops over which the statement does not run.
bool limitsOthers(const Statement& statement) {
  std::set<Loop> own = freeLoops(*statement.value);
  for (const Linear& form : statement.index)
    for (const auto& [loop, c] : form.terms) own.insert(loop);
  return std::ranges::any_of(statement.where, [&](const Linear& form) {
    return std::ranges::any_of(form.terms,
                               [&](const auto& term) { return !own.contains(term.first); });
  });
}

}  // namespace

// The one iteration of statements in no loop, the same for all of them: a kernel has few loops.
Loop Reader::onceLoop() {
  if (!m_flow->once) m_flow->once = m_program.loops.add(1);
  return *m_flow->once;
}

// What another one of them left, in the loop of both.
ExprRef Reader::readOnce(const ExprRef& value) {
  return withLoads(value, [&](const Expr& old) -> ExprRef {
    const bool isStored = std::ranges::any_of(m_flow->stores, [&](const Flow::Store& store) {
      return store.buffer >= 0 && store.buffer == old.buffer;
    });
    const std::vector<std::int64_t>& shape =
        m_program.buffers[static_cast<std::size_t>(old.buffer)].shape;
    const bool isOne = isStored && shape == std::vector<std::int64_t>{1};
    return isOne ? load(old.buffer, {Linear::loop(onceLoop())}) : nullptr;
  });
}

// Statements of a store, one for each piece of its iterations.
void Reader::stateStore(const Dataflow& dataflow, std::size_t number, std::vector<Statement>& to) {
  const Flow::Store store = m_flow->stores[number];
  const bool isDirect = m_flow->direct.contains(store.memory.get());
  Statement statement = m_program.statements[store.statement];
  statement.target = isDirect ? bufferFor(store.memory) : store.buffer;
  statement.index = isDirect ? store.access.index : formsOf(dataflow.keptLoops(number));
  const bool isOnce = statement.index.empty();
  if (isOnce) statement.index = {Linear::loop(onceLoop())};
  for (const std::vector<Linear>& piece : dataflow.domainOf(number)) {
    statement.where = piece;
    statement.where.insert(statement.where.end(), store.bounds.begin(), store.bounds.end());
    statement.value = withSources(dataflow, store.value, piece, store.bounds);
    if (isOnce) statement.value = readOnce(statement.value);
    to.push_back(statement);
    solve(m_program.loops, to.back(), !isDirect);
    if (!isDirect) continue;
    // The index of an output need not name loops that run once.
    std::map<Loop, Linear> once;
    for (const Loop loop : dataflow.keptLoops(number))
      if (m_program.loops.extent(loop) == 1) once[loop] = Linear{};
    changeForms(to.back(), [&](const Linear& form) { return substituted(form, once); });
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
  for (std::size_t number = 0; number < m_flow->stores.size(); ++number) {
    if (!dataflow.readsFrom(final, number)) {
      // Others replace its values, which something reads before.
      const bool isIts = m_flow->stores[number].memory.get() == &memory;
      if (isIts && isKept(dataflow, number)) return false;
      continue;
    }
    if (!dataflow.readsAllOnce(final, number)) return false;
    const std::vector<Loop> kept = dataflow.keptLoops(number);
    for (const Linear& form : m_flow->stores[number].access.index)
      for (const auto& [loop, c] : form.terms)
        if (std::ranges::find(kept, loop) == kept.end()) return false;
  }
  return true;
}

// Whether elements of a store are read, and not computed again where they are.
bool Reader::isKept(const Dataflow& dataflow, std::size_t store) const {
  if (m_flow->stores[store].isInlined) return false;
  for (std::size_t load = 0; load < m_flow->loads.size(); ++load)
    if (dataflow.readsFrom(load, store)) return true;
  return false;
}

// Whether a choice follows from memory that the function writes: a running maximum would be
// computed again in the choice of the next one.
bool Reader::choosesByMemory(const Expr& value) const {
  if (value.kind != Expr::Kind::Call) return false;
  bool found = false;
  forLoads(*value.args[0],
           [&](const Expr& load) { found = found || m_flow->standIns.contains(load.buffer); });
  return found || choosesByMemory(*value.args[1]) || choosesByMemory(*value.args[2]);
}

// A store of what is computed elsewhere, which does not follow from itself.
void Reader::inlineCopies(const Dataflow& dataflow) {
  for (std::size_t s = 0; s < m_flow->stores.size(); ++s) {
    Flow::Store& store = m_flow->stores[s];
    if (store.isInlined || !isPlain(*store.value) || !store.bounds.empty()) continue;
    if (choosesByMemory(*store.value)) continue;
    store.isInlined = !leadsTo(dataflow, s, s, 0);
  }
}

// Whether the value of a store that would be computed in its place contains another one's.
bool Reader::leadsTo(const Dataflow& dataflow, std::size_t from, std::size_t to, int depth) const {
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

// What an argument holds at last: what it held before, and what stores leave there.
void Reader::stateFinal(const Dataflow& dataflow, std::size_t final, std::vector<Statement>& to) {
  const Flow::Load& of = m_flow->loads[final];
  const std::vector<Linear>& index = of.access.index;
  const auto add = [&](const ExprRef& value, const std::vector<Linear>& where, Place place) {
    to.push_back({bufferFor(of.memory), index, value, where});
    to.back().place = place;
    solve(m_program.loops, to.back(), false);
    if (!limitsOthers(to.back())) return;
    Refusal refusal{"an argument is written in blocks at a stride, and what is between them stays",
                    "write all of its elements, or write to a tensor of its own", of.place.line,
                    of.place.column};
    refusal.isByRemainder = true;
    throw refusal;
  };
  if (m_flow->direct.contains(of.memory.get())) {
    for (std::size_t s = 0; s < m_flow->stores.size(); ++s)
      if (dataflow.readsFrom(final, s)) m_flow->stores[s].isLive = true;
  } else {
    for (Source& source : sourcesOf(dataflow, final)) {
      if (source.store < 0) continue;
      source.where.insert(source.where.end(), of.access.where.begin(), of.access.where.end());
      const ExprRef element = sourceElement(dataflow, of, source);
      const auto store = static_cast<std::size_t>(source.store);
      add(withSources(dataflow, element, source.where, {}), source.where,
          m_program.statements[m_flow->stores[store].statement].place);
    }
  }
  const auto kept =
      m_flow->dividesLoops ? dataflow.keptByCases(final) : dataflow.keptBy(final, m_program.loops);
  for (const std::vector<Linear>& where : kept)
    add(load(of.memory->before, index), where, placeOf(m_function));
}

// Whether a statement does nothing but return a memory of the function's own, whose stores can
// stand in the result themselves; the number of the load that says so.
std::optional<std::size_t> Reader::returnedBy(const Dataflow& dataflow,
                                              const Statement& statement) {
  const Expr& value = *statement.value;
  const auto at = m_flow->standIns.find(value.buffer);
  if (value.kind != Expr::Kind::Load || at == m_flow->standIns.end()) return std::nullopt;
  const Flow::Load& of = m_flow->loads[at->second];
  const Memory& memory = *of.memory;
  const auto by = byForms(dataflow.loopsOf(at->second), value.index);
  const bool isWhole = statement.where.empty() && !memory.shape.empty() &&
                       substituted(of.access.index, by) == statement.index;
  if (!isWhole || memory.isArgument || memory.after >= 0 || !memory.scope.empty())
    return std::nullopt;
  for (std::size_t d = 0; d < memory.shape.size(); ++d) {
    const auto loop = statement.index[d].asLoop();
    if (!loop || m_program.loops.extent(*loop) != memory.shape[d]) return std::nullopt;
  }
  if (dataflow.readsBefore(at->second) || !isDirect(dataflow, at->second)) return std::nullopt;
  return at->second;
}

void Reader::returnDirectly(const Dataflow& dataflow) {
  for (Statement& statement : m_program.statements) {
    if (statement.target < 0) continue;
    const auto load = returnedBy(dataflow, statement);
    if (!load) continue;
    const MemoryRef& memory = m_flow->loads[*load].memory;
    memory->after = std::exchange(statement.target, -1);
    m_flow->direct.insert(memory.get());
    for (std::size_t s = 0; s < m_flow->stores.size(); ++s)
      if (dataflow.readsFrom(*load, s)) m_flow->stores[s].isLive = true;
  }
}

void Reader::stateFlow(const Dataflow& dataflow) {
  inlineCopies(dataflow);
  returnDirectly(dataflow);
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
    const auto same = std::find_if(statements.rbegin(), statements.rend(),
                                   [&](const auto& s) { return s.target == final.target; });
    statements.insert(same == statements.rend() ? statements.end() : same.base(), std::move(final));
  }
  m_program.statements = std::move(statements);
  keepTogether();
}

}  // namespace gridloom::importer
