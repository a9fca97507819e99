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

// In each round, compute sends the share that it reduced last and reduces the one of the core
// before, which comes with the sums of all cores that it has passed.
void ProgramWriter::reduceScatter(Code& code, std::size_t output,
                                  const CoreRole::Part& part) const {
  const BufferId sums = outputBuffer(output);
  const BufferId received = m_outputs[output].buffer(BufferUse::Partial);
  const PortId ring = m_outputs[output].channel(m_plan.outputs[output], Kind::ReduceScatter);
  for (std::int32_t round = 0; round + 1 < part.ring; ++round) {
    code.push_back({Op::Send, round, sums, ring});
    code.push_back({Op::WaitFull, 0, received, {}});
    code.push_back({Op::Reduce, round + 1, received, {}});
    code.push_back({Op::Release, 0, received, {}});
  }
}

// Receives the shares that compute reduces, and stores the last one.
void ProgramWriter::addScatterer(std::size_t output, const CoreRole::Part& part) {
  const BufferId sums = outputBuffer(output);
  const BufferId received = m_outputs[output].buffer(BufferUse::Partial);
  const PortId ring = m_outputs[output].channel(m_plan.outputs[output], Kind::ReduceScatter);
  Code in;
  for (std::int32_t round = 0; round + 1 < part.ring; ++round) {
    in.push_back({Op::Acquire, 0, received, {}});
    in.push_back({Op::Ready, 0, received, ring});
    in.push_back({Op::Receive, round + 1, received, ring});
    in.push_back({Op::Publish, 0, received, {}});
  }
  if (!in.empty()) add(Process::Role::Mover, output, m_outputLevel, in);
  add(Process::Role::Writer, output, m_outputLevel,
      {{Op::WaitFull, 0, sums, {}},
       {Op::Store, part.ring - 1, sums, {}},
       {Op::Release, 0, sums, {}}});
}

}  // namespace gridloom::schedule
