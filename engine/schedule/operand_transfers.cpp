// SPDX-License-Identifier: Apache-2.0
#include "schedule/operand_transfers.h"

#include "schedule/op_names.h"

namespace gridloom::schedule {

namespace {

OperandTransfer inputTransfer(const Schedule& schedule, const kernel::Operand& operand,
                              const mapping::InputMovement& movement) {
  OperandTransfer out;
  out.layout = movement.layout;
  out.hoistLevel = movement.level;
  for (int k = movement.nextShared(-1); k >= 0; k = movement.nextShared(k)) {
    const auto level = static_cast<std::size_t>(k);
    out.sharedLevels[level] = movement.sharedBuffers[level].level;
    out.sharedAlong[level] = movement.sharedAlong(k);
  }
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

hardware::DimMask sharersOf(const Schedule& schedule, const Buffer& buffer) {
  if (buffer.use != Buffer::Use::SharedInput) return 0;  // finished tiles are each core's own
  return schedule.inputs[static_cast<std::size_t>(buffer.operand)].sharedAlong[buffer.sharedLevel];
}

hardware::TensorLayout layoutOf(const Schedule& schedule, const Buffer& buffer) {
  const auto& transfers = isOfInput(buffer.use) ? schedule.inputs : schedule.outputs;
  return transfers[static_cast<std::size_t>(buffer.operand)].layout;
}

BufferId sourceOf(const Schedule& schedule, const Channel& channel) {
  const Buffer& target = schedule.buffers[channel.target.index()];
  const bool feeds = channel.kind == Channel::Kind::Feed;
  const Buffer::Use use = feeds ? Buffer::Use::SharedInput : Buffer::Use::SharedOutput;
  const auto levelOf = [](const Buffer& buffer) {
    return isInSharedBuffer(buffer.use) ? static_cast<int>(buffer.sharedLevel) : -1;
  };
  // The nearest one: outwards for a feed, inwards for a drain.
  BufferId source;
  for (std::size_t b = 0; b < schedule.buffers.size(); ++b) {
    const Buffer& buffer = schedule.buffers[b];
    if (buffer.use != use || buffer.operand != target.operand) continue;
    const int from = levelOf(buffer);
    if (feeds ? from <= levelOf(target) : from >= levelOf(target)) continue;
    const int known = source.valid() ? levelOf(schedule.buffers[source.index()]) : -1;
    if (!source.valid() || (feeds ? from < known : from > known)) source = BufferId::of(b);
  }
  return source;
}

}  // namespace gridloom::schedule
