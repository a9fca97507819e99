// SPDX-License-Identifier: Apache-2.0
//
// Values that a loop carries, as recurrences along the loop.
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "importer/forms.h"
#include "importer/mlir_reader.h"

namespace gridloom::importer {

namespace {

ExprRef withHistories(const ExprRef& value, const std::map<int, History>& histories, Loop loop,
                      std::size_t outer) {
  return withLoads(value, [&](const Expr& old) -> ExprRef {
    const auto at = histories.find(old.buffer);
    if (at == histories.end()) return nullptr;
    const History& of = at->second;
    std::map<Loop, Linear> by;
    for (std::size_t n = 0; n < of.vars.size(); ++n) by[of.vars[n]] = old.index[outer + n];
    by[loop] = old.index.back() + Linear::of(of.isShifted ? 1 : 0);
    return substitute(load(of.buffer, of.index), by);
  });
}

ExprRef withNumbers(const ExprRef& value, const std::map<const Expr*, ExprRef>& numbers) {
  if (const auto at = numbers.find(value.get()); at != numbers.end()) return at->second;
  Expr copy = *value;
  bool changed = false;
  for (ExprRef& arg : copy.args) {
    ExprRef with = withNumbers(arg, numbers);
    changed = changed || with != arg;
    arg = std::move(with);
  }
  return changed ? made(std::move(copy)) : value;
}

}  // namespace

// Values that are more than sums become recurrences along the loop: a local tensor with a
// dimension for its iterations, of which index -1 is the value before the first.
void Reader::makeStates(CarryingLoop& of) {
  bool isUsed = false;
  for (std::size_t s = of.firstStatement; s < m_program.statements.size(); ++s) {
    forLoads(*m_program.statements[s].value, [&](const Expr& load) {
      isUsed = isUsed || std::ranges::count(of.carried, load.buffer, &Carried::state) > 0;
    });
  }
  const bool simple = !isUsed && std::ranges::all_of(of.carried, [&](const Carried& c) {
    return c.state == -1 || isAccumulated(of, c);
  });
  if (simple) return;
  const int together = m_carrying++;
  const std::size_t bodyEnd = m_program.statements.size();
  std::map<int, History> histories;
  for (Carried& c : of.carried) {
    if (c.state == -1 || std::holds_alternative<Patch>(yielded(c))) continue;
    histories[c.state] = historyOf(of, c, together);
  }
  const auto numbers = newNumbers(of, histories);
  for (std::size_t s = of.firstStatement; s < bodyEnd; ++s) {
    Statement& statement = m_program.statements[s];
    statement.value =
        withHistories(withNumbers(statement.value, numbers), histories, of.loop, of.outer.size());
    statement.together = together;
  }
  for (Carried& c : of.carried) {
    const auto at = histories.find(c.state);
    if (at == histories.end()) continue;
    if (!at->second.isMade) addStep(of, c, histories, numbers, together);
    c.after = lastOf(of, c, at->second);
  }
}

// Numbers that an iteration computes and hands to the next one: where others use them, they read
// them.
std::map<const Expr*, ExprRef> Reader::newNumbers(const CarryingLoop& of,
                                                  const std::map<int, History>& histories) const {
  std::map<const Expr*, ExprRef> numbers;
  if (!of.bounds.empty()) return numbers;
  for (const Carried& c : of.carried) {
    if (!histories.contains(c.state) || !c.vars.empty()) continue;
    const auto* value = std::get_if<ExprRef>(&yielded(c));
    if (value == nullptr || isPlain(**value)) continue;
    std::vector<Linear> now = stateIndex(of, {});
    now.back() = Linear::loop(of.loop);
    numbers[value->get()] = load(c.state, std::move(now));
  }
  return numbers;
}

// The tensor with a carried value's history: one that the body fills, or one of its own.
History Reader::historyOf(const CarryingLoop& of, const Carried& c, int together) {
  const auto* tile = std::get_if<Tile>(&c.first);
  const auto* expr = std::get_if<ExprRef>(&c.first);
  const ExprRef first = tile != nullptr ? tile->body : expr != nullptr ? *expr : nullptr;
  if (!first)
    refuse(m_at, "a loop carries a tensor to which nothing was written before",
           "fill it first (`linalg.fill`)");
  const Tile last = lastTile(c);
  if (isNumber(first) && of.bounds.empty() && isFilledIn(of, last)) {
    m_program.buffers[static_cast<std::size_t>(last.body->buffer)].initial = first->number;
    return {last.body->buffer, false, true, last.body->index, last.vars};
  }
  const bool isAlone = c.memory && of.carried.size() == 1;
  if (isAlone && of.bounds.empty() && isFilledIn(of, last))
    return historyInBody(of, c, last, together);
  History history{static_cast<int>(m_program.buffers.size()), !isNumber(first), false,
                  formsOf(of.outer), c.vars};
  Buffer buffer{fmt::format("s{}", m_locals++), c.dtype, {}, false, false};
  for (const Loop loop : of.outer) buffer.shape.push_back(m_program.loops.extent(loop));
  for (const Loop var : c.vars) {
    buffer.shape.push_back(m_program.loops.extent(var));
    history.index.push_back(Linear::loop(var));
  }
  buffer.shape.push_back(m_program.loops.extent(of.loop) + (history.isShifted ? 1 : 0));
  history.index.push_back(Linear::loop(of.loop));
  if (!history.isShifted) buffer.initial = first->number;
  m_program.buffers.push_back(std::move(buffer));
  if (history.isShifted) {
    const Tile start = tile != nullptr ? *tile : Tile{{}, first};
    std::vector<Linear> index = formsOf(of.outer);
    for (const Loop var : start.vars) index.push_back(Linear::loop(var));
    index.push_back(Linear::of(0));
    addStatement({history.buffer, std::move(index), start.body, m_where, together}, m_at);
  }
  return history;
}

// The memory that a loop carries, of which the body writes every element by one statement: that
// statement is the step, and what it fills begins with what was there before the loop.
History Reader::historyInBody(const CarryingLoop& of, const Carried& c, const Tile& last,
                              int together) {
  const int buffer = last.body->buffer;
  const std::vector<Linear> index = last.body->index;
  const auto time =
      static_cast<std::size_t>(std::ranges::find(index, Linear::loop(of.loop)) - index.begin());
  ++m_program.buffers[static_cast<std::size_t>(buffer)].shape[time];
  for (std::size_t s = of.firstStatement; s < m_program.statements.size(); ++s) {
    Statement& statement = m_program.statements[s];
    statement.value = withLoads(statement.value, [&](const Expr& old) -> ExprRef {
      if (old.buffer != buffer) return nullptr;
      std::vector<Linear> later = old.index;
      later[time] = later[time] + Linear::of(1);
      return load(buffer, std::move(later));
    });
    if (statement.target != buffer) continue;
    statement.index[time] = statement.index[time] + Linear::of(1);
    startAtOne(statement, of.loop);
  }
  const Tile& start = std::get<Tile>(c.first);
  std::map<Loop, Linear> by{{of.loop, Linear::of(0)}};
  for (std::size_t v = 0; v < last.vars.size(); ++v) by[last.vars[v]] = Linear::loop(start.vars[v]);
  addStatement({buffer, substitute(load(buffer, index), by)->index, start.body, m_where, together},
               m_at);
  m_program.statements.back().isStart = true;
  return {buffer, true, true, index, last.vars};
}

// The statement over iterations 1, 2, ... of a loop: element 0 is the value before it.
void Reader::startAtOne(Statement& step, Loop loop) {
  const Loop next = m_program.loops.add(m_program.loops.extent(loop) + 1);
  changeForms(step, [&](const Linear& form) {
    Linear changed = form;
    changed.terms.erase(loop);
    return changed + (Linear::loop(next) - Linear::of(1)) * form.coefficient(loop);
  });
  step.where.push_back(Linear::loop(next) - Linear::of(1));
}

// Whether a tile is what the body stored: each of its elements, and the loop, indexes it once.
bool Reader::isFilledIn(const CarryingLoop& of, const Tile& last) const {
  if (last.body->kind != Expr::Kind::Load || last.body->buffer < 0) return false;
  const Expr& load = *last.body;
  if (m_program.buffers[static_cast<std::size_t>(load.buffer)].isArgument) return false;
  const auto body = std::span(m_program.statements).subspan(of.firstStatement);
  if (std::ranges::count(body, load.buffer, &Statement::target) != 1) return false;
  std::set<Loop> named;
  for (const Linear& form : load.index) {
    const auto loop = form.asLoop();
    if (!loop || !named.insert(*loop).second) return false;
    const bool known = *loop == of.loop || std::ranges::count(of.outer, *loop) > 0 ||
                       std::ranges::count(last.vars, *loop) > 0;
    if (!known) return false;
  }
  return named.contains(of.loop) &&
         std::ranges::all_of(last.vars, [&](Loop var) { return named.contains(var); });
}

// The statement that computes an iteration's value. Where the iteration does not take place, the
// value stays.
void Reader::addStep(const CarryingLoop& of, const Carried& c,
                     const std::map<int, History>& histories,
                     std::map<const Expr*, ExprRef> numbers, int together) {
  const History& history = histories.at(c.state);
  const Tile last = lastTile(c);
  checkRunning(*last.body, [](const Expr&) { return false; });
  numbers.erase(last.body.get());
  ExprRef value =
      withHistories(withNumbers(last.body, numbers), histories, of.loop, of.outer.size());
  const ExprRef before = withHistories(load(c.state, stateIndex(of, formsOf(last.vars))), histories,
                                       of.loop, of.outer.size());
  for (const Linear& bound : of.bounds)
    value = call("select", {call(">=", {indexValue(bound), number(0)}), value, before});
  std::vector<Linear> index = before->index;
  index.back() = index.back() + Linear::of(1);
  Statement step{history.buffer, std::move(index), std::move(value), m_where, together};
  if (history.isShifted) startAtOne(step, of.loop);
  addStatement(std::move(step), m_at);
}

// A carried value behind the loop.
Value Reader::lastOf(const CarryingLoop& of, const Carried& c, const History& history) {
  Tile result;
  std::map<Loop, Linear> by;
  for (const Loop var : history.vars) {
    result.vars.push_back(m_program.loops.add(m_program.loops.extent(var)));
    by[var] = Linear::loop(result.vars.back());
  }
  by[of.loop] = Linear::of(m_program.loops.extent(of.loop) - (history.isShifted ? 0 : 1));
  result.body = substitute(load(history.buffer, history.index), by);
  if (!c.memory && llvm::isa<mlir::FloatType>(c.argument.getType())) return result.body;
  return result;
}

}  // namespace gridloom::importer
