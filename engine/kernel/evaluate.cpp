// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernel/interpreter.h"

namespace gridloom::kernel {

namespace {

class Evaluator {
 public:
  Evaluator(const Statement& statement, std::span<std::int64_t> point,
            std::span<const LoopRange> ranges, OperandReader& reader)
      : m_statement(statement), m_point(point), m_ranges(ranges), m_reader(reader) {}

  double value(std::int32_t n) {
    const ExprNode& node = m_statement.expr[static_cast<std::size_t>(n)];
    if (node.op == ExprOp::Constant) return node.constant;
    if (node.op == ExprOp::Index) return static_cast<double>(m_point[node.loop.index()]);
    if (node.op == ExprOp::Read) {
      return m_reader.read(m_statement.reads[static_cast<std::size_t>(node.read)], m_point);
    }
    if (node.op == ExprOp::Select) return chosen(node);
    if (isUnary(node.op)) return applyUnary(node.op, value(node.lhs));
    if (isReduction(node.op)) {
      double total = neutralOf(node.op);
      m_scope.insert(m_scope.end(), node.loops.begin(), node.loops.end());
      reduce(node, 0, total);
      m_scope.resize(m_scope.size() - node.loops.size());
      return total;
    }
    const double left = value(node.lhs);
    return applyBinary(node.op, left, value(node.rhs));
  }

 private:
  // What is not chosen is not read.
  double chosen(const ExprNode& node) {
    const std::size_t missing = m_reader.missing();
    const bool holds = value(node.lhs) != 0;
    if (m_reader.missing() > missing) return 0;
    return value(holds ? node.rhs : node.other);
  }

  void reduce(const ExprNode& node, std::size_t depth, double& total) {
    if (depth == node.loops.size()) {
      if (insideDomain()) total = applyBinary(node.op, total, value(node.lhs));
      return;
    }
    const std::size_t loop = node.loops[depth].index();
    for (std::int64_t x = m_ranges[loop].begin; x < m_ranges[loop].end; ++x) {
      m_point[loop] = x;
      reduce(node, depth + 1, total);
    }
  }

  // Constraints limit a reduction as soon as all loops that they name have a value.
  bool insideDomain() const {
    return std::ranges::all_of(m_statement.constraints, [&](const affine::Constraint& c) {
      for (const LoopId loop : m_statement.reductions) {
        if (c.expr.dependsOn(loop.index()) && !contains(m_scope, loop)) return true;
      }
      const std::int64_t side = c.expr.evaluate(m_point);
      return c.equality ? side == 0 : side >= 0;
    });
  }

  const Statement& m_statement;
  std::span<std::int64_t> m_point;
  std::span<const LoopRange> m_ranges;
  OperandReader& m_reader;
  std::vector<LoopId> m_scope;
};

}  // namespace

double evaluateAt(const Kernel& /*kernel*/, const Statement& statement,
                  std::span<std::int64_t> point, std::span<const LoopRange> ranges,
                  OperandReader& reader) {
  const auto root = static_cast<std::int32_t>(statement.expr.size()) - 1;
  return Evaluator(statement, point, ranges, reader).value(root);
}

ExprOp rootReduction(const Statement& statement) {
  const ExprOp op = statement.expr.back().op;
  return isReduction(op) ? op : ExprOp::Constant;
}

}  // namespace gridloom::kernel
