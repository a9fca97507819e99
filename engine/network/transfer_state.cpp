// SPDX-License-Identifier: Apache-2.0
#include "network/transfer_state.h"

#include <algorithm>

namespace gridloom::network {

IssueCosts::IssueCosts(const hardware::CoreInterface& core)
    : read(ticksOf(core.readIssue)), write(ticksOf(core.writeIssue)) {}

Ticks IssueCosts::of(const TransferStep& step) const {
  if (step.kind == TransferStep::Kind::Read) return read;
  return step.moves() ? write : 0;
}

void ProcessorState::issue(const TransferStep& step, std::int64_t packets) {
  if (step.kind == TransferStep::Kind::Read) {
    reads += packets;
    return;
  }
  departures += packets;
  if (!step.posted) writes += packets;
}

std::optional<Ticks> ProcessorState::doneWith(std::uint8_t waitsFor) const {
  Ticks done = 0;
  const auto isOver = [&](std::uint8_t what, std::int64_t flying, Ticks arrived) {
    if ((waitsFor & what) == 0) return true;
    done = std::max(done, arrived);
    return flying <= 0;
  };
  if (!isOver(TransferStep::Reads, reads, readsDone) ||
      !isOver(TransferStep::Writes, writes, writesDone) ||
      !isOver(TransferStep::Departures, departures, departed)) {
    return std::nullopt;
  }
  return done;
}

TransferResult resultOf(const TransferProgram& program, std::span<const ProcessorState> states,
                        Ticks completion, IssueOrder issue) {
  TransferResult out;
  for (std::size_t p = 0; p < states.size(); ++p) {
    const ProcessorState& state = states[p];
    TransferResult::Processor& processor = out.processors.emplace_back();
    processor.start = inCycles(state.first);
    processor.end = inCycles(state.last);
    processor.waited = inCycles(state.waited);
    processor.lastByte = inCycles(state.lastByte);
    const auto& steps = program.processors[p].steps;
    if (issue == IssueOrder::Recorded && !steps.empty() &&
        steps.back().kind == TransferStep::Kind::Wait) {
      processor.end = std::max(processor.end, inCycles(state.lastByte + completion));
    }
    for (const TransferStep& step : steps) {
      if (!step.moves()) continue;
      ++processor.transfers;
      processor.bytes += step.bytes;
    }
    out.end = std::max(out.end, processor.end);
    out.drained = std::max(out.drained, processor.lastByte);
    out.transfers += processor.transfers;
    out.bytes += processor.bytes;
  }
  return out;
}

}  // namespace gridloom::network
