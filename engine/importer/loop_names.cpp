// SPDX-License-Identifier: Apache-2.0
#include "importer/loop_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>

#include "importer/forms.h"

namespace gridloom::importer {

namespace {

// Names of loops, as textbooks choose them.
constexpr const char* kLoopNames[] = {"i", "j", "k", "l", "m", "n", "p", "q", "r",
                                      "s", "t", "u", "v", "w", "x", "y", "z"};

// A loop with or without an offset.
std::optional<Loop> shiftedLoop(const Linear& form) {
  return (form - Linear::of(form.constant)).asLoop();
}

// Dimensions that a loop alone indexes. On a diagonal, the last one counts.
void visitDims(const Statement& statement,
               const std::function<void(Loop, std::pair<int, std::size_t>)>& visit) {
  forAccesses(statement, [&](int b, const std::vector<Linear>& index) {
    for (std::size_t d = 0; d < index.size(); ++d) {
      const auto loop = index[d].asLoop();
      const auto rest = index.begin() + static_cast<std::ptrdiff_t>(d) + 1;
      if (loop && std::find(rest, index.end(), index[d]) == index.end()) visit(*loop, {b, d});
    }
  });
}

}  // namespace

LoopNames::LoopNames(const Program& program, const std::vector<std::size_t>& statements,
                     std::set<std::string> tensors)
    : m_program(program), m_statements(statements), m_tensors(std::move(tensors)) {
  noteCycles();
  nameAll();
  if (runApartInCycles()) {
    m_byPlace = true;
    nameAll();
  }
  for (std::size_t n = 0; n < m_all.size(); ++n) noteLongest(statement(n), m_all[n]);
}

const Statement& LoopNames::statement(std::size_t n) const {
  return m_program.statements[m_statements[n]];
}

std::int64_t LoopNames::sizeOf(const Dim& dim) const {
  return m_program.buffers[static_cast<std::size_t>(dim.first)].shape[dim.second];
}

std::vector<Loop> LoopNames::narrow(std::size_t n) const {
  std::vector<Loop> loops;
  for (const auto& [loop, name] : m_all[n]) {
    const auto at = m_longest.find(name);
    if (at != m_longest.end() && at->second > extent(loop)) loops.push_back(loop);
  }
  return loops;
}

std::vector<std::pair<std::string, std::int64_t>> LoopNames::withoutRange() const {
  std::vector<std::pair<std::string, std::int64_t>> loops;
  for (const auto& [name, extent] : m_extents)
    if (!m_ranged.contains(name)) loops.emplace_back(name, extent);
  return loops;
}

// Numbers the buffers that need each other alike (Tarjan's strongly connected components).
void LoopNames::noteCycles() {
  std::map<int, std::set<int>> needs;
  for (std::size_t n = 0; n < m_statements.size(); ++n) {
    std::set<int>& own = needs[statement(n).target];
    forLoads(*statement(n).value, [&](const Expr& load) { own.insert(load.buffer); });
  }
  std::map<int, int> order, lowest;
  std::vector<int> open;
  const std::function<void(int)> visit = [&](int b) {
    const int number = static_cast<int>(order.size());
    order[b] = lowest[b] = number;
    open.push_back(b);
    for (const int other : needs[b]) {
      if (!needs.contains(other) || m_cycles.contains(other)) continue;
      if (!order.contains(other)) visit(other);
      lowest[b] = std::min(lowest[b], lowest[other]);
    }
    if (lowest[b] != number) return;
    for (int last = -1; last != b; open.pop_back()) m_cycles[last = open.back()] = number;
  };
  for (std::size_t n = 0; n < m_statements.size(); ++n) {
    if (!order.contains(statement(n).target)) visit(statement(n).target);
  }
}

bool LoopNames::needEachOther(int a, int b) const {
  const auto x = m_cycles.find(a), y = m_cycles.find(b);
  return x != m_cycles.end() && y != m_cycles.end() && x->second == y->second;
}

void LoopNames::nameAll() {
  m_all.clear();
  m_dimNames.clear();
  m_sumNames.clear();
  m_cycleNames.clear();
  m_alike.clear();
  m_defined.clear();
  m_extents.clear();
  m_sums.clear();
  m_ranged.clear();
  m_used = 0;
  for (std::size_t n = 0; n < m_statements.size(); ++n) name(statement(n));
}

// Whether tensors that need each other are written at loops of different names, though as many.
bool LoopNames::runApartInCycles() const {
  std::map<int, std::set<std::string>> first;
  for (std::size_t n = 0; n < m_all.size(); ++n) {
    const Statement& of = statement(n);
    std::set<std::string> names;
    for (const Linear& form : of.index) {
      const auto loop = shiftedLoop(form);
      if (loop) names.insert(m_all[n].at(*loop));
    }
    if (names.size() != of.index.size()) continue;
    const auto [at, isFirst] = first.try_emplace(m_cycles.at(of.target), names);
    if (!isFirst && at->second.size() == names.size() && at->second != names) return true;
  }
  return false;
}

void LoopNames::name(const Statement& statement) {
  m_names.clear();
  m_taken.clear();
  m_reduced.clear();
  forReduced(*statement.value, [&](Loop loop) { m_reduced.insert(loop); });
  if (m_byPlace) nameByPlace(statement);
  nameByDims(statement);
  nameRest(statement);
  for (const auto& [loop, name] : m_names) {
    if (m_reduced.contains(loop)) m_sums.insert(name);
  }
  for (const auto& [loop, name] : m_names) {
    if (!m_reduced.contains(loop)) m_sums.erase(name);
  }
  m_defined.insert(statement.target);
  noteDims(statement);
  m_all.push_back(m_names);
}

void LoopNames::nameAs(Loop loop, const std::string& name) {
  const auto known = m_extents.find(name);
  if (m_names.contains(loop) || m_taken.contains(name) || known == m_extents.end() ||
      known->second != extent(loop))
    return;
  m_names[loop] = name;
  m_taken.insert(name);
}

// As the first tensor of its cycle, dimension by dimension.
void LoopNames::nameByPlace(const Statement& statement) {
  const std::vector<std::string>& names = m_cycleNames[m_cycles.at(statement.target)];
  if (names.size() != statement.index.size()) return;
  for (std::size_t d = 0; d < names.size(); ++d) {
    if (const auto loop = shiftedLoop(statement.index[d])) nameAs(*loop, names[d]);
  }
}

// A sum over a dimension of what needs the statement, too, has a loop of its own.
std::map<LoopNames::Dim, std::string>& LoopNames::namesFor(Loop loop, int b,
                                                           const Statement& statement) {
  return m_reduced.contains(loop) && needEachOther(b, statement.target) ? m_sumNames : m_dimNames;
}

void LoopNames::nameByDims(const Statement& statement) {
  const auto nameAsBefore = [&](Loop loop, const Dim& dim) {
    const auto& names = namesFor(loop, dim.first, statement);
    const auto known = names.find(dim);
    if (known != names.end()) nameAs(loop, known->second);
  };
  visitDims(statement, nameAsBefore);
  // What needs each other runs over the same loops, also where it reads the iteration before.
  forAccesses(statement, [&](int b, const std::vector<Linear>& index) {
    for (std::size_t d = 0; d < index.size() && needEachOther(b, statement.target); ++d) {
      if (const auto loop = shiftedLoop(index[d])) nameAsBefore(*loop, {b, d});
    }
  });
}

// Names the loops that dimensions give none.
void LoopNames::nameRest(const Statement& statement) {
  std::vector<Loop> order;
  const auto note = [&](Loop loop) {
    if (std::ranges::find(order, loop) == order.end()) order.push_back(loop);
  };
  forForms(statement, [&](const Linear& form) {
    for (const auto& [loop, coefficient] : form.terms) note(loop);
  });
  forReduced(*statement.value, note);
  Steps steps;
  for (const Loop loop : order) steps.emplace_back(extent(loop), m_reduced.contains(loop));
  std::vector<std::string>& alike = m_alike[steps];
  if (!alike.empty() && isApart(statement)) {
    for (std::size_t n = 0; n < order.size(); ++n) m_names[order[n]] = alike[n];
  }
  alike.clear();
  for (const Loop loop : order) {
    if (!m_names.contains(loop)) {
      const auto known = nameOfSum(statement, loop);
      const std::string name = m_names[loop] = known ? *known : nextName();
      m_taken.insert(name);
      m_extents[name] = extent(loop);
    }
    alike.push_back(m_names[loop]);
  }
}

// Sums over as many steps share their loops before the names of a kernel come to an end.
std::optional<std::string> LoopNames::nameOfSum(const Statement& statement, Loop loop) const {
  constexpr std::size_t many = 24;  // a kernel has at most 32
  if (m_used < many || !m_reduced.contains(loop)) return std::nullopt;
  bool isInCycle = false;
  forLoads(*statement.value, [&](const Expr& load) {
    isInCycle = isInCycle || needEachOther(load.buffer, statement.target);
  });
  const auto known = std::ranges::find_if(m_sums, [&](const std::string& name) {
    return m_extents.at(name) == extent(loop) && !m_taken.contains(name);
  });
  return isInCycle || known == m_sums.end() ? std::nullopt : std::optional(*known);
}

// Whether it reads nothing that the kernel writes, and shares no loop with the statements so far.
// Those that run over as many steps in the same order then run together.
bool LoopNames::isApart(const Statement& statement) const {
  bool apart = m_names.empty();
  forLoads(*statement.value,
           [&](const Expr& load) { apart = apart && !m_cycles.contains(load.buffer); });
  return apart;
}

void LoopNames::noteDims(const Statement& statement) {
  visitDims(statement, [&](Loop loop, const Dim& dim) {
    // A shorter dimension, which a condition guards, gives no range.
    if (sizeOf(dim) >= extent(loop)) m_ranged.insert(m_names[loop]);
    const bool isDefinedLater =
        needEachOther(dim.first, statement.target) && !m_defined.contains(dim.first);
    if (!isDefinedLater) namesFor(loop, dim.first, statement).try_emplace(dim, m_names[loop]);
  });
  std::vector<std::string>& inCycle = m_cycleNames[m_cycles.at(statement.target)];
  if (!inCycle.empty()) return;
  for (const Linear& form : statement.index) {
    const auto loop = shiftedLoop(form);
    inCycle.push_back(loop ? m_names[*loop] : std::string());
  }
}

// The longest dimension that loops of a name index alone gives them their range.
void LoopNames::noteLongest(const Statement& statement, const Names& names) {
  forAccesses(statement, [&](int b, const std::vector<Linear>& index) {
    for (std::size_t d = 0; d < index.size(); ++d) {
      const auto loop = index[d].asLoop();
      if (!loop) continue;
      std::int64_t& longest = m_longest[names.at(*loop)];
      longest = std::max(longest, sizeOf({b, d}));
    }
  });
}

// Tensors keep their names.
std::string LoopNames::nextName() {
  for (;;) {
    const std::size_t n = m_used++, names = std::size(kLoopNames);
    std::string name =
        n < names ? kLoopNames[n] : fmt::format("{}{}", kLoopNames[n % names], n / names);
    if (!m_tensors.contains(name)) return name;
  }
}

}  // namespace gridloom::importer
