// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <mlir/Dialect/Arith/IR/Arith.h>

#include <algorithm>
#include <cmath>

#include "importer/mlir_reader.h"

namespace gridloom::importer {

namespace {

struct Named {
  const char* op;
  const char* name;
};
// Operations on elements, and what the kernel language calls them. Those without a name keep their
// operand: the value is rounded to another type.
constexpr Named kElementwise[] = {
    {"arith.addf", "+"},        {"arith.subf", "-"},        {"arith.mulf", "*"},
    {"arith.divf", "/"},        {"arith.negf", "neg"},      {"arith.maximumf", "max"},
    {"arith.maxnumf", "max"},   {"arith.minimumf", "min"},  {"arith.minnumf", "min"},
    {"arith.addi", "+"},        {"arith.subi", "-"},        {"arith.muli", "*"},
    {"arith.maxsi", "max"},     {"arith.minsi", "min"},     {"math.exp", "exp"},
    {"math.exp2", "exp2"},      {"math.log", "log"},        {"math.sqrt", "sqrt"},
    {"math.rsqrt", "rsqrt"},    {"math.tanh", "tanh"},      {"math.absf", "abs"},
    {"math.erf", "erf"},        {"math.sin", "sin"},        {"math.cos", "cos"},
    {"math.powf", "pow"},       {"math.floor", "floor"},    {"math.ceil", "ceil"},
    {"arith.extf", ""},         {"arith.truncf", ""},       {"arith.sitofp", ""},
    {"arith.uitofp", ""},       {"arith.extsi", ""},        {"arith.trunci", ""},
    {"arith.index_cast", ""},   {"arith.select", "select"}, {"arith.extui", ""},
    {"arith.index_castui", ""}, {"arith.maxui", "max"},     {"arith.minui", "min"},
    {"math.absi", "abs"},       {"math.fpowi", "pow"},      {"math.ipowi", "pow"},
    {"arith.andi", "and"},      {"arith.ori", "or"},        {"arith.xori", "!="}};

// Of bits, only the conditions have a name.
bool isOnBits(llvm::StringRef op) {
  return op == "arith.andi" || op == "arith.ori" || op == "arith.xori";
}

// Conditions, and vectors and tensors of them.
bool isOfBits(mlir::Value value) {
  return mlir::getElementTypeOrSelf(value.getType()).isInteger(1);
}

const char* languageName(llvm::StringRef op) {
  const auto at = std::ranges::find_if(kElementwise, [&](const Named& n) { return op == n.op; });
  return at == std::end(kElementwise) ? nullptr : at->name;
}

const char* comparison(mlir::arith::CmpFPredicate predicate) {
  using P = mlir::arith::CmpFPredicate;
  switch (predicate) {
  case P::OLT:
  case P::ULT:
    return "<";
  case P::OLE:
  case P::ULE:
    return "<=";
  case P::OGT:
  case P::UGT:
    return ">";
  case P::OGE:
  case P::UGE:
    return ">=";
  case P::OEQ:
  case P::UEQ:
    return "==";
  case P::ONE:
  case P::UNE:
    return "!=";
  default:
    return nullptr;
  }
}

bool isQuotient(llvm::StringRef of) {
  const auto names = {"arith.divsi",     "arith.divui",     "arith.floordivsi",
                      "arith.ceildivsi", "arith.ceildivui", "arith.remsi",
                      "arith.remui",     "arith.shli",      "arith.shrsi"};
  return std::ranges::any_of(names, [&](const char* name) { return of == name; });
}

}  // namespace

// Quotients of whole numbers. Those of indices are indices where they are affine.
ExprRef Reader::quotient(llvm::StringRef of, const std::vector<ExprRef>& args) const {
  const ExprRef &a = args[0], &b = args[1];
  const bool isWhole = isNumber(b) && std::floor(b->number) == b->number;
  if (!isWhole) return nullptr;
  if (of == "arith.shli" || of == "arith.shrsi") {
    constexpr double most = 62;
    if (b->number < 0 || b->number > most) return nullptr;
    const ExprRef power = number(std::exp2(b->number));
    return of == "arith.shli" ? call("*", {a, power}) : quotient("arith.floordivsi", {a, power});
  }
  if (of == "arith.andi") {
    // The lower bits alone.
    const double size = b->number + 1;
    if (size < 2 || std::exp2(std::floor(std::log2(size))) != size) return nullptr;
    return remainder(a, number(size));
  }
  if (b->number <= 0) return nullptr;
  const bool isRest = of == "arith.remsi" || of == "arith.remui";
  const Rounding rounding = of == "arith.floordivsi"                             ? Rounding::Down
                            : of == "arith.ceildivsi" || of == "arith.ceildivui" ? Rounding::Up
                                                                                 : Rounding::ToZero;
  if (ExprRef index = indexQuotient(a, static_cast<std::int64_t>(b->number), rounding, isRest))
    return index;
  if (rounding == Rounding::Down) return call("div", {a, b});
  const ExprRef minus = call("neg", {a});
  if (rounding == Rounding::Up) return call("neg", {call("div", {minus, b})});
  const char* const name = isRest ? "mod" : "div";
  return call("select", {call("<", {a, number(0)}), call("neg", {call(name, {minus, b})}),
                         call(name, {a, b})});
}

// Of an index, where it is affine.
ExprRef Reader::indexQuotient(const ExprRef& a, std::int64_t by, Rounding rounding,
                              bool isRest) const {
  if (a->kind != Expr::Kind::Index) return nullptr;
  const Linear form = m_program.loops.normal(a->index.front());
  if (rounding == Rounding::ToZero && m_program.loops.range(form).first < 0) return nullptr;
  const std::int64_t more = rounding == Rounding::Up ? by - 1 : 0;
  const auto parts = m_program.loops.divide(form + Linear::of(more), by);
  return parts ? indexValue(isRest ? parts->second : parts->first) : nullptr;
}

ExprRef Reader::remainder(const ExprRef& a, const ExprRef& b) const {
  if (a->kind == Expr::Kind::Index) {
    const auto parts =
        m_program.loops.divide(a->index.front(), static_cast<std::int64_t>(b->number));
    if (parts) return indexValue(parts->second);
  }
  return call("mod", {a, b});
}

// The integer that a rounded number is: of a quotient of an index, an index.
ExprRef Reader::rounded(const ExprRef& value, bool down) const {
  if (value->kind == Expr::Kind::Index || isNumber(value)) return value;
  if (value->kind != Expr::Kind::Call) return nullptr;
  if (value->name == "floor") return rounded(value->args[0], true);
  const bool isIndex = value->name == "/" || value->name == "*";
  if (!isIndex || value->args[0]->kind != Expr::Kind::Index || !isNumber(value->args[1]))
    return nullptr;
  const double factor = value->name == "/" ? value->args[1]->number : 1 / value->args[1]->number;
  const Linear form = m_program.loops.normal(value->args[0]->index.front());
  if (std::floor(factor) != factor || factor < 1) return nullptr;
  if (!down && m_program.loops.range(form).first < 0) return nullptr;
  const auto parts = m_program.loops.divide(form, static_cast<std::int64_t>(factor));
  return parts ? indexValue(parts->first) : nullptr;
}

ExprRef Reader::element(mlir::Operation& op, const std::vector<ExprRef>& args) const {
  checkWidth(op, args);
  if (auto compare = llvm::dyn_cast<mlir::arith::CmpFOp>(op)) {
    if (const char* name = comparison(compare.getPredicate())) return call(name, args);
  }
  if (auto compare = llvm::dyn_cast<mlir::arith::CmpIOp>(op))
    return call(comparisonName(compare.getPredicate()), args);
  if (ExprRef composed = composedElement(op, args)) return composed;
  const llvm::StringRef of = op.getName().getStringRef();
  const bool isOfTheseBits = isOfBits(op.getResult(0));
  if (isQuotient(of) || (of == "arith.andi" && !isOfTheseBits)) return quotient(of, args);
  const char* name = languageName(of);
  if (name == nullptr || (isOnBits(of) && !isOfTheseBits)) return nullptr;
  if (*name == 0) return withBits(op, args[0]);
  if (std::string_view(name) == "select" && isNumber(args[0]))
    return args[args[0]->number != 0 ? 1 : 2];
  if (of == "math.exp2" && isNumber(args[0])) return number(std::exp2(args[0]->number));
  return call(name, args);
}

namespace {

ExprRef towardsZero(const ExprRef& value) {
  return call("select",
              {call("<", {value, number(0)}), call("ceil", {value}), call("floor", {value})});
}

// Halves go away from zero, or to the even one.
ExprRef nearest(const ExprRef& value, bool halvesToEven) {
  const ExprRef up = call("floor", {call("+", {value, number(0.5)})});
  const ExprRef down = call("ceil", {call("-", {value, number(0.5)})});
  const ExprRef isUp = halvesToEven ? call("==", {call("mod", {up, number(2)}), number(0)})
                                    : call(">=", {value, number(0)});
  return call("select", {isUp, up, down});
}

}  // namespace

// Of operations for which the language has several.
ExprRef Reader::composedElement(mlir::Operation& op, const std::vector<ExprRef>& args) const {
  const llvm::StringRef of = op.getName().getStringRef();
  // The bit of a condition is the sign.
  if ((of == "arith.extsi" || of == "arith.sitofp") && isOfBits(op.getOperand(0)))
    return call("neg", args);
  if (of == "math.fma" || of == "vector.fma")
    return call("+", {call("*", {args[0], args[1]}), args[2]});
  if (of == "math.log1p") return call("log", {call("+", {number(1), args[0]})});
  if (of == "math.expm1") return call("-", {call("exp", {args[0]}), number(1)});
  if (of == "arith.xori" && isOfBits(op.getResult(0)) && isNumber(args[1]))
    return args[1]->number != 0 ? call("==", {args[0], number(0)}) : args[0];
  if (of == "math.floor") return rounded(args[0], true);
  if (of == "math.round" || of == "math.roundeven") return nearest(args[0], of == "math.roundeven");
  if (of == "math.trunc") return towardsZero(args[0]);
  if (of != "arith.fptosi" && of != "arith.fptoui") return nullptr;
  if (ExprRef index = rounded(args[0], false)) return index;
  return of == "arith.fptoui" ? call("floor", {args[0]}) : towardsZero(args[0]);
}

// A constant: a number, or a tensor of one.
bool Reader::readConstant(mlir::arith::ConstantOp op) {
  if (const auto f = llvm::dyn_cast<mlir::FloatAttr>(op.getValue())) {
    set(op.getResult(), number(f.getValueAsDouble()));
    return true;
  }
  if (const auto i = llvm::dyn_cast<mlir::IntegerAttr>(op.getValue())) {
    const bool isBit = isOfBits(op.getResult());
    set(op.getResult(),
        number(isBit ? (i.getValue().isZero() ? 0 : 1) : static_cast<double>(i.getInt())));
    return true;
  }
  set(op.getResult(), constantTile(op.getValue(), op));
  return true;
}

// On numbers, and on tensors element by element.
bool Reader::readElementwise(mlir::Operation& op) {
  if (auto value = llvm::dyn_cast<mlir::arith::ConstantOp>(op)) return readConstant(value);
  const bool compares = llvm::isa<mlir::arith::CmpFOp, mlir::arith::CmpIOp>(op);
  if (op.getNumResults() != 1) return false;
  const llvm::StringRef dialect = op.getName().getDialectNamespace();
  if (!compares && dialect != "arith" && dialect != "math") return false;
  const auto shaped = llvm::dyn_cast<mlir::ShapedType>(op.getResult(0).getType());
  const auto isMask = [&](mlir::Value operand) {
    const auto at = m_values.find(operand.getAsOpaquePointer());
    return at != m_values.end() && std::holds_alternative<std::monostate>(at->second);
  };
  if (!shaped) {
    // Of masks: nothing but `scf.if` may ask.
    if (isOfBits(op.getResult(0)) && llvm::any_of(op.getOperands(), isMask)) {
      set(op.getResult(0), Value{});
      return true;
    }
    std::vector<ExprRef> args;
    for (const mlir::Value operand : op.getOperands()) args.push_back(scalar(operand));
    const ExprRef value = element(op, args);
    if (!value) return false;
    set(op.getResult(0), value);
    return true;
  }
  Tile result;
  std::vector<ExprRef> args;
  for (const mlir::Value operand : op.getOperands()) {
    keepIfShared(operand, false, static_cast<std::size_t>(shaped.getRank()));
    const Tile elements = tile(operand);
    if (result.vars.empty() && !elements.vars.empty()) {
      std::vector<std::int64_t> shape;
      for (const Loop var : elements.vars) shape.push_back(m_program.loops.extent(var));
      result.vars = newVars(shape);
    }
    args.push_back(elements.vars.empty() ? elements.body : applied(elements, formsOf(result.vars)));
  }
  result.body = element(op, args);
  if (!result.body) return false;
  set(op.getResult(0), std::move(result));
  return true;
}

}  // namespace gridloom::importer
