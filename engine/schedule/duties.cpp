// SPDX-License-Identifier: Apache-2.0
#include "schedule/program_writer.h"
#include "schedule/wiring.h"

namespace gridloom::schedule {
namespace {

using mapping::DimMask;

// Tiles are dealt from coordinate 0 up, so a line with other workers has one at coordinate 1.
bool hasOthers(std::int32_t core, const Placement& placement, DimMask along) {
  for (int d = 0; d < placement.dims(); ++d) {
    if ((along >> d & 1u) != 0 && placement.activeAlong(core, d) > 1) return true;
  }
  return false;
}

bool isRoot(std::int32_t core, const Placement& placement, DimMask along) {
  return placement.rootOf(core, along) == core;
}

Duties::Input spreadDuty(std::int32_t core, const Placement& placement,
                         const mapping::InputMovement& movement) {
  Duties::Input duty;
  if (movement.stays()) {
    duty.feeds = isRoot(core, placement, movement.along);
    duty.receivesFirst = true;
    return duty;
  }
  const DimMask first = DimMask{1} << movement.first;
  switch (movement.spread) {
  case mapping::Spread::Kept:
    break;
  case mapping::Spread::Direct:
  case mapping::Spread::Passed:
    duty.loads = true;
    break;
  case mapping::Spread::Multicast:
    duty.loads = isRoot(core, placement, movement.along);
    duty.receivesFirst = !duty.loads;
    duty.sendsFirst = duty.loads && hasOthers(core, placement, movement.along);
    break;
  case mapping::Spread::Staged: {
    const DimMask second = movement.along & ~first;
    duty.loads = isRoot(core, placement, movement.along);
    duty.receivesSecond = !isRoot(core, placement, second);
    duty.receivesFirst = !duty.receivesSecond && !duty.loads;
    duty.sendsFirst = duty.loads && hasOthers(core, placement, first);
    duty.sendsSecond = !duty.receivesSecond && hasOthers(core, placement, second);
    break;
  }
  case mapping::Spread::Stream: {
    const int dim = dimOf(movement.along);
    duty.loads = placement.coordinate(core, dim) == 0;
    duty.receivesFirst = !duty.loads;
    duty.sendsFirst = placement.coordinate(core, dim) + 1 < placement.activeAlong(core, dim);
    break;
  }
  }
  return duty;
}

Duties::Input inputDuty(std::int32_t core, const Placement& placement,
                        const mapping::InputMovement& movement) {
  if (!isRoot(core, placement, movement.shared)) return {.reads = true};
  Duties::Input duty = spreadDuty(core, placement, movement);
  duty.shares = hasOthers(core, placement, movement.shared);
  return duty;
}

// The channels of a combination: along each split dimension from the last to the first, so that partial
// results meet at coordinate 0 of one dimension before they go along the next.
void combineDuty(std::int32_t core, const Placement& placement,
                 const std::vector<Channel>& channels, const std::vector<PortId>& combine,
                 Duties::Joins& duty) {
  for (std::size_t c = 0; c < combine.size(); ++c) {
    if (duty.partialTo >= 0) return;
    const Channel& channel = channels[combine[c].index()];
    const int dim = dimOf(channel.along);
    const std::int32_t at = placement.coordinate(core, dim);
    const std::int32_t workers = placement.activeAlong(core, dim);
    const auto position = static_cast<std::int32_t>(c);
    if (channel.kind == Channel::Kind::Neighbour && channel.step > 0) {
      if (workers > 1 && at != 1) duty.partialsFrom.push_back(position);
      if (at > 0) duty.partialTo = position;
    } else if (channel.kind == Channel::Kind::Neighbour) {
      if (at + 1 < workers) duty.partialsFrom.push_back(position);
      if (at > 0) duty.partialTo = position;
    } else {
      const bool receives = at % (2 * channel.step) == 0;
      if (receives && at + channel.step < workers) duty.partialsFrom.push_back(position);
      if (!receives) duty.partialTo = position;
    }
  }
}

// The last step that does not begin at the core brings it what came together; from there it goes on.
void backDuty(std::int32_t core, const Placement& placement, const std::vector<Channel>& channels,
              const ReducePorts& ports, Duties::Reduce& duty) {
  for (std::size_t c = 0; c < ports.back.size(); ++c) {
    const Channel& channel = channels[ports.back[c].index()];
    if (!isRoot(core, placement, channel.along)) {
      duty.backFrom = static_cast<std::int32_t>(c);
      duty.backTo.clear();
    }
    const int dim = dimOf(channel.along);
    const bool goesOn =
        channel.kind == Channel::Kind::Neighbour
            ? placement.coordinate(core, dim) + 1 < placement.activeAlong(core, dim)
            : isRoot(core, placement, channel.along) && hasOthers(core, placement, channel.along);
    if (goesOn) duty.backTo.push_back(static_cast<std::int32_t>(c));
  }
}

}  // namespace

Duties dutiesOf(std::int32_t core, const Placement& placement, const kernel::TileNest& nest,
                const mapping::Mapping& mapping, const std::vector<Channel>& channels,
                const std::vector<OutputPorts>& outputs, const std::vector<ReducePorts>& reduces) {
  Duties duties;
  duties.finishes = isRoot(core, placement, splitDims(nest, mapping));
  for (std::size_t i = 0; i < mapping.inputs.size(); ++i) {
    const bool used = isRoot(core, placement, finishingDims(nest, nest.inputs[i], mapping));
    duties.inputs.push_back(used ? inputDuty(core, placement, mapping.inputs[i])
                                 : Duties::Input{.absent = true});
  }
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    Duties::Output duty;
    if (mapping.outputs[o].combine == mapping::Combine::None) {
      duty.absent = !isRoot(core, placement, finishingDims(nest, nest.outputs[o], mapping));
    }
    combineDuty(core, placement, channels, outputs[o].combine, duty);
    const int gather = mapping.outputs[o].gather;
    if (gather >= 0 && duty.partialTo < 0 && !duty.absent) {
      duty.sendsToGather = placement.coordinate(core, gather) != 0;
      if (!duty.sendsToGather) duty.gathers = placement.activeAlong(core, gather) - 1;
    }
    duties.outputs.push_back(duty);
  }
  for (const ReducePorts& ports : reduces) {
    Duties::Reduce& duty = duties.reduces.emplace_back();
    combineDuty(core, placement, channels, ports.combine, duty);
    backDuty(core, placement, channels, ports, duty);
  }
  return duties;
}

}  // namespace gridloom::schedule
