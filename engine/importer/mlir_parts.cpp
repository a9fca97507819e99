// SPDX-License-Identifier: Apache-2.0
//
// Tensors of which several statements write parts, and stores that data decide on.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "importer/mlir_reader.h"

namespace gridloom::importer {

namespace {

constexpr std::size_t kMostPieces = 256;  // of a tensor that stores leave

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
    const ExprRef old = m_flow     ? notedLoad(memory, place(view, index), true)
                        : isFilled ? loaded(view, index)
                                   : number(0);
    const auto& [condition, holds] = m_guards[n];
    result =
        holds ? call("select", {condition, result, old}) : call("select", {condition, old, result});
  }
  return result;
}

// Elements of arguments that no statement writes keep what was there.
void Reader::keepTheRest() {
  for (const MemoryRef& memory : m_arguments) {
    std::vector<const Statement*> writing;
    std::size_t behind = 0;
    for (std::size_t s = 0; s < m_program.statements.size(); ++s) {
      if (memory->after < 0 || m_program.statements[s].target != memory->after) continue;
      writing.push_back(&m_program.statements[s]);
      behind = s + 1;
    }
    if (writing.empty() || m_program.buffers[static_cast<std::size_t>(memory->after)].flat)
      continue;
    std::vector<Statement> rest;
    keepTheRestOf(memory, writing, rest);
    m_program.statements.insert(m_program.statements.begin() + static_cast<std::ptrdiff_t>(behind),
                                std::make_move_iterator(rest.begin()),
                                std::make_move_iterator(rest.end()));
  }
}

void Reader::keepTheRestOf(const MemoryRef& memory, const std::vector<const Statement*>& writing,
                           std::vector<Statement>& rest) {
  const std::vector<std::int64_t>& shape =
      m_program.buffers[static_cast<std::size_t>(memory->after)].shape;
  const std::vector<Linear> at = formsOf(newVars(shape));
  std::vector<std::vector<Linear>> pieces{{}};
  std::int64_t left = 1;
  for (const std::int64_t size : shape) left *= size;
  for (const Statement* statement : writing) {
    const auto bounds = boundsOf(*statement, at, shape);
    if (!bounds) {
      // Every n-th element: only statements that write all of them leave nothing out.
      std::int64_t count = statement->where.empty() ? 1 : 0;
      std::set<Loop> loops;
      for (const Linear& form : statement->index)
        for (const auto& [loop, coefficient] : form.terms) loops.insert(loop);
      for (const Loop loop : loops) count *= m_program.loops.extent(loop);
      left -= count;
      continue;
    }
    std::vector<std::vector<Linear>> smaller;
    for (auto& piece : pieces) addOutside(std::move(piece), *bounds, smaller);
    pieces = std::move(smaller);
    if (pieces.size() > kMostPieces)
      refuse(memory->stored,
             fmt::format("what stores leave of a tensor has more than {} parts", kMostPieces),
             "write all elements, or write to a tensor of its own");
  }
  const bool anyStrided =
      std::ranges::any_of(writing, [&](const Statement* s) { return !boundsOf(*s, at, shape); });
  if (anyStrided) {
    if (left < 0)
      refuse(memory->stored, "stores to one tensor overlap, at a stride",
             "write each element once, or write to a tensor of its own");
    if (left > 0)
      refuse(m_function, "some elements of an argument are written, at a stride, and others stay",
             "write all elements, or write to a tensor of its own");
    return;
  }
  for (auto& piece : pieces) {
    std::erase_if(piece, [&](const Linear& f) { return m_program.loops.range(f).first >= 0; });
    rest.push_back({memory->after, at, load(memory->before, at), std::move(piece)});
    rest.back().place = writing.back()->place;
  }
}

// Adds the parts of a piece outside of some bounds, without empty ones and without conditions that
// hold anyway: their number would double with every store.
void Reader::addOutside(std::vector<Linear> piece, const std::vector<Linear>& bounds,
                        std::vector<std::vector<Linear>>& parts) const {
  const auto with = [&](const Linear& form) {
    std::vector<Linear> both = piece;
    const auto same = std::ranges::find(both, form.terms, &Linear::terms);
    if (same == both.end()) {
      both.push_back(form);
    } else if (form.constant < same->constant) {
      *same = form;
    }
    return both;
  };
  for (const Linear& form : bounds) {
    std::vector<Linear> outside = with(form * -1 - Linear::of(1));
    if (isEmpty(outside)) continue;  // the bound holds in all of the piece
    std::vector<Linear> inside = with(form);
    if (isEmpty(inside)) {  // and here nowhere
      parts.push_back(std::move(piece));
      return;
    }
    parts.push_back(std::move(outside));
    piece = std::move(inside);
  }
}

// Where a statement writes, over loops that run over the whole tensor; nothing where it writes at a
// stride.
std::optional<std::vector<Linear>> Reader::boundsOf(const Statement& statement,
                                                    const std::vector<Linear>& at,
                                                    const std::vector<std::int64_t>& shape) const {
  std::map<Loop, Linear> by;
  std::vector<Linear> bounds;
  for (std::size_t d = 0; d < statement.index.size(); ++d) {
    const Linear& form = statement.index[d];
    if (form.isConstant()) {
      if (shape[d] == 1) continue;
      bounds.push_back(at[d] - form);
      bounds.push_back(form - at[d]);
      continue;
    }
    const auto loop = form.asLoop();
    if (!loop || m_program.loops.extent(*loop) != shape[d] || by.contains(*loop))
      return std::nullopt;
    by[*loop] = at[d];
  }
  for (const Linear& form : statement.where) {
    // A bound of a sum leaves no element out.
    if (!std::ranges::all_of(form.terms, [&](const auto& t) { return by.contains(t.first); }))
      continue;
    const ExprRef over = substitute(indexValue(form), by);
    bounds.push_back(over->kind == Expr::Kind::Index
                         ? over->index[0]
                         : Linear::of(static_cast<std::int64_t>(over->number)));
  }
  return bounds;
}

}  // namespace gridloom::importer
