// SPDX-License-Identifier: Apache-2.0
//
// What stores are when it is known what they read: sums, parts of other values, or races.
#include <algorithm>

#include "importer/mlir_reader.h"

namespace gridloom::importer {

// The store whose value alone uses what a load reads, once, in the iteration of the load. `loops`:
// those of the store, as the load's index names them.
std::optional<std::size_t> Reader::onlyUser(int buffer, const std::vector<Loop>& loops) const {
  std::optional<std::size_t> user;
  int found = 0;
  for (const Statement& statement : m_program.statements) {
    forLoads(*statement.value, [&](const Expr& load) { found += load.buffer == buffer ? 2 : 0; });
  }
  for (std::size_t s = 0; s < m_flow->stores.size(); ++s) {
    if (m_flow->stores[s].isInlined) continue;
    forLoads(*m_flow->stores[s].value, [&](const Expr& load) {
      if (load.buffer != buffer) return;
      ++found;
      if (load.index == formsOf(loops)) user = s;
    });
  }
  return found == 1 ? user : std::nullopt;
}

// A store that adds to what its former iteration left becomes a reduction.
bool Reader::foldStore(Dataflow& dataflow, std::size_t number) {
  Flow::Store& store = m_flow->stores[number];
  if (store.isInlined) return false;
  const std::vector<Loop> loops = dataflow.keptLoops(number);
  for (std::size_t r = 0; r < m_flow->loads.size(); ++r) {
    const int buffer = m_flow->loads[r].buffer;
    if (!dataflow.readsFrom(r, number) || onlyUser(buffer, loops) != number) continue;
    for (const Reduction& how : reductions()) {
      const auto rest =
          without(store.value, how.op, [&](const Expr& load) { return load.buffer == buffer; });
      if (!rest) continue;
      if (!dataflow.fold(number, r)) break;
      store.value = accumulated(how, load(buffer, formsOf(dataflow.keptLoops(number))),
                                dataflow.reducedLoops(number), *rest);
      const std::vector<Linear> bounds = dataflow.reducedBounds(number);
      store.bounds.insert(store.bounds.end(), bounds.begin(), bounds.end());
      return true;
    }
  }
  return false;
}

// A value that one store alone uses, in the same iteration, is computed there.
bool Reader::inlineStore(const Dataflow& dataflow, std::size_t number) {
  Flow::Store& store = m_flow->stores[number];
  if (store.isInlined || dataflow.domainOf(number).size() != 1) return false;
  std::optional<std::size_t> reader;
  for (std::size_t r = 0; r < m_flow->loads.size(); ++r) {
    if (!dataflow.readsFrom(r, number)) continue;
    if (reader || r >= m_flow->firstFinal) return false;
    reader = r;
  }
  if (!reader || !dataflow.isSameIteration(*reader, number)) return false;
  const int buffer = m_flow->loads[*reader].buffer;
  const auto at = onlyUser(buffer, dataflow.loopsOf(*reader));
  if (!at || *at == number) return false;
  Flow::Store& user = m_flow->stores[*at];
  std::map<Loop, Linear> by;
  const std::vector<Loop> from = dataflow.keptLoops(number), to = dataflow.loopsOf(*reader);
  for (std::size_t n = 0; n < from.size(); ++n) by[from[n]] = Linear::loop(to[n]);
  std::set<Loop> ofUser, shared;
  forReduced(*user.value, [&](Loop loop) { ofUser.insert(loop); });
  forReduced(*store.value, [&](Loop loop) {
    if (ofUser.contains(loop)) shared.insert(loop);
  });
  by.merge(ownLoops(shared, store.bounds, user.bounds));
  // What is summed here over a loop of the user's own elements is summed over another one there.
  forReduced(*store.value, [&](Loop loop) {
    const bool isOfElements = std::ranges::find(to, loop) != to.end();
    if (isOfElements && !by.contains(loop))
      by[loop] = Linear::loop(m_program.loops.add(m_program.loops.extent(loop)));
  });
  for (const Linear& bound : store.bounds) {
    const ExprRef form = substitute(indexValue(bound), by);
    if (!isNumber(form)) user.bounds.push_back(form->index[0]);
  }
  const ExprRef value = withReduced(store.value, by);
  user.value =
      withLoads(user.value, [&](const Expr& l) { return l.buffer == buffer ? value : nullptr; });
  store.isInlined = true;
  return true;
}

// Iterations of a parallel loop have no order in which one could use what another one leaves.
void Reader::checkParallel(const Dataflow& dataflow) const {
  const auto refuseAt = [](const Place& place) {
    throw Refusal{"iterations of a parallel loop read or replace what others of them store",
                  "write it as a loop with an order, scf.for or affine.for", place.line,
                  place.column};
  };
  for (const Loop loop :
       partsOf(m_program.loops, {m_flow->parallel.begin(), m_flow->parallel.end()})) {
    for (std::size_t s = 0; s < m_flow->stores.size(); ++s) {
      const std::vector<Loop> own = partsOf(m_program.loops, m_flow->stores[s].memory->scope);
      if (std::ranges::find(own, loop) != own.end()) continue;  // each iteration has its own
      if (dataflow.storesAgain(s, loop))
        refuseAt(m_program.statements[m_flow->stores[s].statement].place);
      for (std::size_t r = 0; r < m_flow->loads.size(); ++r)
        if (dataflow.readsAcross(r, s, loop)) refuseAt(m_flow->loads[r].place);
    }
  }
}

// Statements for what was noted.
void Reader::finishFlow() {
  dropUnusedLoads();
  loadFinals();
  if (m_flow->dividesLoops) divideLoops();
  normaliseFlow();
  widenLoops();
  std::vector<MemoryAccess> stores, loads;
  for (const Flow::Store& store : m_flow->stores) stores.push_back(store.access);
  for (const Flow::Load& load : m_flow->loads) loads.push_back(load.access);
  try {
    Dataflow dataflow(m_program.loops, stores, loads, m_flow->dividesLoops);
    checkParallel(dataflow);  // A sum that is folded no longer reads what it left.
    for (bool again = true; again;) {
      again = false;
      for (std::size_t s = 0; s < m_flow->stores.size(); ++s)
        again = foldStore(dataflow, s) || inlineStore(dataflow, s) || again;
    }
    stateFlow(dataflow);
  } catch (const isl::exception&) {
    refuse(m_function, "which loop writes what another one reads takes too long to find out",
           "split the function");
  }
}

}  // namespace gridloom::importer
