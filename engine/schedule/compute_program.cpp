// SPDX-License-Identifier: Apache-2.0
//
// The process of a core that computes: it waits for tiles, reduces what other cores sum up, and
// finishes the tiles of outputs.
#include "schedule/program_steps.h"

namespace gridloom::schedule {

using mapping::BufferUse;

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

void ProgramWriter::reduceInto(Code& code, std::size_t operand, const mapping::Transfers& transfers,
                               const OperandPorts& ports, const CoreRole::Part& part) {
  const BufferId received = receivedIn(ports);
  forWires(ports, part.receives & reducingWires(ports, transfers), [&](const OperandPorts::Wire&) {
    code.push_back(on(Op::WaitFull, received));
    code.push_back(on(Op::Reduce, received, static_cast<std::int32_t>(operand)));
    code.push_back(on(Op::Release, received));
  });
}

void ProgramWriter::reduceOutput(Code& code, std::size_t output, const CoreRole& roles) const {
  const CoreRole::Part& part = roles.outputs[output];
  part.ring > 0 ? reduceScatter(code, output, part)
                : reduceInto(code, output, m_plan.outputs[output], m_outputs[output], part);
}

// A core hands on the sums of each output before it waits for those of the next one. Reductions of
// several outputs may run in opposite directions; cores that held them all back would wait for each
// other. An epilogue needs the sums of all outputs, but the core that runs it sends none.
void ProgramWriter::finishScope(Code& code, const CoreRole& roles) const {
  const bool hasEpilogue = roles.finishes && kernel::hasEpilogue(m_nest);
  const auto publish = [&](std::size_t o) {
    if (!roles.outputs[o].absent) code.push_back(on(Op::Publish, outputBuffer(o)));
  };
  for (std::size_t o = 0; o < m_outputs.size(); ++o) {
    reduceOutput(code, o, roles);
    if (!hasEpilogue) publish(o);
  }
  for (std::size_t i = 0; i < m_inputs.size(); ++i) {
    if (waitsInEpilogue(i, roles)) code.push_back(on(Op::WaitFull, inputBuffer(i)));
  }
  if (hasEpilogue) code.push_back({Op::Epilogue, 0, {}, {}});
  for (std::size_t i = 0; i < m_inputs.size(); ++i) {
    if (waitsInEpilogue(i, roles)) code.push_back(on(Op::Release, inputBuffer(i)));
  }
  for (std::size_t o = 0; hasEpilogue && o < m_outputs.size(); ++o) publish(o);
}

}  // namespace gridloom::schedule
