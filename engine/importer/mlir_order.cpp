// SPDX-License-Identifier: Apache-2.0
//
// Memory that a loop nest reads and writes in place: which elements are those of earlier
// iterations.
#include <algorithm>
#include <cstdlib>

#include "importer/mlir_reader.h"

namespace gridloom::importer {

// Whether a form is at least 1 where others are at least 0.
bool Reader::isPositive(const Linear& form, const std::vector<Linear>& where) const {
  const Linear more = form - Linear::of(1);
  if (m_program.loops.range(more).first >= 0) return true;
  return std::ranges::any_of(where, [&](const Linear& bound) {
    return m_program.loops.range(m_program.loops.normal(more - bound)).first >= 0;
  });
}

// Whether an element was written in an earlier iteration of the loops around than another one, or
// will be in a later one. `where` holds for the iterations that read.
Reader::Time Reader::timeOf(const std::vector<Linear>& read, const std::vector<Linear>& written,
                            const std::vector<Linear>& where) const {
  if (read.size() != written.size()) return Time::Unknown;
  for (const Loop loop : m_scope) {
    for (std::size_t d = 0; d < written.size(); ++d) {
      const Linear at = m_program.loops.normal(written[d]);
      if (at.terms.size() != 1 || at.coefficient(loop) != 1) continue;
      const Linear gap = m_program.loops.normal(at - read[d]);
      if (gap == Linear{}) continue;
      // No iteration writes it.
      if (gap.isConstant() && std::abs(gap.constant) >= m_program.loops.extent(loop))
        return Time::Later;
      if (isPositive(gap, where)) return Time::Earlier;
      return isPositive(gap * -1, where) ? Time::Later : Time::Unknown;
    }
  }
  return read == written ? Time::Same : Time::Unknown;
}

// In a loop nest that writes a tensor in place, elements of earlier iterations are final, and those
// of later ones are what was there before.
ExprRef Reader::withFinal(const MemoryRef& memory, const std::vector<Linear>& index,
                          const ExprRef& value, const std::vector<Linear>& where) {
  const auto whole = [&](const Expr& old) {
    std::vector<Linear> all = formsOf(memory->scope);
    const std::vector<Linear> element = elementOf(memory, old);
    all.insert(all.end(), element.begin(), element.end());
    return all;
  };
  return withLoads(value, [&](const Expr& old) -> ExprRef {
    if (memory->base && old.buffer == memory->state) {
      const Time time = timeOf(whole(old), index, where);
      if (time == Time::Same || time == Time::Later) return nullptr;
      const std::vector<Linear> element = elementOf(memory, old);
      const ExprRef before = applied(*memory->base, element);
      const ExprRef after = writtenOr(memory, index, where, element, before);
      return time == Time::Earlier ? after : chosenByOrder(whole(old), index, before, after);
    }
    if (std::ranges::find(memory->earlier, old.buffer) != memory->earlier.end()) {
      const Time time = timeOf(old.index, index, where);
      if (time != Time::Same && time != Time::Later) refuseOrder();
      return nullptr;
    }
    const bool isBefore = memory->before >= 0 && old.buffer == memory->before;
    const bool isAfter = memory->after >= 0 && old.buffer == memory->after;
    if ((!isBefore && !isAfter) || old.index == index) return nullptr;
    const Time time = timeOf(old.index, index, where);
    if (time == Time::Earlier && memory->isArgument) return load(bufferFor(memory), old.index);
    if (time == Time::Later && isBefore && isUnwritten(*memory, old.index, where)) return nullptr;
    refuseOrder();
  });
}

// An element that iterations write in their order: `after` where its iteration lies before the one
// that reads, else `before`. Refuses where one loop does not index one dimension.
ExprRef Reader::chosenByOrder(const std::vector<Linear>& read, const std::vector<Linear>& written,
                              const ExprRef& before, const ExprRef& after) const {
  std::vector<Linear> gaps;  // per loop, from the outermost one: iterations from the write to here
  for (const Loop loop : m_scope) {
    const std::size_t found = gaps.size();
    for (std::size_t d = 0; d < written.size(); ++d) {
      const Linear at = m_program.loops.normal(written[d]);
      if (at.terms.size() != 1 || at.coefficient(loop) != 1) continue;
      gaps.push_back(m_program.loops.normal(at - read[d]));
    }
    if (gaps.size() != found + 1) refuseOrder();
  }
  if (gaps.size() != written.size()) refuseOrder();
  ExprRef value = before;
  for (std::size_t g = gaps.size(); g-- > 0;) {
    const auto [least, greatest] = m_program.loops.range(gaps[g]);
    const auto isAtLeast = [&](std::int64_t bound) {
      return call(">=", {indexValue(gaps[g] - Linear::of(bound)), number(0)});
    };
    if (greatest < 1) {
      if (least < 0) value = call("select", {isAtLeast(0), value, before});
      continue;
    }
    if (value != before && least < 0) value = call("select", {isAtLeast(0), value, before});
    value = least >= 1 ? after : call("select", {isAtLeast(1), after, value});
  }
  return value;
}

// Whether the other statements that write the memory have not written an element that was read
// before them.
bool Reader::isUnwritten(const Memory& memory, const std::vector<Linear>& index,
                         const std::vector<Linear>& where) const {
  const auto isLater = [&](std::size_t s) {
    const Statement& other = m_program.statements[s];
    if (areApart(index, other.index)) return true;
    const Time time = timeOf(index, other.index, where);
    return s >= nestOf(memory) && (time == Time::Same || time == Time::Later);
  };
  return !memory.statement ||
         (isLater(*memory.statement) && std::ranges::all_of(memory.parts, isLater));
}

void Reader::refuseOrder() const {
  refuse(m_at,
         "it reads other elements of the tensor that it writes, and whether they were written "
         "before depends on the loops",
         "write to a tensor of its own, or write the recurrence in a .rec file");
}

// Whether a statement in front of a store in the same loops reads an element before it is written:
// in an earlier iteration of the loops around both, or in the same one.
bool Reader::readsFirst(const Statement& statement, const std::vector<Linear>& read,
                        const std::vector<Linear>& written) const {
  if (areApart(read, written)) return true;
  if (read.size() != written.size()) return false;
  bool allNamed = true;
  for (std::size_t n = 0; n < m_scope.size() && n < statement.scope.size(); ++n) {
    const Loop loop = m_scope[n];
    if (statement.scope[n] != loop) break;
    bool isNamed = false;
    for (std::size_t d = 0; d < written.size(); ++d) {
      const Linear at = m_program.loops.normal(written[d]);
      if (at.terms.size() != 1 || at.coefficient(loop) != 1) continue;
      isNamed = true;
      const Linear gap = m_program.loops.normal(at - read[d]);
      if (gap == Linear{}) continue;
      const bool isNever =
          gap.isConstant() && std::abs(gap.constant) >= m_program.loops.extent(loop);
      return isNever || isPositive(gap * -1, statement.where);
    }
    allNamed = allNamed && isNamed;
  }
  return allNamed || read == written;
}

// Statements of the same loop nest that read what the tensor held before: they would need what
// earlier iterations write.
void Reader::checkEarlierReads(const MemoryRef& memory, const std::vector<Linear>& index) const {
  const int before = memory->base ? memory->state : memory->before;
  if (before == -1 || m_scope.empty()) return;
  for (std::size_t s = nestOf(*memory); s < m_program.statements.size(); ++s) {
    const Statement& statement = m_program.statements[s];
    if (statement.target < 0) continue;
    forLoads(*statement.value, [&](const Expr& load) {
      const bool isEarlier =
          std::ranges::find(memory->earlier, load.buffer) != memory->earlier.end();
      if (load.buffer != before && !isEarlier) return;
      std::vector<Linear> read = load.index;
      if (memory->base && !isEarlier) {
        read = formsOf(memory->scope);
        const std::vector<Linear> element = elementOf(memory, load);
        read.insert(read.end(), element.begin(), element.end());
      }
      if (readsFirst(statement, read, index)) return;
      refuse(m_at, "a loop reads elements of a tensor that its earlier iterations write",
             "write the recurrence in a .rec file");
    });
  }
}

// Values that were read in front of a store to another argument are what stood there, unless
// earlier iterations wrote it.
void Reader::checkKept(const ExprRef& value, const std::vector<Linear>& where) const {
  for (const MemoryRef& memory : m_arguments) {
    if (memory->after < 0 || memory->before < 0) continue;
    std::vector<std::size_t> stores = memory->parts;
    if (memory->statement) stores.push_back(*memory->statement);
    forLoads(*value, [&](const Expr& load) {
      if (load.buffer != memory->before) return;
      for (const std::size_t s : stores) {
        const std::vector<Linear>& written = m_program.statements[s].index;
        if (s < nestOf(*memory) || areApart(load.index, written)) continue;
        const Time time = timeOf(load.index, written, where);
        if (time != Time::Same && time != Time::Later) refuseOrder();
      }
    });
  }
}

}  // namespace gridloom::importer
