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

bool holds(const Schedule& schedule, Buffer::Use use, std::size_t operand) {
  return std::ranges::any_of(schedule.buffers, [&](const Buffer& buffer) {
    return buffer.use == use && buffer.operand == static_cast<int>(operand);
  });
}

mapping::InputMovement inputMovement(const Schedule& schedule, std::size_t input) {
  const mapping::InputMovement& before = schedule.mapping.inputs[input];
  mapping::InputMovement out;
  out.level = before.level;
  out.place = before.place;
  if (holds(schedule, Buffer::Use::Kept, input)) {
    out.spread = mapping::Spread::Kept;
    out.buffers = buffersOf(schedule, Buffer::Use::Kept, input, out.level);
    return out;
  }
  out.buffers = buffersOf(schedule, Buffer::Use::Input, input, out.level);
  if (before.spread == mapping::Spread::Passed) {
    out.spread = mapping::Spread::Passed;
    return out;
  }
  if (before.stays() && holds(schedule, Buffer::Use::Middle, input)) {
    out.stay.level = before.stay.level;
    out.stay.buffers = buffersOf(schedule, Buffer::Use::Middle, input, before.stay.level);
  }
  for (const Channel& channel : schedule.channels) {
    if (!fills(schedule, channel, Buffer::Use::Input, input)) continue;
    if (channel.kind == Channel::Kind::Share) {
      out.shared |= channel.along;
      continue;
    }
    if (channel.kind == Channel::Kind::Neighbour) {
      out.spread = mapping::Spread::Stream;
    } else if (channel.along != 0) {
      const bool second = out.spread != mapping::Spread::Direct;
      out.spread = second ? mapping::Spread::Staged : mapping::Spread::Multicast;
    }
    if (out.along == 0 && channel.along != 0) out.first = firstOf(channel);
    out.along |= channel.along;
  }
  return out;
}

// How other cores' results come to one: by the first of the channels that bring them.
mapping::Combine combinationOf(const Schedule& schedule, Buffer::Use use, std::size_t operand) {
  for (const Channel& channel : schedule.channels) {
    if (!fills(schedule, channel, use, operand)) continue;
    return channel.kind == Channel::Kind::Neighbour ? mapping::Combine::Chain
                                                    : mapping::Combine::Tree;
  }
  return mapping::Combine::None;
}

mapping::OutputMovement outputMovement(const Schedule& schedule, std::size_t output) {
  mapping::OutputMovement out;
  out.buffers = buffersOf(schedule, Buffer::Use::Output, output, schedule.outputLevel);
  out.place = schedule.mapping.outputs[output].place;
  out.combine = combinationOf(schedule, Buffer::Use::Partial, output);
  if (holds(schedule, Buffer::Use::Outgoing, output)) {
    out.stay = buffersOf(schedule, Buffer::Use::Outgoing, output, schedule.outputLevel);
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
    if (buffer.use != Buffer::Use::Input && buffer.use != Buffer::Use::Kept) continue;
    const auto i = static_cast<std::size_t>(buffer.operand);
    const mapping::InputMovement& movement = schedule.mapping.inputs[i];
    buffer.need.shared = (movement.along | movement.shared) != 0;
  }
  for (std::size_t o = 0; o < nest.outputs.size(); ++o) {
    schedule.mapping.outputs[o] = outputMovement(schedule, o);
  }
  for (std::size_t r = 0; r < nest.allReduces.size(); ++r) {
    schedule.mapping.allReduces[r] = combinationOf(schedule, Buffer::Use::Contributed, r);
  }
}

}  // namespace gridloom::schedule
