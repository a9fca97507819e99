// SPDX-License-Identifier: Apache-2.0
#include "mapping/shared_buffer_ways.h"

#include <bit>

#include "mapping/admit.h"
#include "mapping/layout_options.h"

namespace gridloom::mapping {

SharedBufferWays::SharedBufferWays(const kernel::Operand& operand, std::size_t input,
                                   const std::vector<LoopId>& order, const hardware::Topology& hw,
                                   const Constraints& constraints)
    : m_operand(operand),
      m_input(input),
      m_order(order),
      m_hw(hw),
      m_constraints(constraints),
      m_wanted(constraintOn(constraints.inputs, input)),
      m_isFree(!m_wanted && constraints.excluded.empty()) {}

void SharedBufferWays::add(const InputMovement& movement, DimMask others,
                           std::vector<InputMovement>& options) const {
  const bool may = movement.level > 0 && m_operand.guard.always();
  extend(movement, others, -1, movement.level, may ? m_hw.sharedBuffers().size() : 0, options);
}

bool SharedBufferWays::admits(const InputMovement& movement) const {
  return m_isFree || admitsSharedBuffers(m_constraints, m_input, movement, m_order);
}

// `inner`: the outermost shared buffer so far, entered at `level`; -1: none.
void SharedBufferWays::extend(const InputMovement& movement, DimMask others, int inner,
                              std::uint8_t level, std::size_t levels,
                              std::vector<InputMovement>& options) const {
  if (admits(movement)) options.push_back(movement);
  for (auto k = static_cast<std::size_t>(inner + 1); k < levels; ++k) {
    const DimMask along = inner < 0 ? 0 : alongFrom(k, others);
    for (std::uint8_t at = 0; at <= level; ++at) {
      // Without reuse and without sharing, a further level would only add a transfer.
      const bool helps = inner < 0 || at < level || along != 0;
      if (!isNamed(k, at) && !(helps && repeatsNothing(at))) continue;
      for (std::uint8_t buffers = 1; buffers <= (at == 0 ? 1 : 2); ++buffers) {
        InputMovement next = movement;
        next.sharedBuffers[k] = {static_cast<std::int8_t>(at), buffers,
                                 static_cast<std::uint8_t>(along)};
        extend(next, others & ~along, static_cast<int>(k), at, levels, options);
      }
    }
  }
}

// One copy of a tile for all shared buffers inwards, where the network can send it to all.
DimMask SharedBufferWays::alongFrom(std::size_t k, DimMask others) const {
  const bool named = m_wanted && m_wanted->sharedBuffers[k].along;
  const DimMask along = named ? *m_wanted->sharedBuffers[k].along & others : others;
  // A multicast runs along two dimensions at most.
  const bool casts = m_hw.canMulticast(m_hw.readPlane()) && std::popcount(along) <= 2;
  return casts ? along : 0;
}

bool SharedBufferWays::isNamed(std::size_t k, std::uint8_t at) const {
  const LoopId inside = at < m_order.size() ? m_order[at] : LoopId{};
  return m_wanted && m_wanted->sharedBuffers[k].outside == inside;
}

bool SharedBufferWays::repeatsNothing(std::uint8_t at) const {
  return at == 0 || m_operand.dependsOn(m_order[at - 1u]);
}

}  // namespace gridloom::mapping
