// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "schedule/program_writer.h"
#include "schedule/wiring.h"

namespace gridloom::schedule {
namespace {

using mapping::DimMask;
using mapping::TransferStep;
using Kind = TransferStep::Kind;

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

struct Ends {
  bool sends = false, receives = false;
};

// On rings with links in one direction, chains run upwards from coordinate 1 and close at
// coordinate 0.
Ends endsInChain(std::int32_t at, std::int32_t workers, int direction) {
  if (direction > 0) return {at > 0, workers > 1 && at != 1};
  return {at > 0, at + 1 < workers};
}

// In the round with distance `by`, cores at odd multiples of it send to the next lower multiple.
Ends endsInRound(std::int32_t at, std::int32_t workers, int by) {
  if (at % by != 0) return {};
  const bool receiver = at % (2 * by) == 0;
  return {!receiver, receiver && at + by < workers};
}

// Whether a core that takes part in a step is at an end of its channel.
Ends endsOf(std::int32_t core, const Placement& placement, const TransferStep& step,
            const Channel& channel) {
  const int dim = dimOf(step.along);
  const std::int32_t at = placement.coordinate(core, dim);
  const std::int32_t workers = placement.activeAlong(core, dim);
  switch (step.kind) {
  case Kind::Load:
  case Kind::Forward:
    return {};
  case Kind::Store:  // into a shared buffer; its DMA engine receives, and stores further out
    return {step.from == mapping::Memory::Local, false};
  case Kind::Multicast:  // a shared buffer's DMA engine sends, and receives in the next one
    if (step.from.isShared()) return {false, step.to == mapping::Memory::Local};
    [[fallthrough]];
  case Kind::SharedCopy: {
    const bool root = isRoot(core, placement, step.along);
    return {root && hasOthers(core, placement, step.along), !root};
  }
  case Kind::Stream:
    return {at + 1 < workers, at > 0};
  case Kind::AllGather:
  case Kind::ReduceScatter:
    return {workers > 1, workers > 1};
  case Kind::Chain:
    return endsInChain(at, workers, step.direction);
  case Kind::Tree:
    return endsInRound(at, workers, channel.step);
  case Kind::Gather:
    return {at != 0, false};
  case Kind::Rotate:
    return {true, true};
  }
  return {};
}

}  // namespace

PortId OperandPorts::channel(const mapping::Transfers& transfers, Kind kind) const {
  for (const Wire& wire : wires) {
    if (transfers.steps[wire.step].kind == kind) return wire.channel;
  }
  return {};
}

PortId OperandPorts::channel(std::size_t step) const {
  const auto at = std::ranges::find(wires, step, &Wire::step);
  return at == wires.end() ? PortId{} : at->channel;
}

CoreRole::Part partOf(std::int32_t core, const Placement& placement,
                      const mapping::Transfers& transfers, const OperandPorts& ports,
                      const std::vector<Channel>& channels) {
  CoreRole::Part part;
  part.absent = true;
  for (std::size_t s = 0; s < transfers.steps.size(); ++s) {
    const TransferStep& step = transfers.steps[s];
    if (!isRoot(core, placement, step.zero)) continue;
    part.absent = false;
    const bool fetches = step.kind == Kind::Load || step.kind == Kind::Forward;
    part.loads |= fetches && step.to == mapping::Memory::Local;
    if (step.to.isShared() && step.kind != Kind::Store) part.feeds |= std::uint64_t{1} << s;
    const int dim = dimOf(step.along);
    if (step.kind == Kind::Gather && placement.coordinate(core, dim) == 0)
      part.gathers = placement.activeAlong(core, dim) - 1;
    if (step.isRing()) part.ring = placement.activeAlong(core, dim);
  }
  for (std::size_t w = 0; w < ports.wires.size(); ++w) {
    const TransferStep& step = transfers.steps[ports.wires[w].step];
    if (!isRoot(core, placement, step.zero)) continue;
    const Ends ends = endsOf(core, placement, step, channels[ports.wires[w].channel.index()]);
    const std::uint64_t bit = std::uint64_t{1} << w;
    if (ends.sends) part.sends |= bit;
    if (ends.receives) part.receives |= bit;
  }
  return part;
}

}  // namespace gridloom::schedule
