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

// Of `left - right == 0` where the difference lies in a range.
std::optional<bool> isZero(std::int64_t least, std::int64_t greatest) {
  if (least > 0 || greatest < 0) return false;
  return least == greatest ? std::optional(true) : std::nullopt;
}

// Of `left - right < 0`.
std::optional<bool> isNegative(std::int64_t least, std::int64_t greatest) {
  if (greatest < 0) return true;
  return least >= 0 ? std::optional(false) : std::nullopt;
}

std::optional<bool> inverse(std::optional<bool> of) {
  return of ? std::optional(!*of) : std::nullopt;
}

// Of a comparison that always has the same outcome. `range`: of left - right.
std::optional<bool> outcome(std::string_view name, std::pair<std::int64_t, std::int64_t> range) {
  const auto [least, greatest] = range;
  if (name == "<") return isNegative(least, greatest);
  if (name == ">=") return inverse(isNegative(least, greatest));
  if (name == ">") return isNegative(-greatest, -least);
  if (name == "<=") return inverse(isNegative(-greatest, -least));
  return name == "==" ? isZero(least, greatest) : inverse(isZero(least, greatest));
}

bool isOneOf(llvm::StringRef name, std::initializer_list<const char*> names) {
  return std::ranges::any_of(names, [&](const char* each) { return name == each; });
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
           "choose sizes that the blocks divide, and unroll no loop that ends at another's index");
  return *parts;
}

// Integers that only depend on loops and arguments.
std::optional<Integer> Reader::integerOf(mlir::Operation& op) const {
  if (auto known = affineInteger(op)) return known;
  std::vector<Integer> args;
  for (const mlir::Value operand : op.getOperands()) {
    const auto known = invariant(operand);
    if (!known) return std::nullopt;
    args.push_back(*known);
  }
  if (args.empty() || args.size() > 2 || !isInWidth(op, args)) return std::nullopt;
  const llvm::StringRef name = op.getName().getStringRef();
  if (args.size() == 2) return ofTwo(name, args[0], args[1]);
  const bool isCast = isOneOf(name, {"arith.index_cast", "arith.index_castui", "arith.extsi",
                                     "arith.extui", "arith.trunci"});
  return isCast ? std::optional(args[0]) : std::nullopt;
}

std::optional<Integer> Reader::ofTwo(llvm::StringRef name, const Integer& a,
                                     const Integer& b) const {
  if (name == "arith.addi") return sum(a, b);
  if (name == "arith.subi") return difference(a, b);
  if (isOneOf(name, {"arith.minsi", "arith.minui"})) return simplified(joined(Kind::Min, a, b));
  if (isOneOf(name, {"arith.maxsi", "arith.maxui"})) return greatestOf(a, b);
  if (!a.isExact() || !b.isExact()) return std::nullopt;
  const Linear left = m_program.loops.normal(a.forms[0]);
  const Linear right = m_program.loops.normal(b.forms[0]);
  if (name == "arith.muli") {
    if (right.isConstant()) return Integer(left * right.constant);
    if (left.isConstant()) return Integer(right * left.constant);
    refuse(m_at, "an index is the product of two loops", "the language has affine indices");
  }
  if (!right.isConstant()) return std::nullopt;
  constexpr std::int64_t kMostBits = 62;
  if (name == "arith.shli" && right.constant >= 0 && right.constant < kMostBits)
    return Integer(left * (std::int64_t{1} << right.constant));
  return right.constant > 0 ? quotientOf(name, left, right.constant) : std::nullopt;
}

// The greatest of two; one of them alone where it is never below the other, as at the lower end of
// a mask.
Integer Reader::greatestOf(const Integer& a, const Integer& b) const {
  const auto isAbove = [&](const Integer& least, const Integer& other) {
    return least.kind == Kind::Min && other.isExact() &&
           std::ranges::all_of(least.forms, [&](const Linear& form) {
             const Linear gap = m_program.loops.normal(form - other.forms[0]);
             return m_program.loops.range(gap).first >= 0;
           });
  };
  if (isAbove(a, b)) return a;
  if (isAbove(b, a)) return b;
  return simplified(joined(Kind::Max, a, b));
}

std::optional<Integer> Reader::quotientOf(llvm::StringRef name, const Linear& a,
                                          std::int64_t by) const {
  const bool rounds = isOneOf(name, {"arith.floordivsi", "arith.ceildivsi"});
  // The others round towards zero.
  if (!rounds && m_program.loops.range(a).first < 0 && !a.isConstant()) return std::nullopt;
  if (isOneOf(name, {"arith.divsi", "arith.divui", "arith.floordivsi"}))
    return Integer(divided(a, by).first);
  if (isOneOf(name, {"arith.ceildivsi", "arith.ceildivui"}))
    return Integer(divided(a + Linear::of(by - 1), by).first);
  if (isOneOf(name, {"arith.shrsi", "arith.shrui"}))
    return Integer(divided(a, std::int64_t{1} << std::min<std::int64_t>(by, 62)).first);
  if (isOneOf(name, {"arith.remsi", "arith.remui"})) return Integer(divided(a, by).second);
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
