// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "importer/expr_text.h"
#include "importer/forms.h"
#include "importer/kernel_groups.h"
#include "importer/loop_names.h"
#include "importer/program.h"

namespace gridloom::importer {

namespace {

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
    std::set<std::string> tensors;
    for (const int b : named) tensors.insert(buffer(b).name);
    const LoopNames names(m_program, statements, std::move(tensors));
    for (const auto& [loop, extent] : names.withoutRange())
      add(fmt::format("  for {} in 0..{}", loop, extent), head);
    add("", head);
    for (std::size_t n = 0; n < statements.size(); ++n) {
      const Place& place = m_program.statements[statements[n]].place;
      add(line(names, n, m_program.statements[statements[n]]), place.line == 0 ? head : place);
    }
    add("}", head);
  }

  static void note(std::vector<int>& to, int number) {
    if (std::ranges::find(to, number) == to.end()) to.push_back(number);
  }

  std::string line(const LoopNames& loops, std::size_t number, const Statement& statement) const {
    const std::map<Loop, std::string>& names = loops.of(number);
    const ExprText texts(m_program, names);
    std::vector<std::string> where;
    for (const Linear& form : statement.where) where.push_back(texts.condition(form));
    for (const Loop loop : loops.narrow(number))
      where.push_back(fmt::format("{} <= {}", names.at(loop), m_program.loops.extent(loop) - 1));
    return fmt::format("  {}[{}] = {}{}", buffer(statement.target).name,
                       texts.indices(statement.index), texts.text(*statement.value),
                       where.empty() ? "" : fmt::format(" where {}", fmt::join(where, ", ")));
  }

  const Program& m_program;
  PrintedKernels m_printed;
};

}  // namespace

PrintedKernels printKernels(const Program& program) { return Printer(program).print(); }

}  // namespace gridloom::importer
