// SPDX-License-Identifier: Apache-2.0
#include "schedule/dry_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "mapping/all_reduce.h"
#include "schedule/op_names.h"
#include "schedule/process_names.h"
#include "schedule/stall.h"

namespace gridloom::schedule {

namespace {

// Steps between two checks for cancellation.
constexpr std::int64_t kStepsPerLook = 1 << 16;
}  // namespace

DryRun::DryRun(const PlacedSchedule& placed, const base::Progress* progress)
    : m_placed(placed),
      m_progress(progress),
      m_demands(demandsOf(placed.kernel, placed.nest)),
      m_activeTiles(placed.schedule, placed.placement),
      m_machine(placed, progress),
      m_skipper(m_machine),
      m_repeats(mayRepeat(placed.schedule)),
      m_splitAllReduces(mapping::splitAllReduces(placed.nest, placed.schedule.mapping)) {
  const mapping::Mapping& mapping = placed.schedule.mapping;
  for (std::size_t o = 0; o < placed.nest.outputs.size(); ++o) {
    const bool isReduced = mapping.outputs[o].reduction != mapping::ReductionTopology::None;
    m_finishing.push_back(
        isReduced ? 0 : mapping::finishingDims(placed.nest, placed.nest.outputs[o], mapping));
  }
  findBuffers();
}

void DryRun::findBuffers() {
  const std::vector<Buffer>& buffers = m_placed.schedule.buffers;
  for (std::size_t b = buffers.size(); b-- > 0;) {
    if (buffers[b].operand < 0) continue;
    const auto use = static_cast<std::size_t>(buffers[b].use);
    const auto operand = static_cast<std::size_t>(buffers[b].operand);
    if (m_bufferOf.size() <= use) m_bufferOf.resize(use + 1);
    if (m_bufferOf[use].size() <= operand) m_bufferOf[use].resize(operand + 1, -1);
    m_bufferOf[use][operand] = static_cast<std::int32_t>(b);
  }
}

void DryRun::tell(Findings& findings, std::int32_t process, std::string what) const {
  const InstructionPlace at = instructionPlace(m_machine, process);
  findings.tellAt(at.program, at.process, at.instruction, std::move(what));
}

std::int64_t DryRun::run(Findings& findings, std::int64_t maxSteps) {
  if (m_progress != nullptr && m_progress->cancelled()) {
    findings.whole("cancelled");
    return 0;
  }
  const std::int64_t steps = runSteps(findings, maxSteps);
  if (!m_machine.hasReady() && !findings.hasError()) tellStall(findings);
  return steps;
}

std::int64_t DryRun::runSteps(Findings& findings, std::int64_t maxSteps) {
  std::int64_t step = 0;
  for (; m_machine.hasReady(); ++step) {
    if (step == maxSteps) {
      findings.note(
          fmt::format("verified up to step {} of the run only, which is longer", maxSteps),
          "larger tile sizes give fewer iterations");
      break;
    }
    if (step % kStepsPerLook == 0 && m_progress != nullptr && m_progress->cancelled()) {
      findings.whole("cancelled");
      break;
    }
    if (!takeStep(findings)) break;
  }
  return step;
}

bool DryRun::takeStep(Findings& findings) {
  const std::int32_t process = m_machine.takeReady();
  const TokenMachine::Outcome outcome = m_machine.advance(process);
  if (outcome == TokenMachine::Outcome::Broken) {
    tell(findings, process, m_machine.fault());
    return false;
  }
  if (outcome == TokenMachine::Outcome::Perform) {
    std::string missing = missingOperand(process);
    if (!missing.empty()) {
      tell(findings, process, std::move(missing));
      return false;
    }
    deliverAll(process);
    m_machine.complete(process);
  }
  m_skipper.afterStep(process);
  return true;
}

void DryRun::tellStall(Findings& findings) {
  Stall stall = stallOf(m_machine);
  if (stall.message.empty()) return;
  if (stall.process >= 0) return tell(findings, stall.process, std::move(stall.message));
  if (stall.channel >= 0) {
    return findings.atChannel(static_cast<std::size_t>(stall.channel), std::move(stall.message));
  }
  if (stall.token >= 0) {
    return findings.atToken(static_cast<std::size_t>(stall.token), std::move(stall.message));
  }
  findings.atBuffer(static_cast<std::size_t>(stall.buffer), std::move(stall.message));
}

void DryRun::deliverAll(std::int32_t process) {
  const Code& code = m_machine.at(process);
  if (code.op != Op::Send) return;
  for (const std::int32_t leaf :
       m_placed.wiring.leavesOf(code.channel, m_machine.coreOf(process))) {
    if (m_machine.takesPart(leaf, process, code.depth)) m_machine.deliver(code.channel, leaf);
  }
}

bool DryRun::lacks(std::int32_t process, Buffer::Use use, int operand) const {
  const auto of = static_cast<std::size_t>(use), at = static_cast<std::size_t>(operand);
  if (of >= m_bufferOf.size() || at >= m_bufferOf[of].size()) return true;
  const std::int32_t buffer = m_bufferOf[of][at];
  return buffer < 0 || !m_machine.process(process).slots.holds(buffer);
}

// Whether another core finishes the output, from sums that travel with another output.
bool DryRun::isMadeElsewhere(std::int32_t process, std::size_t output) const {
  if (m_finishing[output] == 0) return false;
  const std::int32_t core = m_machine.coreOf(process);
  return m_placed.placement.rootOf(core, m_finishing[output]) != core;
}

// Compute and epilogue fill the tiles of all outputs. A reduction of partial results adds to the
// tile of one; one of an all-reduce, to none.
bool DryRun::writesTo(const Code& code, std::size_t output) const {
  if (code.op != Op::Reduce) return true;
  const Buffer& buffer = m_placed.schedule.buffers[static_cast<std::size_t>(code.buffer)];
  return !isOfAllReduce(buffer.use) && code.arg == static_cast<std::int32_t>(output);
}

std::string DryRun::missingOperand(std::int32_t process) const {
  const Code& code = m_machine.at(process);
  const bool epilogue = code.op == Op::Epilogue;
  if (code.op != Op::Compute && !epilogue && code.op != Op::Reduce) return {};
  const auto without = [&](const std::string& name) {
    return fmt::format("{} uses {} without a slot of it", nameOf(m_machine, process), name);
  };
  const kernel::Phase phase = epilogue ? kernel::Phase::Epilogue : kernel::Phase::Every;
  if (code.op != Op::Reduce) {
    std::string missing = missingInput(process, phase);
    if (!missing.empty()) return without(missing);
  }
  for (std::size_t o = 0; o < m_placed.nest.outputs.size(); ++o) {
    if (isMadeElsewhere(process, o) || !writesTo(code, o)) continue;
    if (lacks(process, Buffer::Use::Output, static_cast<int>(o))) {
      return without(m_placed.nest.outputs[o].name);
    }
  }
  const std::string reduced = missingResult(process);
  return reduced.empty() ? reduced : without(reduced);
}

// Inputs that the statements read in the current tile and that no slot holds. The kernel's own
// tensors are left out. A window that is present for every tile is checked by phase alone, as in
// each part of a split sum.
std::string DryRun::missingInput(std::int32_t process, kernel::Phase phase) const {
  for (std::size_t i = 0; i < m_placed.nest.inputs.size(); ++i) {
    const kernel::Operand& input = m_placed.nest.inputs[i];
    if (input.produced || !input.isReadIn(phase) || !input.guard.always()) continue;
    if (lacks(process, Buffer::Use::Input, static_cast<int>(i))) return input.name;
  }
  if (m_repeats) return {};
  const Code& code = m_machine.at(process);
  const auto tile =
      m_activeTiles.spans({}, m_machine.coreOf(process), m_machine.waves(process), code.depth);
  for (const Demand& demand : m_demands) {
    const bool now = std::ranges::any_of(demand.operands, [&](std::size_t operand) {
      return m_placed.nest.inputs[operand].isReadIn(phase);
    });
    if (!now || !demand.guard.holds(tile) || isMet(process, demand, tile)) continue;
    return toString(m_placed.kernel, demand.access);
  }
  return {};
}

bool DryRun::isMet(std::int32_t process, const Demand& demand,
                   std::span<const kernel::TileSpan> tile) const {
  return std::ranges::any_of(demand.operands, [&](std::size_t operand) {
    return !lacks(process, Buffer::Use::Input, static_cast<int>(operand)) &&
           covers(m_placed.nest.inputs[operand], demand, tile);
  });
}

// A part of compute begins with the result of the previous all-reduce and ends with the share for
// the next one. The core that makes the total needs nothing back.
std::string DryRun::missingResult(std::int32_t process) const {
  const Code& code = m_machine.at(process);
  const auto own = [&](std::size_t reduce) {
    if (!lacks(process, Buffer::Use::Contribution, static_cast<int>(reduce))) return std::string();
    return fmt::format("its {} to {}", nameOf(Buffer::Use::Contribution),
                       m_placed.nest.allReduces[reduce].name);
  };
  const auto part = static_cast<std::size_t>(code.arg);
  if (code.op == Op::Reduce) {
    const auto buffer = static_cast<std::size_t>(code.buffer);
    return isOfAllReduce(m_placed.schedule.buffers[buffer].use) ? own(part) : std::string();
  }
  if (code.op != Op::Compute || m_splitAllReduces.empty()) return {};
  if (part < m_splitAllReduces.size()) {
    if (std::string lacking = own(m_splitAllReduces[part]); !lacking.empty()) return lacking;
  }
  if (part == 0) return {};
  const kernel::AllReduce& before = m_placed.nest.allReduces[m_splitAllReduces[part - 1]];
  const std::int32_t core = m_machine.coreOf(process);
  const auto dims = mapping::allReduceDims(before, m_placed.schedule.mapping);
  if (m_placed.placement.rootOf(core, dims) == core ||
      !lacks(process, Buffer::Use::Total, static_cast<int>(m_splitAllReduces[part - 1]))) {
    return {};
  }
  return fmt::format("the {} of {}", nameOf(Buffer::Use::Total), before.name);
}

}  // namespace gridloom::schedule
