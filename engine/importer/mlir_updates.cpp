// SPDX-License-Identifier: Apache-2.0
//
// Stores of elements that are computed from what they were.
#include <algorithm>
#include <utility>

#include "importer/flow.h"
#include "importer/mlir_reader.h"

namespace gridloom::importer {

// The value of an element that is computed from what it was.
ExprRef Reader::updated(const MemoryRef& memory, const std::vector<Linear>& index, ExprRef value,
                        std::vector<Linear>& where, const std::function<bool(const Expr&)>& isOwn) {
  const std::vector<Loop> others = otherLoops(index);
  const int replaced = memory->after;
  std::set<std::string> before;  // reductions of the statement that is taken up
  const auto old = [&] {
    if (memory->statement && !isApart(*memory, index))
      before = runningReductions(*m_program.statements[*memory->statement].value);
    return former(memory, index, where, !others.empty());
  };
  if (others.empty()) {
    const ExprRef was = old();
    value = withLoads(value, [&](const Expr& load) { return isOwn(load) ? was : nullptr; });
  } else {
    value = accumulation(value, others, isOwn, old);
  }
  checkOneReduction(*value, std::move(before), others.empty());
  // Elements of earlier iterations are those of the new statement.
  return withLoads(value, [&](const Expr& l) {
    const bool isFinal = replaced >= 0 && l.buffer == replaced && memory->after != replaced;
    return isFinal ? load(memory->after, l.index) : nullptr;
  });
}

// The value that an element has before it is written again; the statement that gave it goes.
ExprRef Reader::former(const MemoryRef& memory, const std::vector<Linear>& index,
                       std::vector<Linear>& where, bool accumulates) {
  const std::size_t fixed = memory->isArgument ? 0 : memory->scope.size();
  if (memory->content) {
    const Tile content = *memory->content;
    memory->content.reset();
    return applied(content, {index.begin() + static_cast<std::ptrdiff_t>(fixed), index.end()});
  }
  const bool isUnwritten = !memory->statement || isApart(*memory, index);
  if (isUnwritten && !memory->isArgument)
    refuse(m_at, "it adds to memory before anything was written to it", "fill it with 0 first");
  if (isUnwritten && memory->statement)
    memory->parts.push_back(*std::exchange(memory->statement, {}));
  if (isUnwritten) return load(memory->before, index);
  if (!memory->parts.empty())
    refuse(m_at, "it writes again a tensor whose parts several statements write",
           "write each part to a tensor of its own");
  const Statement old = toldApart(m_program.statements[*memory->statement], index, where);
  if (old.index != index && (sharesLoops(index) || leavesSome(old, index, where)))
    refuse(m_at, "it writes only a part of the elements that were written before",
           "write each part to a tensor of its own");
  const std::map<Loop, Linear> by = sameElements(*memory, old, index);
  retire(memory, index, where, accumulates);
  const ExprRef value = substitute(old.value, by);
  addBounds(old, value, by, where);
  return value;
}

// Conditions hold for every sum over their loops. Where two sums over the same loops have different
// ones, as in two branches, the first gets loops of its own.
std::map<Loop, Linear> Reader::ownLoops(const std::set<Loop>& shared,
                                        const std::vector<Linear>& before,
                                        const std::vector<Linear>& now) {
  const auto conditions = [&](const std::vector<Linear>& forms) {
    std::vector<Linear> on;
    for (const Linear& bound : forms) {
      const Linear form = m_program.loops.normal(bound);
      const bool isOnShared = std::ranges::any_of(
          form.terms, [&](const auto& term) { return shared.contains(term.first); });
      if (isOnShared && std::ranges::find(on, form) == on.end()) on.push_back(form);
    }
    return on;
  };
  std::map<Loop, Linear> by;
  if (std::ranges::is_permutation(conditions(before), conditions(now))) return by;
  for (const Loop loop : shared)
    by[loop] = Linear::loop(m_program.loops.add(m_program.loops.extent(loop)));
  return by;
}

// The statement to whose sums those of the store are added.
Statement Reader::toldApart(Statement old, const std::vector<Linear>& index,
                            const std::vector<Linear>& where) {
  const std::vector<Loop> others = otherLoops(index);
  std::set<Loop> shared;
  forReduced(*old.value, [&](Loop loop) {
    if (std::ranges::find(others, loop) != others.end()) shared.insert(loop);
  });
  const std::map<Loop, Linear> by = ownLoops(shared, old.where, where);
  old.value = withReduced(old.value, by);
  old.where = substituted(std::move(old.where), by);
  return old;
}

// Whether a bound on the elements leaves some that the former statement, without bounds, wrote.
bool Reader::leavesSome(const Statement& old, const std::vector<Linear>& index,
                        const std::vector<Linear>& where) const {
  std::set<Loop> named;
  for (const Linear& form : index)
    for (const auto& [loop, c] : m_program.loops.normal(form).terms) named.insert(loop);
  return old.where.empty() && std::ranges::any_of(where, [&](const Linear& bound) {
           const Linear form = m_program.loops.normal(bound);
           const bool isOfElements = std::ranges::all_of(
               form.terms, [&](const auto& term) { return named.contains(term.first); });
           return isOfElements && m_program.loops.range(form).first < 0;
         });
}

// The loops of the statement that wrote a memory's elements, by those that write them again.
std::map<Loop, Linear> Reader::sameElements(const Memory& memory, const Statement& old,
                                            const std::vector<Linear>& index) const {
  std::map<Loop, Linear> by;
  for (std::size_t d = 0; d < index.size(); ++d) {
    const auto loop = m_program.loops.normal(old.index[d]).asLoop();
    if (!loop && !(old.index[d] == index[d]))
      refuse(m_at, "it adds to elements that were written as a part of a tensor",
             "write the whole tensor first");
    if (!loop) continue;
    const std::int64_t extent = m_program.loops.extent(*loop);
    if (!spans(index[d], extent))
      refuse(m_at, "it writes only a part of the elements that were written before",
             "write each part to a tensor of its own");
    if (memory.isArgument && !fits(index[d], extent))
      refuse(m_at, "it adds to elements of which only a part was written before",
             "write the whole tensor first");
    by[*loop] = index[d];
  }
  return by;
}

// Bounds of a statement's sums hold in the one that takes its place, too. `value`: the statement's,
// over the loops of that one.
void Reader::addBounds(const Statement& old, const ExprRef& value, const std::map<Loop, Linear>& by,
                       std::vector<Linear>& where) const {
  std::set<Loop> elements = freeLoops(*value);
  for (const Linear& form : old.index)
    for (const auto& [loop, coefficient] : form.terms) elements.insert(loop);
  for (const Linear& form : old.where) {
    const ExprRef bound = substitute(indexValue(form), by);
    if (isNumber(bound) || std::ranges::find(where, bound->index[0]) != where.end()) continue;
    const bool limitsSum = std::ranges::any_of(
        form.terms, [&](const auto& term) { return !elements.contains(term.first); });
    if (!limitsSum)
      refuse(m_at, "it adds to elements of which only a part was written before",
             "write the whole tensor first");
    where.push_back(bound->index[0]);
  }
}

}  // namespace gridloom::importer
