// SPDX-License-Identifier: Apache-2.0
#include "schedule/movements.h"

#include "schedule/operand_transfers.h"

#include <algorithm>

#include "schedule/wiring.h"

namespace gridloom::schedule {
namespace {

bool fills(const Schedule& schedule, const Channel& channel, Buffer::Use use, std::size_t operand) {
  const Buffer& target = schedule.buffers[channel.target.index()];
  return target.use == use && target.operand == static_cast<int>(operand);
}

/// A mapping knows single and double buffers. A tile that never changes needs no second one.
std::uint8_t buffersOf(const Buffer& buffer, int level) {
  return level == 0 || buffer.slots == 1 ? 1 : 2;
}

std::uint8_t buffersOf(const Schedule& schedule, Buffer::Use use, std::size_t operand, int level) {
  for (const Buffer& buffer : schedule.buffers) {
    if (buffer.use == use && buffer.operand == static_cast<int>(operand))
      return buffersOf(buffer, level);
  }
  return 1;
}

/// The dimension that a multicast takes first.
std::uint8_t firstOf(const Channel& channel) {
  const bool single = (channel.along & (channel.along - 1)) == 0;
  return single ? static_cast<std::uint8_t>(dimOf(channel.along)) : channel.first;
}

bool holds(const Schedule& schedule, Buffer::Use use, std::size_t operand) {
  return std::ranges::any_of(schedule.buffers, [&](const Buffer& buffer) {
    return buffer.use == use && buffer.operand == static_cast<int>(operand);
  });
}

void readSharedBuffers(const Schedule& schedule, std::size_t input,
                       const mapping::InputMovement& before, mapping::InputMovement& out) {
  for (const Buffer& buffer : schedule.buffers) {
    if (buffer.use != Buffer::Use::SharedInput || buffer.operand != static_cast<int>(input))
      continue;
    const mapping::SharedBufferUse& use = before.sharedBuffers[buffer.sharedLevel];
    if (!use.isUsed()) continue;
    out.sharedBuffers[buffer.sharedLevel] = {use.level, buffersOf(buffer, use.level)};
  }
  for (const Channel& channel : schedule.channels) {
    if (!fills(schedule, channel, Buffer::Use::SharedInput, input)) continue;
    const BufferId source = sourceOf(schedule, channel);
    if (!source.valid()) continue;
    out.sharedBuffers[schedule.buffers[source.index()].sharedLevel].along =
        static_cast<std::uint8_t>(channel.along);
  }
}

mapping::InputMovement inputMovement(const Schedule& schedule, std::size_t input) {
  const mapping::InputMovement& before = schedule.mapping.inputs[input];
  mapping::InputMovement out;
  out.level = before.level;
  out.layout = before.layout;
  if (holds(schedule, Buffer::Use::Stationary, input)) {
    out.kind = mapping::MovementKind::Stationary;
    out.buffers = buffersOf(schedule, Buffer::Use::Stationary, input, out.level);
    return out;
  }
  out.buffers = buffersOf(schedule, Buffer::Use::Input, input, out.level);
  if (before.kind == mapping::MovementKind::Forwarded) {
    out.kind = mapping::MovementKind::Forwarded;
    return out;
  }
  readSharedBuffers(schedule, input, before, out);
  for (const Channel& channel : schedule.channels) {
    if (!fills(schedule, channel, Buffer::Use::Input, input)) continue;
    if (channel.kind == Channel::Kind::Share) {
      out.shared |= channel.along;
      continue;
    }
    if (channel.kind == Channel::Kind::Neighbour) {
      out.kind = mapping::MovementKind::Stream;
    } else if (channel.kind == Channel::Kind::Ring) {
      out.kind = mapping::MovementKind::AllGather;
    } else if (channel.kind == Channel::Kind::Rotate) {
      out.kind = mapping::MovementKind::Rotate;
    } else if (channel.along != 0) {
      const bool second = out.kind != mapping::MovementKind::Direct;
      out.kind = second ? mapping::MovementKind::TwoStage : mapping::MovementKind::Multicast;
    }
    if (out.along == 0 && channel.along != 0) out.first = firstOf(channel);
    out.along |= channel.along;
  }
  return out;
}

// The reduction topology of an operand: that of the first channel that carries its partial results.
mapping::ReductionTopology reductionOf(const Schedule& schedule, Buffer::Use use,
                                       std::size_t operand) {
  for (const Channel& channel : schedule.channels) {
    if (!fills(schedule, channel, use, operand)) continue;
    if (channel.kind == Channel::Kind::Ring) return mapping::ReductionTopology::ReduceScatter;
    return channel.kind == Channel::Kind::Neighbour ? mapping::ReductionTopology::Chain
                                                    : mapping::ReductionTopology::Tree;
  }
  return mapping::ReductionTopology::None;
}

mapping::OutputMovement outputMovement(const Schedule& schedule, std::size_t output) {
  mapping::OutputMovement out;
  out.buffers = buffersOf(schedule, Buffer::Use::Output, output, schedule.outputLevel);
  out.layout = schedule.mapping.outputs[output].layout;
  out.reduction = reductionOf(schedule, Buffer::Use::Partial, output);
  for (const Buffer& buffer : schedule.buffers) {
    if (buffer.use == Buffer::Use::SharedOutput && buffer.operand == static_cast<int>(output))
      out.sharedBuffers[buffer.sharedLevel] = buffersOf(buffer, schedule.outputLevel);
  }
  for (const Channel& channel : schedule.channels) {
    if (fills(schedule, channel, Buffer::Use::Gather, output)) {
      out.gather = static_cast<std::int8_t>(dimOf(channel.along));
    }
  }
  return out;
}

}  // namespace

void readMovements(Schedule& schedule, const kernel::TileNest& nest) {
  for (std::size_t i = 0; i < nest.inputs.size(); ++i) {
    schedule.mapping.inputs[i] = inputMovement(schedule, i);
  }
  for (Buffer& buffer : schedule.buffers) {
    if (buffer.use != Buffer::Use::Input && buffer.use != Buffer::Use::Stationary) continue;
    const auto i = static_cast<std::size_t>(buffer.operand);
    const mapping::InputMovement& movement = schedule.mapping.inputs[i];
    buffer.need.shared = (movement.along | movement.shared) != 0;
  }
  for (std::size_t o = 0; o < nest.outputs.size(); ++o) {
    schedule.mapping.outputs[o] = outputMovement(schedule, o);
  }
  for (std::size_t r = 0; r < nest.allReduces.size(); ++r) {
    schedule.mapping.allReduces[r] = reductionOf(schedule, Buffer::Use::Contributed, r);
  }
  describeOperands(schedule, nest);
}

}  // namespace gridloom::schedule
