// SPDX-License-Identifier: Apache-2.0
#include "kernel/read_pieces.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "affine/integer_set.h"
#include "kernel/dependences.h"
#include "kernel/loop_values.h"

namespace gridloom::kernel {

namespace {

using affine::Constraint;
using affine::IntegerSet;
using affine::LinearExpr;

/// A condition as cases, of which at least one holds: the constraints of each.
using Cases = std::vector<std::vector<Constraint>>;

const Cases kAlways{{}};
/// Of a condition with more cases, a part is dropped: it then says less.
constexpr std::size_t kMostCases = 64;

Cases both(const Cases& a, const Cases& b) {
  if (a.size() * b.size() > kMostCases) return a;
  Cases out;
  for (const auto& one : a) {
    for (const auto& other : b) {
      out.emplace_back(one).insert(out.back().end(), other.begin(), other.end());
    }
  }
  return out;
}

Cases either(Cases a, const Cases& b) {
  if (a.size() + b.size() > kMostCases) return kAlways;
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::int64_t floorDiv(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

class PieceReader {
 public:
  PieceReader(const Statement& statement, std::size_t read, IntegerSet domain)
      : m_statement(statement),
        m_read(static_cast<std::int32_t>(read)),
        m_domain(std::move(domain)) {}

  std::vector<IntegerSet> run() {
    Cases found;
    visit(static_cast<std::int32_t>(m_statement.expr.size()) - 1, kAlways, found);
    std::vector<IntegerSet> pieces;
    for (const auto& constraints : found) {
      IntegerSet& piece = pieces.emplace_back(m_domain);
      piece.constraints.insert(piece.constraints.end(), constraints.begin(), constraints.end());
    }
    return pieces;
  }

 private:
  // `above`: what holds where node n is computed.
  void visit(std::int32_t n, const Cases& above, Cases& found) {
    const ExprNode& node = nodeOf(m_statement, n);
    if (node.op == ExprOp::Read && node.read == m_read) found = either(std::move(found), above);
    for (const std::int32_t operand : node.operands()) {
      if (operand < 0 || !holdsRead(operand)) continue;
      const bool isChosen = node.op == ExprOp::Select && operand != node.lhs;
      visit(operand, isChosen ? both(above, cases(node.lhs, operand == node.rhs)) : above, found);
    }
  }

  bool holdsRead(std::int32_t n) const {
    const ExprNode& node = nodeOf(m_statement, n);
    if (node.op == ExprOp::Read && node.read == m_read) return true;
    return std::ranges::any_of(
        node.operands(), [&](std::int32_t operand) { return operand >= 0 && holdsRead(operand); });
  }

  Cases cases(std::int32_t n, bool holds) {
    const ExprNode& node = nodeOf(m_statement, n);
    if (node.op == ExprOp::Not) return cases(node.lhs, !holds);
    if (node.op == ExprOp::And || node.op == ExprOp::Or) {
      const Cases left = cases(node.lhs, holds), right = cases(node.rhs, holds);
      return (node.op == ExprOp::And) == holds ? both(left, right) : either(left, right);
    }
    const Compared compared =
        compare(m_statement, n, holds, [this](std::int32_t divided) { return divide(divided); });
    if (compared.constraint) return {{*compared.constraint}};
    if (!compared.nonZero) return kAlways;
    const LinearExpr one = LinearExpr::number(1);
    return {{{*compared.nonZero - one}}, {{*compared.nonZero * -1 - one}}};
  }

  // `div` and `mod` by a positive number: a = b * quotient + remainder, 0 <= remainder < b.
  std::optional<LinearExpr> divide(std::int32_t n) {
    const ExprNode& node = nodeOf(m_statement, n);
    if (node.op != ExprOp::FloorDiv && node.op != ExprOp::Mod) return std::nullopt;
    const auto other = [this](std::int32_t divided) { return divide(divided); };
    const auto value = loopValue(m_statement, node.lhs, other);
    const auto by = loopValue(m_statement, node.rhs, other);
    if (!value || !by || !by->isConstant() || by->constant < 1) return std::nullopt;
    const auto quotient = quotientOf(n, *value, by->constant);
    if (!quotient || node.op == ExprOp::FloorDiv) return quotient;
    return *value - *quotient * by->constant;
  }

  std::optional<LinearExpr> quotientOf(std::int32_t n, const LinearExpr& value, std::int64_t by) {
    if (const auto known = m_quotients.find(n); known != m_quotients.end()) return known->second;
    const auto bounds = affine::boundsOf({m_domain.extents, {}}, value);
    if (!bounds) return std::nullopt;
    const std::int64_t first = floorDiv(bounds->min, by), last = floorDiv(bounds->max, by);
    const LinearExpr quotient =
        LinearExpr::dim(m_domain.extents.size()) + LinearExpr::number(first);
    m_domain.extents.push_back(last - first + 1);
    const LinearExpr remainder = value - quotient * by;
    m_domain.constraints.push_back({remainder});
    m_domain.constraints.push_back({LinearExpr::number(by - 1) - remainder});
    m_quotients.emplace(n, quotient);
    return quotient;
  }

  const Statement& m_statement;
  std::int32_t m_read;
  IntegerSet m_domain;
  std::map<std::int32_t, LinearExpr> m_quotients;  ///< of the nodes that divide
};

}  // namespace

std::vector<IntegerSet> readPieces(const Kernel& kernel, const Statement& statement,
                                   std::size_t read) {
  return PieceReader(statement, read, readDomain(kernel, statement, read)).run();
}

}  // namespace gridloom::kernel
