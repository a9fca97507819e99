// SPDX-License-Identifier: Apache-2.0
#include "schedule/movements.h"

#include <algorithm>

#include "schedule/wiring.h"

namespace gridloom::schedule {
namespace {

bool fills(const Schedule& schedule, const Channel& channel, Buffer::Use use, std::size_t operand) {
  const Buffer& target = schedule.buffers[channel.target.index()];
  return target.use == use && target.operand == static_cast<int>(operand);
}

/// Mappings know single and double buffers; one tile in all needs no second one.
std::uint8_t buffersOf(const Schedule& schedule, Buffer::Use use, std::size_t operand, int level) {
  for (const Buffer& buffer : schedule.buffers) {
    if (buffer.use == use && buffer.operand == static_cast<int>(operand)) {
      return level == 0 || buffer.slots == 1 ? 1 : 2;
    }
  }
  return 1;
}

/// The dimension a channel takes first.
std::uint8_t firstOf(const Channel& channel) {
  const bool single = (channel.along & (channel.along - 1)) == 0;
  return single ? static_cast<std::uint8_t>(dimOf(channel.along)) : channel.first;
}

mapping::InputMovement inputMovement(const Schedule& schedule, std::size_t input) {
  mapping::InputMovement out;
  out.level = schedule.mapping.inputs[input].level;
  out.place = schedule.mapping.inputs[input].place;
  out.buffers = buffersOf(schedule, Buffer::Use::Input, input, out.level);
  for (const Channel& channel : schedule.channels) {
    if (!fills(schedule, channel, Buffer::Use::Input, input)) continue;
    if (channel.kind == Channel::Kind::Neighbour) {
      out.spread = mapping::Spread::Stream;
    } else {
      const bool second = out.spread != mapping::Spread::Direct;
      out.spread = second ? mapping::Spread::Staged : mapping::Spread::Multicast;
    }
    if (out.along == 0) out.first = firstOf(channel);
    out.along |= channel.along;
  }
  return out;
}

mapping::OutputMovement outputMovement(const Schedule& schedule, std::size_t output) {
  mapping::OutputMovement out;
  out.buffers = buffersOf(schedule, Buffer::Use::Output, output, schedule.outputLevel);
  out.place = schedule.mapping.outputs[output].place;
  for (const Channel& channel : schedule.channels) {
    if (fills(schedule, channel, Buffer::Use::Gather, output)) {
      out.gather = static_cast<std::int8_t>(dimOf(channel.along));
    }
    if (fills(schedule, channel, Buffer::Use::Partial, output)) {
      out.combine = channel.kind == Channel::Kind::Neighbour ? mapping::Combine::Chain
                                                             : mapping::Combine::Tree;
    }
  }
  return out;
}

}  // namespace

void readMovements(Schedule& schedule, const kernel::TileNest& nest) {
  for (std::size_t i = 0; i < nest.inputs.size(); ++i) {
    schedule.mapping.inputs[i] = inputMovement(schedule, i);
  }
  for (std::size_t o = 0; o < nest.outputs.size(); ++o) {
    schedule.mapping.outputs[o] = outputMovement(schedule, o);
  }
}

}  // namespace gridloom::schedule
