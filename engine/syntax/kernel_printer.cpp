// SPDX-License-Identifier: Apache-2.0
#include "syntax/kernel_printer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

namespace gridloom::syntax {

namespace {

using kernel::ExprNode;
using kernel::ExprOp;

using kernel::ExprForm;

// Operator precedence of an expression; a reduction's body is a product.
enum class Strength { Or, And, Not, Compare, Sum, Reduction, Product, Unary, Value };

Strength bindingOf(ExprOp op) {
  if (kernel::isReduction(op)) return Strength::Reduction;
  if (op == ExprOp::Not) return Strength::Not;
  if (op == ExprOp::Neg) return Strength::Unary;
  if (kernel::infoOf(op).form != ExprForm::Infix) return Strength::Value;
  if (op == ExprOp::Or) return Strength::Or;
  if (op == ExprOp::And) return Strength::And;
  if (op == ExprOp::Add || op == ExprOp::Sub) return Strength::Sum;
  return op == ExprOp::Mul || op == ExprOp::Div ? Strength::Product : Strength::Compare;
}

class ExprPrinter {
 public:
  ExprPrinter(const kernel::Kernel& kernel, const kernel::Statement& statement)
      : m_kernel(kernel), m_statement(statement) {}

  std::string print() const {
    return print(static_cast<std::int32_t>(m_statement.expr.size()) - 1, Strength::Or);
  }

 private:
  std::string print(std::int32_t index, Strength least) const {
    const ExprNode& node = m_statement.expr[static_cast<std::size_t>(index)];
    std::string text = inside(node);
    return bindingOf(node.op) < least ? "(" + text + ")" : text;
  }

  std::string inside(const ExprNode& node) const {
    switch (kernel::infoOf(node.op).form) {
    case ExprForm::Leaf:
      return leaf(node);
    case ExprForm::Prefix:
      return std::string(kernel::infoOf(node.op).word) + print(node.lhs, bindingOf(node.op));
    case ExprForm::Infix:
      return infix(node);
    case ExprForm::Function:
      return call(node);
    case ExprForm::Reduction:
      break;
    }
    return reduction(node);
  }

  std::string leaf(const ExprNode& node) const {
    if (node.op == ExprOp::Index) return m_kernel.loop(node.loop).name;
    if (node.op == ExprOp::Read) {
      return toString(m_kernel, m_statement.reads[static_cast<std::size_t>(node.read)]);
    }
    return node.spelling.empty() ? fmt::format("{}", node.constant) : node.spelling;
  }

  // Whether the text of a node ends with what a reduction reduces.
  bool endsReduced(std::int32_t index) const {
    const ExprNode& node = m_statement.expr[static_cast<std::size_t>(index)];
    return kernel::isReduction(node.op) ||
           (bindingOf(node.op) == Strength::Sum && endsReduced(node.rhs));
  }

  // The right operand binds more tightly, and so do both of a comparison. A reduction that is
  // compared has parentheses, so that nobody takes it for one of comparisons.
  std::string infix(const ExprNode& node) const {
    const Strength own = bindingOf(node.op);
    if (own == Strength::Compare && endsReduced(node.lhs)) {
      return fmt::format("({}) {} {}", print(node.lhs, Strength::Or), kernel::infoOf(node.op).word,
                         print(node.rhs, Strength::Sum));
    }
    const auto tighter = static_cast<Strength>(static_cast<int>(own) + 1);
    const Strength right = own == Strength::Product ? Strength::Unary : tighter;
    return fmt::format("{} {} {}", print(node.lhs, own == Strength::Compare ? tighter : own),
                       kernel::infoOf(node.op).word, print(node.rhs, right));
  }

  std::string call(const ExprNode& node) const {
    std::string arguments;
    for (const std::int32_t operand : node.operands()) {
      if (operand < 0) continue;
      arguments += (arguments.empty() ? "" : ", ") + print(operand, Strength::Or);
    }
    return fmt::format("{}({})", kernel::infoOf(node.op).word, arguments);
  }

  std::string reduction(const ExprNode& node) const {
    std::vector<std::string> loops;
    for (const kernel::LoopId loop : node.loops) loops.push_back(m_kernel.loop(loop).name);
    return fmt::format("{}({}) {}", kernel::infoOf(node.op).word, fmt::join(loops, ", "),
                       print(node.lhs, Strength::Reduction));
  }

  const kernel::Kernel& m_kernel;
  const kernel::Statement& m_statement;
};

void printComments(std::string& out, const std::vector<std::string>& comments,
                   std::string_view indent) {
  for (const std::string& line : comments) out.append(indent).append(line).append("\n");
}

void printHeader(std::string& out, const kernel::Kernel& kernel) {
  out += "kernel " + kernel.name + "(";
  for (std::size_t p = 0; p < kernel.parameters.size(); ++p) {
    const kernel::Parameter& parameter = kernel.parameters[p];
    out += fmt::format("{}{} = {}", p == 0 ? "" : ", ", parameter.name,
                       parameter.spelling.empty() ? std::to_string(parameter.value)
                                                  : parameter.spelling);
  }
  out += ") {\n";
}

void printTensor(std::string& out, const kernel::Tensor& tensor) {
  printComments(out, tensor.comments, "  ");
  out += tensor.role == kernel::TensorRole::Local ? "  local " : "  tensor ";
  out += tensor.shapeSpelling.empty()
             ? fmt::format("{}[{}]", tensor.name, fmt::join(tensor.shape, ", "))
             : fmt::format("{}[{}]", tensor.name, fmt::join(tensor.shapeSpelling, ", "));
  out += fmt::format(": {}", nameOf(tensor.dtype));
  if (tensor.initial) out += fmt::format(" = {}", *tensor.initial);
  out += "\n";
}

void printRange(std::string& out, const kernel::Loop& loop) {
  if (loop.declared == 0) return;
  printComments(out, loop.comments, "  ");
  out += fmt::format("  for {} in 0..{}\n", loop.name,
                     loop.declaredSpelling.empty() ? std::to_string(loop.declared)
                                                   : loop.declaredSpelling);
}

void printStatement(std::string& out, const kernel::Kernel& kernel,
                    const kernel::Statement& statement) {
  printComments(out, statement.comments, "  ");
  out += fmt::format("  {} = {}", toString(kernel, statement.target),
                     ExprPrinter(kernel, statement).print());
  const std::vector<std::string> where = kernel::spellingsOf(kernel, statement);
  if (!where.empty()) out += fmt::format("  where {}", fmt::join(where, ", "));
  out += "\n";
}

}  // namespace

std::string printKernels(const kernel::KernelGraph& graph) {
  std::string out;
  for (const kernel::Kernel& checked : graph.kernels) {
    const kernel::Kernel& kernel = checked.asWritten();
    if (!out.empty()) out += "\n";
    printComments(out, kernel.comments, "");
    printHeader(out, kernel);
    for (const kernel::Tensor& tensor : kernel.tensors) printTensor(out, tensor);
    for (const kernel::Loop& loop : kernel.loops) printRange(out, loop);
    out += "\n";
    for (const kernel::Statement& statement : kernel.statements) {
      printStatement(out, kernel, statement);
    }
    printComments(out, kernel.endComments, "  ");
    out += "}\n";
  }
  printComments(out, graph.endComments, "");
  return out;
}

}  // namespace gridloom::syntax
