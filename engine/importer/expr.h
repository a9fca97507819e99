// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "importer/linear.h"

namespace gridloom::importer {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Expr;
using ExprRef = std::shared_ptr<const Expr>;

/// The value of one element, over the loops of its statement.
struct Expr {
  enum class Kind {
    Number,
    Load,    ///< an element of a buffer
    Index,   ///< an affine form as a number
    Call,    ///< an operation or function of the kernel language on `args`
    Reduce,  ///< `name` (sum, max, min, prod) of `args[0]` over `loops`
  };
  Kind kind = Kind::Number;
  double number = 0;
  int buffer = -1;            ///< Load: number of the buffer in Program
  std::vector<Linear> index;  ///< Load: per dimension of the buffer; Index: one form
  std::string name;           ///< Call, Reduce
  std::vector<ExprRef> args;  ///< of a Load: the indices that are read, per `gathers`
  /// Load: dimensions whose index is an element of another tensor; `index` is 0 there.
  std::vector<std::size_t> gathers;
  /// Reduce: what it runs over. Load: loops that stand in `index` for the elements in `args`, until
  /// dimensions are known.
  std::vector<Loop> loops;
  std::size_t size = 1;  ///< parts of it, as they would be written; `made` counts them
};

/// The expression, with its size. Throws Refusal where that is more than anything would write.
ExprRef made(Expr expr);
ExprRef number(double value);
ExprRef load(int buffer, std::vector<Linear> index);
ExprRef indexValue(Linear form);
/// Operations on numbers alone, and with neutral operands, are done at once.
ExprRef call(std::string name, std::vector<ExprRef> args);
/// `value` where the form is at least 0, else `other`.
ExprRef within(const Linear& form, ExprRef value, ExprRef other);
/// Whether two expressions are written alike.
bool isSame(const ExprRef& a, const ExprRef& b);
/// `value` where the condition holds, or does not, else `other`.
ExprRef chosen(const ExprRef& condition, bool holds, const ExprRef& value, const ExprRef& other);
/// The same. A value that adds to `old` becomes `old` and what is added where it is chosen: `old`
/// stands there once. So do products, maxima and minima.
ExprRef keptUnless(const ExprRef& condition, bool holds, const ExprRef& value, const ExprRef& old);
/// A reduction of a reduction of the same kind is one over all their loops.
ExprRef reduce(std::string name, std::vector<Loop> loops, ExprRef body);

bool isNumber(const ExprRef& expr, double value);
bool isNumber(const ExprRef& expr);
bool hasReduction(const Expr& expr);
/// A number, an index or a load, perhaps behind masks: nothing to be computed.
bool isPlain(const Expr& expr);
/// Loops that the value depends on: those of its indices that it does not reduce over.
std::set<Loop> freeLoops(const Expr& expr);
/// Calls `visit` for every loop that a reduction of the expression runs over.
void forReduced(const Expr& expr, const std::function<void(Loop)>& visit);
/// Calls `visit` for every load in the expression.
void forLoads(const Expr& expr, const std::function<void(const Expr&)>& visit);
/// The expression with every affine form changed.
ExprRef withForms(const ExprRef& expr, const std::function<Linear(const Linear&)>& change);
/// The expression with loops replaced by forms. Loops it reduces over are its own.
ExprRef substitute(const ExprRef& expr, const std::map<Loop, Linear>& by);
/// The expression with reductions over loops of their own in the place of some.
ExprRef withReduced(const ExprRef& expr, const std::map<Loop, Linear>& by);
/// What remains of `op(old, rest)`, however the operation is nested, where `isOld` says what is
/// taken out; nothing where it does not stand there exactly once.
std::optional<ExprRef> without(const ExprRef& expr, const std::string& op,
                               const std::function<bool(const Expr&)>& isOld);
/// The expression with some of its loads replaced; a null expression keeps one.
ExprRef withLoads(const ExprRef& expr, const std::function<ExprRef(const Expr&)>& change);

/// How loops are reduced: by an operation of which `start` is the neutral operand.
struct Reduction {
  const char* name;  ///< as the kernel language reduces
  const char* op;
  double start;
};
/// The reductions of the kernel language.
const std::vector<Reduction>& reductions();
/// `old` op (the reduction of `rest` over loops), without an `old` that changes nothing. The lowest
/// finite numbers, from which programs begin to take maxima, count as minus infinity.
ExprRef accumulated(const Reduction& how, const ExprRef& old, std::vector<Loop> loops,
                    ExprRef rest);

}  // namespace gridloom::importer
