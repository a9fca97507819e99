// SPDX-License-Identifier: Apache-2.0
#include "mapping/operand_flow.h"

namespace gridloom::mapping {

OperandFlow flowAlong(const kernel::Operand& operand, const InputMovement& movement,
                      const Mapping& mapping, std::size_t dim) {
  const LoopId loop = mapping.space[dim];
  if (loop.valid() && operand.dependsOn(loop)) return OperandFlow::Scattered;
  if ((movement.shared >> dim & 1U) != 0) return OperandFlow::Copied;
  if ((movement.along >> dim & 1U) == 0) return OperandFlow::Repeated;
  switch (movement.kind) {
  case MovementKind::Multicast:
  case MovementKind::TwoStage:
    return OperandFlow::Copied;
  case MovementKind::Stream:
  case MovementKind::AllGather:
    return OperandFlow::Forwarded;
  case MovementKind::Rotate:
    return OperandFlow::Rotated;
  case MovementKind::Direct:
  case MovementKind::Stationary:
  case MovementKind::Forwarded:
    break;
  }
  return OperandFlow::Repeated;
}

}  // namespace gridloom::mapping
