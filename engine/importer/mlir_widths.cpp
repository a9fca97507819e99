// SPDX-License-Identifier: Apache-2.0
//
// Integers of a width: a kernel's numbers have a sign and do not wrap around.
#include <fmt/format.h>
#include <mlir/Dialect/Arith/IR/Arith.h>

#include <algorithm>
#include <cmath>

#include "importer/mlir_reader.h"

namespace gridloom::importer {

namespace {

using Range = std::pair<std::int64_t, std::int64_t>;

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

// Of a condition, the one bit is 0 or 1 in either reading.
bool widensCondition(mlir::Operation& op) {
  return op.getNumOperands() == 1 &&
         mlir::getElementTypeOrSelf(op.getOperand(0).getType()).isInteger(1);
}

// Whether values of the range are the same in the type, with a sign.
bool fitsType(const Range& range, mlir::Type type) {
  const auto of = llvm::dyn_cast<mlir::IntegerType>(mlir::getElementTypeOrSelf(type));
  constexpr unsigned most = 63;
  if (!of || of.getWidth() > most) return true;
  const std::int64_t half = std::int64_t{1} << (of.getWidth() - 1);
  return range.first >= -half && range.second < half;
}

bool keepsMeaning(mlir::Operation& op, const Range& range) {
  if (llvm::isa<mlir::arith::TruncIOp>(op)) return fitsType(range, op.getResult(0).getType());
  return range.first >= 0;
}

}  // namespace

// Least and greatest value of a number or an index; nothing of data.
std::optional<Range> Reader::rangeOf(const ExprRef& value) const {
  if (value->kind == Expr::Kind::Index)
    return m_program.loops.range(m_program.loops.normal(value->index.front()));
  if (!isNumber(value)) return std::nullopt;
  return Range{static_cast<std::int64_t>(std::floor(value->number)),
               static_cast<std::int64_t>(std::ceil(value->number))};
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

// The same on data, of which any number may come.
void Reader::checkWidth(mlir::Operation& op, const std::vector<ExprRef>& args) const {
  const bool narrows = llvm::isa<mlir::arith::TruncIOp>(op);
  if ((!isUnsigned(op) && !narrows) || widensCondition(op)) return;
  for (const ExprRef& arg : args) {
    const auto range = rangeOf(arg);
    if (range && keepsMeaning(op, *range)) continue;
    const std::string name = op.getName().getStringRef().str();
    if (narrows)
      refuse(&op, fmt::format("`{}` drops the upper bits of a number", name),
             "numbers of a kernel do not wrap around: store the number in the wider type");
    refuse(&op,
           fmt::format("`{}` reads numbers that may be negative as numbers without a sign", name),
           "numbers of a kernel have a sign: use the operation on such numbers (`divsi`, `slt`)");
  }
}

}  // namespace gridloom::importer
