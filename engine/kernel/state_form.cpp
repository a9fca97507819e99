// SPDX-License-Identifier: Apache-2.0
#include "kernel/state_form.h"

#include <cmath>
#include <utility>

#include "kernel/kernel.h"

namespace gridloom::kernel {

namespace {

StateRates plus(StateRates a, const StateRates& b, double factor) {
  for (const auto& [atom, rate] : b) a[atom] += factor * rate;
  std::erase_if(a, [](const auto& entry) { return entry.second == 0; });
  return a;
}

std::optional<double> both(ExprOp op, std::optional<double> a, std::optional<double> b) {
  return a && b ? std::optional(applyBinary(op, *a, *b)) : std::nullopt;
}

// A value without state has both forms, however it was computed.
StateForm settled(StateForm form) {
  for (const auto* view : {&form.sum, &form.product}) {
    if (*view && (*view)->rates.empty()) return StateForm::free((*view)->rest);
  }
  return form;
}

StateForm scaled(const StateForm& a, double factor) {
  StateForm out;
  if (a.sum && std::isfinite(factor))
    out.sum = StateView{plus({}, a.sum->rates, factor), both(ExprOp::Mul, a.sum->rest, factor)};
  return out;
}

// exp is positive: a common factor can leave sums, maxima and minima.
bool keepsScale(ExprOp op) {
  return op == ExprOp::Add || op == ExprOp::Sub || op == ExprOp::Max || op == ExprOp::Min;
}

}  // namespace

StateForm unaryOf(ExprOp op, const StateForm& a) {
  if (a.isFree()) {
    const auto number = a.number();
    return StateForm::free(number ? std::optional(applyUnary(op, *number)) : std::nullopt);
  }
  StateForm out;
  if (op == ExprOp::Exp && a.sum) {
    const auto rest = a.sum->rest;
    out.product = StateView{a.sum->rates, rest ? std::optional(std::exp(*rest)) : std::nullopt};
  } else if (op == ExprOp::Neg) {
    out = scaled(a, -1);
    if (a.product)
      out.product = StateView{a.product->rates, both(ExprOp::Mul, a.product->rest, -1)};
  }
  return settled(std::move(out));
}

StateForm binaryOf(ExprOp op, const StateForm& a, const StateForm& b) {
  const bool times = op == ExprOp::Mul || op == ExprOp::Div;
  const double sign = op == ExprOp::Sub || op == ExprOp::Div ? -1 : 1;
  if (a.isFree() && b.isFree()) return StateForm::free(both(op, a.number(), b.number()));
  StateForm out;
  if (op == ExprOp::Add || op == ExprOp::Sub) {
    if (a.sum && b.sum) {
      out.sum =
          StateView{plus(a.sum->rates, b.sum->rates, sign), both(op, a.sum->rest, b.sum->rest)};
    }
  } else if (times && b.number()) {
    out = scaled(a, op == ExprOp::Mul ? *b.number() : 1 / *b.number());
  } else if (op == ExprOp::Mul && a.number()) {
    out = scaled(b, *a.number());
  }
  if (a.product && b.product) {
    const auto rest = both(op, a.product->rest, b.product->rest);
    if (times) {
      out.product = StateView{plus(a.product->rates, b.product->rates, sign), rest};
    } else if (keepsScale(op) && a.product->rates == b.product->rates) {
      out.product = StateView{a.product->rates, rest};
    }
  }
  return settled(std::move(out));
}

StateForm chosenOf(const StateForm& condition, const StateForm& a, const StateForm& b) {
  if (!condition.isFree() || !a.product || !b.product) return {};
  if (a.product->rates != b.product->rates) return {};
  return settled({std::nullopt, StateView{a.product->rates, std::nullopt}});
}

// A common factor can leave sums, maxima and minima.
StateForm reductionOf(const StateForm& a) {
  if (!a.product) return {};
  return settled({std::nullopt, StateView{a.product->rates, std::nullopt}});
}

}  // namespace gridloom::kernel
