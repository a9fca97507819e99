// SPDX-License-Identifier: Apache-2.0
#include "kernel/inlined_writers.h"

#include <algorithm>
#include <utility>

#include "kernel/rebuilt_expression.h"

namespace gridloom::kernel {

namespace {

using affine::Constraint;
using affine::LinearExpr;
using Nodes = std::vector<ExprNode>;

// Appends the value of an affine expression of loops.
std::int32_t addLinear(Nodes& nodes, const LinearExpr& expr) {
  std::int32_t total = -1;
  const auto add = [&](std::int32_t term) {
    total = total < 0 ? term : addNode(nodes, ExprOp::Add, total, term);
  };
  const auto number = [&](std::int64_t value) {
    const std::int32_t place = addNode(nodes, ExprOp::Constant);
    nodes.back().constant = static_cast<double>(value);
    return place;
  };
  for (std::size_t l = 0; l < expr.coefficients.size(); ++l) {
    if (!expr.dependsOn(l)) continue;
    const std::int32_t loop = addNode(nodes, ExprOp::Index);
    nodes.back().loop = LoopId::of(l);
    const std::int64_t factor = expr.coefficients[l];
    add(factor == 1 ? loop : addNode(nodes, ExprOp::Mul, loop, number(factor)));
  }
  if (expr.constant != 0 || total < 0) add(number(expr.constant));
  return total;
}

}  // namespace

WriterAt::WriterAt(const Kernel& kernel, const Statement& writer, const Access& read,
                   const LoopMap& reduced)
    : m_writer(&writer), m_reduced(reduced) {
  for (std::size_t l = 0; l < kernel.loops.size(); ++l) m_values.push_back(LinearExpr::dim(l));
  for (const LoopId loop : writer.reductions)
    m_values[loop.index()] = LinearExpr::dim(reduced(loop).index());
  const std::vector<LinearExpr>& target = writer.target.indices;
  for (std::size_t d = 0; d < target.size(); ++d) {
    if (target[d].isConstant()) {
      m_limits.push_back({read.indices[d] - target[d], true});
      continue;
    }
    for (std::size_t l = 0; l < m_values.size(); ++l) {
      if (!target[d].dependsOn(l)) continue;
      m_values[l] = read.indices[d];
      m_limits.push_back({m_values[l], false});
      const LinearExpr last = LinearExpr::number(kernel.loops[l].extent - 1);
      m_limits.push_back({last - m_values[l], false});
    }
  }
  for (const Constraint& limit : writer.constraints)
    m_limits.push_back({affine::substituted(limit.expr, m_values), limit.equality});
}

void WriterAt::dropImplied(const affine::IntegerSet& domain) {
  std::erase_if(m_limits, [&](const Constraint& limit) {
    const auto bounds = affine::boundsOf(domain, limit.expr);
    return bounds && bounds->min >= 0 && (!limit.equality || bounds->max == 0);
  });
}

std::int32_t WriterAt::addValue(Nodes& nodes, std::vector<Access>& reads) const {
  const auto begin = static_cast<std::int32_t>(nodes.size());
  std::vector<std::int32_t> placeOf;
  for (ExprNode node : m_writer->expr) {
    for (std::int32_t* operand : {&node.lhs, &node.rhs, &node.other}) {
      if (*operand >= 0) *operand = placeOf[static_cast<std::size_t>(*operand)];
    }
    if (node.op == ExprOp::Index) {
      placeOf.push_back(addLinear(nodes, m_values[node.loop.index()]));
      continue;
    }
    if (node.op == ExprOp::Read) {
      const Access& access = m_writer->reads[static_cast<std::size_t>(node.read)];
      node.read = static_cast<std::int32_t>(reads.size());
      reads.push_back(withLoopsAt(access, m_values));
    }
    for (LoopId& loop : node.loops) loop = m_reduced(loop);
    placeOf.push_back(addNode(nodes, std::move(node)));
  }
  return placeOf.empty() ? begin : placeOf.back();
}

std::int32_t WriterAt::addCondition(Nodes& nodes) const {
  std::int32_t all = -1;
  for (const Constraint& limit : m_limits) {
    const std::int32_t value = addLinear(nodes, limit.expr);
    const std::int32_t zero = addNode(nodes, ExprOp::Constant);
    const ExprOp op = limit.equality ? ExprOp::Equal : ExprOp::GreaterEqual;
    const std::int32_t one = addNode(nodes, op, value, zero);
    all = all < 0 ? one : addNode(nodes, ExprOp::And, all, one);
  }
  return all;
}

void inlineWriters(const std::vector<WriterAt>& writers, Statement& reader, std::size_t read) {
  const auto gone = static_cast<std::int32_t>(read);
  rebuildExpression(reader, [&](ExprNode node, Nodes& nodes) {
    if (node.op != ExprOp::Read || node.read != gone) return addNode(nodes, std::move(node));
    std::int32_t value = writers.back().addValue(nodes, reader.reads);
    for (std::size_t w = writers.size() - 1; w-- > 0;) {
      const std::int32_t chosen = writers[w].addValue(nodes, reader.reads);
      const std::int32_t condition = writers[w].addCondition(nodes);
      value = addNode(nodes, ExprOp::Select, condition, chosen, value);
    }
    return value;
  });
  reader.reads.erase(reader.reads.begin() + gone);
  for (ExprNode& node : reader.expr) {
    if (node.op == ExprOp::Read && node.read > gone) --node.read;
  }
}

bool isOneElement(const Statement& statement) {
  const std::vector<LinearExpr>& indices = statement.target.indices;
  std::vector<LoopId> loops;
  return std::ranges::all_of(indices, [&](const LinearExpr& index) {
    if (index.isConstant()) return true;
    const auto at = std::ranges::find(index.coefficients, 1);
    loops.push_back(LoopId::of(static_cast<std::size_t>(at - index.coefficients.begin())));
    return isBareLoop(index) && std::ranges::count(loops, loops.back()) == 1;
  });
}

}  // namespace gridloom::kernel
