// SPDX-License-Identifier: Apache-2.0
//
// Which parts of tensors stores write, and stores that data decide on.
#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <utility>

#include "importer/mlir_reader.h"

namespace gridloom::importer {

namespace {

/// The remainders of a form by a stride, where they lie in one interval.
std::optional<std::pair<std::int64_t, std::int64_t>> remainders(const Loops& loops, Linear form,
                                                                std::int64_t stride) {
  std::erase_if(form.terms, [&](const auto& term) { return term.second % stride == 0; });
  const auto [least, greatest] = loops.range(form);
  const std::int64_t first = (least % stride + stride) % stride;
  if (first + (greatest - least) >= stride) return std::nullopt;
  return std::pair(first, first + (greatest - least));
}

/// Whether the forms lie in different parts of every row of some length: halves of rows, say.
bool areInOtherColumns(const Loops& loops, const Linear& x, const Linear& y) {
  return std::ranges::any_of(x.terms, [&](const auto& term) {
    const std::int64_t stride = std::abs(term.second);
    if (stride < 2) return false;
    const auto a = remainders(loops, x, stride), b = remainders(loops, y, stride);
    return a && b && (a->second < b->first || b->second < a->first);
  });
}

}  // namespace

// Whether two indices never name one element, whatever the values of their loops.
bool Reader::areApart(const std::vector<Linear>& a, const std::vector<Linear>& b) const {
  for (std::size_t d = 0; d < a.size() && a.size() == b.size(); ++d) {
    const Linear x = m_program.loops.normal(a[d]), y = m_program.loops.normal(b[d]);
    const auto [leastX, greatestX] = m_program.loops.range(x);
    const auto [leastY, greatestY] = m_program.loops.range(y);
    if (greatestX < leastY || greatestY < leastX) return true;
    std::int64_t step = 0;
    for (const auto& [loop, coefficient] : x.terms) step = std::gcd(step, coefficient);
    for (const auto& [loop, coefficient] : y.terms) step = std::gcd(step, coefficient);
    if (step > 1 && (x.constant - y.constant) % step != 0) return true;
    if (areInOtherColumns(m_program.loops, x, y)) return true;
  }
  return false;
}

// Whether no statement that writes the memory writes such an element.
bool Reader::isApart(const Memory& memory, const std::vector<Linear>& index) const {
  if (!memory.statement || memory.base) return false;
  const auto isOther = [&](std::size_t statement) {
    return areApart(index, m_program.statements[statement].index);
  };
  return isOther(*memory.statement) && std::ranges::all_of(memory.parts, isOther);
}

// Inside of a branch that data decide on, elements keep their values where it is not taken.
ExprRef Reader::guarded(const View& view, const std::vector<Linear>& index, const ExprRef& value) {
  const MemoryRef& memory = view.memory;
  ExprRef result = value;
  for (std::size_t n = m_guards.size(); n-- > memory->guards;) {
    const bool isFilled =
        memory->isArgument || memory->content || memory->base || memory->after >= 0;
    // Elements to which nothing was written may hold anything.
    const ExprRef old = m_flow     ? notedAgain(memory, place(view, index), result)
                        : isFilled ? loaded(view, index)
                                   : number(0);
    const auto& [condition, holds] = m_guards[n];
    // What memory of the function holds may be computed in its place, and in that of each choice.
    const bool staysSum = m_flow || !memory->isArgument || old->kind == Expr::Kind::Call;
    result = staysSum ? keptUnless(condition, holds, result, old)
                      : chosen(condition, holds, result, old);
  }
  return result;
}

}  // namespace gridloom::importer
