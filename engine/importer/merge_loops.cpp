// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "importer/forms.h"
#include "importer/program.h"

namespace gridloom::importer {

namespace {

/// Loops that stand side by side: those of a statement, or of one reduction in it.
using Scope = std::vector<Loop>;

void reductionsOf(const Expr& expr, std::vector<Scope>& scopes) {
  if (!expr.loops.empty()) scopes.push_back(expr.loops);
  for (const ExprRef& arg : expr.args) reductionsOf(*arg, scopes);
}

std::vector<Scope> scopesOf(const Statement& statement) {
  std::set<Loop> free = freeLoops(*statement.value);
  for (const Linear& form : statement.index) {
    for (const auto& [loop, coefficient] : form.terms) free.insert(loop);
  }
  std::vector<Scope> scopes{Scope(free.begin(), free.end())};
  reductionsOf(*statement.value, scopes);
  return scopes;
}

struct Pair {
  Loop outer, inner;
  friend bool operator==(const Pair&, const Pair&) = default;
};

class Merger {
 public:
  explicit Merger(Program& program) : m_program(program), m_naming(program.buffers.size()) {
    for (std::size_t s = 0; s < program.statements.size(); ++s) {
      forAccesses(program.statements[s], [&](int buffer, const std::vector<Linear>&) {
        std::vector<std::size_t>& naming = m_naming[static_cast<std::size_t>(buffer)];
        if (naming.empty() || naming.back() != s) naming.push_back(s);
      });
    }
  }

  void run() {
    for (bool changed = true; changed;) {
      changed = false;
      while (mergeDims()) changed = true;
      for (Statement& statement : m_program.statements) {
        while (mergeOne(statement)) changed = true;
      }
    }
    while (splitDims()) normalise(m_program);
  }

 private:
  std::int64_t extent(Loop loop) const { return m_program.loops.extent(loop); }

  static bool standSideBySide(const Statement& statement, Pair pair) {
    return std::ranges::any_of(scopesOf(statement), [&](const Scope& scope) {
      return std::ranges::find(scope, pair.outer) != scope.end() &&
             std::ranges::find(scope, pair.inner) != scope.end();
    });
  }

  // Whether both loops count blocks and elements of a block in every form; with `apart`, a buffer
  // of the program's own may name them in two dimensions.
  bool belongTogether(const Statement& statement, Pair pair, bool apart) const {
    bool together = false, ok = true;
    if (!standSideBySide(statement, pair)) return false;
    const auto look = [&](const Linear& form) {
      const auto p = form.coefficient(pair.outer), a = form.coefficient(pair.inner);
      ok = ok && p == a * extent(pair.inner);
      together = together || (a != 0 && p == a * extent(pair.inner));
    };
    forAccesses(statement, [&](int buffer, const std::vector<Linear>& index) {
      const bool own = !m_program.buffers[static_cast<std::size_t>(buffer)].isArgument;
      const auto names = [&](Loop loop) {
        return std::ranges::any_of(index, [&](const Linear& f) { return f.asLoop() == loop; });
      };
      const bool both = apart && own && names(pair.outer) && names(pair.inner);
      for (const Linear& form : index) {
        const auto loop = form.asLoop();
        if (both && (loop == pair.outer || loop == pair.inner)) continue;
        look(form);
      }
    });
    for (const Linear& form : statement.where) look(form);
    forIndices(*statement.value, look);
    return ok && (together || apart);
  }

  // Forms that are used as numbers.
  static void forIndices(const Expr& expr, const std::function<void(const Linear&)>& visit) {
    if (expr.kind == Expr::Kind::Index) visit(expr.index.front());
    for (const ExprRef& arg : expr.args) forIndices(*arg, visit);
  }

  bool mergeOne(Statement& statement) {
    for (const Scope& scope : scopesOf(statement)) {
      for (const Loop outer : scope) {
        for (const Loop inner : scope) {
          if (outer == inner || !belongTogether(statement, {outer, inner}, false)) continue;
          merge(statement, {outer, inner});
          return true;
        }
      }
    }
    return false;
  }

  void merge(Statement& statement, Pair pair) {
    const Loop whole = m_program.loops.add(extent(pair.outer) * extent(pair.inner));
    changeForms(statement, [&](const Linear& form) {
      Linear changed = form;
      changed.terms.erase(pair.outer);
      changed.terms.erase(pair.inner);
      return changed + Linear::loop(whole) * form.coefficient(pair.inner);
    });
    statement.value = reducedOver(statement.value, pair, whole);
  }

  static ExprRef reducedOver(const ExprRef& expr, Pair pair, Loop whole) {
    Expr copy = *expr;
    if (const auto inner = std::ranges::find(copy.loops, pair.inner); inner != copy.loops.end()) {
      *inner = whole;
      std::erase(copy.loops, pair.outer);
    }
    for (ExprRef& arg : copy.args) arg = reducedOver(arg, pair, whole);
    return made(std::move(copy));
  }

  bool mergeDims() {
    for (std::size_t b = 0; b < m_program.buffers.size(); ++b) {
      const Buffer& buffer = m_program.buffers[b];
      if (buffer.isArgument || buffer.flat) continue;
      for (std::size_t x = 0; x < buffer.shape.size(); ++x) {
        for (std::size_t y = 0; y < buffer.shape.size(); ++y) {
          if (x == y || !dimsBelongTogether(static_cast<int>(b), x, y)) continue;
          mergeDims(static_cast<int>(b), x, y);
          return true;
        }
      }
    }
    return false;
  }

  // Elements of the program's own buffers are written at loops: a dimension that was merged where
  // its loops were not becomes two again.
  bool splitDims() {
    for (const Statement& statement : m_program.statements) {
      if (m_program.buffers[static_cast<std::size_t>(statement.target)].isArgument) continue;
      for (std::size_t d = 0; d < statement.index.size(); ++d) {
        const Linear& form = statement.index[d];
        if (form.terms.size() != 2) continue;
        const std::int64_t size = std::max(form.terms.begin()->second, form.terms.rbegin()->second);
        if (size > 1 && split(statement.target, d, size)) return true;
      }
    }
    return false;
  }

  bool split(int buffer, std::size_t dim, std::int64_t size) {
    const std::int64_t whole = m_program.buffers[static_cast<std::size_t>(buffer)].shape[dim];
    bool ok = whole % size == 0;
    for (const std::size_t s : m_naming[static_cast<std::size_t>(buffer)]) {
      forAccesses(m_program.statements[s], [&](int named, const std::vector<Linear>& index) {
        ok = ok && (named != buffer || m_program.loops.divide(index[dim], size).has_value());
      });
    }
    if (!ok) return false;
    changeAccesses(m_program, buffer, [&](std::vector<Linear> index) {
      const auto parts = m_program.loops.divide(index[dim], size);
      index[dim] = parts->second;
      index.insert(index.begin() + static_cast<std::ptrdiff_t>(dim), parts->first);
      return index;
    });
    std::vector<std::int64_t>& shape = m_program.buffers[static_cast<std::size_t>(buffer)].shape;
    shape[dim] = size;
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(dim), whole / size);
    return true;
  }

  // Some statement has to say so; none may say otherwise.
  bool dimsBelongTogether(int buffer, std::size_t x, std::size_t y) const {
    const Buffer& b = m_program.buffers[static_cast<std::size_t>(buffer)];
    bool said = false, ok = true;
    for (const std::size_t s : m_naming[static_cast<std::size_t>(buffer)]) {
      const Statement& statement = m_program.statements[s];
      forAccesses(statement, [&](int named, const std::vector<Linear>& index) {
        if (named != buffer) return;
        const auto outer = index[x].asLoop(), inner = index[y].asLoop();
        ok = ok && outer && inner && extent(*inner) == b.shape[y] &&
             belongTogether(statement, {*outer, *inner}, true);
        said = said || (ok && isSaid(statement, {*outer, *inner}));
      });
    }
    return ok && said;
  }

  bool isSaid(const Statement& statement, Pair pair) const {
    bool said = false;
    forForms(statement, [&](const Linear& form) {
      const auto a = form.coefficient(pair.inner);
      said = said || (a != 0 && form.coefficient(pair.outer) == a * extent(pair.inner));
    });
    return said;
  }

  void mergeDims(int buffer, std::size_t x, std::size_t y) {
    std::vector<std::int64_t>& shape = m_program.buffers[static_cast<std::size_t>(buffer)].shape;
    const std::int64_t inner = shape[y];
    const auto at = static_cast<std::ptrdiff_t>(x);
    changeAccesses(m_program, buffer, [&](std::vector<Linear> index) {
      index[y] = index[x] * inner + index[y];
      index.erase(index.begin() + at);
      return index;
    });
    shape[y] *= shape[x];
    shape.erase(shape.begin() + at);
  }

  Program& m_program;
  std::vector<std::vector<std::size_t>> m_naming;  ///< per buffer: statements with an access to it
};

}  // namespace

void mergeLoops(Program& program) {
  normalise(program);
  Merger(program).run();
}

}  // namespace gridloom::importer
