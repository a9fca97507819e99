// SPDX-License-Identifier: Apache-2.0
#include "schedule/program_writer.h"

#include <algorithm>

namespace gridloom::schedule {
namespace {

Instruction on(Op op, BufferId buffer, std::int32_t arg = 0) { return {op, arg, buffer, {}}; }
Instruction via(Op op, BufferId buffer, PortId channel, std::int32_t arg = 0) {
  return {op, arg, buffer, channel};
}

using mapping::BufferUse;
using Kind = mapping::TransferStep::Kind;

// Calls `visit` for the channels of an operand whose bit is set, in order.
template <class Visit>
void forWires(const OperandPorts& ports, std::uint64_t mask, const Visit& visit) {
  for (std::size_t w = 0; w < ports.wires.size(); ++w) {
    if ((mask >> w & 1U) != 0) visit(ports.wires[w]);
  }
}

// The bits of the channels that steps of a kind use.
template <class Picks>
std::uint64_t wiresWhere(const OperandPorts& ports, const mapping::Transfers& transfers,
                         const Picks& picks) {
  std::uint64_t mask = 0;
  for (std::size_t w = 0; w < ports.wires.size(); ++w) {
    if (picks(transfers.steps[ports.wires[w].step])) mask |= std::uint64_t{1} << w;
  }
  return mask;
}

std::uint64_t wiresOf(const OperandPorts& ports, const mapping::Transfers& transfers, Kind kind) {
  return wiresWhere(ports, transfers, [&](const auto& step) { return step.kind == kind; });
}

std::uint64_t reducingWires(const OperandPorts& ports, const mapping::Transfers& transfers) {
  return wiresWhere(ports, transfers, [](const auto& step) { return step.reduces(); });
}

}  // namespace

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

bool ProgramWriter::waitsInEpilogue(std::size_t input, const CoreRole& roles) const {
  return !roles.inputs[input].absent && m_nest.inputs[input].phase == kernel::Phase::Epilogue &&
         m_plan.inputs[input].level == m_outputLevel;
}

void ProgramWriter::addCompute(const CoreRole& roles) {
  Code body;
  computeFrom(body, 0, roles);
  m_program.processes.push_back({Process::Role::Compute, -1, std::move(body)});
}

void ProgramWriter::computeFrom(Code& code, int depth, const CoreRole& roles) const {
  if (depth == m_outputLevel) {
    for (std::size_t o = 0; o < m_outputs.size(); ++o) {
      if (!roles.outputs[o].absent) code.push_back(on(Op::Acquire, outputBuffer(o)));
    }
  }
  const auto entersHere = [&](std::size_t i) {
    return m_plan.inputs[i].level == depth && !waitsInEpilogue(i, roles) && !roles.inputs[i].absent;
  };
  for (std::size_t i = 0; i < m_inputs.size(); ++i) {
    if (entersHere(i)) code.push_back(on(Op::WaitFull, inputBuffer(i)));
  }
  if (depth == m_loops) {
    computeParts(code, roles);
  } else {
    code.push_back({Op::LoopBegin, depth, {}, {}});
    computeFrom(code, depth + 1, roles);
    code.push_back({Op::LoopEnd, depth, {}, {}});
  }
  for (std::size_t i = 0; i < m_inputs.size(); ++i) {
    if (entersHere(i) && depth > m_outputLevel) code.push_back(on(Op::Release, inputBuffer(i)));
  }
  if (depth == m_outputLevel) finishScope(code, roles);
  for (std::size_t i = 0; i < m_inputs.size(); ++i) {
    if (entersHere(i) && depth <= m_outputLevel) {
      code.push_back(on(Op::Release, inputBuffer(i)));
    }
  }
}

// At each all-reduce, the core sends its share to the core that reduces it and continues with the
// result that comes back. The core that makes the total already has it.
void ProgramWriter::computeParts(Code& code, const CoreRole& roles) const {
  BufferId total;
  for (std::size_t part = 0; part <= m_splitAllReduces.size(); ++part) {
    const bool isAllReduce = part < m_splitAllReduces.size();
    const std::size_t r = isAllReduce ? m_splitAllReduces[part] : 0;
    if (isAllReduce)
      code.push_back(on(Op::Acquire, m_allReduces[r].buffer(BufferUse::Contribution)));
    code.push_back({Op::Compute, static_cast<std::int32_t>(part), {}, {}});
    if (total.valid()) code.push_back(on(Op::Release, total));
    total = {};
    if (!isAllReduce) return;
    const OperandPorts& ports = m_allReduces[r];
    reduceInto(code, r, m_plan.allReduces[r], ports, roles.allReduces[r]);
    code.push_back(on(Op::Publish, ports.buffer(BufferUse::Contribution)));
    const std::uint64_t back = ~reducingWires(ports, m_plan.allReduces[r]);
    if ((roles.allReduces[r].receives & back) == 0) continue;
    total = ports.buffer(BufferUse::Total);
    code.push_back(on(Op::WaitFull, total));
  }
}

namespace {

BufferId receivedIn(const OperandPorts& ports) {
  const BufferId partial = ports.buffer(BufferUse::Partial);
  return partial.valid() ? partial : ports.buffer(BufferUse::Contributed);
}

}  // namespace

void ProgramWriter::reduceInto(Code& code, std::size_t operand, const mapping::Transfers& transfers,
                               const OperandPorts& ports, const CoreRole::Part& part) {
  const BufferId received = receivedIn(ports);
  forWires(ports, part.receives & reducingWires(ports, transfers), [&](const OperandPorts::Wire&) {
    code.push_back(on(Op::WaitFull, received));
    code.push_back(on(Op::Reduce, received, static_cast<std::int32_t>(operand)));
    code.push_back(on(Op::Release, received));
  });
}

void ProgramWriter::finishScope(Code& code, const CoreRole& roles) const {
  for (std::size_t o = 0; o < m_outputs.size(); ++o) {
    const CoreRole::Part& part = roles.outputs[o];
    part.ring > 0 ? reduceScatter(code, o, part)
                  : reduceInto(code, o, m_plan.outputs[o], m_outputs[o], part);
  }
  for (std::size_t i = 0; i < m_inputs.size(); ++i) {
    if (waitsInEpilogue(i, roles)) code.push_back(on(Op::WaitFull, inputBuffer(i)));
  }
  if (roles.finishes && kernel::hasEpilogue(m_nest)) code.push_back({Op::Epilogue, 0, {}, {}});
  for (std::size_t i = 0; i < m_inputs.size(); ++i) {
    if (waitsInEpilogue(i, roles)) code.push_back(on(Op::Release, inputBuffer(i)));
  }
  for (std::size_t o = 0; o < m_outputs.size(); ++o) {
    if (!roles.outputs[o].absent) code.push_back(on(Op::Publish, outputBuffer(o)));
  }
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

std::string ProgramWriter::nameFor(const CoreRole& roles) const {
  std::string loads, receives, reduces, stores;
  const auto list = [](std::string& to, const std::string& name) {
    to += to.empty() ? name : ", " + name;
  };
  for (std::size_t i = 0; i < roles.inputs.size(); ++i) {
    const CoreRole::Part& part = roles.inputs[i];
    if (part.absent) continue;
    const mapping::Transfers& transfers = m_plan.inputs[i];
    const std::uint64_t copies = wiresOf(m_inputs[i], transfers, Kind::SharedCopy);
    const char* how = (part.sends & ~copies) != 0     ? " (sends on)"
                      : part.feeds != 0               ? " (feeds)"
                      : (part.sends & copies) != 0    ? " (shares)"
                      : (part.receives & copies) != 0 ? " (reads)"
                                                      : "";
    list(part.loads && !transfers.has(Kind::Forward) ? loads : receives,
         m_nest.inputs[i].name + how);
  }
  for (std::size_t o = 0; o < roles.outputs.size(); ++o) {
    const CoreRole::Part& part = roles.outputs[o];
    if (part.absent) continue;
    const std::uint64_t reducing = reducingWires(m_outputs[o], m_plan.outputs[o]);
    const std::uint64_t gathering = wiresOf(m_outputs[o], m_plan.outputs[o], Kind::Gather);
    const char* how = (part.sends & reducing) != 0    ? " (partial, sends)"
                      : (part.sends & gathering) != 0 ? " (sends)"
                      : part.gathers > 0              ? " (gathers)"
                                                      : "";
    list(stores, m_nest.outputs[o].name + how);
  }
  std::string name;
  if (!loads.empty()) name += "loads " + loads + "; ";
  if (!receives.empty()) name += "receives " + receives + "; ";
  for (const std::size_t r : m_splitAllReduces) {
    const CoreRole::Part& part = roles.allReduces[r];
    const std::uint64_t reducing = reducingWires(m_allReduces[r], m_plan.allReduces[r]);
    const char* how = (part.receives & ~reducing) == 0  ? " (reduces all)"
                      : (part.receives & reducing) != 0 ? " (reduces some)"
                                                        : "";
    list(reduces,
         m_nest.allReduces[r].name + how + ((part.sends & ~reducing) == 0 ? "" : " (sends back)"));
  }
  if (!reduces.empty()) name += "reduces " + reduces + "; ";
  return stores.empty() ? name : name + "writes " + stores;
}

}  // namespace gridloom::schedule
