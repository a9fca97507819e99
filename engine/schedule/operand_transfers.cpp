// SPDX-License-Identifier: Apache-2.0
#include "schedule/operand_transfers.h"

namespace gridloom::schedule {

namespace {

OperandTransfer inputTransfer(const Schedule& schedule, const kernel::Operand& operand,
                              const mapping::InputMovement& movement) {
  OperandTransfer out;
  out.layout = movement.layout;
  out.hoistLevel = movement.level;
  if (movement.usesSharedBuffer()) out.sharedBufferLevel = movement.sharedBuffer.level;
  out.along = movement.along;
  out.sameTile = mapping::sharedDims(operand, schedule.mapping);
  return out;
}

OperandTransfer outputTransfer(const Schedule& schedule, const kernel::TileNest& nest,
                               const kernel::Operand& operand,
                               const mapping::OutputMovement& movement) {
  OperandTransfer out;
  out.layout = movement.layout;
  out.hoistLevel = schedule.outputLevel;
  out.isReduced = movement.reduction != mapping::ReductionTopology::None;
  out.partials = mapping::partialsOf(nest, operand);
  return out;
}

}  // namespace

void describeOperands(Schedule& schedule, const kernel::TileNest& nest) {
  const mapping::Mapping& mapping = schedule.mapping;
  schedule.order = mapping.order;
  schedule.splitsReduction = mapping::splitDims(nest, mapping) != 0;
  schedule.inputs.clear();
  schedule.outputs.clear();
  for (std::size_t i = 0; i < nest.inputs.size(); ++i) {
    schedule.inputs.push_back(inputTransfer(schedule, nest.inputs[i], mapping.inputs[i]));
  }
  for (std::size_t o = 0; o < nest.outputs.size(); ++o) {
    schedule.outputs.push_back(outputTransfer(schedule, nest, nest.outputs[o], mapping.outputs[o]));
  }
}

}  // namespace gridloom::schedule
