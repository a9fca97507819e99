// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace gridloom::kernel {

/// Rates of vector units are given per function in hardware descriptions.
enum class VectorFn : std::uint8_t {
  Add,
  Sub,
  Mul,
  Div,
  Max,
  Exp,
  Log,
  Sqrt,
  Tanh,
  Sigmoid,
  Relu,
  Abs,
  Erf,
  Sin,
  Cos,
  Pow,
  Floor,
  Compare,
  Select,
  SumReduce,
  MaxReduce,
  ProdReduce,
};
inline constexpr int kVectorFns = static_cast<int>(VectorFn::ProdReduce) + 1;
std::string_view nameOf(VectorFn fn);

enum class ExprOp : std::uint8_t {
  Constant,
  Read,
  Index,  // leaves: a number, an element, the value of a loop
  Neg,
  Not,
  Exp,
  Exp2,
  Log,
  Sqrt,
  Rsqrt,
  Tanh,
  Sigmoid,
  Relu,
  Abs,
  Erf,
  Sin,
  Cos,
  Floor,
  Ceil,  // unary
  Add,
  Sub,
  Mul,
  Div,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Equal,
  NotEqual,
  And,
  Or,  // binary, written between their operands
  Max,
  Min,
  Pow,
  FloorDiv,
  Mod,     // binary, written as functions
  Select,  // of a condition and two values
  Sum,
  MaxReduce,
  MinReduce,
  ProdReduce,  // over `loops`
};

enum class ExprForm : std::uint8_t { Leaf, Prefix, Infix, Function, Reduction };

/// How an operation is written, and the function of a vector unit that performs it.
struct ExprInfo {
  ExprOp op = ExprOp::Constant;
  ExprForm form = ExprForm::Leaf;
  int operands = 0;
  std::string_view word;
  VectorFn fn = VectorFn::Mul;
};
const ExprInfo& infoOf(ExprOp op);
/// The operation with that word and form.
std::optional<ExprOp> exprOpNamed(std::string_view word, ExprForm form);

inline bool isReduction(ExprOp op) { return op >= ExprOp::Sum; }
inline bool isUnary(ExprOp op) { return op >= ExprOp::Neg && op <= ExprOp::Ceil; }
inline bool isLeaf(ExprOp op) { return op <= ExprOp::Index; }

/// The result of an operation on numbers; for a reduction, of two of its operands. A condition is 1
/// or 0; any number but 0 holds.
double applyUnary(ExprOp op, double x);
double applyBinary(ExprOp op, double x, double y);
/// The result of a reduction over nothing.
double neutralOf(ExprOp op);

}  // namespace gridloom::kernel
