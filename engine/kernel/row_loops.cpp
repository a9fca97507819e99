// SPDX-License-Identifier: Apache-2.0
#include "kernel/row_loops.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "kernel/copies.h"
#include "kernel/loop_classes.h"
#include "kernel/loop_sets.h"
#include "kernel/renumbered_loops.h"
#include "kernel/scopes.h"
#include "kernel/softmax_pattern.h"
#include "kernel/tensor_cycles.h"

namespace gridloom::kernel {

namespace {

using affine::LinearExpr;
using LoopPairs = std::vector<std::pair<LoopId, LoopId>>;

// Larger kernels keep their names.
constexpr std::size_t kMostRowStatements = 64;

// The loop of an index that is one; none of another.
LoopId bareLoopIn(const LinearExpr& index) {
  if (!isBareLoop(index)) return {};
  const auto at = std::ranges::find(index.coefficients, 1);
  return LoopId::of(static_cast<std::size_t>(at - index.coefficients.begin()));
}

class RowLoops {
 public:
  explicit RowLoops(const Kernel& kernel) : m_kernel(kernel) {
    for (std::size_t s = 0; s < all().size(); ++s) {
      for (const LoopId loop : all()[s].loops) m_classes.add({s, loop});
    }
  }

  std::optional<Kernel> run(Rows rows) {
    for (std::size_t s = 0; s < all().size(); ++s) joinReaders(s);
    while (rows == Rows::Joined && joinNextRows()) {
    }
    nameClasses();
    return rename();
  }

 private:
  const std::vector<Statement>& all() const { return m_kernel.statements; }
  std::int64_t extentOf(LoopId loop) const { return m_kernel.loop(loop).extent; }
  bool isOutput(std::size_t s) const {
    return m_kernel.tensor(all()[s].target.tensor).role == TensorRole::Output;
  }

  // The loop by which a statement reads a dimension of a tensor; none where it is not one loop.
  LoopId readerLoop(const Statement& reader, TensorId tensor, std::size_t dim) const {
    LoopId only;
    for (const Access& read : reader.reads) {
      if (read.tensor != tensor) continue;
      const LoopId loop = bareLoopIn(read.indices[dim]);
      if (!loop.valid() || (only.valid() && loop != only)) return {};
      only = loop;
    }
    return only;
  }

  bool reads(const Statement& reader, TensorId tensor) const {
    return std::ranges::any_of(reader.reads,
                               [&](const Access& read) { return read.tensor == tensor; });
  }

  // Readers of a local have its loops, if each of them reads a dimension along one loop.
  void joinReaders(std::size_t writer) {
    const Statement& statement = all()[writer];
    if (!isPlainLocal(m_kernel, statement)) return;
    const TensorId local = statement.target.tensor;
    for (std::size_t d = 0; d < statement.target.indices.size(); ++d) {
      const LoopId written = bareLoopIn(statement.target.indices[d]);
      std::vector<LoopUse> uses;
      bool fits = true;
      for (std::size_t s = 0; s < all().size(); ++s) {
        if (!reads(all()[s], local)) continue;
        const LoopId loop = readerLoop(all()[s], local, d);
        fits = fits && loop.valid() && extentOf(loop) == extentOf(written);
        uses.emplace_back(s, loop);
      }
      for (std::size_t u = 0; fits && u < uses.size(); ++u)
        m_classes.join({writer, written}, uses[u]);
    }
  }

  // Whether a statement reduces each row that it reads to one value: its reads then name a row.
  bool reducesRow(const Statement& statement, const Access& read) const {
    const Loops loops = loopsOf(read), targets = targetLoops(statement);
    return !read.isGather() && !common(loops, statement.reductions).empty() &&
           common(targets, loops).size() == targets.size() &&
           common(loops, unite(targets, statement.reductions)).size() == loops.size();
  }

  bool joinNextRows() {
    for (std::size_t r = 0; r < all().size(); ++r) {
      for (const Access& row : all()[r].reads) {
        if (!reducesRow(all()[r], row)) continue;
        for (std::size_t s = 0; s < all().size(); ++s) {
          if (s != r && joinRows(r, row, s)) return true;
        }
      }
    }
    return false;
  }

  bool joinRows(std::size_t r, const Access& row, std::size_t s) {
    bool changed = false;
    for (const Access& read : all()[s].reads) {
      if (read.tensor != row.tensor || read.isGather()) continue;
      for (const auto& [one, other] : sharedRow(r, row, s, read)) {
        changed = m_classes.join({r, one}, {s, other}) || changed;
      }
    }
    return changed;
  }

  // The loops along a row that both statements read, if they may be the same.
  LoopPairs sharedRow(std::size_t r, const Access& row, std::size_t s, const Access& read) {
    LoopPairs pairs;
    for (std::size_t d = 0; d < row.indices.size(); ++d) {
      const LoopId one = bareLoopIn(row.indices[d]), other = bareLoopIn(read.indices[d]);
      if (!one.valid() || !other.valid()) {
        if (one.valid() || other.valid() || row.indices[d] != read.indices[d]) return {};
      } else if (!contains(all()[r].reductions, one)) {
        if (!m_classes.areOne({r, one}, {s, other}) && one != other) return {};
      } else if (extentOf(one) != extentOf(other) || !mayRunAlong(s, read, other)) {
        return {};
      } else {
        pairs.emplace_back(one, other);
      }
    }
    return pairs;
  }

  // An output over the row holds it, and so do other reductions of it.
  bool mayRunAlong(std::size_t s, const Access& read, LoopId loop) {
    if (contains(all()[s].reductions, loop)) return reducesRow(all()[s], read);
    return std::ranges::any_of(m_classes.of({s, loop}), [&](const LoopUse& use) {
      return isOutput(use.first) && contains(targetLoops(all()[use.first]), use.second);
    });
  }

  // Each class has the loop of an output, or the first one, unless a statement has it already:
  // those of one name keep it.
  void nameClasses() {
    std::vector<std::set<LoopUse>> classes = m_classes.all();
    std::ranges::stable_sort(classes, {}, [](const auto& uses) {
      return std::ranges::any_of(
          uses, [&](const LoopUse& use) { return use.second != uses.begin()->second; });
    });
    for (const std::set<LoopUse>& uses : classes) {
      std::vector<LoopUse> wanted(uses.begin(), uses.end());
      std::ranges::stable_partition(wanted, [&](const LoopUse& use) {
        return isOutput(use.first) && contains(targetLoops(all()[use.first]), use.second);
      });
      const auto free = std::ranges::find_if(wanted, [&](const LoopUse& use) {
        return std::ranges::none_of(uses, [&](const LoopUse& each) {
          return m_taken.contains({each.first, use.second});
        });
      });
      const LoopId loop = free != wanted.end() ? free->second : another(wanted.front().second);
      for (const LoopUse& use : uses) {
        m_taken.insert({use.first, loop});
        m_loopOf[use] = loop;
      }
    }
  }

  LoopId another(LoopId loop) {
    Loop own = m_kernel.loop(loop);
    own.declared = own.extent;
    own.name = freeName(m_draft, own.name);
    m_draft.loops.push_back(std::move(own));
    return LoopId::of(m_draft.loops.size() - 1);
  }

  std::optional<Kernel> rename() {
    const bool changed = std::ranges::any_of(
        m_loopOf, [](const auto& entry) { return entry.first.second != entry.second; });
    if (!changed) return std::nullopt;
    for (std::size_t s = 0; s < m_draft.statements.size(); ++s) {
      Statement& statement = m_draft.statements[s];
      const auto isKept = [&](LoopId loop) { return m_loopOf.at({s, loop}) == loop; };
      if (std::ranges::all_of(statement.loops, isKept)) continue;
      statement.constraintSpelling.clear();
      renumberLoops(statement, [&](LoopId loop) { return m_loopOf.at({s, loop}); });
      base::Diagnostics errors;
      takeScope(m_draft, statement, errors);
      if (!errors.empty()) return std::nullopt;
    }
    eraseUnusedLoops(m_draft);
    return std::move(m_draft);
  }

  const Kernel& m_kernel;
  Kernel m_draft = m_kernel;
  LoopClasses m_classes;
  std::set<LoopUse> m_taken;
  std::map<LoopUse, LoopId> m_loopOf;
};

}  // namespace

std::optional<Kernel> withRowLoops(const Kernel& kernel, Rows rows) {
  if (kernel.statements.size() > kMostRowStatements || TensorCycles(kernel).any())
    return std::nullopt;
  return RowLoops(kernel).run(rows);
}

}  // namespace gridloom::kernel
