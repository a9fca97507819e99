// SPDX-License-Identifier: Apache-2.0
#include "schedule/program_writer.h"

#include "schedule/program_steps.h"

namespace gridloom::schedule {

using mapping::BufferUse;
using Kind = mapping::TransferStep::Kind;

Program ProgramWriter::write(const CoreRole& roles) {
  m_program = {};
  m_program.name = nameFor(roles);
  for (std::size_t i = 0; i < roles.inputs.size(); ++i) {
    if (roles.inputs[i].absent) continue;
    const CoreRole::Part& part = roles.inputs[i];
    for (std::size_t s = 0; s < m_plan.inputs[i].steps.size(); ++s) {
      if ((part.feeds >> s & 1U) != 0) addFeeder(i, s);
    }
    part.ring > 0 ? addAllGatherer(i, part) : addMover(i, part);
  }
  addCompute(roles);
  for (std::size_t o = 0; o < roles.outputs.size(); ++o) {
    const CoreRole::Part& part = roles.outputs[o];
    if (part.ring > 0) {
      addScatterer(o, part);
      continue;
    }
    addPartialReceiver(o, m_plan.outputs[o], m_outputs[o], part);
    if (part.gathers > 0) addGatherer(o, part);
    if (part.absent) continue;
    addWriter(o, part);
    for (std::size_t s = 0; s < m_plan.outputs[o].steps.size(); ++s) {
      if (m_plan.outputs[o].steps[s].to.isShared()) addSharedBufferWriter(o, s);
    }
  }
  for (const std::size_t r : m_splitAllReduces) addAllReduce(r, roles.allReduces[r]);
  return std::move(m_program);
}

void ProgramWriter::add(Process::Role role, std::size_t operand, int level, const Code& body) {
  Process process{role, static_cast<int>(operand), {}};
  for (int p = 0; p < level; ++p) process.code.push_back({Op::LoopBegin, p, {}, {}});
  process.code.insert(process.code.end(), body.begin(), body.end());
  for (int p = level; p-- > 0;) process.code.push_back({Op::LoopEnd, p, {}, {}});
  m_program.processes.push_back(std::move(process));
}

void ProgramWriter::addMover(std::size_t input, const CoreRole::Part& part) {
  const mapping::Transfers& transfers = m_plan.inputs[input];
  const OperandPorts& ports = m_inputs[input];
  const BufferId buffer = ports.buffer(BufferUse::Input);
  const std::uint64_t shares = part.sends & wiresOf(ports, transfers, Kind::SharedCopy);
  const std::uint64_t sends = part.sends & ~shares;
  const bool streams = transfers.has(Kind::Stream);
  const bool rotates = transfers.has(Kind::Rotate);
  Code body{on(Op::Acquire, buffer)};
  const auto send = [&](const OperandPorts::Wire& wire) {
    body.push_back(via(Op::Send, buffer, wire.channel));
  };
  forWires(ports, shares, [&](const OperandPorts::Wire& wire) {
    body.push_back(via(Op::Claim, buffer, wire.channel));
  });
  if (part.loads && m_nest.inputs[input].produced) body.push_back(on(Op::Await, buffer));
  if (part.loads) body.push_back(on(transfers.has(Kind::Forward) ? Op::Take : Op::Load, buffer));
  forWires(ports, part.receives, [&](const OperandPorts::Wire& wire) {
    body.push_back(via(Op::Ready, buffer, wire.channel));
    body.push_back(via(Op::Receive, buffer, wire.channel));
  });
  forWires(ports, shares, send);
  // A stream publishes the tile before it forwards it, so compute starts early. The slot stays
  // occupied until both are done.
  if (streams) body.push_back(on(Op::Publish, buffer));
  if (!rotates) forWires(ports, sends, send);
  if (!streams) body.push_back(on(Op::Publish, buffer));
  if (streams && sends != 0) body.push_back(on(Op::Release, buffer));
  add(Process::Role::Mover, input, transfers.level, body);
  if (!rotates) return;
  // A core sends a tile while it receives the next one: otherwise a ring of cores, each waiting to
  // send, would wait forever.
  body = {on(Op::WaitFull, buffer)};
  forWires(ports, sends, send);
  body.push_back(on(Op::Release, buffer));
  add(Process::Role::Mover, input, transfers.level, body);
}

// Brings tiles into a shared buffer at its hoist level, from global memory or the shared buffer
// before it, and sends them on at the hoist level of the next step.
void ProgramWriter::addFeeder(std::size_t input, std::size_t s) {
  const mapping::Transfers& transfers = m_plan.inputs[input];
  const OperandPorts& ports = m_inputs[input];
  const mapping::TransferStep& step = transfers.steps[s];
  const BufferId shared = ports.in(step.to);
  const int outer = step.level, inner = transfers.steps[s + 1].level;
  Code fill{on(Op::Acquire, shared)};
  if (step.kind == Kind::Load) {
    fill.push_back(on(Op::Load, shared));
  } else {
    fill.push_back(via(Op::Ready, shared, ports.channel(s)));
    fill.push_back(via(Op::Receive, shared, ports.channel(s)));
  }
  fill.push_back(on(Op::Publish, shared));
  add(Process::Role::Mover, input, outer, fill);
  Code body{on(Op::WaitFull, shared)};
  for (int p = outer; p < inner; ++p) body.push_back({Op::LoopBegin, p, {}, {}});
  body.push_back(via(Op::Send, shared, ports.channel(s + 1)));
  for (int p = inner; p-- > outer;) body.push_back({Op::LoopEnd, p, {}, {}});
  body.push_back(on(Op::Release, shared));
  add(Process::Role::Mover, input, outer, body);
}

void ProgramWriter::addPartialReceiver(std::size_t operand, const mapping::Transfers& transfers,
                                       const OperandPorts& ports, const CoreRole::Part& part) {
  const BufferId received = receivedIn(ports);
  Code body;
  forWires(ports, part.receives & reducingWires(ports, transfers),
           [&](const OperandPorts::Wire& wire) {
             body.push_back(on(Op::Acquire, received));
             body.push_back(via(Op::Ready, received, wire.channel));
             body.push_back(via(Op::Receive, received, wire.channel));
             body.push_back(on(Op::Publish, received));
           });
  if (!body.empty()) add(Process::Role::Mover, operand, m_outputLevel, body);
}

// Receives shares, sends the core's own share, receives the total and forwards it while compute
// works with it.
void ProgramWriter::addAllReduce(std::size_t reduce, const CoreRole::Part& part) {
  const OperandPorts& ports = m_allReduces[reduce];
  const mapping::Transfers& transfers = m_plan.allReduces[reduce];
  const std::uint64_t reducing = reducingWires(ports, transfers);
  const BufferId contribution = ports.buffer(BufferUse::Contribution);
  addPartialReceiver(reduce, transfers, ports, part);
  // The core that makes the total sends it back from where it made it.
  const bool makesTotal = (part.receives & ~reducing) == 0;
  const auto send = [&](Code& body, BufferId from, std::uint64_t wires) {
    forWires(ports, part.sends & wires, [&](const OperandPorts::Wire& wire) {
      body.push_back(via(Op::Send, from, wire.channel));
    });
  };
  Code out{on(Op::WaitFull, contribution)};
  send(out, contribution, makesTotal ? ~reducing : reducing);
  out.push_back(on(Op::Release, contribution));
  add(Process::Role::Writer, reduce, m_outputLevel, out);
  if (makesTotal) return;
  const BufferId total = ports.buffer(BufferUse::Total);
  Code in{on(Op::Acquire, total)};
  forWires(ports, part.receives & ~reducing, [&](const OperandPorts::Wire& wire) {
    in.push_back(via(Op::Ready, total, wire.channel));
    in.push_back(via(Op::Receive, total, wire.channel));
  });
  in.push_back(on(Op::Publish, total));
  send(in, total, ~reducing);
  if ((part.sends & ~reducing) != 0) in.push_back(on(Op::Release, total));
  add(Process::Role::Mover, reduce, m_outputLevel, in);
}

void ProgramWriter::addGatherer(std::size_t output, const CoreRole::Part& part) {
  const BufferId gathered = m_outputs[output].buffer(BufferUse::Gather);
  const PortId channel = m_outputs[output].channel(m_plan.outputs[output], Kind::Gather);
  Code receive, store;
  for (std::int32_t from = 1; from <= part.gathers; ++from) {
    receive.push_back(on(Op::Acquire, gathered, from));
    receive.push_back(via(Op::Ready, gathered, channel, from));
    receive.push_back(via(Op::Receive, gathered, channel, from));
    receive.push_back(on(Op::Publish, gathered, from));
    store.push_back(on(Op::WaitFull, gathered, from));
    store.push_back(on(Op::Store, gathered, from));
    store.push_back(on(Op::Release, gathered, from));
  }
  add(Process::Role::Mover, output, m_outputLevel, receive);
  add(Process::Role::Writer, output, m_outputLevel, store);
}

// An output through the core's slots of a shared buffer: its DMA engine receives a tile and stores
// it further out.
void ProgramWriter::addSharedBufferWriter(std::size_t output, std::size_t s) {
  const OperandPorts& ports = m_outputs[output];
  const BufferId shared = ports.in(m_plan.outputs[output].steps[s].to);
  const PortId channel = ports.channel(s), onward = ports.channel(s + 1);
  add(Process::Role::Mover, output, m_outputLevel,
      {on(Op::Acquire, shared), via(Op::Ready, shared, channel), via(Op::Receive, shared, channel),
       on(Op::Publish, shared)});
  const Instruction move = onward.valid() ? via(Op::Send, shared, onward) : on(Op::Store, shared);
  add(Process::Role::Writer, output, m_outputLevel,
      {on(Op::WaitFull, shared), move, on(Op::Release, shared)});
}

// A core sends a tile at most once: as partial results, to the core that gathers, or into the
// shared buffer.
void ProgramWriter::addWriter(std::size_t output, const CoreRole::Part& part) {
  const OperandPorts& ports = m_outputs[output];
  const BufferId buffer = ports.buffer(BufferUse::Output);
  Instruction move = on(Op::Store, buffer);
  forWires(ports, part.sends,
           [&](const OperandPorts::Wire& wire) { move = via(Op::Send, buffer, wire.channel); });
  add(Process::Role::Writer, output, m_outputLevel,
      {on(Op::WaitFull, buffer), move, on(Op::Release, buffer)});
}

}  // namespace gridloom::schedule
