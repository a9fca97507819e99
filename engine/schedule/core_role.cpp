// SPDX-License-Identifier: Apache-2.0
#include "schedule/program_writer.h"
#include "schedule/wiring.h"

namespace gridloom::schedule {
namespace {

using mapping::DimMask;

// Cyclic assignment starts at coordinate 0, so a line with other active cores has one at coordinate
// 1.
bool hasOthers(std::int32_t core, const Placement& placement, DimMask along) {
  for (int d = 0; d < placement.dims(); ++d) {
    if ((along >> d & 1u) != 0 && placement.activeAlong(core, d) > 1) return true;
  }
  return false;
}

bool isRoot(std::int32_t core, const Placement& placement, DimMask along) {
  return placement.rootOf(core, along) == core;
}

CoreRole::Input loadingRole(std::int32_t core, const Placement& placement,
                            const mapping::InputMovement& movement) {
  CoreRole::Input role;
  if (movement.usesSharedBuffer()) {
    role.feeds = isRoot(core, placement, movement.along);
    role.receivesFirst = true;
    return role;
  }
  const DimMask first = DimMask{1} << movement.first;
  switch (movement.kind) {
  case mapping::MovementKind::Stationary:
    break;
  case mapping::MovementKind::Direct:
  case mapping::MovementKind::Forwarded:
    role.loads = true;
    break;
  case mapping::MovementKind::Multicast:
    role.loads = isRoot(core, placement, movement.along);
    role.receivesFirst = !role.loads;
    role.sendsFirst = role.loads && hasOthers(core, placement, movement.along);
    break;
  case mapping::MovementKind::TwoStage: {
    const DimMask second = movement.along & ~first;
    role.loads = isRoot(core, placement, movement.along);
    role.receivesSecond = !isRoot(core, placement, second);
    role.receivesFirst = !role.receivesSecond && !role.loads;
    role.sendsFirst = role.loads && hasOthers(core, placement, first);
    role.sendsSecond = !role.receivesSecond && hasOthers(core, placement, second);
    break;
  }
  case mapping::MovementKind::Stream: {
    const int dim = dimOf(movement.along);
    role.loads = placement.coordinate(core, dim) == 0;
    role.receivesFirst = !role.loads;
    role.sendsFirst = placement.coordinate(core, dim) + 1 < placement.activeAlong(core, dim);
    break;
  }
  }
  return role;
}

CoreRole::Input inputRole(std::int32_t core, const Placement& placement,
                          const mapping::InputMovement& movement) {
  if (!isRoot(core, placement, movement.shared)) return {.reads = true};
  CoreRole::Input role = loadingRole(core, placement, movement);
  role.shares = hasOthers(core, placement, movement.shared);
  return role;
}

// The channels of a reduction: along each split dimension, from the last to the first. Partial
// results reach coordinate 0 of one dimension before they go along the next.
void reductionRole(std::int32_t core, const Placement& placement,
                   const std::vector<Channel>& channels, const std::vector<PortId>& reduction,
                   CoreRole::Joins& role) {
  for (std::size_t c = 0; c < reduction.size(); ++c) {
    if (role.partialTo >= 0) return;
    const Channel& channel = channels[reduction[c].index()];
    const int dim = dimOf(channel.along);
    const std::int32_t at = placement.coordinate(core, dim);
    const std::int32_t workers = placement.activeAlong(core, dim);
    const auto position = static_cast<std::int32_t>(c);
    if (channel.kind == Channel::Kind::Neighbour && channel.step > 0) {
      if (workers > 1 && at != 1) role.partialsFrom.push_back(position);
      if (at > 0) role.partialTo = position;
    } else if (channel.kind == Channel::Kind::Neighbour) {
      if (at + 1 < workers) role.partialsFrom.push_back(position);
      if (at > 0) role.partialTo = position;
    } else {
      const bool receives = at % (2 * channel.step) == 0;
      if (receives && at + channel.step < workers) role.partialsFrom.push_back(position);
      if (!receives) role.partialTo = position;
    }
  }
}

// The last step that does not begin at the core brings it the total; the core sends it on in the
// steps after that.
void broadcastRole(std::int32_t core, const Placement& placement,
                   const std::vector<Channel>& channels, const ReducePorts& ports,
                   CoreRole::Reduce& role) {
  for (std::size_t c = 0; c < ports.back.size(); ++c) {
    const Channel& channel = channels[ports.back[c].index()];
    if (!isRoot(core, placement, channel.along)) {
      role.backFrom = static_cast<std::int32_t>(c);
      role.backTo.clear();
    }
    const int dim = dimOf(channel.along);
    const bool continues =
        channel.kind == Channel::Kind::Neighbour
            ? placement.coordinate(core, dim) + 1 < placement.activeAlong(core, dim)
            : isRoot(core, placement, channel.along) && hasOthers(core, placement, channel.along);
    if (continues) role.backTo.push_back(static_cast<std::int32_t>(c));
  }
}

}  // namespace

CoreRole roleOf(std::int32_t core, const Placement& placement, const kernel::TileNest& nest,
                const mapping::Mapping& mapping, const std::vector<Channel>& channels,
                const std::vector<OutputPorts>& outputs, const std::vector<ReducePorts>& reduces) {
  CoreRole roles;
  roles.finishes = isRoot(core, placement, splitDims(nest, mapping));
  for (std::size_t i = 0; i < mapping.inputs.size(); ++i) {
    const bool used = isRoot(core, placement, finishingDims(nest, nest.inputs[i], mapping));
    roles.inputs.push_back(used ? inputRole(core, placement, mapping.inputs[i])
                                : CoreRole::Input{.absent = true});
  }
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    CoreRole::Output role;
    if (mapping.outputs[o].reduction == mapping::ReductionTopology::None) {
      role.absent = !isRoot(core, placement, finishingDims(nest, nest.outputs[o], mapping));
    }
    reductionRole(core, placement, channels, outputs[o].reduction, role);
    const int gather = mapping.outputs[o].gather;
    if (gather >= 0 && role.partialTo < 0 && !role.absent) {
      role.sendsToGather = placement.coordinate(core, gather) != 0;
      if (!role.sendsToGather) role.gathers = placement.activeAlong(core, gather) - 1;
    }
    roles.outputs.push_back(role);
  }
  for (const ReducePorts& ports : reduces) {
    CoreRole::Reduce& role = roles.reduces.emplace_back();
    reductionRole(core, placement, channels, ports.reduction, role);
    broadcastRole(core, placement, channels, ports, role);
  }
  return roles;
}

}  // namespace gridloom::schedule
