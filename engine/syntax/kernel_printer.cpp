// SPDX-License-Identifier: Apache-2.0
#include "syntax/kernel_printer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

namespace gridloom::syntax {

namespace {

using kernel::ExprNode;
using kernel::ExprOp;

// Operator precedence of an expression; a reduction's body is a product.
enum class Binding { Sum, Reduction, Product, Unary, Value };

Binding bindingOf(const ExprNode& node) {
  switch (node.op) {
  case ExprOp::Add:
  case ExprOp::Sub:
    return Binding::Sum;
  case ExprOp::Sum:
  case ExprOp::MaxReduce:
  case ExprOp::MinReduce:
    return Binding::Reduction;
  case ExprOp::Mul:
  case ExprOp::Div:
    return Binding::Product;
  case ExprOp::Neg:
    return Binding::Unary;
  case ExprOp::Constant:
  case ExprOp::Read:
  case ExprOp::Exp:
  case ExprOp::Log:
  case ExprOp::Sqrt:
  case ExprOp::Rsqrt:
  case ExprOp::Tanh:
  case ExprOp::Sigmoid:
  case ExprOp::Relu:
  case ExprOp::Abs:
  case ExprOp::Max:
  case ExprOp::Min:
    break;
  }
  return Binding::Value;
}

std::string_view nameOf(ExprOp op) {
  switch (op) {
  case ExprOp::Exp:
    return "exp";
  case ExprOp::Log:
    return "log";
  case ExprOp::Sqrt:
    return "sqrt";
  case ExprOp::Rsqrt:
    return "rsqrt";
  case ExprOp::Tanh:
    return "tanh";
  case ExprOp::Sigmoid:
    return "sigmoid";
  case ExprOp::Relu:
    return "relu";
  case ExprOp::Abs:
    return "abs";
  case ExprOp::Add:
    return " + ";
  case ExprOp::Sub:
    return " - ";
  case ExprOp::Mul:
    return " * ";
  case ExprOp::Div:
    return " / ";
  case ExprOp::Max:
  case ExprOp::MaxReduce:
    return "max";
  case ExprOp::Min:
  case ExprOp::MinReduce:
    return "min";
  case ExprOp::Sum:
    return "sum";
  case ExprOp::Constant:
  case ExprOp::Read:
  case ExprOp::Neg:
    break;
  }
  return "";
}

class ExprPrinter {
 public:
  ExprPrinter(const kernel::Kernel& kernel, const kernel::Statement& statement)
      : m_kernel(kernel), m_statement(statement) {}

  std::string print() const {
    return print(static_cast<std::int32_t>(m_statement.expr.size()) - 1, Binding::Sum);
  }

 private:
  std::string print(std::int32_t index, Binding least) const {
    const ExprNode& node = m_statement.expr[static_cast<std::size_t>(index)];
    std::string text = inside(node);
    return bindingOf(node) < least ? "(" + text + ")" : text;
  }

  std::string inside(const ExprNode& node) const {
    switch (node.op) {
    case ExprOp::Constant:
      return node.spelling.empty() ? fmt::format("{}", node.constant) : node.spelling;
    case ExprOp::Read:
      return toString(m_kernel, m_statement.reads[static_cast<std::size_t>(node.read)]);
    case ExprOp::Neg:
      return "-" + print(node.lhs, Binding::Unary);
    case ExprOp::Add:
    case ExprOp::Sub:
      return joined(node, Binding::Sum, Binding::Reduction);
    case ExprOp::Mul:
    case ExprOp::Div:
      return joined(node, Binding::Product, Binding::Unary);
    case ExprOp::Max:
    case ExprOp::Min:
      return fmt::format("{}({}, {})", nameOf(node.op), print(node.lhs, Binding::Sum),
                         print(node.rhs, Binding::Sum));
    case ExprOp::Sum:
    case ExprOp::MaxReduce:
    case ExprOp::MinReduce:
      return reduction(node);
    case ExprOp::Exp:
    case ExprOp::Log:
    case ExprOp::Sqrt:
    case ExprOp::Rsqrt:
    case ExprOp::Tanh:
    case ExprOp::Sigmoid:
    case ExprOp::Relu:
    case ExprOp::Abs:
      break;
    }
    return fmt::format("{}({})", nameOf(node.op), print(node.lhs, Binding::Sum));
  }

  std::string joined(const ExprNode& node, Binding left, Binding right) const {
    return print(node.lhs, left).append(nameOf(node.op)).append(print(node.rhs, right));
  }

  std::string reduction(const ExprNode& node) const {
    std::vector<std::string> loops;
    for (const kernel::LoopId loop : node.loops) loops.push_back(m_kernel.loop(loop).name);
    return fmt::format("{}({}) {}", nameOf(node.op), fmt::join(loops, ", "),
                       print(node.lhs, Binding::Reduction));
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

void printStatement(std::string& out, const kernel::Kernel& kernel,
                    const kernel::Statement& statement) {
  printComments(out, statement.comments, "  ");
  out += fmt::format("  {} = {}", toString(kernel, statement.target),
                     ExprPrinter(kernel, statement).print());
  const std::vector<std::string> names = loopNames(kernel);
  for (std::size_t c = 0; c < statement.constraints.size(); ++c) {
    const affine::Constraint& constraint = statement.constraints[c];
    out += c == 0 ? "  where " : ", ";
    out += statement.constraintSpelling.empty()
               ? fmt::format("{} {} 0", affine::toString(constraint.expr, names),
                             constraint.equality ? "==" : ">=")
               : statement.constraintSpelling[c];
  }
  out += "\n";
}

}  // namespace

std::string printKernels(const kernel::KernelGraph& graph) {
  std::string out;
  for (const kernel::Kernel& kernel : graph.kernels) {
    if (!out.empty()) out += "\n";
    printComments(out, kernel.comments, "");
    printHeader(out, kernel);
    for (const kernel::Tensor& tensor : kernel.tensors) printTensor(out, tensor);
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
