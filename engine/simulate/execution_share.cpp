// SPDX-License-Identifier: Apache-2.0
//
// One copy of a tile for the cores of a local memory. Nothing moves; the readers are notified.
#include "simulate/execution.h"
#include "values/value_machine.h"

namespace gridloom::simulate {

bool Execution::isShared(int channel) const {
  return m_in.schedule.channels[index(channel)].kind == schedule::Channel::Kind::Share;
}

void Execution::share(std::int32_t process) {
  ProcessTimes& times = m_processes[index(process)];
  const schedule::Code& code = m_tokens.at(process);
  for (const std::int32_t leaf : m_wiring.leavesOf(code.channel, m_tokens.coreOf(process))) {
    if (!m_tokens.takesPart(leaf, process, code.depth)) continue;
    const std::int32_t arrival = m_network.arrivalIndex(code.channel, leaf);
    m_inbox[index(arrival)] = times.timeline;
    if (m_values) m_values->post(process, leaf);
    m_queue.push(m_now, network::EventKind::Arrived, arrival);
  }
  times.stage = Stage::Finish;
  m_queue.push(m_now, network::EventKind::Process, process);
}

}  // namespace gridloom::simulate
