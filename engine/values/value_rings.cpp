// SPDX-License-Identifier: Apache-2.0
//
// Tiles that cores move in shares around a ring.
#include <fmt/format.h>

#include <algorithm>

#include "schedule/op_names.h"
#include "schedule/rings.h"
#include "values/value_machine.h"

namespace gridloom::values {

// The elements of the share that an instruction moves.
std::vector<std::int64_t> ValueMachine::shareOf(std::int32_t process) {
  const schedule::Code& code = m_tokens.at(process);
  const std::int32_t core = m_tokens.coreOf(process);
  const schedule::Buffer& buffer = m_schedule.buffers[index(code.buffer)];
  const auto& operands = schedule::isOfInput(buffer.use) ? m_nest.inputs : m_nest.outputs;
  const kernel::Operand& operand = operands[index(buffer.operand)];
  std::vector<std::int64_t> elements;
  setRanges(process, code.depth);
  forTilesInside(core, code.depth, operand.loops, [&] {
    forElements(operand, [&](std::int64_t element) { elements.push_back(element); });
  });
  std::ranges::sort(elements);
  elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
  const schedule::RingPlace at = schedule::shareAt(m_placement, core, code.ring, code.arg);
  const schedule::Share share =
      schedule::shareOf(static_cast<std::int64_t>(elements.size()), at.cores, at.number);
  const auto first = elements.begin() + share.first;
  return {first, first + share.count};
}

ValueMachine::Elements ValueMachine::partOfTile(std::int32_t process, const Elements& tile) {
  Elements part;
  for (const std::int64_t element : shareOf(process)) {
    const auto at = tile.find(element);
    if (at == tile.end()) {
      fail(fmt::format("element {} of a share is moved before it is there", element));
      return part;
    }
    part.insert(*at);
  }
  return part;
}

}  // namespace gridloom::values
