// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schedule/placed_schedule.h"
#include "values/joined_partials.h"
#include "values/statement_plan.h"

namespace gridloom::exchange {

/// What the writers of a C++ program have in common: the schedule, the steps of its values, and the
/// names of what it consists of. Refers to the schedule, which must outlive it.
class CppContext {
 public:
  explicit CppContext(const schedule::PlacedSchedule& placed);

  const schedule::PlacedSchedule& placed;
  const schedule::Schedule& schedule;
  const kernel::Kernel& kernel;
  const kernel::TileNest& nest;
  const values::StatementPlan plan;
  const std::vector<values::JoinedPartial> joined;
  /// With state whose loop is unrolled over cores: per tensor, its number in the nest's StateMerge,
  /// or -1; else empty.
  std::vector<std::int32_t> stateOf;

  static std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }
  const schedule::Buffer& bufferAt(std::int32_t b) const { return schedule.buffers[index(b)]; }
  /// The operand of a buffer of tiles of an input or output.
  const kernel::Operand& operandOf(const schedule::Buffer& buffer) const;
  /// Whether output tiles are forwarded; their buffer is among `buffers` then.
  const schedule::Buffer* heldOf(kernel::TensorId output) const;
  bool isInOrder(kernel::LoopId loop) const;
  bool splitsState() const { return !stateOf.empty(); }

  std::string loop(kernel::LoopId loop) const;
  std::string tensor(kernel::TensorId tensor) const;
  std::string buffer(std::int32_t buffer) const { return m_buffers[index(buffer)]; }
  std::string channel(std::int32_t channel) const { return m_channels[index(channel)]; }
  /// The name of an operand's window, distinct from those of others.
  std::string window(const kernel::Operand& operand) const;
  /// `number<4, 5>`, for elements of a tensor.
  std::string number(kernel::TensorId tensor) const;
  /// `&Loops::i, &Loops::k`: those of the loops that are temporal.
  std::string members(const std::vector<kernel::LoopId>& loops) const;

 private:
  std::vector<std::string> m_buffers, m_channels, m_inputs, m_outputs;
};

}  // namespace gridloom::exchange
