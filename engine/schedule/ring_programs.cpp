// SPDX-License-Identifier: Apache-2.0
//
// Programs of cores that move a tile in shares around a ring.
#include "schedule/program_writer.h"

namespace gridloom::schedule {

using mapping::BufferUse;
using Kind = mapping::TransferStep::Kind;

// The core loads its own share. In each round it sends the share that it got last and receives the
// one of the core before. It gives its credit first: all cores of the ring send at once, and each
// waits for the credit of the next one.
void ProgramWriter::addAllGatherer(std::size_t input, const CoreRole::Part& part) {
  const mapping::Transfers& transfers = m_plan.inputs[input];
  const BufferId buffer = inputBuffer(input);
  const PortId ring = m_inputs[input].channel(transfers, Kind::AllGather);
  Code body{{Op::Acquire, 0, buffer, {}}, {Op::Load, 0, buffer, {}}};
  for (std::int32_t round = 0; round + 1 < part.ring; ++round) {
    body.push_back({Op::Ready, 0, buffer, ring});
    body.push_back({Op::Send, round, buffer, ring});
    body.push_back({Op::Receive, round + 1, buffer, ring});
  }
  body.push_back({Op::Publish, 0, buffer, {}});
  add(Process::Role::Mover, input, transfers.level, body);
}

}  // namespace gridloom::schedule
