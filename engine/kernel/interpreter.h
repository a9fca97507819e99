// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "kernel/kernel.h"

namespace gridloom::kernel {

/// Row-major values of one tensor.
struct TensorValue {
  std::vector<std::int64_t> shape;
  std::vector<double> data;
};
using TensorValues = std::map<std::string, TensorValue>;

/// Values of every output and local tensor, computed directly from the recurrence: each element by
/// the statement that defines it, operands first, without tiling or reordering. It is slow and
/// simple: the reference for all other evaluations.
/// Errors: missing input, wrong shape, an undefined element, an element that needs itself, more
/// than `maxElements` elements in all.
base::Result<TensorValues> interpret(const Kernel& kernel, const TensorValues& inputs,
                                     std::int64_t maxElements = 50'000'000);

/// Conditions on an input's values under which divisions, roots, logarithms and gathers are well
/// defined.
struct SampleForm {
  bool positive = false;     ///< at least 0.5
  bool symmetric = false;    ///< in its last two dimensions
  bool diagonal = false;     ///< the number of columns is added to the diagonal
  std::int64_t indices = 0;  ///< read as indices: whole numbers below this; 0: they are not
};
/// Per tensor of the kernel.
std::vector<SampleForm> sampleForms(const Kernel& kernel);

/// Deterministic inputs for checks: small values in [-1, 1); tensors that are divided by or
/// factorised (trsm's L, cholesky's A) are made well conditioned by adding to the diagonal. Tensors
/// that gathers read as indices hold valid ones.
TensorValues sampleInputs(const Kernel& kernel, std::uint64_t seed);

/// Source of operand values during the evaluation of a statement.
class OperandReader {
 public:
  virtual ~OperandReader() = default;
  /// The value of `access` at a point of the kernel's loops.
  virtual double read(const Access& access, std::span<const std::int64_t> point) = 0;
  /// How many of the values that were read are not known yet. What a `select` or a gather reads
  /// does not follow from those.
  virtual std::size_t missing() const { return 0; }
};

/// Index `d` of an element at a point, looked up if it is gathered; -1 where it is outside of the
/// tensor or not a whole number.
std::int64_t indexAt(const Kernel& kernel, const Access& access, std::size_t d,
                     std::span<const std::int64_t> point, OperandReader& reader);
/// The first gathered index at a point that is outside of the tensor, with its value, as a message.
std::string gatherError(const Kernel& kernel, const Access& access,
                        std::span<const std::int64_t> point, OperandReader& reader);

/// A range [begin, end) of each loop of the kernel.
struct LoopRange {
  std::int64_t begin = 0;
  std::int64_t end = 1;
};

/// The right side of a statement at one point of its target loops. Reduction loops run over their
/// `ranges` (a tile's share gives a partial result), skipping points outside the statement's
/// domain. `point` has one entry per loop of the kernel and is used as scratch for the reduction
/// loops. Shared by the interpreter and the simulator's value mode.
double evaluateAt(const Kernel& kernel, const Statement& statement, std::span<std::int64_t> point,
                  std::span<const LoopRange> ranges, OperandReader& reader);

/// The operation that combines partial results of a statement whose root is a reduction (Sum,
/// MaxReduce, MinReduce, ProdReduce), or Constant when its root is not one.
ExprOp rootReduction(const Statement& statement);

}  // namespace gridloom::kernel
