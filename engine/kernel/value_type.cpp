// SPDX-License-Identifier: Apache-2.0
#include "kernel/value_type.h"

#include <algorithm>
#include <cmath>

namespace gridloom::kernel {

namespace {

/// What holds the values of those before it.
enum class Width : std::uint8_t { Any, I32, I64, F32, F64 };

Width widthOf(DType dtype) {
  if (dtype == DType::F64) return Width::F64;
  if (dtype == DType::I64) return Width::I64;
  return isInteger(dtype) ? Width::I32 : Width::F32;
}

DType typeOf(Width width) {
  switch (width) {
  case Width::Any:
  case Width::I32:
    return DType::I32;
  case Width::I64:
    return DType::I64;
  case Width::F32:
    return DType::F32;
  case Width::F64:
    break;
  }
  return DType::F64;
}

class WidthReader {
 public:
  WidthReader(const Kernel& kernel, const Statement& statement)
      : m_kernel(kernel), m_statement(statement) {}

  Width of(std::int32_t n) const {
    if (n < 0) return Width::Any;
    const ExprNode& node = nodeOf(m_statement, n);
    if (node.op == ExprOp::Constant) return isWhole(node) ? Width::Any : Width::F32;
    if (node.op == ExprOp::Read) {
      const Access& read = m_statement.reads[static_cast<std::size_t>(node.read)];
      return widthOf(m_kernel.tensor(read.tensor).dtype);
    }
    if (isTruth(node.op) || node.op == ExprOp::Index) return Width::Any;
    const Width condition = node.op == ExprOp::Select ? Width::Any : of(node.lhs);
    const Width widest = std::max({condition, of(node.rhs), of(node.other)});
    return keepsIntegers(node) ? widest : std::max(widest, Width::F32);
  }

  Width ofTarget() const { return widthOf(m_kernel.tensor(m_statement.target.tensor).dtype); }

 private:
  static bool isWhole(const ExprNode& constant) {
    return std::isfinite(constant.constant) && constant.constant == std::floor(constant.constant);
  }

  // Its values are 0 and 1.
  static bool isTruth(ExprOp op) {
    return op == ExprOp::Not || (op >= ExprOp::Less && op <= ExprOp::Or);
  }

  bool keepsIntegers(const ExprNode& node) const {
    if (node.op == ExprOp::FloorDiv || node.op == ExprOp::Mod) return true;
    switch (infoOf(node.op).fn) {
    case VectorFn::Add:
    case VectorFn::Sub:
    case VectorFn::Mul:
    case VectorFn::Max:
    case VectorFn::Relu:
    case VectorFn::Abs:
    case VectorFn::Floor:
    case VectorFn::Compare:
    case VectorFn::Select:
    case VectorFn::SumReduce:
    case VectorFn::MaxReduce:
    case VectorFn::ProdReduce:
      return true;
    case VectorFn::Pow: {
      const ExprNode& exponent = nodeOf(m_statement, node.rhs);
      return exponent.op == ExprOp::Constant && isWhole(exponent) && exponent.constant >= 0;
    }
    case VectorFn::Div:
    case VectorFn::Exp:
    case VectorFn::Log:
    case VectorFn::Sqrt:
    case VectorFn::Tanh:
    case VectorFn::Sigmoid:
    case VectorFn::Erf:
    case VectorFn::Sin:
    case VectorFn::Cos:
      break;
    }
    return false;
  }

  const Kernel& m_kernel;
  const Statement& m_statement;
};

}  // namespace

DType valueType(const Kernel& kernel, const Statement& statement, std::int32_t node) {
  const WidthReader widths(kernel, statement);
  const Width value = widths.of(node), target = widths.ofTarget();
  const bool isFraction = value >= Width::F32;
  const bool widens = isFraction == (target >= Width::F32);
  return typeOf(widens ? std::max(value, target) : value);
}

DType fractionType(const Kernel& kernel, const Statement& statement, std::int32_t node) {
  return valueType(kernel, statement, node) == DType::F64 ? DType::F64 : DType::F32;
}

}  // namespace gridloom::kernel
