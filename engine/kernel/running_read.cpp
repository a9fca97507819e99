// SPDX-License-Identifier: Apache-2.0
#include "kernel/running_read.h"

#include <algorithm>

namespace gridloom::kernel {

std::optional<RunningRead> lagBehind(const Access& target, const Access& read) {
  std::optional<RunningRead> lag;
  for (std::size_t d = 0; d < target.indices.size(); ++d) {
    const affine::LinearExpr behind = target.indices[d] - read.indices[d];
    if (!behind.isConstant()) return std::nullopt;
    if (behind.constant == 0) continue;
    const auto loops =
        std::ranges::find_if(target.indices[d].coefficients, [](std::int64_t c) { return c != 0; });
    if (lag || behind.constant < 0 || loops == target.indices[d].coefficients.end()) {
      return std::nullopt;
    }
    const auto loop = loops - target.indices[d].coefficients.begin();
    lag = RunningRead{0, LoopId::of(static_cast<std::size_t>(loop)), behind.constant};
  }
  return lag;
}

std::optional<RunningRead> runningRead(const Statement& statement) {
  std::optional<RunningRead> running;
  for (std::size_t r = 0; r < statement.reads.size(); ++r) {
    if (statement.reads[r].tensor != statement.target.tensor) continue;
    const auto lag = lagBehind(statement.target, statement.reads[r]);
    if (!lag || running) return std::nullopt;
    running = lag;
    running->read = r;
  }
  return running;
}

namespace {

// `state[j - 1]`, or times a factor: the factor's node, or -1. Nothing for any other form.
std::optional<std::int32_t> stateFactor(const Statement& statement, std::int32_t n,
                                        std::size_t read) {
  const auto at = [&](std::int32_t i) -> const ExprNode& {
    return statement.expr[static_cast<std::size_t>(i)];
  };
  const auto isSelf = [&](std::int32_t i) {
    return at(i).op == ExprOp::Read && at(i).read == static_cast<std::int32_t>(read);
  };
  if (isSelf(n)) return -1;
  if (at(n).op != ExprOp::Mul) return std::nullopt;
  if (isSelf(at(n).lhs)) return at(n).rhs;
  if (isSelf(at(n).rhs)) return at(n).lhs;
  return std::nullopt;
}

}  // namespace

std::optional<RunningForm> runningForm(const Statement& statement) {
  const auto running = runningRead(statement);
  const ExprNode& root = statement.expr.back();
  const bool sum = root.op == ExprOp::Add;
  const bool choice = root.op == ExprOp::Max || root.op == ExprOp::Min;
  if (!running || (!sum && !choice)) return std::nullopt;
  const ExprOp join = sum                      ? ExprOp::Sum
                      : root.op == ExprOp::Max ? ExprOp::MaxReduce
                                               : ExprOp::MinReduce;
  for (const bool left : {true, false}) {
    const auto factor = stateFactor(statement, left ? root.lhs : root.rhs, running->read);
    if (!factor) continue;
    if (choice && *factor >= 0) return std::nullopt;
    return RunningForm{running->loop, running->distance, join, *factor, left ? root.rhs : root.lhs};
  }
  return std::nullopt;
}

std::optional<LoopId> rescaledLoop(const Kernel& kernel, const Statement& statement) {
  if (kernel.tensor(statement.target.tensor).role != TensorRole::Local) return std::nullopt;
  std::optional<LoopId> loop;
  for (const Access& read : statement.reads) {
    const auto writer = std::ranges::find_if(kernel.statements, [&](const Statement& s) {
      return s.target.tensor == read.tensor && runningRead(s).has_value();
    });
    if (writer == kernel.statements.end() || read.tensor == statement.target.tensor) {
      return std::nullopt;
    }
    const LoopId running = runningRead(*writer)->loop;
    const auto lag = lagBehind(writer->target, read);
    if (lag && lag->loop == running) loop = running;
  }
  return loop;
}

}  // namespace gridloom::kernel
