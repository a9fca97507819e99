// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "mapping/constraints.h"
#include "mapping/mapping.h"

namespace gridloom::mapping {

/// The ways through shared buffers of a transfer: none, or through some of them, each entered at
/// the same level as the next one inwards or further outside, inside a loop the tile depends on
/// unless a directive names another loop. A transfer to the cores at level 0 uses none. Behind the
/// first, a shared buffer is used where tiles are reused from it, or shared.
class SharedBufferWays {
 public:
  /// What it gets must outlive it.
  SharedBufferWays(const kernel::Operand& operand, std::size_t input,
                   const std::vector<LoopId>& order, const hardware::Topology& hw,
                   const Constraints& constraints);

  /// Adds `movement` with every way to `options`. `others`: dimensions along which cores use the
  /// same tile and the movement sends no copies.
  void add(const InputMovement& movement, DimMask others,
           std::vector<InputMovement>& options) const;

  /// Whether directives admit the shared buffers of a movement.
  bool admits(const InputMovement& movement) const;

 private:
  void extend(const InputMovement& movement, DimMask others, int inner, std::uint8_t level,
              std::size_t levels, std::vector<InputMovement>& options) const;
  DimMask alongFrom(std::size_t k, DimMask others) const;
  bool isNamed(std::size_t k, std::uint8_t at) const;
  bool repeatsNothing(std::uint8_t at) const;

  const kernel::Operand& m_operand;
  std::size_t m_input;
  const std::vector<LoopId>& m_order;
  const hardware::Topology& m_hw;
  const Constraints& m_constraints;
  const Constraints::Input* m_wanted;
  bool m_isFree;  ///< no directive about the operand
};

}  // namespace gridloom::mapping
