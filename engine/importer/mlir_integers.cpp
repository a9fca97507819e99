// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <mlir/Dialect/Arith/IR/Arith.h>

#include <algorithm>
#include <cmath>

#include "importer/mlir_reader.h"

namespace gridloom::importer {

namespace {

using Kind = Integer::Kind;

bool isIntegral(mlir::Type type) { return type.isIntOrIndex() && !type.isInteger(1); }

Integer over(const Integer& a, const Linear& b, std::int64_t factor) {
  Integer sum = a;
  for (Linear& form : sum.forms) form = form + b * factor;
  return sum;
}

std::optional<Integer> sum(const Integer& a, const Integer& b) {
  if (b.isExact()) return over(a, b.forms.front(), 1);
  if (a.isExact()) return over(b, a.forms.front(), 1);
  return std::nullopt;
}

std::optional<Integer> scaled(const Integer& a, std::int64_t factor) {
  Integer product = a;
  for (Linear& form : product.forms) form = form * factor;
  if (factor < 0 && !a.isExact()) product.kind = a.kind == Kind::Min ? Kind::Max : Kind::Min;
  return product;
}

std::optional<Integer> difference(const Integer& a, const Integer& b) {
  const auto negative = scaled(b, -1);
  return negative ? sum(a, *negative) : std::nullopt;
}

Integer joined(Kind kind, const Integer& a, const Integer& b) {
  Integer all(kind, a.forms);
  all.forms.insert(all.forms.end(), b.forms.begin(), b.forms.end());
  return all;
}

// Of a comparison that always has the same outcome.
std::optional<bool> outcome(const std::string& name, std::pair<std::int64_t, std::int64_t> range) {
  const auto [least, greatest] = range;  // of left - right
  if (name == "<")
    return greatest < 0 ? std::optional(true) : least >= 0 ? std::optional(false) : std::nullopt;
  if (name == "<=")
    return greatest <= 0 ? std::optional(true) : least > 0 ? std::optional(false) : std::nullopt;
  if (name == ">")
    return least > 0 ? std::optional(true) : greatest <= 0 ? std::optional(false) : std::nullopt;
  if (name == ">=")
    return least >= 0 ? std::optional(true) : greatest < 0 ? std::optional(false) : std::nullopt;
  const bool fixed = least == greatest;
  if (name == "==")
    return fixed && least == 0           ? std::optional(true)
           : (least > 0 || greatest < 0) ? std::optional(false)
                                         : std::nullopt;
  return fixed && least == 0           ? std::optional(false)
         : (least > 0 || greatest < 0) ? std::optional(true)
                                       : std::nullopt;
}

}  // namespace

const char* comparisonName(mlir::arith::CmpIPredicate predicate) {
  using P = mlir::arith::CmpIPredicate;
  switch (predicate) {
  case P::slt:
  case P::ult:
    return "<";
  case P::sle:
  case P::ule:
    return "<=";
  case P::sgt:
  case P::ugt:
    return ">";
  case P::sge:
  case P::uge:
    return ">=";
  case P::eq:
    return "==";
  case P::ne:
    return "!=";
  }
  return nullptr;
}

// Of several forms, those that are never the least (or greatest) go.
Integer Reader::simplified(Integer value) const {
  for (Linear& form : value.forms) form = m_program.loops.normal(form);
  if (value.isExact()) return value;
  for (std::size_t a = 0; a < value.forms.size(); ++a) {
    for (std::size_t b = 0; b < value.forms.size();) {
      if (a == b) {
        ++b;
        continue;
      }
      const auto [least, greatest] = m_program.loops.range(value.forms[b] - value.forms[a]);
      const bool never = value.kind == Kind::Min ? least >= 0 : greatest <= 0;
      if (!never) {
        ++b;
        continue;
      }
      value.forms.erase(value.forms.begin() + static_cast<std::ptrdiff_t>(b));
      if (b < a) --a;
    }
  }
  if (value.forms.size() == 1) value.kind = Kind::Exact;
  return value;
}

std::pair<Linear, Linear> Reader::divided(const Linear& form, std::int64_t by) const {
  auto parts = m_program.loops.divide(form, by);
  if (!parts)
    refuse(m_at, fmt::format("an index is divided by {}, and the quotient is not affine", by),
           "choose sizes that the blocks divide");
  return *parts;
}

Linear Reader::ofExpr(mlir::AffineExpr expr, mlir::AffineMap map, mlir::ValueRange operands) const {
  using K = mlir::AffineExprKind;
  if (const auto c = llvm::dyn_cast<mlir::AffineConstantExpr>(expr))
    return Linear::of(c.getValue());
  if (const auto d = llvm::dyn_cast<mlir::AffineDimExpr>(expr))
    return exact(operands[d.getPosition()]);
  if (const auto s = llvm::dyn_cast<mlir::AffineSymbolExpr>(expr))
    return exact(operands[map.getNumDims() + s.getPosition()]);
  const auto both = llvm::cast<mlir::AffineBinaryOpExpr>(expr);
  const Linear left = ofExpr(both.getLHS(), map, operands);
  const Linear right = m_program.loops.normal(ofExpr(both.getRHS(), map, operands));
  if (expr.getKind() == K::Add) return left + right;
  if (!right.isConstant()) {
    if (left.isConstant() && expr.getKind() == K::Mul) return right * left.constant;
    refuse(m_at, "an index is no affine form: it multiplies or divides by a loop");
  }
  switch (expr.getKind()) {
  case K::Mul:
    return left * right.constant;
  case K::FloorDiv:
    return divided(left, right.constant).first;
  case K::CeilDiv:
    return divided(left + Linear::of(right.constant - 1), right.constant).first;
  default:
    return divided(left, right.constant).second;
  }
}

std::vector<Linear> Reader::indicesOf(mlir::ValueRange values) const {
  std::vector<Linear> index;
  for (const mlir::Value at : values) index.push_back(exact(at));
  return index;
}

std::vector<Linear> Reader::mappedIndices(mlir::AffineMap map, mlir::ValueRange operands) const {
  std::vector<Linear> index;
  for (const mlir::AffineExpr expr : map.getResults()) index.push_back(ofExpr(expr, map, operands));
  return index;
}

Integer Reader::ofMap(mlir::AffineMap map, mlir::ValueRange operands, bool least) const {
  Integer all(least ? Kind::Min : Kind::Max, {});
  for (const mlir::AffineExpr expr : map.getResults())
    all.forms.push_back(ofExpr(expr, map, operands));
  if (all.forms.size() == 1) all.kind = Kind::Exact;
  return simplified(std::move(all));
}

// Integers that only depend on loops and arguments.
std::optional<Integer> Reader::integerOf(mlir::Operation& op) const {
  const llvm::StringRef name = op.getName().getStringRef();
  if (auto value = llvm::dyn_cast<mlir::arith::ConstantOp>(op)) {
    const auto attribute = llvm::dyn_cast<mlir::IntegerAttr>(value.getValue());
    if (!attribute) return std::nullopt;
    return Integer(Linear::of(attribute.getValue().getSExtValue()));
  }
  if (auto apply = llvm::dyn_cast<mlir::affine::AffineApplyOp>(op))
    return ofMap(apply.getAffineMap(), apply.getMapOperands(), true);
  if (auto least = llvm::dyn_cast<mlir::affine::AffineMinOp>(op))
    return ofMap(least.getMap(), least.getOperands(), true);
  if (auto greatest = llvm::dyn_cast<mlir::affine::AffineMaxOp>(op))
    return ofMap(greatest.getMap(), greatest.getOperands(), false);
  std::vector<Integer> args;
  for (const mlir::Value operand : op.getOperands()) {
    const auto known = invariant(operand);
    if (!known) return std::nullopt;
    args.push_back(*known);
  }
  if (!isInWidth(op, args)) return std::nullopt;
  if (args.size() == 1) {
    for (const char* cast :
         {"arith.index_cast", "arith.index_castui", "arith.extsi", "arith.extui", "arith.trunci"})
      if (name == cast) return args[0];
    return std::nullopt;
  }
  if (args.size() != 2) return std::nullopt;
  if (name == "arith.addi") return sum(args[0], args[1]);
  if (name == "arith.subi") return difference(args[0], args[1]);
  if (name == "arith.minsi" || name == "arith.minui")
    return simplified(joined(Kind::Min, args[0], args[1]));
  if (name == "arith.maxsi" || name == "arith.maxui") {
    // Mostly the lower end of a mask, which every block begins above.
    for (const std::size_t n : {0U, 1U}) {
      if (args[n].kind == Kind::Min && args[1 - n].isExact() &&
          std::ranges::all_of(args[n].forms, [&](const Linear& form) {
            const Linear gap = m_program.loops.normal(form - args[1 - n].forms[0]);
            return m_program.loops.range(gap).first >= 0;
          }))
        return args[n];
    }
    return simplified(joined(Kind::Max, args[0], args[1]));
  }
  if (!args[0].isExact() || !args[1].isExact()) return std::nullopt;
  const Linear a = m_program.loops.normal(args[0].forms[0]);
  const Linear b = m_program.loops.normal(args[1].forms[0]);
  if (name == "arith.muli") {
    if (b.isConstant()) return Integer(a * b.constant);
    if (a.isConstant()) return Integer(b * a.constant);
    refuse(m_at, "an index is the product of two loops", "the language has affine indices");
  }
  if (name == "arith.shli" && b.isConstant() && b.constant >= 0 && b.constant < 62)
    return Integer(a * (std::int64_t{1} << b.constant));
  if (!b.isConstant() || b.constant <= 0) return std::nullopt;
  const bool rounds = name == "arith.floordivsi" || name == "arith.ceildivsi";
  // The others round towards zero.
  if (!rounds && m_program.loops.range(a).first < 0 && !a.isConstant()) return std::nullopt;
  if (name == "arith.divsi" || name == "arith.divui" || name == "arith.floordivsi")
    return Integer(divided(a, b.constant).first);
  if (name == "arith.ceildivsi" || name == "arith.ceildivui")
    return Integer(divided(a + Linear::of(b.constant - 1), b.constant).first);
  if (name == "arith.shrsi" || name == "arith.shrui")
    return Integer(divided(a, std::int64_t{1} << std::min<std::int64_t>(b.constant, 62)).first);
  if (name == "arith.remsi" || name == "arith.remui") return Integer(divided(a, b.constant).second);
  return std::nullopt;
}

std::optional<Integer> Reader::invariant(mlir::Value value) const {
  const auto at = m_values.find(value.getAsOpaquePointer());
  if (at != m_values.end()) {
    if (const auto* known = std::get_if<Integer>(&at->second)) return *known;
    return std::nullopt;
  }
  mlir::Operation* const op = value.getDefiningOp();
  if (op == nullptr) {
    static_cast<void>(get(value));  // says that it has no value
    return std::nullopt;
  }
  return integerOf(*op);
}

bool Reader::readInteger(mlir::Operation& op) {
  if (op.getNumResults() != 1) return false;
  if (auto compare = llvm::dyn_cast<mlir::arith::CmpIOp>(op)) {
    const auto a = invariant(compare.getLhs()), b = invariant(compare.getRhs());
    const char* name = comparisonName(compare.getPredicate());
    if (!a || !b) return false;
    if (!a->isExact() || !b->isExact()) {
      set(op.getResult(0), Value{});  // of a mask: nothing but `scf.if` may ask
      return true;
    }
    if (!isInWidth(op, {*a, *b})) return false;
    const Linear gap = m_program.loops.normal(a->forms[0] - b->forms[0]);
    const auto fixed = outcome(name, m_program.loops.range(gap));
    set(op.getResult(0), fixed ? number(*fixed ? 1 : 0)
                               : call(name, {indexValue(a->forms[0]), indexValue(b->forms[0])}));
    return true;
  }
  if (!isIntegral(op.getResult(0).getType())) return false;
  if (auto select = llvm::dyn_cast<mlir::arith::SelectOp>(op)) {
    const ExprRef condition = scalar(select.getCondition());
    if (!isNumber(condition)) return false;
    set(op.getResult(0),
        get(condition->number != 0 ? select.getTrueValue() : select.getFalseValue()));
    return true;
  }
  const auto known = integerOf(op);
  if (!known) return false;
  set(op.getResult(0), simplified(*known));
  return true;
}

}  // namespace gridloom::importer
