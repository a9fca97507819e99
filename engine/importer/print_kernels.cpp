// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "importer/expr_text.h"
#include "importer/forms.h"
#include "importer/kernel_groups.h"
#include "importer/program.h"

namespace gridloom::importer {

namespace {

// Names of loops, as textbooks choose them.
constexpr const char* kLoopNames[] = {"i", "j", "k", "l", "m", "n", "p", "q", "r",
                                      "s", "t", "u", "v", "w", "x", "y", "z"};

/// The number of steps of a statement's loops, and which are reduced.
using Steps = std::vector<std::pair<std::int64_t, bool>>;

class Printer {
 public:
  explicit Printer(const Program& program) : m_program(program) {}

  PrintedKernels print() {
    const std::vector<KernelGroup> groups = groupedInKernels(m_program);
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const std::string name =
          groups.size() == 1 ? m_program.name : fmt::format("{}_{}", m_program.name, g + 1);
      if (g > 0) add("", m_program.place);
      kernel(name, groups, g);
    }
    return std::move(m_printed);
  }

 private:
  void add(const std::string& line, Place place) {
    m_printed.text += line + "\n";
    m_printed.places.push_back(place);
  }

  const Buffer& buffer(int number) const {
    return m_program.buffers[static_cast<std::size_t>(number)];
  }

  void kernel(const std::string& name, const std::vector<KernelGroup>& groups, std::size_t group) {
    const std::vector<std::size_t>& statements = groups[group].statements;
    // What stands in front of the statements of a part comes from its first one.
    const Place head =
        groups.size() == 1 ? m_program.place : m_program.statements[statements.front()].place;
    std::vector<int> named;
    std::set<int> written;
    std::map<int, Place> filled;  // by the first statement of each tensor
    for (const std::size_t s : statements) {
      const Statement& statement = m_program.statements[s];
      forLoads(*statement.value, [&](const Expr& load) { note(named, load.buffer); });
      note(named, statement.target);
      written.insert(statement.target);
      filled.try_emplace(statement.target, statement.place);
    }
    std::ranges::stable_sort(named, {}, [&](int b) { return !buffer(b).isArgument; });
    add(fmt::format("kernel {}() {{", name), head);
    for (const int b : named) {
      const bool local =
          !buffer(b).isArgument && written.contains(b) && !isReadLater(m_program, b, groups, group);
      if (!local && buffer(b).initial)
        throw Refusal{"a value that a loop carries is used by another product behind the loop",
                      "store it to memory, or split the function there"};
      std::string text = fmt::format("  {} {}[{}]: {}", local ? "local" : "tensor", buffer(b).name,
                                     fmt::join(buffer(b).shape, ", "), buffer(b).dtype);
      if (buffer(b).initial) text += " = " + ExprText::numberText(*buffer(b).initial);
      const bool isFilled = buffer(b).place.line == 0 && filled.contains(b);
      const Place place = isFilled ? filled.at(b) : buffer(b).place;
      add(text, place.line == 0 ? head : place);
    }
    m_tensors.clear();
    for (const int b : named) m_tensors.insert(buffer(b).name);
    m_longest.clear();
    noteCycles(statements);
    restart();
    for (const std::size_t s : statements) noteLongest(m_program.statements[s]);
    restart();
    std::vector<std::string> lines;
    for (const std::size_t s : statements) lines.push_back(line(m_program.statements[s]));
    // Loops that index no dimension alone.
    for (const auto& [loop, extent] : m_extents) {
      if (!m_ranged.contains(loop)) add(fmt::format("  for {} in 0..{}", loop, extent), head);
    }
    add("", head);
    for (std::size_t n = 0; n < lines.size(); ++n) {
      const Place& place = m_program.statements[statements[n]].place;
      add(lines[n], place.line == 0 ? head : place);
    }
    add("}", head);
  }

  // Numbers the buffers that need each other alike (Tarjan's strongly connected components).
  void noteCycles(const std::vector<std::size_t>& statements) {
    m_cycles.clear();
    std::map<int, std::set<int>> needs;
    for (const std::size_t s : statements) {
      std::set<int>& own = needs[m_program.statements[s].target];
      forLoads(*m_program.statements[s].value, [&](const Expr& load) { own.insert(load.buffer); });
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
    for (const std::size_t s : statements) {
      const int target = m_program.statements[s].target;
      if (!order.contains(target)) visit(target);
    }
  }

  bool needEachOther(int a, int b) const {
    const auto x = m_cycles.find(a), y = m_cycles.find(b);
    return x != m_cycles.end() && y != m_cycles.end() && x->second == y->second;
  }

  static void note(std::vector<int>& to, int number) {
    if (std::ranges::find(to, number) == to.end()) to.push_back(number);
  }

  std::string line(const Statement& statement) {
    nameLoops(statement);
    const ExprText texts(m_program, m_names);
    std::vector<std::string> where;
    for (const Linear& form : statement.where) where.push_back(texts.condition(form));
    for (const auto& [loop, name] : m_names) {
      if (isNarrow(name, loop))
        where.push_back(fmt::format("{} <= {}", name, m_program.loops.extent(loop) - 1));
    }
    return fmt::format("  {}[{}] = {}{}", buffer(statement.target).name,
                       texts.indices(statement.index), texts.text(*statement.value),
                       where.empty() ? "" : fmt::format(" where {}", fmt::join(where, ", ")));
  }

  void restart() {
    m_dimNames.clear();
    m_sumNames.clear();
    m_alike.clear();
    m_defined.clear();
    m_extents.clear();
    m_ranged.clear();
    m_used = 0;
  }

  // The longest dimension that loops of a name index alone gives them their range.
  void noteLongest(const Statement& statement) {
    nameLoops(statement);
    forAccesses(statement, [&](int b, const std::vector<Linear>& index) {
      for (std::size_t d = 0; d < index.size(); ++d) {
        const auto loop = index[d].asLoop();
        if (!loop) continue;
        std::int64_t& longest = m_longest[m_names[*loop]];
        longest = std::max(longest, buffer(b).shape[d]);
      }
    });
  }
  bool isNarrow(const std::string& name, Loop loop) const {
    const auto at = m_longest.find(name);
    return at != m_longest.end() && at->second > m_program.loops.extent(loop);
  }

  // Loops over the same dimension of a tensor have one name in all statements of a kernel.
  void nameLoops(const Statement& statement) {
    m_names.clear();
    std::set<std::string> taken;
    std::set<Loop> reduced;
    forReduced(*statement.value, [&](Loop loop) { reduced.insert(loop); });
    // A sum over a dimension of what needs the statement, too, has a loop of its own.
    const auto namesFor = [&](Loop loop, int b) -> auto& {
      const bool isOfCycle = needEachOther(b, statement.target);
      return reduced.contains(loop) && isOfCycle ? m_sumNames : m_dimNames;
    };
    const auto visitDims = [&](const auto& visit) {
      forAccesses(statement, [&](int b, const std::vector<Linear>& index) {
        for (std::size_t d = 0; d < index.size(); ++d) {
          const auto loop = index[d].asLoop();
          const bool isAgain =
              loop && std::find(index.begin() + static_cast<std::ptrdiff_t>(d) + 1, index.end(),
                                index[d]) != index.end();  // a diagonal has the last one's name
          if (loop && !isAgain) visit(*loop, std::pair{b, d});
        }
      });
    };
    const auto nameAsBefore = [&](Loop loop, std::pair<int, std::size_t> dim) {
      const auto& names = namesFor(loop, dim.first);
      const auto known = names.find(dim);
      if (m_names.contains(loop) || known == names.end() || taken.contains(known->second) ||
          m_extents[known->second] != m_program.loops.extent(loop))
        return;
      m_names[loop] = known->second;
      taken.insert(known->second);
    };
    visitDims(nameAsBefore);
    // What needs each other runs over the same loops, also where it reads the iteration before.
    forAccesses(statement, [&](int b, const std::vector<Linear>& index) {
      for (std::size_t d = 0; d < index.size() && needEachOther(b, statement.target); ++d) {
        const Linear shifted = index[d] - Linear::of(index[d].constant);
        if (const auto loop = shifted.asLoop()) nameAsBefore(*loop, {b, d});
      }
    });
    nameRest(statement, reduced);
    m_defined.insert(statement.target);
    visitDims([&](Loop loop, std::pair<int, std::size_t> dim) {
      // A shorter dimension, which a condition guards, gives no range.
      if (buffer(dim.first).shape[dim.second] >= m_program.loops.extent(loop))
        m_ranged.insert(m_names[loop]);
      const bool isDefinedLater =
          needEachOther(dim.first, statement.target) && !m_defined.contains(dim.first);
      if (isDefinedLater) return;
      namesFor(loop, dim.first).try_emplace(dim, m_names[loop]);
    });
  }

  // Names the loops that dimensions give none.
  void nameRest(const Statement& statement, const std::set<Loop>& reduced) {
    std::vector<Loop> order;
    forForms(statement, [&](const Linear& form) {
      for (const auto& [loop, coefficient] : form.terms) note(order, loop);
    });
    forReduced(*statement.value, [&](Loop loop) { note(order, loop); });
    Steps steps;
    for (const Loop loop : order)
      steps.emplace_back(m_program.loops.extent(loop), reduced.contains(loop));
    std::vector<std::string>& alike = m_alike[steps];
    if (!alike.empty() && isApart(statement)) {
      for (std::size_t n = 0; n < order.size(); ++n) m_names[order[n]] = alike[n];
    }
    alike.clear();
    for (const Loop loop : order) {
      if (!m_names.contains(loop)) {
        const std::string name = m_names[loop] = nextName();
        m_extents[name] = m_program.loops.extent(loop);
      }
      alike.push_back(m_names[loop]);
    }
  }

  // Whether it shares no loop with the statements so far. Those that run over as many steps in the
  // same order then run together.
  bool isApart(const Statement& statement) const {
    bool apart = m_names.empty();
    forLoads(*statement.value, [&](const Expr& load) {
      apart = apart && !needEachOther(load.buffer, statement.target);
    });
    return apart;
  }

  // Tensors keep their names.
  std::string nextName() {
    for (;;) {
      const std::size_t n = m_used++, names = std::size(kLoopNames);
      std::string name =
          n < names ? kLoopNames[n] : fmt::format("{}{}", kLoopNames[n % names], n / names);
      if (!m_tensors.contains(name)) return name;
    }
  }

  const Program& m_program;
  PrintedKernels m_printed;
  std::map<std::pair<int, std::size_t>, std::string> m_dimNames, m_sumNames;
  std::map<Steps, std::vector<std::string>> m_alike;  ///< the names of the last such statement
  std::map<int, int> m_cycles;  ///< of buffers that the kernel writes: equal where in one cycle
  std::set<int> m_defined;      ///< by the statements so far
  std::map<std::string, std::int64_t> m_extents;
  std::map<std::string, std::int64_t> m_longest;  ///< by name of a loop
  std::set<std::string> m_tensors;
  std::set<std::string> m_ranged;  ///< loops whose extent a dimension gives
  std::map<Loop, std::string> m_names;
  std::size_t m_used = 0;
};

}  // namespace

PrintedKernels printKernels(const Program& program) { return Printer(program).print(); }

}  // namespace gridloom::importer
