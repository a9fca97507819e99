// SPDX-License-Identifier: Apache-2.0
//
// What loops that still run have made of memory so far: elements that later iterations write, and
// reductions that have not ended.
#include "importer/mlir_reader.h"

namespace gridloom::importer {

// The loops around what is read, as the parts into which they were divided.
std::set<Loop> Reader::openLoops() const {
  std::set<Loop> open;
  for (const Loop loop : m_scope) {
    for (const auto& [part, coefficient] : m_program.loops.normal(Linear::loop(loop)).terms)
      open.insert(part);
  }
  return open;
}

// Whether the iteration that reads an element has written it: loops that still run stand in both
// indices alike, and the others have run to their ends.
bool Reader::isSameIteration(const std::vector<Linear>& read,
                             const std::vector<Linear>& written) const {
  const std::set<Loop> open = openLoops();
  for (std::size_t d = 0; d < written.size() && d < read.size(); ++d) {
    Linear rest = m_program.loops.normal(written[d]);
    Linear at = m_program.loops.normal(read[d]);
    bool namesOpen = false;
    for (const auto& [loop, coefficient] : m_program.loops.normal(written[d]).terms) {
      if (!open.contains(loop)) continue;
      namesOpen = true;
      rest = rest - Linear::loop(loop) * coefficient;
      at = at - Linear::loop(loop) * coefficient;
    }
    const auto [from, to] = m_program.loops.range(rest);
    const auto [least, greatest] = m_program.loops.range(at);
    if (namesOpen && (least < from || to < greatest)) return false;
  }
  return true;
}

// Whether an element still holds what it held in front of the loop nest that is read, as only later
// iterations write it. Refuses what depends on the iteration.
bool Reader::isBeforeStores(const Memory& memory, const std::vector<Linear>& index) const {
  std::vector<std::size_t> statements = memory.parts;
  if (memory.statement) statements.push_back(*memory.statement);
  std::size_t later = 0, others = 0;
  for (const std::size_t s : statements) {
    const std::vector<Linear>& written = m_program.statements[s].index;
    if (areApart(index, written)) continue;
    if (s < nestOf(memory) || isSameIteration(index, written)) {
      ++others;
      continue;
    }
    switch (timeOf(index, written, m_where)) {
    case Time::Same:
    case Time::Earlier:
      ++others;
      break;
    case Time::Later:
      ++later;
      break;
    case Time::Unknown:
      refuseOrder();
    }
  }
  if (later > 0 && others > 0) refuseOrder();
  return later > 0;
}

// How a value is reduced over loops that still run.
std::set<std::string> Reader::runningReductions(const Expr& value) const {
  const std::set<Loop> open = openLoops();
  std::set<std::string> names;
  const std::function<void(const Expr&)> visit = [&](const Expr& expr) {
    for (const Loop loop : expr.kind == Expr::Kind::Reduce ? expr.loops : std::vector<Loop>{}) {
      for (const auto& [part, coefficient] : m_program.loops.normal(Linear::loop(loop)).terms)
        if (open.contains(part)) names.insert(expr.name);
    }
    for (const ExprRef& arg : expr.args) visit(*arg);
  };
  visit(value);
  return names;
}

// A reduction has its value behind its loops: inside of them, a program reads a part of it.
void Reader::checkRunning(const Expr& value, const std::function<bool(const Expr&)>& isOwn) const {
  forLoads(value, [&](const Expr& load) {
    if (isOwn(load)) return;
    for (std::size_t s = m_outerNest; s < m_program.statements.size(); ++s) {
      const Statement& statement = m_program.statements[s];
      if (statement.target == load.buffer && load.buffer >= 0 &&
          !runningReductions(*statement.value).empty())
        refuse(m_at, "it uses what a loop around it has added up so far",
               "carry the value by iter_args, or use it behind the loop");
    }
  });
}

// Stores that add to the same element in one loop are one reduction if they reduce alike: `names`
// are those of the stores before, which may have loops of their own by now.
void Reader::checkOneReduction(const Expr& value, std::set<std::string> names,
                               bool isElementwise) const {
  names.merge(runningReductions(value));
  if (names.size() > 1 || (isElementwise && !names.empty()))
    refuse(m_at, "it changes what a loop around it has added up so far",
           "carry the value by iter_args, or change it behind the loop");
}

// Statements of the nest that read what earlier iterations left in memory, in front of the store
// that replaces it.
void Reader::checkLeft(const Memory& memory) const {
  if (memory.after < 0) return;
  for (std::size_t s = nestOf(memory); s < m_program.statements.size(); ++s) {
    const Statement& statement = m_program.statements[s];
    if (statement.target < 0) continue;
    forLoads(*statement.value, [&](const Expr& load) {
      if (load.buffer == memory.after)
        refuse(m_at, "a loop reads what its earlier iterations left in memory",
               "carry the value by iter_args");
    });
  }
}

}  // namespace gridloom::importer
