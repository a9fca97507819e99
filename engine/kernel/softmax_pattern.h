// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// A softmax of which the weights are only summed: a maximum over one loop, weights `exp(x - m)`
/// along that loop, and sums of weights times what is none. The maximum may be of another value,
/// too, as the sink of an attention: `m[h, i] = max(max(j) x, sink[h])`.
struct SoftmaxPattern {
  struct Sum {
    std::size_t statement = 0;
    std::int32_t node = 0;  ///< of the statement's expression
  };

  std::size_t maximum = 0;     ///< statement
  std::int32_t reduction = 0;  ///< its node that runs over the loop
  TensorId tensor;             ///< its target
  LoopId loop;
  affine::LinearExpr last;           ///< the last index of the loop per element of the maximum
  ExprOp exp = ExprOp::Exp;          ///< Exp or Exp2
  std::vector<std::size_t> weights;  ///< statements that are weights as a whole
  std::vector<Sum> sums;             ///< in the order of the statements; at least one
};

/// The node of a statement's value.
inline std::int32_t rootOf(const Statement& statement) {
  return static_cast<std::int32_t>(statement.expr.size()) - 1;
}

/// Whether the maximum is that of the loop alone.
bool isOfLoop(const Kernel& kernel, const SoftmaxPattern& softmax);

/// Whether the node reads the maximum of the same element of its loops.
bool readsMaximum(const Kernel& kernel, const SoftmaxPattern& softmax, const Statement& statement,
                  std::int32_t node);

/// Whether nothing else writes the statement's target, which has no initial value and of which
/// every index is a loop.
bool isPlain(const Kernel& kernel, const Statement& statement);
/// The same of a local tensor.
bool isPlainLocal(const Kernel& kernel, const Statement& statement);

/// The softmax whose maximum is statement `s`; nothing where a weight is needed in another way, the
/// statements have different domains, or a `where` leaves no affine last index.
std::optional<SoftmaxPattern> softmaxAt(const Kernel& kernel, std::size_t s);

}  // namespace gridloom::kernel
