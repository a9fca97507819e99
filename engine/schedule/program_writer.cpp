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

Program ProgramWriter::write(const Duties& duties) {
  m_program = {};
  m_program.name = nameFor(duties);
  for (std::size_t i = 0; i < duties.inputs.size(); ++i) {
    if (duties.inputs[i].absent) continue;
    if (duties.inputs[i].feeds) addFeeder(i);
    addMover(i, duties.inputs[i]);
  }
  addCompute(duties);
  for (std::size_t o = 0; o < duties.outputs.size(); ++o) {
    const Duties::Output& duty = duties.outputs[o];
    addPartialReceiver(o, m_outputs[o].partial, m_outputs[o].combine, duty);
    if (duty.gathers > 0) addGatherer(o, duty);
    if (duty.absent) continue;
    addWriter(o, duty);
    if (m_outputs[o].outgoing.valid()) addPassing(o);
  }
  for (const std::size_t r : m_meetings) addReduce(r, duties.reduces[r]);
  return std::move(m_program);
}

void ProgramWriter::add(Process::Role role, std::size_t operand, int level, const Code& body) {
  Process process{role, static_cast<int>(operand), {}};
  for (int p = 0; p < level; ++p) process.code.push_back({Op::LoopBegin, p, {}, {}});
  process.code.insert(process.code.end(), body.begin(), body.end());
  for (int p = level; p-- > 0;) process.code.push_back({Op::LoopEnd, p, {}, {}});
  m_program.processes.push_back(std::move(process));
}

void ProgramWriter::addMover(std::size_t input, const Duties::Input& duty) {
  if (m_mapping.inputs[input].spread == mapping::Spread::Kept) return;
  const InputPorts& ports = m_inputs[input];
  const bool streams = m_mapping.inputs[input].spread == mapping::Spread::Stream;
  Code body{on(Op::Acquire, ports.buffer)};
  const auto receive = [&](PortId channel) {
    body.push_back(via(Op::Ready, ports.buffer, channel));
    body.push_back(via(Op::Receive, ports.buffer, channel));
  };
  if (duty.shares) body.push_back(via(Op::Claim, ports.buffer, ports.shared));
  if (duty.loads && m_nest.inputs[input].produced) body.push_back(on(Op::Await, ports.buffer));
  const bool takes = m_mapping.inputs[input].spread == mapping::Spread::Passed;
  if (duty.loads) body.push_back(on(takes ? Op::Take : Op::Load, ports.buffer));
  if (duty.receivesFirst) receive(ports.first);
  if (duty.receivesSecond) receive(ports.second);
  if (duty.reads) receive(ports.shared);
  if (duty.shares) body.push_back(via(Op::Send, ports.buffer, ports.shared));
  // A stream lets compute start on the tile while it forwards it, and keeps the slot until both are done.
  if (streams) body.push_back(on(Op::Publish, ports.buffer));
  if (duty.sendsFirst) body.push_back(via(Op::Send, ports.buffer, ports.first));
  if (duty.sendsSecond) body.push_back(via(Op::Send, ports.buffer, ports.second));
  if (!streams) body.push_back(on(Op::Publish, ports.buffer));
  if (streams && duty.sendsFirst) body.push_back(on(Op::Release, ports.buffer));
  add(Process::Role::Mover, input, m_mapping.inputs[input].level, body);
}

// Into the middle memory at the level of the stay; out of it, from a slot that is kept meanwhile, at the
// level of the transfer.
void ProgramWriter::addFeeder(std::size_t input) {
  const InputPorts& ports = m_inputs[input];
  const mapping::InputMovement& movement = m_mapping.inputs[input];
  const int outer = movement.stay.level, inner = movement.level;
  add(Process::Role::Mover, input, outer,
      {on(Op::Acquire, ports.middle), on(Op::Load, ports.middle), on(Op::Publish, ports.middle)});
  Code body{on(Op::WaitFull, ports.middle)};
  for (int p = outer; p < inner; ++p) body.push_back({Op::LoopBegin, p, {}, {}});
  body.push_back(via(Op::Send, ports.middle, ports.first));
  for (int p = inner; p-- > outer;) body.push_back({Op::LoopEnd, p, {}, {}});
  body.push_back(on(Op::Release, ports.middle));
  add(Process::Role::Mover, input, outer, body);
}

bool ProgramWriter::waitsInEpilogue(std::size_t input, const Duties& duties) const {
  return !duties.inputs[input].absent && m_nest.inputs[input].phase == kernel::Phase::Epilogue &&
         m_mapping.inputs[input].level == m_outputLevel;
}

void ProgramWriter::addCompute(const Duties& duties) {
  Code body;
  computeFrom(body, 0, duties);
  m_program.processes.push_back({Process::Role::Compute, -1, std::move(body)});
}

void ProgramWriter::computeFrom(Code& code, int depth, const Duties& duties) const {
  if (depth == m_outputLevel) {
    for (std::size_t o = 0; o < m_outputs.size(); ++o) {
      if (!duties.outputs[o].absent) code.push_back(on(Op::Acquire, m_outputs[o].buffer));
    }
  }
  const auto entersHere = [&](std::size_t i) {
    return m_mapping.inputs[i].level == depth && !waitsInEpilogue(i, duties) &&
           !duties.inputs[i].absent && m_mapping.inputs[i].spread != mapping::Spread::Kept;
  };
  for (std::size_t i = 0; i < m_inputs.size(); ++i) {
    if (entersHere(i)) code.push_back(on(Op::WaitFull, m_inputs[i].buffer));
  }
  if (depth == static_cast<int>(m_mapping.order.size())) {
    computeParts(code, duties);
  } else {
    code.push_back({Op::LoopBegin, depth, {}, {}});
    computeFrom(code, depth + 1, duties);
    code.push_back({Op::LoopEnd, depth, {}, {}});
  }
  for (std::size_t i = 0; i < m_inputs.size(); ++i) {
    if (entersHere(i) && depth > m_outputLevel) code.push_back(on(Op::Release, m_inputs[i].buffer));
  }
  if (depth == m_outputLevel) finishScope(code, duties);
  for (std::size_t i = 0; i < m_inputs.size(); ++i) {
    if (entersHere(i) && depth <= m_outputLevel) {
      code.push_back(on(Op::Release, m_inputs[i].buffer));
    }
  }
}

// In each meeting, the core gives what it reduced to those that join it, and goes on with what comes back. The one that
// joins the last results has it.
void ProgramWriter::computeParts(Code& code, const Duties& duties) const {
  BufferId total;
  for (std::size_t part = 0; part <= m_meetings.size(); ++part) {
    const bool meets = part < m_meetings.size();
    const std::size_t r = meets ? m_meetings[part] : 0;
    if (meets) code.push_back(on(Op::Acquire, m_reduces[r].contribution));
    code.push_back({Op::Compute, static_cast<std::int32_t>(part), {}, {}});
    if (total.valid()) code.push_back(on(Op::Release, total));
    total = {};
    if (!meets) return;
    join(code, r, m_reduces[r].contributed, duties.reduces[r]);
    code.push_back(on(Op::Publish, m_reduces[r].contribution));
    if (duties.reduces[r].backFrom < 0) continue;
    total = m_reduces[r].total;
    code.push_back(on(Op::WaitFull, total));
  }
}

void ProgramWriter::join(Code& code, std::size_t operand, BufferId partial,
                         const Duties::Joins& duty) {
  for (std::size_t n = 0; n < duty.partialsFrom.size(); ++n) {
    code.push_back(on(Op::WaitFull, partial));
    code.push_back(on(Op::CombineWith, partial, static_cast<std::int32_t>(operand)));
    code.push_back(on(Op::Release, partial));
  }
}

void ProgramWriter::finishScope(Code& code, const Duties& duties) const {
  for (std::size_t o = 0; o < m_outputs.size(); ++o) {
    join(code, o, m_outputs[o].partial, duties.outputs[o]);
  }
  for (std::size_t i = 0; i < m_inputs.size(); ++i) {
    if (waitsInEpilogue(i, duties)) code.push_back(on(Op::WaitFull, m_inputs[i].buffer));
  }
  if (duties.finishes && kernel::hasEpilogue(m_nest)) code.push_back({Op::Epilogue, 0, {}, {}});
  for (std::size_t i = 0; i < m_inputs.size(); ++i) {
    if (waitsInEpilogue(i, duties)) code.push_back(on(Op::Release, m_inputs[i].buffer));
  }
  for (std::size_t o = 0; o < m_outputs.size(); ++o) {
    if (!duties.outputs[o].absent) code.push_back(on(Op::Publish, m_outputs[o].buffer));
  }
}

void ProgramWriter::addPartialReceiver(std::size_t operand, BufferId partial,
                                       const std::vector<PortId>& combine,
                                       const Duties::Joins& duty) {
  if (duty.partialsFrom.empty()) return;
  Code body;
  for (const std::int32_t from : duty.partialsFrom) {
    const PortId channel = combine[static_cast<std::size_t>(from)];
    body.push_back(on(Op::Acquire, partial));
    body.push_back(via(Op::Ready, partial, channel));
    body.push_back(via(Op::Receive, partial, channel));
    body.push_back(on(Op::Publish, partial));
  }
  add(Process::Role::Mover, operand, m_outputLevel, body);
}

// Contributions in, contributions out, and the total: in, and on to others while compute works with it.
void ProgramWriter::addReduce(std::size_t reduce, const Duties::Reduce& duty) {
  const ReducePorts& ports = m_reduces[reduce];
  addPartialReceiver(reduce, ports.contributed, ports.combine, duty);
  const bool last = duty.backFrom < 0;
  const auto sendBack = [&](Code& body, BufferId from) {
    for (const std::int32_t to : duty.backTo) {
      body.push_back(via(Op::Send, from, ports.back[static_cast<std::size_t>(to)]));
    }
  };
  Code out{on(Op::WaitFull, ports.contribution)};
  if (last) {
    sendBack(out, ports.contribution);
  } else {
    out.push_back(
        via(Op::Send, ports.contribution, ports.combine[static_cast<std::size_t>(duty.partialTo)]));
  }
  out.push_back(on(Op::Release, ports.contribution));
  add(Process::Role::Writer, reduce, m_outputLevel, out);
  if (last) return;
  const PortId from = ports.back[static_cast<std::size_t>(duty.backFrom)];
  Code in{on(Op::Acquire, ports.total), via(Op::Ready, ports.total, from),
          via(Op::Receive, ports.total, from), on(Op::Publish, ports.total)};
  sendBack(in, ports.total);
  if (!duty.backTo.empty()) in.push_back(on(Op::Release, ports.total));
  add(Process::Role::Mover, reduce, m_outputLevel, in);
}

void ProgramWriter::addGatherer(std::size_t output, const Duties::Output& duty) {
  const OutputPorts& ports = m_outputs[output];
  Code receive, store;
  for (std::int32_t from = 1; from <= duty.gathers; ++from) {
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

// Through the core's slots of the middle memory: its DMA engine receives a tile and stores it.
void ProgramWriter::addPassing(std::size_t output) {
  const OutputPorts& ports = m_outputs[output];
  add(Process::Role::Mover, output, m_outputLevel,
      {on(Op::Acquire, ports.outgoing), via(Op::Ready, ports.outgoing, ports.drain),
       via(Op::Receive, ports.outgoing, ports.drain), on(Op::Publish, ports.outgoing)});
  add(Process::Role::Writer, output, m_outputLevel,
      {on(Op::WaitFull, ports.outgoing), on(Op::Store, ports.outgoing),
       on(Op::Release, ports.outgoing)});
}

void ProgramWriter::addWriter(std::size_t output, const Duties::Output& duty) {
  const OutputPorts& ports = m_outputs[output];
  Instruction move = on(Op::Store, ports.buffer);
  if (duty.partialTo >= 0) {
    move = via(Op::Send, ports.buffer, ports.combine[static_cast<std::size_t>(duty.partialTo)]);
  } else if (duty.sendsToGather) {
    move = via(Op::Send, ports.buffer, ports.gather);
  } else if (ports.outgoing.valid()) {
    move = via(Op::Send, ports.buffer, ports.drain);
  }
  add(Process::Role::Writer, output, m_outputLevel,
      {on(Op::WaitFull, ports.buffer), move, on(Op::Release, ports.buffer)});
}

std::string ProgramWriter::nameFor(const Duties& duties) const {
  std::string loads, receives, reduces, stores;
  const auto list = [](std::string& to, const std::string& name) {
    to += to.empty() ? name : ", " + name;
  };
  for (std::size_t i = 0; i < duties.inputs.size(); ++i) {
    const Duties::Input& duty = duties.inputs[i];
    const bool forwards = duty.sendsFirst || duty.sendsSecond;
    const char* how = forwards      ? " (sends on)"
                      : duty.feeds  ? " (feeds)"
                      : duty.shares ? " (shares)"
                      : duty.reads  ? " (reads)"
                                    : "";
    if (m_mapping.inputs[i].spread == mapping::Spread::Kept || duty.absent) continue;
    const bool takes = m_mapping.inputs[i].spread == mapping::Spread::Passed;
    list(duty.loads && !takes ? loads : receives, m_nest.inputs[i].name + how);
  }
  for (std::size_t o = 0; o < duties.outputs.size(); ++o) {
    const Duties::Output& duty = duties.outputs[o];
    if (duty.absent) continue;
    const std::string how = duty.partialTo >= 0  ? " (partial, sends)"
                            : duty.sendsToGather ? " (sends)"
                            : duty.gathers > 0   ? " (gathers)"
                                                 : "";
    list(stores, m_nest.outputs[o].name + how);
  }
  std::string name;
  if (!loads.empty()) name += "loads " + loads + "; ";
  if (!receives.empty()) name += "receives " + receives + "; ";
  for (const std::size_t r : m_meetings) {
    const Duties::Reduce& duty = duties.reduces[r];
    const std::string how = duty.backFrom < 0            ? " (joins all)"
                            : !duty.partialsFrom.empty() ? " (joins some)"
                                                         : "";
    list(reduces, m_nest.allReduces[r].name + how + (duty.backTo.empty() ? "" : " (sends back)"));
  }
  if (!reduces.empty()) name += "reduces " + reduces + "; ";
  return stores.empty() ? name : name + "writes " + stores;
}

}  // namespace gridloom::schedule
