// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <optional>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// State before an iteration, or after it (`updated`).
struct StateAtom {
  std::size_t state = 0;
  bool updated = false;
  friend auto operator<=>(const StateAtom&, const StateAtom&) = default;
};
using StateRates = std::map<StateAtom, double>;

/// Dependence of a value on state: rates times states, and a remainder without state, whose number
/// is known or not.
struct StateView {
  StateRates rates;
  std::optional<double> rest;
};

/// A value as `rates * states + rest`, and as `exp(rates * states) * rest`, where it has these
/// forms. The operations below carry both forms through an expression exactly: a form that is
/// present holds for all values of all states.
struct StateForm {
  std::optional<StateView> sum, product;

  static StateForm free(std::optional<double> number = std::nullopt) {
    return {StateView{{}, number}, StateView{{}, number}};
  }
  static StateForm of(StateAtom atom) { return {StateView{{{atom, 1.0}}, 0.0}, std::nullopt}; }
  /// Does not depend on state.
  bool isFree() const { return product && product->rates.empty(); }
  std::optional<double> number() const { return isFree() ? product->rest : std::nullopt; }
};

StateForm unaryOf(ExprOp op, const StateForm& a);
StateForm binaryOf(ExprOp op, const StateForm& a, const StateForm& b);
/// Form of `select(condition, a, b)`.
StateForm chosenOf(const StateForm& condition, const StateForm& a, const StateForm& b);
/// Form of a reduction over loops that the states of its operand do not depend on.
StateForm reductionOf(const StateForm& a);

}  // namespace gridloom::kernel
