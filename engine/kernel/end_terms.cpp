// SPDX-License-Identifier: Apache-2.0
#include "kernel/end_terms.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "kernel/copies.h"
#include "kernel/expr_summary.h"
#include "kernel/loop_shares.h"
#include "kernel/rebuilt_expression.h"
#include "kernel/scopes.h"
#include "kernel/value_type.h"

namespace gridloom::kernel {

namespace {

class EndTerms {
 public:
  explicit EndTerms(const Kernel& kernel) : m_kernel(kernel), m_draft(kernel) {}

  std::optional<Kernel> run() {
    for (std::size_t s = 0; s < m_kernel.statements.size(); ++s) {
      if (!mayPart(m_kernel.statements[s])) continue;
      for (const std::size_t sum :
           outermostReductions(m_kernel.statements[s], m_kernel.statements[s].reductions)) {
        if (!isChosen(m_kernel.statements[s], sum) && endsState(m_kernel.statements[s], sum) &&
            hasLoops(m_kernel.statements[s], sum))
          part(s, sum);
      }
    }
    if (m_terms.empty()) return std::nullopt;
    insertTerms();
    base::Diagnostics errors;
    for (Statement& statement : m_draft.statements) takeScope(m_draft, statement, errors);
    return std::move(m_draft);
  }

 private:
  bool isStep(LoopId loop) const { return m_kernel.loop(loop).kind == LoopKind::Sequential; }

  bool mayPart(const Statement& statement) const {
    return statement.constraints.empty() &&
           std::ranges::none_of(statement.loops, [&](LoopId loop) { return isStep(loop); });
  }

  // What is not chosen is not read. Parents stand behind their operands.
  static bool isChosen(const Statement& statement, std::size_t sum) {
    return std::any_of(statement.expr.begin() + static_cast<std::ptrdiff_t>(sum),
                       statement.expr.end(),
                       [](const ExprNode& node) { return node.op == ExprOp::Select; });
  }

  // Of a term without loops, every element of the sum is the same.
  static bool hasLoops(const Statement& statement, std::size_t sum) {
    return !ExprSummary(statement).loopsOf(statement.expr[sum].lhs).empty();
  }

  bool isStepOf(TensorId tensor, std::size_t dim) const {
    return std::ranges::any_of(m_kernel.statements, [&](const Statement& statement) {
      if (statement.target.tensor != tensor) return false;
      const affine::LinearExpr& index = statement.target.indices[dim];
      return std::ranges::any_of(statement.loops, [&](LoopId loop) {
        return isStep(loop) && index.dependsOn(loop.index());
      });
    });
  }

  bool isStateAtAnIndex(const Access& read) const {
    if (m_kernel.tensor(read.tensor).role != TensorRole::Local) return false;
    for (std::size_t d = 0; d < read.indices.size(); ++d) {
      if (read.indices[d].isConstant() && isStepOf(read.tensor, d)) return true;
    }
    return false;
  }

  // Whether the reduction takes such state, and nothing within it is a reduction.
  bool endsState(const Statement& statement, std::size_t sum) const {
    bool ends = false;
    for (const std::int32_t n : nodesBelow(statement, statement.expr[sum].lhs)) {
      const ExprNode& node = nodeOf(statement, n);
      if (isReduction(node.op)) return false;
      if (node.op == ExprOp::Read)
        ends = ends || isStateAtAnIndex(statement.reads[static_cast<std::size_t>(node.read)]);
    }
    return ends;
  }

  void part(std::size_t s, std::size_t sum) {
    Statement& rest = m_draft.statements[s];
    const std::int32_t value = rest.expr[sum].lhs;
    Statement term = rest;
    term.target = element(m_kernel.statements[s], value);
    term.expr.resize(static_cast<std::size_t>(value) + 1);
    compact(term);
    term.comments.clear();
    ExprNode read;
    read.op = ExprOp::Read;
    read.read = static_cast<std::int32_t>(rest.reads.size());
    rest.reads.push_back(term.target);
    rest.expr[static_cast<std::size_t>(value)] = std::move(read);
    m_parted.push_back(s);
    m_terms.push_back(std::move(term));
  }

  // `price_term[p]`, which is made.
  Access element(const Statement& statement, std::int32_t value) {
    const Tensor& target = m_kernel.tensor(statement.target.tensor);
    Tensor tensor;
    tensor.name = freeName(m_draft, target.name + "_term");
    tensor.of = writtenName(target);
    tensor.dtype = valueType(m_kernel, statement, value);
    tensor.role = TensorRole::Local;
    tensor.span = statement.span;
    Access access;
    access.tensor = TensorId::of(m_draft.tensors.size());
    access.span = statement.span;
    const ExprSummary summary(statement);
    for (const LoopId loop : summary.loopsOf(value)) {
      tensor.shape.push_back(m_kernel.loop(loop).extent);
      access.indices.push_back(affine::LinearExpr::dim(loop.index()));
    }
    m_draft.tensors.push_back(std::move(tensor));
    return access;
  }

  static void compact(Statement& statement) {
    replaceNodes(statement, std::vector<std::int32_t>(statement.expr.size(), -1));
    dropUnusedReads(statement);
  }

  // Behind the last statement that defines what it reads.
  std::size_t firstPlaceOf(const Statement& term) const {
    std::size_t place = m_parted.front();
    for (std::size_t s = place; s < m_kernel.statements.size(); ++s) {
      const bool isRead = std::ranges::any_of(term.reads, [&](const Access& read) {
        return read.tensor == m_kernel.statements[s].target.tensor;
      });
      if (isRead) place = s + 1;
    }
    return place;
  }

  void insertTerms() {
    for (const std::size_t s : m_parted) compact(m_draft.statements[s]);
    // From the last on: places are those of the statements that were there.
    std::vector<std::pair<std::size_t, std::size_t>> places;
    for (std::size_t t = 0; t < m_terms.size(); ++t)
      places.emplace_back(firstPlaceOf(m_terms[t]), t);
    std::ranges::sort(places, std::greater());
    for (const auto& [place, t] : places) {
      m_draft.statements.insert(m_draft.statements.begin() + static_cast<std::ptrdiff_t>(place),
                                std::move(m_terms[t]));
    }
  }

  const Kernel& m_kernel;
  Kernel m_draft;
  std::vector<std::size_t> m_parted;
  std::vector<Statement> m_terms;
};

}  // namespace

std::optional<Kernel> withEndTerms(const Kernel& kernel) { return EndTerms(kernel).run(); }

}  // namespace gridloom::kernel
