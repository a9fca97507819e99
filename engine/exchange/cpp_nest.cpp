// SPDX-License-Identifier: Apache-2.0
#include "exchange/cpp_nest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel/interpreter.h"

namespace gridloom::exchange {

namespace {

using kernel::ExprNode;
using kernel::ExprOp;
using kernel::LoopId;

class ExpressionText {
 public:
  ExpressionText(const kernel::Kernel& kernel, const kernel::Statement& statement,
                 const CppForm& form)
      : m_kernel(kernel), m_statement(statement), m_form(form) {}

  std::string run() { return node(m_statement.expr.size() - 1); }

  std::string access(const kernel::Access& access) const {
    std::vector<std::string> indices;
    for (const affine::LinearExpr& i : access.indices) indices.push_back(cppIndex(m_kernel, i));
    for (const kernel::IndexRead& gather : access.gathers) {
      indices[gather.dim] = fmt::format("long({})", this->access(gather.access));
    }
    const std::size_t tensor = access.tensor.index();
    if (tensor < m_form.now.size() && m_form.now[tensor].valid()) {
      indices.push_back(cppName(m_kernel.loop(m_form.now[tensor]).name));
    }
    return fmt::format("{}({})", cppName(m_kernel, m_kernel.tensor(access.tensor)),
                       fmt::join(indices, ", "));
  }

 private:
  std::string node(std::size_t at) {
    if (const auto known = m_form.nodes.find(at); known != m_form.nodes.end()) return known->second;
    const ExprNode& n = m_statement.expr[at];
    if (n.op == ExprOp::Constant) return cppNumber(n.constant);
    if (n.op == ExprOp::Index)
      return fmt::format("double({})", cppName(m_kernel.loop(n.loop).name));
    if (n.op == ExprOp::Read) return access(m_statement.reads[static_cast<std::size_t>(n.read)]);
    if (kernel::isReduction(n.op)) return reduction(n);
    const std::string lhs = node(static_cast<std::size_t>(n.lhs));
    const kernel::ExprInfo& info = kernel::infoOf(n.op);
    if (kernel::isUnary(n.op)) {
      if (n.op == ExprOp::Neg) return fmt::format("-({})", lhs);
      if (n.op == ExprOp::Not) return fmt::format("double({} == 0)", lhs);
      return fmt::format("f::{}_({})", info.word, lhs);
    }
    const std::string rhs = node(static_cast<std::size_t>(n.rhs));
    if (n.op == ExprOp::Select) {
      return fmt::format("({} != 0 ? {} : {})", lhs, rhs, node(static_cast<std::size_t>(n.other)));
    }
    if (n.op >= ExprOp::Add && n.op <= ExprOp::Div)
      return fmt::format("({} {} {})", lhs, info.word, rhs);
    if (n.op >= ExprOp::Less && n.op <= ExprOp::NotEqual) {
      return fmt::format("double({} {} {})", lhs, info.word, rhs);
    }
    if (n.op == ExprOp::And) return fmt::format("double({} != 0 && {} != 0)", lhs, rhs);
    if (n.op == ExprOp::Or) return fmt::format("double({} != 0 || {} != 0)", lhs, rhs);
    return fmt::format("f::{}_({}, {})", info.word, lhs, rhs);
  }

  std::string reduction(const ExprNode& n) {
    m_scope.insert(m_scope.end(), n.loops.begin(), n.loops.end());
    const std::string value = node(static_cast<std::size_t>(n.lhs)), limits = conditions();
    m_scope.resize(m_scope.size() - n.loops.size());
    std::string loops;
    for (const LoopId loop : n.loops) loops += cppLoop(m_kernel, loop, m_form.tiled) + " ";
    if (!limits.empty()) loops += "if (" + limits + ") ";
    return fmt::format("[&] {{ double r = {}; {}r = {}; return r; }}()",
                       cppNumber(kernel::neutralOf(n.op)), loops, cppJoin(n.op, "r", value));
  }

  // Constraints limit a reduction as soon as all loops that they name have a value.
  std::string conditions() const {
    std::vector<affine::Constraint> limits = kernel::domainInside(m_statement, m_scope);
    const auto outside = targetConstraints(m_statement);
    std::erase_if(limits, [&](const affine::Constraint& limit) {
      return std::ranges::find(outside, limit) != outside.end();
    });
    return cppConditions(m_kernel, limits);
  }

  const kernel::Kernel& m_kernel;
  const kernel::Statement& m_statement;
  const CppForm& m_form;
  std::vector<LoopId> m_scope;
};

}  // namespace

std::string cppName(std::string_view name) {
  // The suffix keeps clear of the words of C++ and of the names that the program itself uses.
  std::string out;
  for (const char c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    out += plain || c == '_' ? c : '_';
  }
  static constexpr std::string_view kOwn = "efrtvw";
  return out.size() > 1 || kOwn.find(out) != kOwn.npos ? out + "_" : out;
}

std::string cppName(const kernel::Kernel& kernel, const kernel::Tensor& tensor) {
  std::string name = cppName(tensor.name);
  for (const kernel::Loop& loop : kernel.loops) {
    if (loop.name == tensor.name) return name + "of";
  }
  return name;
}

std::string cppIndex(const kernel::Kernel& kernel, const affine::LinearExpr& index) {
  std::vector<std::string> names;
  for (const kernel::Loop& loop : kernel.loops) names.push_back(cppName(loop.name));
  return affine::toString(index, names);
}

std::string cppLoop(const kernel::Kernel& kernel, LoopId loop, bool tiled) {
  const kernel::Loop& of = kernel.loop(loop);
  const std::string name = cppName(of.name);
  if (tiled) return fmt::format("for (long {0} = t.{0}.lo; {0} < t.{0}.hi; ++{0})", name);
  return fmt::format("for (long {0} = 0; {0} < {1}; ++{0})", name, of.extent);
}

std::string cppConditions(const kernel::Kernel& kernel,
                          const std::vector<affine::Constraint>& constraints) {
  std::vector<std::string> all;
  for (const affine::Constraint& c : constraints) {
    all.push_back(fmt::format("{} {} 0", cppIndex(kernel, c.expr), c.equality ? "==" : ">="));
  }
  return fmt::format("{}", fmt::join(all, " && "));
}

std::vector<affine::Constraint> targetConstraints(const kernel::Statement& statement) {
  return kernel::domainInside(statement, {});
}

std::string cppExpression(const kernel::Kernel& kernel, const kernel::Statement& statement,
                          const CppForm& form) {
  return ExpressionText(kernel, statement, form).run();
}

std::string cppStatement(const kernel::Kernel& kernel, const kernel::Statement& statement,
                         bool tiled, bool joins) {
  const CppForm form{tiled};
  std::string text, indent = "  ";
  for (const LoopId loop : kernel::targetLoops(statement)) {
    text += fmt::format("{}{} {{\n", indent, cppLoop(kernel, loop, tiled));
    indent += "  ";
  }
  const std::string target = ExpressionText(kernel, statement, form).access(statement.target);
  std::string value = cppExpression(kernel, statement, form);
  if (joins) value = cppJoin(kernel::rootReduction(statement), target, value);
  text += fmt::format("{}{} = {};\n", indent, target, value);
  while (indent.size() > 2) {
    indent.resize(indent.size() - 2);
    text += indent + "}\n";
  }
  return text;
}

std::string cppJoin(ExprOp op, const std::string& a, const std::string& b) {
  if (op == ExprOp::Sum) return fmt::format("{} + {}", a, b);
  if (op == ExprOp::ProdReduce) return fmt::format("{} * {}", a, b);
  return fmt::format("std::{}({}, {})", op == ExprOp::MaxReduce ? "max" : "min", a, b);
}

std::string cppNumber(double value) {
  if (std::isinf(value)) return value < 0 ? "-INFINITY" : "INFINITY";
  return fmt::format("double({:.17g})", value);
}

}  // namespace gridloom::exchange
