// SPDX-License-Identifier: Apache-2.0
#include "schedule/program_writer.h"

#include <algorithm>

namespace gridloom::schedule {
namespace {

Instruction on(Op op, BufferId buffer, std::int32_t arg = 0) { return {op, arg, buffer, {}}; }
Instruction via(Op op, BufferId buffer, PortId channel, std::int32_t arg = 0) {
  return {op, arg, buffer, channel};
}

}  // namespace

Program ProgramWriter::write(const CoreRole& roles) {
  m_program = {};
  m_program.name = nameFor(roles);
  for (std::size_t i = 0; i < roles.inputs.size(); ++i) {
    if (roles.inputs[i].absent) continue;
    if (roles.inputs[i].feeds) addFeeder(i);
    addMover(i, roles.inputs[i]);
  }
  addCompute(roles);
  for (std::size_t o = 0; o < roles.outputs.size(); ++o) {
    const CoreRole::Output& role = roles.outputs[o];
    addPartialReceiver(o, m_outputs[o].partial, m_outputs[o].reduction, role);
    if (role.gathers > 0) addGatherer(o, role);
    if (role.absent) continue;
    addWriter(o, role);
    if (m_outputs[o].outgoing.valid()) addPassing(o);
  }
  for (const std::size_t r : m_splitAllReduces) addReduce(r, roles.reduces[r]);
  return std::move(m_program);
}

void ProgramWriter::add(Process::Role role, std::size_t operand, int level, const Code& body) {
  Process process{role, static_cast<int>(operand), {}};
  for (int p = 0; p < level; ++p) process.code.push_back({Op::LoopBegin, p, {}, {}});
  process.code.insert(process.code.end(), body.begin(), body.end());
  for (int p = level; p-- > 0;) process.code.push_back({Op::LoopEnd, p, {}, {}});
  m_program.processes.push_back(std::move(process));
}

void ProgramWriter::addMover(std::size_t input, const CoreRole::Input& role) {
  if (m_mapping.inputs[input].kind == mapping::MovementKind::Stationary) return;
  const InputPorts& ports = m_inputs[input];
  const bool streams = m_mapping.inputs[input].kind == mapping::MovementKind::Stream;
  Code body{on(Op::Acquire, ports.buffer)};
  const auto receive = [&](PortId channel) {
    body.push_back(via(Op::Ready, ports.buffer, channel));
    body.push_back(via(Op::Receive, ports.buffer, channel));
  };
  if (role.shares) body.push_back(via(Op::Claim, ports.buffer, ports.shared));
  if (role.loads && m_nest.inputs[input].produced) body.push_back(on(Op::Await, ports.buffer));
  const bool takes = m_mapping.inputs[input].kind == mapping::MovementKind::Forwarded;
  if (role.loads) body.push_back(on(takes ? Op::Take : Op::Load, ports.buffer));
  if (role.receivesFirst) receive(ports.first);
  if (role.receivesSecond) receive(ports.second);
  if (role.reads) receive(ports.shared);
  if (role.shares) body.push_back(via(Op::Send, ports.buffer, ports.shared));
  // A stream publishes the tile before it forwards it, so compute starts early. The slot stays
  // occupied until both are done.
  if (streams) body.push_back(on(Op::Publish, ports.buffer));
  if (role.sendsFirst) body.push_back(via(Op::Send, ports.buffer, ports.first));
  if (role.sendsSecond) body.push_back(via(Op::Send, ports.buffer, ports.second));
  if (!streams) body.push_back(on(Op::Publish, ports.buffer));
  if (streams && role.sendsFirst) body.push_back(on(Op::Release, ports.buffer));
  add(Process::Role::Mover, input, m_mapping.inputs[input].level, body);
}

// Transfers into the shared buffer are at the shared buffer's hoist level. Transfers out of it are
// at the movement's own level, from a slot that stays occupied meanwhile.
void ProgramWriter::addFeeder(std::size_t input) {
  const InputPorts& ports = m_inputs[input];
  const mapping::InputMovement& movement = m_mapping.inputs[input];
  const int outer = movement.sharedBuffer.level, inner = movement.level;
  add(Process::Role::Mover, input, outer,
      {on(Op::Acquire, ports.sharedBuffer), on(Op::Load, ports.sharedBuffer),
       on(Op::Publish, ports.sharedBuffer)});
  Code body{on(Op::WaitFull, ports.sharedBuffer)};
  for (int p = outer; p < inner; ++p) body.push_back({Op::LoopBegin, p, {}, {}});
  body.push_back(via(Op::Send, ports.sharedBuffer, ports.first));
  for (int p = inner; p-- > outer;) body.push_back({Op::LoopEnd, p, {}, {}});
  body.push_back(on(Op::Release, ports.sharedBuffer));
  add(Process::Role::Mover, input, outer, body);
}

bool ProgramWriter::waitsInEpilogue(std::size_t input, const CoreRole& roles) const {
  return !roles.inputs[input].absent && m_nest.inputs[input].phase == kernel::Phase::Epilogue &&
         m_mapping.inputs[input].level == m_outputLevel;
}

void ProgramWriter::addCompute(const CoreRole& roles) {
  Code body;
  computeFrom(body, 0, roles);
  m_program.processes.push_back({Process::Role::Compute, -1, std::move(body)});
}

void ProgramWriter::computeFrom(Code& code, int depth, const CoreRole& roles) const {
  if (depth == m_outputLevel) {
    for (std::size_t o = 0; o < m_outputs.size(); ++o) {
      if (!roles.outputs[o].absent) code.push_back(on(Op::Acquire, m_outputs[o].buffer));
    }
  }
  const auto entersHere = [&](std::size_t i) {
    return m_mapping.inputs[i].level == depth && !waitsInEpilogue(i, roles) &&
           !roles.inputs[i].absent && m_mapping.inputs[i].kind != mapping::MovementKind::Stationary;
  };
  for (std::size_t i = 0; i < m_inputs.size(); ++i) {
    if (entersHere(i)) code.push_back(on(Op::WaitFull, m_inputs[i].buffer));
  }
  if (depth == static_cast<int>(m_mapping.order.size())) {
    computeParts(code, roles);
  } else {
    code.push_back({Op::LoopBegin, depth, {}, {}});
    computeFrom(code, depth + 1, roles);
    code.push_back({Op::LoopEnd, depth, {}, {}});
  }
  for (std::size_t i = 0; i < m_inputs.size(); ++i) {
    if (entersHere(i) && depth > m_outputLevel) code.push_back(on(Op::Release, m_inputs[i].buffer));
  }
  if (depth == m_outputLevel) finishScope(code, roles);
  for (std::size_t i = 0; i < m_inputs.size(); ++i) {
    if (entersHere(i) && depth <= m_outputLevel) {
      code.push_back(on(Op::Release, m_inputs[i].buffer));
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
    if (isAllReduce) code.push_back(on(Op::Acquire, m_reduces[r].contribution));
    code.push_back({Op::Compute, static_cast<std::int32_t>(part), {}, {}});
    if (total.valid()) code.push_back(on(Op::Release, total));
    total = {};
    if (!isAllReduce) return;
    join(code, r, m_reduces[r].contributed, roles.reduces[r]);
    code.push_back(on(Op::Publish, m_reduces[r].contribution));
    if (roles.reduces[r].backFrom < 0) continue;
    total = m_reduces[r].total;
    code.push_back(on(Op::WaitFull, total));
  }
}

void ProgramWriter::join(Code& code, std::size_t operand, BufferId partial,
                         const CoreRole::Joins& role) {
  for (std::size_t n = 0; n < role.partialsFrom.size(); ++n) {
    code.push_back(on(Op::WaitFull, partial));
    code.push_back(on(Op::Reduce, partial, static_cast<std::int32_t>(operand)));
    code.push_back(on(Op::Release, partial));
  }
}

void ProgramWriter::finishScope(Code& code, const CoreRole& roles) const {
  for (std::size_t o = 0; o < m_outputs.size(); ++o) {
    join(code, o, m_outputs[o].partial, roles.outputs[o]);
  }
  for (std::size_t i = 0; i < m_inputs.size(); ++i) {
    if (waitsInEpilogue(i, roles)) code.push_back(on(Op::WaitFull, m_inputs[i].buffer));
  }
  if (roles.finishes && kernel::hasEpilogue(m_nest)) code.push_back({Op::Epilogue, 0, {}, {}});
  for (std::size_t i = 0; i < m_inputs.size(); ++i) {
    if (waitsInEpilogue(i, roles)) code.push_back(on(Op::Release, m_inputs[i].buffer));
  }
  for (std::size_t o = 0; o < m_outputs.size(); ++o) {
    if (!roles.outputs[o].absent) code.push_back(on(Op::Publish, m_outputs[o].buffer));
  }
}

void ProgramWriter::addPartialReceiver(std::size_t operand, BufferId partial,
                                       const std::vector<PortId>& reduction,
                                       const CoreRole::Joins& role) {
  if (role.partialsFrom.empty()) return;
  Code body;
  for (const std::int32_t from : role.partialsFrom) {
    const PortId channel = reduction[static_cast<std::size_t>(from)];
    body.push_back(on(Op::Acquire, partial));
    body.push_back(via(Op::Ready, partial, channel));
    body.push_back(via(Op::Receive, partial, channel));
    body.push_back(on(Op::Publish, partial));
  }
  add(Process::Role::Mover, operand, m_outputLevel, body);
}

// Receives shares, sends the core's own share, receives the total and forwards it while compute
// works with it.
void ProgramWriter::addReduce(std::size_t reduce, const CoreRole::Reduce& role) {
  const ReducePorts& ports = m_reduces[reduce];
  addPartialReceiver(reduce, ports.contributed, ports.reduction, role);
  const bool last = role.backFrom < 0;
  const auto sendBack = [&](Code& body, BufferId from) {
    for (const std::int32_t to : role.backTo) {
      body.push_back(via(Op::Send, from, ports.back[static_cast<std::size_t>(to)]));
    }
  };
  Code out{on(Op::WaitFull, ports.contribution)};
  if (last) {
    sendBack(out, ports.contribution);
  } else {
    out.push_back(via(Op::Send, ports.contribution,
                      ports.reduction[static_cast<std::size_t>(role.partialTo)]));
  }
  out.push_back(on(Op::Release, ports.contribution));
  add(Process::Role::Writer, reduce, m_outputLevel, out);
  if (last) return;
  const PortId from = ports.back[static_cast<std::size_t>(role.backFrom)];
  Code in{on(Op::Acquire, ports.total), via(Op::Ready, ports.total, from),
          via(Op::Receive, ports.total, from), on(Op::Publish, ports.total)};
  sendBack(in, ports.total);
  if (!role.backTo.empty()) in.push_back(on(Op::Release, ports.total));
  add(Process::Role::Mover, reduce, m_outputLevel, in);
}

void ProgramWriter::addGatherer(std::size_t output, const CoreRole::Output& role) {
  const OutputPorts& ports = m_outputs[output];
  Code receive, store;
  for (std::int32_t from = 1; from <= role.gathers; ++from) {
    receive.push_back(on(Op::Acquire, ports.gathered, from));
    receive.push_back(via(Op::Ready, ports.gathered, ports.gather, from));
    receive.push_back(via(Op::Receive, ports.gathered, ports.gather, from));
    receive.push_back(on(Op::Publish, ports.gathered, from));
    store.push_back(on(Op::WaitFull, ports.gathered, from));
    store.push_back(on(Op::Store, ports.gathered, from));
    store.push_back(on(Op::Release, ports.gathered, from));
  }
  add(Process::Role::Mover, output, m_outputLevel, receive);
  add(Process::Role::Writer, output, m_outputLevel, store);
}

// An output through the core's slots of the shared buffer: its DMA engine receives a tile and
// stores it.
void ProgramWriter::addPassing(std::size_t output) {
  const OutputPorts& ports = m_outputs[output];
  add(Process::Role::Mover, output, m_outputLevel,
      {on(Op::Acquire, ports.outgoing), via(Op::Ready, ports.outgoing, ports.drain),
       via(Op::Receive, ports.outgoing, ports.drain), on(Op::Publish, ports.outgoing)});
  add(Process::Role::Writer, output, m_outputLevel,
      {on(Op::WaitFull, ports.outgoing), on(Op::Store, ports.outgoing),
       on(Op::Release, ports.outgoing)});
}

void ProgramWriter::addWriter(std::size_t output, const CoreRole::Output& role) {
  const OutputPorts& ports = m_outputs[output];
  Instruction move = on(Op::Store, ports.buffer);
  if (role.partialTo >= 0) {
    move = via(Op::Send, ports.buffer, ports.reduction[static_cast<std::size_t>(role.partialTo)]);
  } else if (role.sendsToGather) {
    move = via(Op::Send, ports.buffer, ports.gather);
  } else if (ports.outgoing.valid()) {
    move = via(Op::Send, ports.buffer, ports.drain);
  }
  add(Process::Role::Writer, output, m_outputLevel,
      {on(Op::WaitFull, ports.buffer), move, on(Op::Release, ports.buffer)});
}

std::string ProgramWriter::nameFor(const CoreRole& roles) const {
  std::string loads, receives, reduces, stores;
  const auto list = [](std::string& to, const std::string& name) {
    to += to.empty() ? name : ", " + name;
  };
  for (std::size_t i = 0; i < roles.inputs.size(); ++i) {
    const CoreRole::Input& role = roles.inputs[i];
    const bool forwards = role.sendsFirst || role.sendsSecond;
    const char* how = forwards      ? " (sends on)"
                      : role.feeds  ? " (feeds)"
                      : role.shares ? " (shares)"
                      : role.reads  ? " (reads)"
                                    : "";
    if (m_mapping.inputs[i].kind == mapping::MovementKind::Stationary || role.absent) continue;
    const bool takes = m_mapping.inputs[i].kind == mapping::MovementKind::Forwarded;
    list(role.loads && !takes ? loads : receives, m_nest.inputs[i].name + how);
  }
  for (std::size_t o = 0; o < roles.outputs.size(); ++o) {
    const CoreRole::Output& role = roles.outputs[o];
    if (role.absent) continue;
    const std::string how = role.partialTo >= 0  ? " (partial, sends)"
                            : role.sendsToGather ? " (sends)"
                            : role.gathers > 0   ? " (gathers)"
                                                 : "";
    list(stores, m_nest.outputs[o].name + how);
  }
  std::string name;
  if (!loads.empty()) name += "loads " + loads + "; ";
  if (!receives.empty()) name += "receives " + receives + "; ";
  for (const std::size_t r : m_splitAllReduces) {
    const CoreRole::Reduce& role = roles.reduces[r];
    const std::string how = role.backFrom < 0            ? " (reduces all)"
                            : !role.partialsFrom.empty() ? " (reduces some)"
                                                         : "";
    list(reduces, m_nest.allReduces[r].name + how + (role.backTo.empty() ? "" : " (sends back)"));
  }
  if (!reduces.empty()) name += "reduces " + reduces + "; ";
  return stores.empty() ? name : name + "writes " + stores;
}

}  // namespace gridloom::schedule
