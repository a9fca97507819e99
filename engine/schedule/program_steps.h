// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "schedule/program_writer.h"

/// What the parts of ProgramWriter write programs from.
namespace gridloom::schedule {

/// An instruction about a buffer, and one that uses a channel, too.
inline Instruction on(Op op, BufferId buffer, std::int32_t arg = 0) {
  return {op, arg, buffer, {}};
}
inline Instruction via(Op op, BufferId buffer, PortId channel, std::int32_t arg = 0) {
  return {op, arg, buffer, channel};
}

/// Calls `visit` for the channels of an operand whose bit is set, in order.
template <class Visit>
void forWires(const OperandPorts& ports, std::uint64_t mask, const Visit& visit) {
  for (std::size_t w = 0; w < ports.wires.size(); ++w) {
    if ((mask >> w & 1U) != 0) visit(ports.wires[w]);
  }
}

/// The bits of the channels that steps of a kind use.
template <class Picks>
std::uint64_t wiresWhere(const OperandPorts& ports, const mapping::Transfers& transfers,
                         const Picks& picks) {
  std::uint64_t mask = 0;
  for (std::size_t w = 0; w < ports.wires.size(); ++w) {
    if (picks(transfers.steps[ports.wires[w].step])) mask |= std::uint64_t{1} << w;
  }
  return mask;
}

inline std::uint64_t wiresOf(const OperandPorts& ports, const mapping::Transfers& transfers,
                             mapping::TransferStep::Kind kind) {
  return wiresWhere(ports, transfers, [&](const auto& step) { return step.kind == kind; });
}

inline std::uint64_t reducingWires(const OperandPorts& ports, const mapping::Transfers& transfers) {
  return wiresWhere(ports, transfers, [](const auto& step) { return step.reduces(); });
}

/// Where partial results arrive: those of an output, or of an all-reduce.
inline BufferId receivedIn(const OperandPorts& ports) {
  const BufferId partial = ports.buffer(mapping::BufferUse::Partial);
  return partial.valid() ? partial : ports.buffer(mapping::BufferUse::Contributed);
}

}  // namespace gridloom::schedule
