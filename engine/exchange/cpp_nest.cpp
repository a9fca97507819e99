// SPDX-License-Identifier: Apache-2.0
#include "exchange/cpp_nest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <vector>

#include "kernel/interpreter.h"

namespace gridloom::exchange {

namespace {

using kernel::ExprNode;
using kernel::ExprOp;
using kernel::LoopId;

class StatementText {
 public:
  StatementText(const kernel::Kernel& kernel, const kernel::Statement& statement, bool tiled)
      : m_kernel(kernel), m_statement(statement), m_tiled(tiled) {}

  std::string run(bool joins) const {
    std::string text, indent = "  ";
    for (const LoopId loop : kernel::targetLoops(m_statement)) {
      text += fmt::format("{}{} {{\n", indent, header(loop));
      indent += "  ";
    }
    const std::string target = access(m_statement.target);
    std::string value = node(m_statement.expr.size() - 1);
    if (joins) value = cppJoin(kernel::rootReduction(m_statement), target, value);
    text += fmt::format("{}{} = {};\n", indent, target, value);
    while (indent.size() > 2) {
      indent.resize(indent.size() - 2);
      text += indent + "}\n";
    }
    return text;
  }

 private:
  std::string header(LoopId loop) const {
    const kernel::Loop& of = m_kernel.loop(loop);
    const std::string name = cppName(of.name);
    if (m_tiled) return fmt::format("for (long {0} = t.{0}.lo; {0} < t.{0}.hi; ++{0})", name);
    return fmt::format("for (long {0} = 0; {0} < {1}; ++{0})", name, of.extent);
  }

  std::string access(const kernel::Access& access) const {
    std::vector<std::string> indices;
    for (const affine::LinearExpr& i : access.indices) indices.push_back(cppIndex(m_kernel, i));
    return fmt::format("{}({})", cppName(m_kernel, m_kernel.tensor(access.tensor)),
                       fmt::join(indices, ", "));
  }

  std::string node(std::size_t at) const {
    const ExprNode& n = m_statement.expr[at];
    if (n.op == ExprOp::Constant) return cppNumber(n.constant);
    if (n.op == ExprOp::Index)
      return fmt::format("double({})", cppName(m_kernel.loop(n.loop).name));
    if (n.op == ExprOp::Read) return access(m_statement.reads[static_cast<std::size_t>(n.read)]);
    const std::string lhs = node(static_cast<std::size_t>(n.lhs));
    if (kernel::isReduction(n.op)) return reduction(n, lhs);
    const kernel::ExprInfo& info = kernel::infoOf(n.op);
    if (kernel::isUnary(n.op)) {
      return n.op == ExprOp::Neg ? fmt::format("-({})", lhs)
                                 : fmt::format("f::{}_({})", wordOf(info), lhs);
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
    return fmt::format("f::{}_({}, {})", wordOf(info), lhs, rhs);
  }

  static std::string_view wordOf(const kernel::ExprInfo& info) { return info.word; }

  std::string reduction(const ExprNode& n, const std::string& value) const {
    std::string loops;
    for (const LoopId loop : n.loops) loops += header(loop) + " ";
    return fmt::format("[&] {{ double r = {}; {}r = {}; return r; }}()",
                       cppNumber(kernel::neutralOf(n.op)), loops, cppJoin(n.op, "r", value));
  }

  const kernel::Kernel& m_kernel;
  const kernel::Statement& m_statement;
  bool m_tiled;
};

}  // namespace

std::string cppName(std::string_view name) {
  // The suffix keeps clear of the words of C++ and of the names that the program itself uses.
  std::string out;
  for (const char c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    out += plain || c == '_' ? c : '_';
  }
  return out.size() > 1 || out == "t" || out == "r" || out == "f" ? out + "_" : out;
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

std::string cppStatement(const kernel::Kernel& kernel, const kernel::Statement& statement,
                         bool tiled, bool joins) {
  return StatementText(kernel, statement, tiled).run(joins);
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
