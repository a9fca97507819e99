// SPDX-License-Identifier: Apache-2.0
//
// Which iterations of its loops a process goes through, and which instructions of them it executes.
#include "schedule/token_machine.h"

namespace gridloom::schedule {

// Whether the iteration of the loop around an instruction is one of those of a round in which tiles
// are loaded, received or sent on.
bool TokenMachine::isTurn(std::int32_t process, const Code& code) const {
  const auto position = index(code.depth - 1);
  const std::int64_t round = m_placed.placement.roundOf(position);
  const std::int64_t iteration = waves(process)[position] % round;
  switch (code.turn) {
  case Turn::Always:
    return true;
  case Turn::First:
    return iteration == 0;
  case Turn::NotFirst:
    return iteration > 0;
  case Turn::NotLast:
    return iteration + 1 < round;
  }
  return true;
}

bool TokenMachine::isSkipped(std::int32_t process, const ProcessState& state,
                             const Code& code) const {
  if (code.demand >= 0 && (m_state.demanded[index(process)].demands >> code.demand & 1) == 0)
    return true;
  if (code.turn != Turn::Always && !isTurn(process, code)) return true;
  if (code.demand >= 0) return false;
  if (!code.guarded) {
    return code.gate >= 0 && !takesPart(leafOf(state, code), process, code.depth);
  }
  if (code.buffer < 0) return !m_activeTiles.hasWork(state.core, waves(process));
  return !m_activeTiles.isNeeded(m_placed.schedule.buffers[index(code.buffer)].need, state.core,
                                 waves(process), code.depth);
}

void TokenMachine::beginLoop(std::int32_t process, ProcessState& state, const Code& code) {
  std::int32_t& wave = waves(process)[index(code.arg)];
  wave = 0;
  if (code.demands < 0) return;
  skipIterations(process, state, code);
  if (wave < m_placed.placement.waves(state.core, code.arg)) return;
  wave = 0;
  state.pc = code.jump;
}

void TokenMachine::endIteration(std::int32_t process, ProcessState& state, const Code& code) {
  const std::int32_t count = m_placed.placement.waves(state.core, code.arg);
  std::int32_t& wave = waves(process)[index(code.arg)];
  if (++wave < count && code.demands >= 0 && wave > m_state.demanded[index(process)].until) {
    skipIterations(process, state, code);
  }
  if (wave < count) {
    state.pc = code.jump - 1;
  } else {
    wave = 0;
  }
}

// Goes on to the next iteration in which something is needed.
void TokenMachine::skipIterations(std::int32_t process, ProcessState& state, const Code& code) {
  const LoopDemands& demands = m_placed.code.demands(code.demands);
  std::int32_t& wave = waves(process)[index(code.arg)];
  const std::int32_t end = m_placed.placement.waves(state.core, code.arg);
  std::int32_t next = end;
  Demanded& demanded = m_state.demanded[index(process)];
  demanded = {0, end};
  for (std::size_t n = 0; n < demands.size(); ++n) {
    const bool isWork = demands[n] < 0;
    const TileDemand* const demand =
        isWork ? nullptr : &m_placed.schedule.buffers[index(demands[n])].need;
    const auto [first, last] =
        m_activeTiles.nextNeeded(demand, state.core, waves(process), code.depth + 1, end);
    if (isWork && first > wave) m_rules.skipCompute(state.slots);
    if (first < next) {
      // What was needed next so far is not needed yet.
      demanded.until = std::min(last, next - 1);
      demanded.demands = std::uint32_t{1} << n;
      next = first;
    } else if (first == next && first < end) {
      demanded.until = std::min(demanded.until, last);
      demanded.demands |= std::uint32_t{1} << n;
    } else {
      demanded.until = std::min(demanded.until, first - 1);
    }
  }
  wave = next;
}

}  // namespace gridloom::schedule
