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

/// The state of a running loop is, per element, a few numbers that each iteration j replaces. It joins - so that
/// several cores may each run a share of the iterations, in any order - when all of it has one of two forms:
///
///   R[j] = op(R[j - 1], x)          op: max, min or +, and x without state
///   X[j] = X[j - 1] * c + t         c = exp(E(R[j]) - E(R[j - 1])), t = exp(E(R[j])) * y, y without state
///
/// with E a sum of states R times fixed rates; without E it is a plain sum. Then R is op over all x, and X =
/// exp(E(R)) * sum of y: of neither matters which iterations came first. Two shares (R1, X1) and (R2, X2) join as
///
///   R = op(R1, R2)                  X = X1 * exp(E(R) - E(R1)) + X2 * exp(E(R) - E(R2))
///
/// Every share begins with what the state begins with, also one without iterations. So sums begin with 0; an extremum
/// may count where it begins as often as it likes. Where an R of E is still -inf under max (inf under min), whose
/// difference to itself is no number, nothing was added to X yet: its part is left out, `X1 * exp(...)` reads as 0.
/// Like the whole loop, a share has numbers only if the first x that it sees is finite.
///
/// Online softmax is of this form: a maximum m, and sums l and o of what is scaled by exp(-m).
///
/// So the loop may be spatial. Its tiles are assigned cyclically like all others, and each core
/// folds its own in their order. Then the states are reduced over the cores: a message holds all of
/// them (m, l and o), and combining two costs `ops`. A core without a tile sends the states it
/// began with.
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
    std::vector<LoopId> loops;  ///< the same without the running one, sorted
    std::vector<Scale> scale;   ///< E; only sums have one
  };
  LoopId loop;
  std::vector<State>
      states;  ///< in the order of their statements: those of a scale stand before it
  /// What joining one share to another takes, on tiles of the states.
  std::vector<TileOp> ops;
};

/// Derived from the recurrences along a sequential loop that the nest tiles; or why the form above is not theirs.
std::variant<StateMerge, std::string> stateMerge(const Kernel& kernel, LoopId loop);

/// One state of two shares joined, at an element: what `mine` and `theirs` have there, per StateMerge::states. Only the
/// state itself and those of its scale are looked at.
double joined(const StateMerge& merge, std::size_t state, std::span<const double> mine,
              std::span<const double> theirs);

/// `m by max, l by sum scaled by exp(-m), o by sum scaled by exp(-m)`
std::string describe(const Kernel& kernel, const StateMerge& merge);

}  // namespace gridloom::kernel
