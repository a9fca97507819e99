// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <optional>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// A state as an iteration finds it, or as it leaves it.
struct StateAtom {
  std::size_t state = 0;
  bool updated = false;
  friend auto operator<=>(const StateAtom&, const StateAtom&) = default;
};
using StateRates = std::map<StateAtom, double>;

/// How a value depends on state: rates times states, and a rest without state, of which we may know the number.
struct StateView {
  StateRates rates;
  std::optional<double> rest;
};

/// A value as `rates * states + rest`, and as `exp(rates * states) * rest`, as far as it has these forms. The
/// operations below carry both through an expression, exactly: a form that is there holds for all values of all
/// states.
struct StateForm {
  std::optional<StateView> sum, product;

  static StateForm free(std::optional<double> number = std::nullopt) {
    return {StateView{{}, number}, StateView{{}, number}};
  }
  static StateForm of(StateAtom atom) { return {StateView{{{atom, 1.0}}, 0.0}, std::nullopt}; }
  /// Without state.
  bool isFree() const { return product && product->rates.empty(); }
  std::optional<double> number() const { return isFree() ? product->rest : std::nullopt; }
};

StateForm unaryOf(ExprOp op, const StateForm& a);
StateForm binaryOf(ExprOp op, const StateForm& a, const StateForm& b);
/// Of a reduction whose operand's states do not depend on its loops.
StateForm reductionOf(const StateForm& a);

}  // namespace gridloom::kernel
