// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "importer/forms.h"
#include "importer/program.h"

namespace gridloom::importer {

namespace {

// Names of loops, as textbooks choose them.
constexpr const char* kLoopNames[] = {"i", "j", "k", "l", "m", "n", "p", "q", "r",
                                      "s", "t", "u", "v", "w", "x", "y", "z"};

bool multiplies(const Expr& expr) {
  const bool product = expr.kind == Expr::Kind::Call && expr.name == "*" &&
                       !isNumber(expr.args[0]) && !isNumber(expr.args[1]);
  return product || std::ranges::any_of(expr.args, [](const ExprRef& a) { return multiplies(*a); });
}

// A sum of products, as of a matrix product or a convolution.
bool contracts(const Expr& expr) {
  if (expr.kind == Expr::Kind::Reduce && expr.name == "sum" && multiplies(*expr.args[0])) {
    int loads = 0;
    forLoads(*expr.args[0], [&](const Expr&) { ++loads; });
    if (loads > 1) return true;
  }
  return std::ranges::any_of(expr.args, [](const ExprRef& arg) { return contracts(*arg); });
}

/// Statements that make one kernel.
struct Group {
  std::vector<std::size_t> statements;
  bool contracts = false;
};

class Printer {
 public:
  explicit Printer(const Program& program) : m_program(program) {}

  std::string print() {
    const std::vector<Group> groups = grouped();
    std::string text;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const std::string name =
          groups.size() == 1 ? m_program.name : fmt::format("{}_{}", m_program.name, g + 1);
      text += (text.empty() ? "" : "\n") + kernel(name, groups, g);
    }
    return text;
  }

 private:
  const Buffer& buffer(int number) const {
    return m_program.buffers[static_cast<std::size_t>(number)];
  }

  // A product begins a kernel of its own where the kernel has one already, and so does what reads
  // an output of the kernel.
  std::vector<Group> grouped() const {
    std::vector<Group> groups(1);
    std::set<int> outputs;
    for (std::size_t s = 0; s < m_program.statements.size(); ++s) {
      const Statement& statement = m_program.statements[s];
      const bool product = contracts(*statement.value);
      bool readsOutput = false;
      forLoads(*statement.value, [&](const Expr& load) {
        readsOutput = readsOutput || outputs.contains(load.buffer);
      });
      if ((product && groups.back().contracts) || readsOutput) {
        groups.emplace_back();
        outputs.clear();
      }
      groups.back().statements.push_back(s);
      groups.back().contracts = groups.back().contracts || product;
      if (buffer(statement.target).isArgument) outputs.insert(statement.target);
    }
    return groups;
  }

  bool isReadLater(int number, const std::vector<Group>& groups, std::size_t group) const {
    for (std::size_t g = group + 1; g < groups.size(); ++g) {
      for (const std::size_t s : groups[g].statements) {
        bool reads = false;
        forLoads(*m_program.statements[s].value,
                 [&](const Expr& load) { reads = reads || load.buffer == number; });
        if (reads) return true;
      }
    }
    return false;
  }

  std::string kernel(const std::string& name, const std::vector<Group>& groups, std::size_t group) {
    std::vector<int> named;
    std::set<int> written;
    for (const std::size_t s : groups[group].statements) {
      const Statement& statement = m_program.statements[s];
      forLoads(*statement.value, [&](const Expr& load) { add(named, load.buffer); });
      add(named, statement.target);
      written.insert(statement.target);
    }
    std::ranges::stable_sort(named, {}, [&](int b) { return !buffer(b).isArgument; });
    std::string text = fmt::format("kernel {}() {{\n", name);
    for (const int b : named) {
      const bool local =
          !buffer(b).isArgument && written.contains(b) && !isReadLater(b, groups, group);
      text += fmt::format("  {} {}[{}]: {}\n", local ? "local" : "tensor", buffer(b).name,
                          fmt::join(buffer(b).shape, ", "), buffer(b).dtype);
    }
    m_dimNames.clear();
    m_extents.clear();
    m_ranged.clear();
    m_used = 0;
    std::string lines;
    for (const std::size_t s : groups[group].statements) lines += line(m_program.statements[s]);
    // Loops that index no dimension alone.
    for (const auto& [loop, extent] : m_extents) {
      if (!m_ranged.contains(loop)) text += fmt::format("  for {} in 0..{}\n", loop, extent);
    }
    return text + "\n" + lines + "}\n";
  }

  static void add(std::vector<int>& to, int number) {
    if (std::ranges::find(to, number) == to.end()) to.push_back(number);
  }

  std::string line(const Statement& statement) {
    nameLoops(statement);
    std::vector<std::string> where;
    for (const Linear& form : statement.where) where.push_back(condition(form));
    for (const auto& [loop, name] : m_names) {
      if (isNarrow(statement, loop))
        where.push_back(fmt::format("{} <= {}", name, m_program.loops.extent(loop) - 1));
    }
    return fmt::format("  {}[{}] = {}{}\n", buffer(statement.target).name,
                       indexText(statement.index), text(*statement.value, 0),
                       where.empty() ? "" : fmt::format(" where {}", fmt::join(where, ", ")));
  }

  // A dimension that it indexes alone is longer than the loop.
  bool isNarrow(const Statement& statement, Loop loop) const {
    bool narrow = false;
    forAccesses(statement, [&](int b, const std::vector<Linear>& index) {
      for (std::size_t d = 0; d < index.size(); ++d) {
        if (index[d].asLoop() == loop)
          narrow = narrow || buffer(b).shape[d] > m_program.loops.extent(loop);
      }
    });
    return narrow;
  }

  // Loops over the same dimension of a tensor have one name in all statements of a kernel.
  void nameLoops(const Statement& statement) {
    m_names.clear();
    std::set<std::string> taken;
    const auto visitDims = [&](const auto& visit) {
      forAccesses(statement, [&](int b, const std::vector<Linear>& index) {
        for (std::size_t d = 0; d < index.size(); ++d) {
          if (const auto loop = index[d].asLoop()) visit(*loop, std::pair{b, d});
        }
      });
    };
    visitDims([&](Loop loop, std::pair<int, std::size_t> dim) {
      const auto known = m_dimNames.find(dim);
      if (m_names.contains(loop) || known == m_dimNames.end() || taken.contains(known->second) ||
          m_extents[known->second] != m_program.loops.extent(loop))
        return;
      m_names[loop] = known->second;
      taken.insert(known->second);
    });
    std::vector<Loop> order;
    forForms(statement, [&](const Linear& form) {
      for (const auto& [loop, coefficient] : form.terms) add(order, loop);
    });
    for (const Loop loop : order) {
      if (m_names.contains(loop)) continue;
      const std::size_t n = m_used++, names = std::size(kLoopNames);
      const std::string name =
          n < names ? kLoopNames[n] : fmt::format("{}{}", kLoopNames[n % names], n / names);
      m_names[loop] = name;
      m_extents[name] = m_program.loops.extent(loop);
    }
    visitDims([&](Loop loop, std::pair<int, std::size_t> dim) {
      m_dimNames.try_emplace(dim, m_names[loop]);
      m_ranged.insert(m_names[loop]);
    });
  }

  // A form that is at least 0; of one loop, as a bound of it.
  std::string condition(const Linear& form) const {
    const bool single = form.terms.size() == 1 && std::abs(form.terms.begin()->second) == 1;
    if (!single) return text(form) + " >= 0";
    const auto& [loop, sign] = *form.terms.begin();
    return fmt::format("{} {} {}", m_names.at(loop), sign > 0 ? ">=" : "<=", -sign * form.constant);
  }

  std::string indexText(const std::vector<Linear>& index) const {
    std::vector<std::string> forms;
    for (const Linear& form : index) forms.push_back(text(form));
    return fmt::format("{}", fmt::join(forms, ", "));
  }

  std::string text(const Linear& form) const {
    std::string out;
    for (const auto& [loop, coefficient] : form.terms) {
      const std::int64_t size = std::abs(coefficient);
      out += out.empty() ? (coefficient < 0 ? "-" : "") : (coefficient < 0 ? " - " : " + ");
      if (size != 1) out += fmt::format("{} * ", size);
      out += m_names.at(loop);
    }
    if (out.empty()) return std::to_string(form.constant);
    if (form.constant != 0)
      out += fmt::format(" {} {}", form.constant < 0 ? '-' : '+', std::abs(form.constant));
    return out;
  }

  static std::string numberText(double value) {
    if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
    return fmt::format("{}", value);
  }

  // `level`: how strongly what stands around binds: 0 nothing, 1 sums, 2 products, 3 their right
  // sides.
  std::string text(const Expr& expr, int level) const {
    const auto inBrackets = [&](std::string inner, int own) {
      return level > own ? "(" + inner + ")" : inner;
    };
    switch (expr.kind) {
    case Expr::Kind::Number:
      return inBrackets(numberText(expr.number), expr.number < 0 ? 0 : 3);
    case Expr::Kind::Load:
      return fmt::format("{}[{}]", buffer(expr.buffer).name, indexText(expr.index));
    case Expr::Kind::Index:
      return inBrackets(text(expr.index.front()), 0);
    case Expr::Kind::Reduce: {
      std::vector<std::string> names;
      for (const Loop loop : expr.loops) names.push_back(m_names.at(loop));
      return inBrackets(
          fmt::format("{}({}) {}", expr.name, fmt::join(names, ", "), text(*expr.args[0], 2)), 0);
    }
    case Expr::Kind::Call:
      break;
    }
    return callText(expr, level);
  }

  std::string callText(const Expr& expr, int level) const {
    const auto both = [&](int own, int right) {
      const std::string inner =
          fmt::format("{} {} {}", text(*expr.args[0], own), expr.name, text(*expr.args[1], right));
      return level > own ? "(" + inner + ")" : inner;
    };
    if (expr.name == "+") return both(1, 1);
    if (expr.name == "-") return both(1, 2);
    if (expr.name == "*") return both(2, 2);
    if (expr.name == "/") return both(2, 3);
    if (expr.name == "neg") {
      const std::string inner = "-" + text(*expr.args[0], 3);
      return level > 0 ? "(" + inner + ")" : inner;
    }
    static const std::set<std::string> comparisons{"<", "<=", ">", ">=", "==", "!="};
    if (comparisons.contains(expr.name))
      return fmt::format("{} {} {}", text(*expr.args[0], 1), expr.name, text(*expr.args[1], 1));
    std::vector<std::string> args;
    for (const ExprRef& arg : expr.args) args.push_back(text(*arg, 0));
    return fmt::format("{}({})", expr.name, fmt::join(args, ", "));
  }

  const Program& m_program;
  std::map<std::pair<int, std::size_t>, std::string> m_dimNames;
  std::map<std::string, std::int64_t> m_extents;
  std::set<std::string> m_ranged;  ///< loops whose extent a dimension gives
  std::map<Loop, std::string> m_names;
  std::size_t m_used = 0;
};

}  // namespace

std::string printKernels(const Program& program) { return Printer(program).print(); }

}  // namespace gridloom::importer
