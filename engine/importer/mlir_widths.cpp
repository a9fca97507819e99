// SPDX-License-Identifier: Apache-2.0
//
// Integers of a width: a kernel's numbers have a sign and do not wrap around.
#include <fmt/format.h>
#include <mlir/Dialect/Arith/IR/Arith.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "importer/mlir_reader.h"

namespace gridloom::importer {

namespace {

// Least and greatest value.
using Range = std::pair<double, double>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Range kAny{-kInfinity, kInfinity};

Range rangeOfWidth(unsigned width) {
  const double half = std::ldexp(1.0, static_cast<int>(width) - 1);
  return {-half, half - 1};
}

Range unionOf(const Range& a, const Range& b) {
  return {std::min(a.first, b.first), std::max(a.second, b.second)};
}

Range product(const Range& a, const Range& b) {
  const auto of = [](double x, double y) { return x == 0 || y == 0 ? 0 : x * y; };
  const Range ends = unionOf({of(a.first, b.first), of(a.first, b.first)},
                             {of(a.first, b.second), of(a.first, b.second)});
  const Range others = unionOf({of(a.second, b.first), of(a.second, b.first)},
                               {of(a.second, b.second), of(a.second, b.second)});
  return unionOf(ends, others);
}

Range rangeOfTwo(const std::string& name, const Range& a, const Range& b) {
  if (name == "+") return {a.first + b.first, a.second + b.second};
  if (name == "-") return {a.first - b.second, a.second - b.first};
  if (name == "*") return product(a, b);
  if (name == "max") return {std::max(a.first, b.first), std::max(a.second, b.second)};
  if (name == "min") return {std::min(a.first, b.first), std::min(a.second, b.second)};
  const bool isByNumber = b.first == b.second && b.first > 0;
  if (name == "mod" && isByNumber) return {0, b.first - 1};
  if (name == "div" && isByNumber)
    return {std::floor(a.first / b.first), std::floor(a.second / b.first)};
  return kAny;
}

// Operations that take their operands for numbers without a sign.
bool isUnsigned(mlir::Operation& op) {
  if (auto compare = llvm::dyn_cast<mlir::arith::CmpIOp>(op)) {
    using P = mlir::arith::CmpIPredicate;
    const P of = compare.getPredicate();
    return of == P::ult || of == P::ule || of == P::ugt || of == P::uge;
  }
  return llvm::isa<mlir::arith::ExtUIOp, mlir::arith::UIToFPOp, mlir::arith::IndexCastUIOp,
                   mlir::arith::MaxUIOp, mlir::arith::MinUIOp, mlir::arith::DivUIOp,
                   mlir::arith::RemUIOp, mlir::arith::CeilDivUIOp, mlir::arith::ShRUIOp>(op);
}

bool isCast(mlir::Operation& op) {
  return llvm::isa<mlir::arith::ExtUIOp, mlir::arith::UIToFPOp, mlir::arith::IndexCastUIOp,
                   mlir::arith::TruncIOp>(op);
}

// Whether values of the range are the same in the type, with a sign.
bool fitsType(const Range& range, mlir::Type type) {
  const auto of = llvm::dyn_cast<mlir::IntegerType>(mlir::getElementTypeOrSelf(type));
  constexpr unsigned most = 63;
  if (!of || of.getWidth() > most) return true;
  const Range all = rangeOfWidth(of.getWidth());
  return range.first >= all.first && range.second <= all.second;
}

bool keepsMeaning(mlir::Operation& op, const Range& range) {
  if (llvm::isa<mlir::arith::TruncIOp>(op)) return fitsType(range, op.getResult(0).getType());
  return range.first >= 0;
}

}  // namespace

// Of whole numbers.
Range Reader::rangeOf(const Expr& value) const {
  const auto argument = [&](std::size_t n) { return rangeOf(*value.args[n]); };
  if (value.kind == Expr::Kind::Index)
    return m_program.loops.range(m_program.loops.normal(value.index.front()));
  if (value.kind == Expr::Kind::Number) return {std::floor(value.number), std::ceil(value.number)};
  if (value.kind == Expr::Kind::Load) return rangeOfElement(value);
  if (value.kind == Expr::Kind::Reduce) {
    const Range each = argument(0);
    if (value.name != "sum") return value.name == "max" || value.name == "min" ? each : kAny;
    double terms = 1;
    for (const Loop loop : value.loops) terms *= static_cast<double>(m_program.loops.extent(loop));
    return product(unionOf(each, {0, 0}), {terms, terms});
  }
  if (value.name == "neg") return {-argument(0).second, -argument(0).first};
  if (value.name == "select") return unionOf(argument(1), argument(2));
  return value.args.size() == 2 ? rangeOfTwo(value.name, argument(0), argument(1)) : kAny;
}

// Integers of the caller lie in their type; those of locals may lie outside of it for now.
Range Reader::rangeOfElement(const Expr& load) const {
  const Buffer& buffer = m_program.buffers[static_cast<std::size_t>(load.buffer)];
  unsigned width = 0;
  const bool isInteger = buffer.isArgument && buffer.dtype.starts_with('i') &&
                         !llvm::StringRef(buffer.dtype).drop_front().getAsInteger(10, width);
  return isInteger ? rangeOfWidth(width) : kAny;
}

// Whether an operation on indices means the same on numbers with a sign that do not wrap around.
bool Reader::isInWidth(mlir::Operation& op, const std::vector<Integer>& args) const {
  if (!isUnsigned(op) && !llvm::isa<mlir::arith::TruncIOp>(op)) return true;
  return std::ranges::all_of(args, [&](const Integer& arg) {
    return std::ranges::all_of(arg.forms, [&](const Linear& form) {
      return keepsMeaning(op, m_program.loops.range(m_program.loops.normal(form)));
    });
  });
}

// The same on data.
void Reader::checkWidth(mlir::Operation& op, const std::vector<ExprRef>& args) const {
  if (!isUnsigned(op) || isCast(op)) return;
  for (const ExprRef& arg : args) {
    if (keepsMeaning(op, rangeOf(*arg))) continue;
    refuse(&op,
           fmt::format("`{}` reads numbers that may be negative as numbers without a sign",
                       op.getName().getStringRef().str()),
           "numbers of a kernel have a sign: use the operation on such numbers (`divsi`, `slt`)");
  }
}

// What a cast makes of a number: its lower bits, with a sign or, of an operand without one, as they
// are. Of a condition, the one bit is 0 or 1 in either reading.
ExprRef Reader::withBits(mlir::Operation& op, const ExprRef& value) const {
  if (!isCast(op)) return value;
  const bool narrows = llvm::isa<mlir::arith::TruncIOp>(op);
  const mlir::Value of = narrows ? op.getResult(0) : op.getOperand(0);
  const auto type = llvm::dyn_cast<mlir::IntegerType>(mlir::getElementTypeOrSelf(of.getType()));
  const bool isBit = type && type.getWidth() == 1;
  if ((isBit && !narrows) || keepsMeaning(op, rangeOf(*value))) return value;
  constexpr unsigned kMostExact = 52;  // numbers of a kernel are computed in 64-bit floating point
  if (!type || type.getWidth() > kMostExact)
    refuse(&op, fmt::format("`{}` keeps 64 bits of a number", op.getName().getStringRef().str()),
           "numbers of a kernel have a sign and are exact up to 52 bits: use a narrower type");
  const double size = std::ldexp(1.0, static_cast<int>(type.getWidth()));
  if (isBit || !narrows) return call("mod", {value, number(size)});
  const ExprRef rest = call("mod", {call("+", {value, number(size / 2)}), number(size)});
  return call("-", {rest, number(size / 2)});
}

}  // namespace gridloom::importer
