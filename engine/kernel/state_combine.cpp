// SPDX-License-Identifier: Apache-2.0
#include "kernel/state_combine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernel/loop_shares.h"
#include "kernel/statement_ops.h"

namespace gridloom::kernel {

namespace {

using Loops = std::vector<LoopId>;
using Scale = StateMerge::Scale;
using State = StateMerge::State;

class CombineOps {
 public:
  CombineOps(const Kernel& kernel, const StateMerge& merge) : m_kernel(kernel), m_merge(merge) {}

  std::vector<TileOp> run() {
    for (const State& state : m_merge.states) addOps(state);
    return std::move(m_ops);
  }

 private:
  // The one statement inside the loop that defines a state.
  StatementId definition(TensorId tensor) const {
    const auto found = std::ranges::find_if(m_kernel.statements, [&](const Statement& s) {
      return s.target.tensor == tensor && contains(targetLoops(s), m_merge.loop);
    });
    return StatementId::of(static_cast<std::size_t>(found - m_kernel.statements.begin()));
  }

  void addOp(const State& state, VectorFn fn, const Loops& loops) {
    TileOp op;
    op.statement = definition(state.tensor);
    op.fn = fn;
    op.loops = loops;
    op.phase = Phase::Epilogue;
    op.useful = false;
    m_ops.push_back(std::move(op));
  }

  void addOps(const State& state) {
    if (state.scale.empty()) {
      return addOp(state, joinFn(state.join), state.loops);
    }
    // States with the same scale share its factors; each side has its own.
    const bool first = &state == &*std::ranges::find(m_merge.states, state.scale, &State::scale);
    for (int side = 0; side < 2; ++side) {
      if (first) addFactor(state);
      addOp(state, VectorFn::Mul, state.loops);
    }
    addOp(state, VectorFn::Add, state.loops);
  }

  void addFactor(const State& state) {
    Loops loops;
    for (const Scale& scale : state.scale) {
      const Loops& of = m_merge.states[scale.state].loops;
      addOp(state, VectorFn::Sub, of);
      if (std::abs(scale.rate) != 1) addOp(state, VectorFn::Mul, of);
      const bool joins = !loops.empty();
      std::ranges::copy_if(of, std::back_inserter(loops),
                           [&](LoopId loop) { return !contains(loops, loop); });
      std::ranges::sort(loops);
      if (joins) addOp(state, VectorFn::Add, loops);
    }
    addOp(state, VectorFn::Exp, loops);
  }

  const Kernel& m_kernel;
  const StateMerge& m_merge;
  std::vector<TileOp> m_ops;
};

}  // namespace

std::vector<TileOp> combineOps(const Kernel& kernel, const StateMerge& merge) {
  return CombineOps(kernel, merge).run();
}

double joined(const StateMerge& merge, std::size_t state, std::span<const double> mine,
              std::span<const double> theirs) {
  const State& self = merge.states[state];
  if (self.scale.empty()) return applyBinary(self.join, mine[state], theirs[state]);
  const auto part = [&](std::span<const double> from) {
    double change = 0;
    for (const Scale& scale : self.scale) {
      const ExprOp join = merge.states[scale.state].join;
      // The maximum is still -inf: no iteration has added anything.
      if (join != ExprOp::Sum && from[scale.state] == neutralOf(join)) return 0.0;
      const double all = applyBinary(join, mine[scale.state], theirs[scale.state]);
      change += scale.rate * (all - from[scale.state]);
    }
    return from[state] * std::exp(change);
  };
  return part(mine) + part(theirs);
}

std::string describe(const Kernel& kernel, const StateMerge& merge) {
  std::string text;
  for (const State& state : merge.states) {
    std::string exponent;
    for (const Scale& scale : state.scale) {
      const double rate = std::abs(scale.rate);
      exponent += scale.rate < 0 ? (exponent.empty() ? "-" : " - ") : exponent.empty() ? "" : " + ";
      if (rate != 1) exponent += fmt::format("{:g} * ", rate);
      exponent += kernel.tensor(merge.states[scale.state].tensor).name;
    }
    const std::string_view how = state.join == ExprOp::Sum         ? "sum"
                                 : state.join == ExprOp::MaxReduce ? "max"
                                                                   : "min";
    text +=
        fmt::format("{}{} by {}", text.empty() ? "" : ", ", kernel.tensor(state.tensor).name, how);
    if (!exponent.empty()) text += fmt::format(" scaled by exp({})", exponent);
  }
  return text;
}

}  // namespace gridloom::kernel
