// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "kernel/kernel.h"
#include "kernel/loop_sets.h"

namespace gridloom::kernel {

/// What every node of a statement's expression depends on.
class ExprSummary {
 public:
  explicit ExprSummary(const Statement& statement);

  /// The loops that the node's value depends on, ascending.
  const Loops& loopsOf(std::int32_t node) const { return m_loops[index(node)]; }
  /// Whether it takes an element or a unit's work.
  bool isComputed(std::int32_t node) const { return m_computed[index(node)]; }
  /// Whether it needs an element of the statement's target.
  bool recurs(std::int32_t node) const { return m_recurs[index(node)]; }

 private:
  static std::size_t index(std::int32_t node) { return static_cast<std::size_t>(node); }
  bool isIndexSum(std::size_t n) const;
  void summarise(std::size_t n);

  const Statement& m_statement;
  std::vector<Loops> m_loops;
  std::vector<bool> m_computed;
  std::vector<bool> m_recurs;
};

}  // namespace gridloom::kernel
