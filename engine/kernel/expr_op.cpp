// SPDX-License-Identifier: Apache-2.0
#include "kernel/expr_op.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace gridloom::kernel {

namespace {

constexpr std::array<std::string_view, kVectorFns> kVectorFnNames = {
    "add",   "sub",     "mul",    "div",       "max",       "exp",       "log", "sqrt",
    "tanh",  "sigmoid", "relu",   "abs",       "erf",       "sin",       "cos", "pow",
    "floor", "compare", "select", "sumreduce", "maxreduce", "prodreduce"};

using enum ExprForm;

constexpr std::array kInfos = {
    ExprInfo{ExprOp::Constant, Leaf, 0, "", VectorFn::Mul},
    ExprInfo{ExprOp::Read, Leaf, 0, "", VectorFn::Mul},
    ExprInfo{ExprOp::Index, Leaf, 0, "", VectorFn::Mul},
    ExprInfo{ExprOp::Neg, Prefix, 1, "-", VectorFn::Mul},
    ExprInfo{ExprOp::Not, Prefix, 1, "not ", VectorFn::Compare},
    ExprInfo{ExprOp::Exp, Function, 1, "exp", VectorFn::Exp},
    ExprInfo{ExprOp::Exp2, Function, 1, "exp2", VectorFn::Exp},
    ExprInfo{ExprOp::Log, Function, 1, "log", VectorFn::Log},
    ExprInfo{ExprOp::Sqrt, Function, 1, "sqrt", VectorFn::Sqrt},
    ExprInfo{ExprOp::Rsqrt, Function, 1, "rsqrt", VectorFn::Sqrt},
    ExprInfo{ExprOp::Tanh, Function, 1, "tanh", VectorFn::Tanh},
    ExprInfo{ExprOp::Sigmoid, Function, 1, "sigmoid", VectorFn::Sigmoid},
    ExprInfo{ExprOp::Relu, Function, 1, "relu", VectorFn::Relu},
    ExprInfo{ExprOp::Abs, Function, 1, "abs", VectorFn::Abs},
    ExprInfo{ExprOp::Erf, Function, 1, "erf", VectorFn::Erf},
    ExprInfo{ExprOp::Sin, Function, 1, "sin", VectorFn::Sin},
    ExprInfo{ExprOp::Cos, Function, 1, "cos", VectorFn::Cos},
    ExprInfo{ExprOp::Floor, Function, 1, "floor", VectorFn::Floor},
    ExprInfo{ExprOp::Ceil, Function, 1, "ceil", VectorFn::Floor},
    ExprInfo{ExprOp::Add, Infix, 2, "+", VectorFn::Add},
    ExprInfo{ExprOp::Sub, Infix, 2, "-", VectorFn::Sub},
    ExprInfo{ExprOp::Mul, Infix, 2, "*", VectorFn::Mul},
    ExprInfo{ExprOp::Div, Infix, 2, "/", VectorFn::Div},
    ExprInfo{ExprOp::Less, Infix, 2, "<", VectorFn::Compare},
    ExprInfo{ExprOp::LessEqual, Infix, 2, "<=", VectorFn::Compare},
    ExprInfo{ExprOp::Greater, Infix, 2, ">", VectorFn::Compare},
    ExprInfo{ExprOp::GreaterEqual, Infix, 2, ">=", VectorFn::Compare},
    ExprInfo{ExprOp::Equal, Infix, 2, "==", VectorFn::Compare},
    ExprInfo{ExprOp::NotEqual, Infix, 2, "!=", VectorFn::Compare},
    ExprInfo{ExprOp::And, Infix, 2, "and", VectorFn::Compare},
    ExprInfo{ExprOp::Or, Infix, 2, "or", VectorFn::Compare},
    ExprInfo{ExprOp::Max, Function, 2, "max", VectorFn::Max},
    ExprInfo{ExprOp::Min, Function, 2, "min", VectorFn::Max},
    ExprInfo{ExprOp::Pow, Function, 2, "pow", VectorFn::Pow},
    ExprInfo{ExprOp::FloorDiv, Function, 2, "div", VectorFn::Div},
    ExprInfo{ExprOp::Mod, Function, 2, "mod", VectorFn::Div},
    ExprInfo{ExprOp::Select, Function, 3, "select", VectorFn::Select},
    ExprInfo{ExprOp::Sum, Reduction, 1, "sum", VectorFn::SumReduce},
    ExprInfo{ExprOp::MaxReduce, Reduction, 1, "max", VectorFn::MaxReduce},
    ExprInfo{ExprOp::MinReduce, Reduction, 1, "min", VectorFn::MaxReduce},
    ExprInfo{ExprOp::ProdReduce, Reduction, 1, "prod", VectorFn::ProdReduce},
};

constexpr bool isInOrder() {
  for (std::size_t i = 0; i < kInfos.size(); ++i) {
    if (static_cast<std::size_t>(kInfos[i].op) != i) return false;
  }
  return kInfos.size() == static_cast<std::size_t>(ExprOp::ProdReduce) + 1;
}
static_assert(isInOrder());

/// Of what takes another number of arguments.
constexpr double kNotAnOperation = std::numeric_limits<double>::quiet_NaN();

}  // namespace

std::string_view nameOf(VectorFn fn) { return kVectorFnNames[static_cast<std::size_t>(fn)]; }

const ExprInfo& infoOf(ExprOp op) { return kInfos[static_cast<std::size_t>(op)]; }

std::optional<ExprOp> exprOpNamed(std::string_view word, ExprForm form) {
  const auto found = std::ranges::find_if(
      kInfos, [&](const ExprInfo& info) { return info.word == word && info.form == form; });
  return found == kInfos.end() ? std::nullopt : std::optional(found->op);
}

double applyUnary(ExprOp op, double x) {
  switch (op) {
  case ExprOp::Neg:
    return -x;
  case ExprOp::Not:
    return x == 0 ? 1 : 0;
  case ExprOp::Exp:
    return std::exp(x);
  case ExprOp::Exp2:
    return std::exp2(x);
  case ExprOp::Log:
    return std::log(x);
  case ExprOp::Sqrt:
    return std::sqrt(x);
  case ExprOp::Rsqrt:
    return 1 / std::sqrt(x);
  case ExprOp::Tanh:
    return std::tanh(x);
  case ExprOp::Sigmoid:
    return 1 / (1 + std::exp(-x));
  case ExprOp::Relu:
    return std::max(x, 0.0);
  case ExprOp::Abs:
    return std::abs(x);
  case ExprOp::Erf:
    return std::erf(x);
  case ExprOp::Sin:
    return std::sin(x);
  case ExprOp::Cos:
    return std::cos(x);
  case ExprOp::Floor:
    return std::floor(x);
  case ExprOp::Ceil:
    return std::ceil(x);
  case ExprOp::Constant:
  case ExprOp::Read:
  case ExprOp::Index:
  case ExprOp::Add:
  case ExprOp::Sub:
  case ExprOp::Mul:
  case ExprOp::Div:
  case ExprOp::Less:
  case ExprOp::LessEqual:
  case ExprOp::Greater:
  case ExprOp::GreaterEqual:
  case ExprOp::Equal:
  case ExprOp::NotEqual:
  case ExprOp::And:
  case ExprOp::Or:
  case ExprOp::Max:
  case ExprOp::Min:
  case ExprOp::Pow:
  case ExprOp::FloorDiv:
  case ExprOp::Mod:
  case ExprOp::Select:
  case ExprOp::Sum:
  case ExprOp::MaxReduce:
  case ExprOp::MinReduce:
  case ExprOp::ProdReduce:
    break;
  }
  return kNotAnOperation;
}

double applyBinary(ExprOp op, double x, double y) {
  switch (op) {
  case ExprOp::Add:
  case ExprOp::Sum:
    return x + y;
  case ExprOp::Sub:
    return x - y;
  case ExprOp::Mul:
  case ExprOp::ProdReduce:
    return x * y;
  case ExprOp::Div:
    return x / y;
  case ExprOp::Less:
    return x < y ? 1 : 0;
  case ExprOp::LessEqual:
    return x <= y ? 1 : 0;
  case ExprOp::Greater:
    return x > y ? 1 : 0;
  case ExprOp::GreaterEqual:
    return x >= y ? 1 : 0;
  case ExprOp::Equal:
    return x == y ? 1 : 0;
  case ExprOp::NotEqual:
    return x != y ? 1 : 0;
  case ExprOp::And:
    return x != 0 && y != 0 ? 1 : 0;
  case ExprOp::Or:
    return x != 0 || y != 0 ? 1 : 0;
  case ExprOp::Max:
  case ExprOp::MaxReduce:
    return std::max(x, y);
  case ExprOp::Min:
  case ExprOp::MinReduce:
    return std::min(x, y);
  case ExprOp::Pow:
    return std::pow(x, y);
  case ExprOp::FloorDiv:
    return std::floor(x / y);
  case ExprOp::Mod:
    return x - y * std::floor(x / y);
  case ExprOp::Constant:
  case ExprOp::Read:
  case ExprOp::Index:
  case ExprOp::Neg:
  case ExprOp::Not:
  case ExprOp::Exp:
  case ExprOp::Exp2:
  case ExprOp::Log:
  case ExprOp::Sqrt:
  case ExprOp::Rsqrt:
  case ExprOp::Tanh:
  case ExprOp::Sigmoid:
  case ExprOp::Relu:
  case ExprOp::Abs:
  case ExprOp::Erf:
  case ExprOp::Sin:
  case ExprOp::Cos:
  case ExprOp::Floor:
  case ExprOp::Ceil:
  case ExprOp::Select:
    break;
  }
  return kNotAnOperation;
}

double neutralOf(ExprOp op) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (op == ExprOp::Sum) return 0;
  if (op == ExprOp::ProdReduce) return 1;
  return op == ExprOp::MaxReduce ? -kInfinity : kInfinity;
}

}  // namespace gridloom::kernel
