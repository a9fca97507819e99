// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "importer/mlir_reader.h"

namespace gridloom::importer {

namespace {

// Element x of the view is element x of the memory.
bool startsAtZero(const View& view) {
  if (view.flat || view.source || view.sizes.size() != view.memory->shape.size()) return false;
  for (std::size_t d = 0; d < view.step.size(); ++d) {
    if (!(view.offset[d] == Linear{})) return false;
    for (std::size_t m = 0; m < view.step[d].size(); ++m)
      if (view.step[d][m] != (m == d ? 1 : 0)) return false;
  }
  return true;
}

bool coversAll(const View& view) {
  return startsAtZero(view) && view.where.empty() && view.sizes == view.memory->shape;
}

}  // namespace

void Reader::write(const View& view, const Tile& unguarded) {
  const MemoryRef& memory = view.memory;
  refuseConstant(*memory);
  // The second part of a block that wraps around, of which the first one has all rows.
  const bool isNothing = std::ranges::any_of(
      unguarded.vars, [&](Loop var) { return m_program.loops.extent(var) == 0; });
  if (isNothing || holdsNowhere(masksAt(view, formsOf(unguarded.vars)))) return;
  Tile value = unguarded;
  value.body = guarded(view, formsOf(value.vars), value.body);
  if (!m_flow && conditionsOn(*memory).empty() && coversAll(view) &&
      (!memory->isArgument || m_scope.empty()) && memory->after < 0 && !memory->shape.empty()) {
    // What stands there until the next store.
    memory->content = value;
    memory->stored = m_at;
    return;
  }
  if (!memory->isArgument && memory->content && startsAtZero(view)) {
    memory->content = overlaid(*memory->content, view, value);
    return;
  }
  storeAt(view, formsOf(value.vars), value.body);
}

// The old elements where the view, which starts with them, has none.
Tile Reader::overlaid(const Tile& old, const View& view, const Tile& value) {
  Tile tile;
  tile.vars = newVars(view.memory->shape);
  const std::vector<Linear> index = formsOf(tile.vars);
  tile.body = applied(value, index);
  const ExprRef before = applied(old, index);
  std::vector<Linear> where = masksAt(view, index);
  std::ranges::move(conditionsOn(*view.memory), std::back_inserter(where));
  for (std::size_t d = 0; d < index.size(); ++d) {
    if (view.sizes[d] < view.memory->shape[d])
      where.push_back(Linear::of(view.sizes[d] - 1) - index[d]);
  }
  for (const Linear& form : where)
    tile.body = call("select", {call(">=", {indexValue(form), number(0)}), tile.body, before});
  return tile;
}

std::vector<Linear> Reader::masksAt(const View& view, const std::vector<Linear>& index) const {
  std::vector<Linear> masks;
  for (const Linear& mask : view.where) {
    Linear form = Linear::of(mask.constant);
    for (const auto& [loop, coefficient] : mask.terms) {
      const Linear at = loop < 0 ? index[static_cast<std::size_t>(-1 - loop)] : Linear::loop(loop);
      form = form + at * coefficient;
    }
    masks.push_back(form);
  }
  return masks;
}

void Reader::store(const View& view, const std::vector<Linear>& index, const ExprRef& value) {
  storeAt(view, index, guarded(view, index, value));
}

void Reader::storeAt(const View& view, const std::vector<Linear>& index, ExprRef value) {
  if (!view.data.empty()) refuseScatter();
  std::vector<Linear> where = masksAt(view, index);
  where.insert(where.end(), m_where.begin(), m_where.end());
  keepBefore(view, index, value, where);
  storeElement(view.memory, place(view, index), std::move(value), std::move(where));
}

void Reader::refuseConstant(const Memory& memory) const {
  if (memory.isConstant)
    refuse(m_at, "it writes constant memory", "copy it to memory of the function first");
}

void Reader::refuseScatter() const {
  refuse(m_at, "it writes where data say (a scatter)",
         "write a loop over the elements of the output that adds up what belongs to each");
}

// Loops around the store that the element does not depend on.
std::vector<Loop> Reader::otherLoops(const std::vector<Linear>& index) const {
  std::set<Loop> named;
  for (const Linear& form : index) {
    for (const auto& [loop, coefficient] : m_program.loops.normal(form).terms) named.insert(loop);
  }
  std::vector<Loop> others;
  for (const Loop loop : m_scope) {
    for (const auto& [part, coefficient] : m_program.loops.normal(Linear::loop(loop)).terms) {
      if (!named.contains(part)) others.push_back(part);
    }
  }
  return others;
}

bool Reader::spans(const Linear& form, std::int64_t size) const {
  const auto [least, greatest] = m_program.loops.range(m_program.loops.normal(form));
  return least <= 0 && greatest >= size - 1;
}

// Whether the form stays within a dimension of this size.
bool Reader::fits(const Linear& form, std::int64_t size) const {
  const auto [least, greatest] = m_program.loops.range(m_program.loops.normal(form));
  return least >= 0 && greatest < size;
}

// Whether a loop stands in several dimensions, as in those of a diagonal.
bool Reader::sharesLoops(const std::vector<Linear>& index) const {
  std::set<Loop> named;
  for (const Linear& form : index) {
    for (const auto& [loop, coefficient] : m_program.loops.normal(form).terms)
      if (!named.insert(loop).second) return true;
  }
  return false;
}

// Content that a store to a part of the memory would lose.
void Reader::checkSpans(const Memory& memory, const std::vector<Linear>& at,
                        const std::vector<Linear>& where) const {
  if (memory.isFlat || !memory.content || !memory.content->body || memory.base) return;
  bool isPart = std::ranges::any_of(where, [&](const Linear& form) {
    return m_program.loops.range(m_program.loops.normal(form)).first < 0;
  });
  for (std::size_t d = 0; d < memory.shape.size(); ++d)
    isPart = isPart || !spans(at[d], memory.shape[d]);
  if (isPart)
    refuse(m_at, "several statements write parts of one tensor",
           "write each part to a tensor of its own");
}

std::vector<Linear> Reader::withScope(const Memory& memory, const std::vector<Linear>& at) const {
  std::vector<Linear> index;
  if (!memory.isArgument) index = formsOf(memory.scope);
  index.insert(index.end(), at.begin(), at.end());
  return index;
}

// What was written before stands where this statement writes nothing.
void Reader::keepWritten(const MemoryRef& memory) {
  Tile before{newVars(memory->shape), nullptr};
  before.body = carriedElement(memory, formsOf(before.vars));
  memory->base = before;
  memory->content = std::move(before);
  if (memory->after >= 0) memory->earlier.push_back(memory->after);
  memory->after = -1;
  memory->statement.reset();
}

void Reader::storeElement(const MemoryRef& memory, const std::vector<Linear>& at, ExprRef value,
                          std::vector<Linear> where) {
  refuseConstant(*memory);
  if (m_flow) return noteStore(memory, at, std::move(value), std::move(where));
  std::vector<Linear> index = withScope(*memory, at);
  const bool wasWritten = memory->statement.has_value() && otherLoops(index).empty();
  if (memory->base && wasWritten) keepWritten(memory);
  checkSpans(*memory, at, where);
  checkKept(value, where);
  checkEarlierReads(memory, index);
  value = withFinal(memory, index, value, where);
  const int after = memory->after;  // in front of this store
  // What was read in front of an earlier store is another value than what this store replaces.
  const bool isReplaced = memory->base ? wasWritten : after >= 0 && !isApart(*memory, index);
  const auto isOwn = [&](const Expr& load) {
    if (memory->base && load.buffer == memory->state)
      return !isReplaced && elementOf(memory, load) == at;
    const bool isBefore = memory->before >= 0 && load.buffer == memory->before && !isReplaced;
    return load.index == index && (isBefore || (load.buffer == after && after >= 0));
  };
  bool readsItself = false;
  forLoads(*value, [&](const Expr& load) { readsItself = readsItself || isOwn(load); });
  checkRunning(*value, isOwn);
  if (readsItself) {
    value = updated(memory, index, value, where, isOwn);
  } else {
    if (!otherLoops(index).empty()) {
      widenMemory(memory, otherLoops(index));
      index = withScope(*memory, at);
    }
    replaceFormer(memory, index, where);
  }
  memory->content.reset();
  const int target = bufferFor(memory);
  memory->stored = m_at;
  memory->statement = m_program.statements.size();
  addStatement({target, std::move(index), std::move(value), std::move(where)}, m_at);
}

// No iteration uses what the one before it stored: the memory gets a dimension for the loops.
void Reader::widenMemory(const MemoryRef& memory, const std::vector<Loop>& loops) {
  if (memory->isArgument || memory->base)
    refuse(m_at, "an element is written again in every iteration of a loop",
           "index it by every loop around it");
  checkLeft(*memory);
  if (memory->after >= 0) m_stale.emplace(memory->after, m_program.statements.size());
  memory->scope.insert(memory->scope.end(), loops.begin(), loops.end());
  memory->after = -1;
  memory->statement.reset();
  memory->content.reset();
}

// Former statements that read elements of the result which this store writes: they need what stood
// there before.
void Reader::checkFormerReads(const Memory& memory, const std::vector<Linear>& index) const {
  for (const Statement& statement : m_program.statements) {
    if (statement.target < 0) continue;
    forLoads(*statement.value, [&](const Expr& load) {
      if (load.buffer == memory.after && memory.after >= 0 && !areApart(load.index, index))
        refuse(m_at, "it writes elements of a tensor that were read before",
               "write to a tensor of its own, or split the function");
    });
  }
}

// Of a store that does not read the element: the statement that wrote it before goes, or wrote
// other elements.
void Reader::replaceFormer(const MemoryRef& memory, const std::vector<Linear>& index,
                           std::vector<Linear>& where) {
  if (!memory->statement) return;
  if (isApart(*memory, index)) {
    checkFormerReads(*memory, index);
    memory->parts.push_back(*memory->statement);
    return;
  }
  const Statement& old = m_program.statements[*memory->statement];
  bool coversAll = !sharesLoops(index) && !leavesSome(old, index, where);
  for (std::size_t d = 0; d < index.size(); ++d) {
    const auto [least, greatest] = m_program.loops.range(m_program.loops.normal(old.index[d]));
    const auto [from, to] = m_program.loops.range(m_program.loops.normal(index[d]));
    coversAll = coversAll && index[d].asLoop() && from <= least && greatest <= to;
  }
  if ((old.index != index && !coversAll) || !memory->parts.empty())
    refuse(m_at, "several statements write parts of one tensor",
           "write each part to a tensor of its own");
  retire(memory, index, where, false);
}

}  // namespace gridloom::importer
