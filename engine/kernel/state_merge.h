// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "kernel/kernel.h"
#include "kernel/tile_op.h"

namespace gridloom::kernel {

/// The loop-carried state of a loop consists of a few numbers per element that each iteration j
/// replaces. It has an associative combine, so that several cores may each run a share of the
/// iterations in any order, when all of it has one of two forms:
///
///   R[j] = op(R[j - 1], x)         op: max, min or +, and x without state
///   X[j] = X[j - 1] * c + t        c = exp(E(R[j]) - E(R[j - 1])), t = exp(E(R[j])) * y,
///                                  y without state
///
/// with E a sum of states R times fixed rates; without E it is a plain sum. Then R is op over all
/// x, and X = exp(E(R)) * sum of y: neither depends on the order of iterations. Two shares (R1, X1)
/// and (R2, X2) combine as
///
///   R = op(R1, R2)                 X = X1 * exp(E(R) - E(R1)) + X2 * exp(E(R) - E(R2))
///
/// Every share begins with the initial value of the state, also one without iterations. So sums
/// begin with 0; an extremum may count its initial value any number of times. Where an R of E is
/// still -inf under max (inf under min), its difference to itself is NaN; nothing was added to X
/// yet, so `X1 * exp(...)` is taken as 0. Like the whole loop, a share has finite values only if
/// the first x that it reads is finite.
///
/// Online softmax has this form: a maximum m, and sums l and o of terms scaled by exp(-m).
///
/// So the loop may be spatial. Its tiles are assigned cyclically like all others, and each core
/// folds its own in their order. Then the states are reduced over the cores: a message holds all of
/// them (m, l and o), and combining two costs `ops`. A core without a tile sends the initial
/// states.
struct StateMerge {
  /// `rate * R` in E.
  struct Scale {
    std::size_t state = 0;  ///< R, per `states`
    double rate = 0;
    friend bool operator==(const Scale&, const Scale&) = default;
  };
  struct State {
    TensorId tensor;
    ExprOp join = ExprOp::Sum;  ///< Sum, MaxReduce or MinReduce
    std::vector<LoopId> dims;   ///< per dimension of the tensor: the loop that indexes it
    std::vector<LoopId> loops;  ///< the same without the sequential loop, sorted
    std::vector<Scale> scale;   ///< E; only sums have one
  };
  LoopId loop;
  /// in the order of their statements: the states of a scale come first
  std::vector<State> states;
  /// Operations that combine one share with another, on tiles of the states.
  std::vector<TileOp> ops;
};

/// Derived from the recurrences along a sequential loop that the nest tiles; otherwise the reason
/// why they lack the form above.
std::variant<StateMerge, std::string> stateMerge(const Kernel& kernel, LoopId loop);

/// Combines one state of two shares at an element. `mine` and `theirs` hold the values of the
/// shares there, per StateMerge::states; only the state itself and those of its scale are read.
double joined(const StateMerge& merge, std::size_t state, std::span<const double> mine,
              std::span<const double> theirs);

/// `m by max, l by sum scaled by exp(-m), o by sum scaled by exp(-m)`
std::string describe(const Kernel& kernel, const StateMerge& merge);

}  // namespace gridloom::kernel
