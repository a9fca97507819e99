// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "affine/integer_set.h"
#include "kernel/kernel.h"
#include "kernel/renumbered_loops.h"

namespace gridloom::kernel {

/// What one statement computes, at the element that another one reads.
class WriterAt {
 public:
  /// `reduced`: the loops that its reductions run over there.
  WriterAt(const Kernel& kernel, const Statement& writer, const Access& read,
           const LoopMap& reduced);

  /// Leaves out limits that hold wherever the element is read.
  void dropImplied(const affine::IntegerSet& domain);

  bool isLimited() const { return !m_limits.empty(); }

  /// Appends the value, or whether the writer defines the element; their place.
  std::int32_t addValue(std::vector<ExprNode>& nodes, std::vector<Access>& reads) const;
  std::int32_t addCondition(std::vector<ExprNode>& nodes) const;

 private:
  const Statement* m_writer;
  LoopMap m_reduced;
  std::vector<affine::LinearExpr> m_values;  ///< per loop of the writer: the index that is read
  std::vector<affine::Constraint> m_limits;  ///< where the writer defines the element
};

/// Puts what statements compute into the place of a read of it: a choice, if there are several. The
/// last one defines what the others do not.
void inlineWriters(const std::vector<WriterAt>& writers, Statement& reader, std::size_t read);

/// Whether a statement gives one element at a time: every index of its target is a number, or
/// another loop.
bool isOneElement(const Statement& statement);

}  // namespace gridloom::kernel
