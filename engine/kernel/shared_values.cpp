// SPDX-License-Identifier: Apache-2.0
#include "kernel/shared_values.h"

#include <algorithm>
#include <utility>

#include "kernel/copies.h"
#include "kernel/expr_summary.h"
#include "kernel/repeated_values.h"
#include "kernel/scopes.h"
#include "kernel/softmax_pattern.h"
#include "kernel/tensor_cycles.h"
#include "kernel/value_type.h"

namespace gridloom::kernel {

namespace {

// Larger kernels are not searched for values that are written several times.
constexpr std::size_t kMostSharedNodes = 1000;

struct Place {
  std::size_t statement = 0;
  std::int32_t node = -1;
};

// Worth a buffer: more than sums and products of elements.
bool isCostly(const Statement& statement, std::int32_t n) {
  const ExprNode& node = nodeOf(statement, n);
  const VectorFn fn = infoOf(node.op).fn;
  const bool isFunction = !isLeaf(node.op) && fn >= VectorFn::Exp && fn <= VectorFn::Pow &&
                          fn != VectorFn::Relu && fn != VectorFn::Abs;
  return isFunction || isReduction(node.op) ||
         std::ranges::any_of(node.operands(), [&](std::int32_t operand) {
           return operand >= 0 && isCostly(statement, operand);
         });
}

std::size_t sizeOf(const Statement& statement, std::int32_t n) {
  std::size_t size = 1;
  for (const std::int32_t operand : nodeOf(statement, n).operands()) {
    if (operand >= 0) size += sizeOf(statement, operand);
  }
  return size;
}

bool reads(const Statement& statement, std::int32_t n, TensorId tensor) {
  const ExprNode& node = nodeOf(statement, n);
  if (node.op == ExprOp::Read) {
    return statement.reads[static_cast<std::size_t>(node.read)].tensor == tensor;
  }
  return std::ranges::any_of(node.operands(), [&](std::int32_t operand) {
    return operand >= 0 && reads(statement, operand, tensor);
  });
}

// A statement whose nodes are copied from others, where one of them may become a read.
struct Copy {
  Statement statement;

  std::int32_t add(const Statement& from, std::int32_t n, std::int32_t shared,
                   const Access& instead) {
    ExprNode node = nodeOf(from, n);
    const bool isShared = shared >= 0 && sameValue(from, n, shared);
    if (isShared) {
      node = {};
      node.op = ExprOp::Read;
    }
    for (std::int32_t* operand : {&node.lhs, &node.rhs, &node.other}) {
      if (*operand >= 0) *operand = add(from, *operand, shared, instead);
    }
    if (node.op == ExprOp::Read) {
      const std::int32_t read =
          std::exchange(node.read, static_cast<std::int32_t>(statement.reads.size()));
      statement.reads.push_back(isShared ? instead : from.reads[static_cast<std::size_t>(read)]);
    }
    statement.expr.push_back(std::move(node));
    return static_cast<std::int32_t>(statement.expr.size()) - 1;
  }
};

class SharedValue {
 public:
  explicit SharedValue(const Kernel& kernel) : m_kernel(kernel) {}

  std::optional<Kernel> find() {
    if (!mayGetLocals()) return std::nullopt;
    std::size_t best = 0;
    for (std::size_t s = 0; s < statements().size(); ++s) {
      for (std::size_t n = 0; n < statements()[s].expr.size(); ++n) {
        consider({s, static_cast<std::int32_t>(n)}, best);
      }
    }
    return best > 0 ? std::optional(draft()) : std::nullopt;
  }

  // The first reduction that is the same for all indices of a loop around it.
  std::optional<Kernel> findReduction() {
    if (!mayGetLocals()) return std::nullopt;
    for (std::size_t s = 0; s < statements().size(); ++s) {
      const auto under = enclosingReductions(statements()[s]);
      for (std::size_t n = 0; n < under.size(); ++n) {
        m_first = {s, static_cast<std::int32_t>(n)};
        if (isOfFewerLoops(m_first, under[n])) return draft();
      }
    }
    return std::nullopt;
  }

 private:
  const std::vector<Statement>& statements() const { return m_kernel.statements; }

  bool mayGetLocals() const {
    // Statements of state take their steps together: none may stand between them.
    if (TensorCycles(m_kernel).any()) return false;
    std::size_t nodes = 0;
    for (const Statement& statement : statements()) nodes += statement.expr.size();
    return nodes <= kMostSharedNodes;
  }

  // What a select does not choose is not read: its guard may keep reads inside their tensors.
  bool isChosen(const Place& place) const {
    const Statement& statement = statements()[place.statement];
    return std::ranges::any_of(statement.expr, [&](const ExprNode& node) {
      return node.op == ExprOp::Select && (isPartOf(statement, node.rhs, place.node) ||
                                           isPartOf(statement, node.other, place.node));
    });
  }

  static bool isPartOf(const Statement& statement, std::int32_t root, std::int32_t node) {
    return root == node ||
           (root >= 0 && std::ranges::any_of(nodeOf(statement, root).operands(), [&](auto operand) {
              return operand >= 0 && isPartOf(statement, operand, node);
            }));
  }

  bool gathers(const Statement& statement, std::int32_t root) const {
    const ExprNode& node = nodeOf(statement, root);
    if (node.op == ExprOp::Read)
      return !statement.reads[static_cast<std::size_t>(node.read)].gathers.empty();
    return std::ranges::any_of(node.operands(), [&](std::int32_t operand) {
      return operand >= 0 && gathers(statement, operand);
    });
  }

  bool isOfFewerLoops(const Place& place, const std::vector<LoopId>& under) const {
    const Statement& statement = statements()[place.statement];
    if (!isReduction(nodeOf(statement, place.node).op) || !boundsAreIts(place)) return false;
    if (reads(statement, place.node, statement.target.tensor)) return false;
    const std::vector<LoopId> loops = loopsOfValue(place);
    const auto isFree = [&](LoopId loop) { return !contains(loops, loop); };
    return !isChosen(place) && (std::ranges::any_of(targetLoops(statement), isFree) ||
                                std::ranges::any_of(under, isFree));
  }

  // The largest value that a later statement has, too.
  void consider(const Place& place, std::size_t& best) {
    const Statement& statement = statements()[place.statement];
    if (!isCostly(statement, place.node) || sizeOf(statement, place.node) <= best) return;
    if (reads(statement, place.node, statement.target.tensor)) return;
    const std::optional<Place> later = laterPlace(place);
    if (!later || !boundsAreIts(place)) return;
    if (gathers(statement, place.node) && isChosen(place)) return;
    best = sizeOf(statement, place.node);
    m_first = place;
  }

  std::optional<Place> laterPlace(const Place& place) const {
    const Statement& first = statements()[place.statement];
    for (std::size_t s = place.statement + 1; s < statements().size(); ++s) {
      if (!(statements()[s].constraints == first.constraints)) continue;
      for (std::size_t n = 0; n < statements()[s].expr.size(); ++n) {
        const auto node = static_cast<std::int32_t>(n);
        if (sameValue(first, place.node, statements()[s], node)) return Place{s, node};
      }
    }
    return std::nullopt;
  }

  std::vector<LoopId> loopsOfValue(const Place& place) const {
    return ExprSummary(statements()[place.statement]).loopsOf(place.node);
  }

  // Whether `where` limits only loops of the value, and reductions within it.
  bool boundsAreIts(const Place& place) const {
    const Statement& statement = statements()[place.statement];
    std::vector<LoopId> loops = loopsOfValue(place);
    if (loops.empty()) return false;
    collectReductions(statement, place.node, loops);
    return std::ranges::all_of(statement.constraints, [&](const affine::Constraint& c) {
      return std::ranges::all_of(statement.loops, [&](LoopId loop) {
        return !c.expr.dependsOn(loop.index()) || contains(loops, loop);
      });
    });
  }

  static void collectReductions(const Statement& statement, std::int32_t n,
                                std::vector<LoopId>& loops) {
    const ExprNode& node = nodeOf(statement, n);
    loops.insert(loops.end(), node.loops.begin(), node.loops.end());
    for (const std::int32_t operand : node.operands()) {
      if (operand >= 0) collectReductions(statement, operand, loops);
    }
  }

  Tensor tensor(const std::vector<LoopId>& loops) const {
    const Statement& first = statements()[m_first.statement];
    Tensor shared;
    const Tensor& target = m_kernel.tensor(first.target.tensor);
    shared.name = freeName(m_kernel, target.name + "_value");
    shared.of = writtenName(target);
    for (const LoopId loop : loops) shared.shape.push_back(m_kernel.loop(loop).extent);
    shared.dtype = valueType(m_kernel, first, m_first.node);
    shared.role = TensorRole::Local;
    shared.span = first.span;
    return shared;
  }

  Kernel draft() const {
    const Statement& first = statements()[m_first.statement];
    const std::vector<LoopId> loops = loopsOfValue(m_first);
    Kernel draft = m_kernel;
    Access element;
    element.tensor = TensorId::of(draft.tensors.size());
    element.span = first.span;
    for (const LoopId loop : loops) {
      element.indices.push_back(affine::LinearExpr::dim(loop.index()));
    }
    draft.tensors.push_back(tensor(loops));
    Copy value;
    value.statement.target = element;
    value.statement.constraints = first.constraints;
    value.statement.span = first.span;
    value.add(first, m_first.node, -1, element);
    for (std::size_t s = m_first.statement; s < statements().size(); ++s) {
      readShared(draft.statements[s], element);
    }
    draft.statements.insert(draft.statements.begin() +
                                static_cast<std::ptrdiff_t>(m_first.statement),
                            std::move(value.statement));
    dropLocalCopies(draft);
    base::Diagnostics errors;
    for (Statement& statement : draft.statements) takeScope(draft, statement, errors);
    return draft;
  }

  // Those of reductions that are the value's alone.
  static void dropOthersBounds(Statement& statement) {
    std::vector<LoopId> gone = statement.reductions, kept;
    collectReductions(statement, rootOf(statement), kept);
    std::erase_if(gone, [&](LoopId loop) { return contains(kept, loop); });
    const auto isOfGone = [&](const affine::Constraint& c) {
      return std::ranges::any_of(gone, [&](LoopId l) { return c.expr.dependsOn(l.index()); });
    };
    if (std::erase_if(statement.constraints, isOfGone) > 0) statement.constraintSpelling.clear();
  }

  void readShared(Statement& statement, const Access& element) const {
    const Statement& first = statements()[m_first.statement];
    if (!(statement.constraints == first.constraints)) return;
    for (std::size_t n = 0; n < statement.expr.size(); ++n) {
      const auto node = static_cast<std::int32_t>(n);
      if (!sameValue(first, m_first.node, statement, node)) continue;
      Copy copy;
      copy.statement = statement;
      copy.statement.expr.clear();
      copy.statement.reads.clear();
      copy.add(statement, static_cast<std::int32_t>(statement.expr.size()) - 1, node, element);
      statement = std::move(copy.statement);
      dropOthersBounds(statement);
      return;
    }
  }

  const Kernel& m_kernel;
  Place m_first;
};

}  // namespace

std::optional<Kernel> withSharedValue(const Kernel& kernel) { return SharedValue(kernel).find(); }

std::optional<Kernel> withOwnReduction(const Kernel& kernel) {
  return SharedValue(kernel).findReduction();
}

Kernel withOwnReductions(Kernel kernel, const HoldsForm& holds) {
  for (int values = 0; values < kMostSharedValues; ++values) {
    if (!takeForm(kernel, withOwnReduction(kernel), holds)) break;
  }
  return kernel;
}

}  // namespace gridloom::kernel
