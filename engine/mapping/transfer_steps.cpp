// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "mapping/transfers.h"

namespace gridloom::mapping {

namespace {

using Kind = TransferStep::Kind;

DimMask bit(std::size_t dim) { return DimMask{1} << dim; }

TransferStep step(Kind kind, Memory from, Memory to, DimMask zero, DimMask along = 0,
                  std::uint8_t first = 0, std::int8_t direction = 1) {
  return {kind, from, to, zero, along, first, direction};
}

TransferStep between(Kind kind, DimMask zero, DimMask along, std::uint8_t first = 0,
                     std::int8_t direction = 1) {
  return step(kind, Memory::Local, Memory::Local, zero, along, first, direction);
}

std::uint8_t lowest(DimMask mask) {
  return mask == 0 ? 0 : static_cast<std::uint8_t>(std::countr_zero(mask));
}

Memory homeOf(TensorLayout layout) {
  return layout == TensorLayout::Local ? Memory::Local : Memory::Global;
}

// To coordinate 0, along one dimension after the other, the last one first; cores at coordinate 0
// of it continue. Chains follow the direction of the links, so that each step is one hop.
void addReduction(ReductionTopology how, DimMask dims, const hardware::Topology& hw,
                  TransferSteps& steps) {
  DimMask done = 0;
  for (std::size_t d = hw.dims().size(); d-- > 0;) {
    if (!hardware::has(dims, d)) continue;
    const bool chain = how == ReductionTopology::Chain;
    const std::int8_t direction = chain && hw.goesUpwards(hw.writePlane(), d) ? 1 : -1;
    steps.push_back(between(chain ? Kind::Chain : Kind::Tree, done, bit(d),
                            static_cast<std::uint8_t>(d), direction));
    done |= bit(d);
  }
}

// From global memory into the outermost shared buffer, then inwards from one to the next.
void addSharedBuffers(const InputMovement& m, DimMask zero, TransferSteps& steps) {
  const auto memory = [](int level) { return Memory::shared(static_cast<std::size_t>(level)); };
  const int innermost = m.nextShared(-1);
  int level = innermost;
  for (int outer = level; outer >= 0; outer = m.nextShared(outer)) level = outer;
  steps.push_back(step(Kind::Load, homeOf(m.layout), memory(level), zero | m.sharedAlong(level)));
  for (int inner = level - 1; inner >= innermost; --inner) {
    if (!m.sharedBuffers[static_cast<std::size_t>(inner)].isUsed()) continue;
    const DimMask along = m.sharedBuffers[static_cast<std::size_t>(level)].along;
    steps.push_back(step(Kind::Multicast, memory(level), memory(inner), zero | m.sharedAlong(inner),
                         along, lowest(along)));
    level = inner;
  }
  steps.push_back(step(Kind::Multicast, memory(level), Memory::Local, zero, m.along, m.first));
}

}  // namespace

CoordinateClass TransferStep::sources() const {
  switch (kind) {
  case Kind::Load:
  case Kind::Forward:
  case Kind::Store:
  case Kind::Rotate:
    return {zero, 0};
  case Kind::Stream:
    return {zero, 0};  // all but the last of a line
  case Kind::AllGather:
  case Kind::ReduceScatter:
    return {zero, 0};
  case Kind::Multicast:
  case Kind::SharedCopy:
    return {zero | along, 0};
  case Kind::Chain:
  case Kind::Tree:
  case Kind::Gather:
    return {zero, along};
  }
  return {};
}

CoordinateClass TransferStep::sinks() const {
  switch (kind) {
  case Kind::Load:
  case Kind::Forward:
  case Kind::Store:
  case Kind::AllGather:
  case Kind::ReduceScatter:
  case Kind::Rotate:
    return {zero, 0};
  case Kind::Multicast:
    return {zero, from.isShared() ? 0 : along};
  case Kind::Stream:
  case Kind::SharedCopy:
    return {zero, along};
  case Kind::Chain:
  case Kind::Tree:
    return {zero, 0};  // some of them
  case Kind::Gather:
    return {zero | along, 0};
  }
  return {};
}

TransferSteps inputSteps(const InputMovement& m, DimMask absent) {
  TransferSteps steps;
  const DimMask zero = absent | m.shared;
  const Memory home = homeOf(m.layout);
  if (m.usesSharedBuffer()) {
    addSharedBuffers(m, zero, steps);
    return steps;
  }
  const DimMask first = bit(m.first);
  switch (m.kind) {
  case MovementKind::Stationary:
    break;
  case MovementKind::Direct:
    steps.push_back(step(Kind::Load, home, Memory::Local, zero));
    break;
  case MovementKind::Forwarded:
    steps.push_back(between(Kind::Forward, zero, 0));
    break;
  case MovementKind::Multicast:
    steps.push_back(step(Kind::Load, home, Memory::Local, zero | m.along));
    steps.push_back(between(Kind::Multicast, zero, m.along, m.first));
    break;
  case MovementKind::TwoStage: {
    const DimMask second = m.along & ~first;
    steps.push_back(step(Kind::Load, home, Memory::Local, zero | m.along));
    steps.push_back(between(Kind::Multicast, zero | second, first, m.first));
    steps.push_back(between(Kind::Multicast, zero, second, lowest(second)));
    break;
  }
  case MovementKind::Stream:
    steps.push_back(step(Kind::Load, home, Memory::Local, zero | m.along));
    steps.push_back(between(Kind::Stream, zero, m.along, lowest(m.along)));
    break;
  case MovementKind::AllGather:
    steps.push_back(step(Kind::Load, home, Memory::Local, zero));
    steps.push_back(between(Kind::AllGather, zero, m.along, lowest(m.along)));
    break;
  case MovementKind::Rotate:
    steps.push_back(step(Kind::Load, home, Memory::Local, zero));
    steps.push_back(between(Kind::Rotate, zero, m.along, lowest(m.along)));
    break;
  }
  if (m.shared != 0) steps.push_back(between(Kind::SharedCopy, absent, m.shared, lowest(m.shared)));
  return steps;
}

TransferSteps outputSteps(const OutputMovement& m, DimMask split, const hardware::Topology& hw) {
  TransferSteps steps;
  DimMask zero = split;
  if (m.reduction == ReductionTopology::ReduceScatter) {
    zero = 0;  // every core stores its share
    steps.push_back(between(Kind::ReduceScatter, zero, split, lowest(split)));
  } else if (m.reduction != ReductionTopology::None) {
    addReduction(m.reduction, split, hw, steps);
  }
  if (m.gather >= 0) {
    const auto d = static_cast<std::uint8_t>(m.gather);
    steps.push_back(between(Kind::Gather, zero, bit(d), d));
    zero |= bit(d);
  }
  Memory from = Memory::Local;
  for (int k = m.nextShared(-1); k >= 0; k = m.nextShared(k)) {
    const Memory to = Memory::shared(static_cast<std::size_t>(k));
    steps.push_back(step(Kind::Store, from, to, zero));
    from = to;
  }
  steps.push_back(step(Kind::Store, from, homeOf(m.layout), zero));
  return steps;
}

TransferSteps allReduceSteps(ReductionTopology how, DimMask dims, const hardware::Topology& hw) {
  TransferSteps steps;
  addReduction(how, dims, hw, steps);
  const bool multicasts = hw.canMulticast(hw.readPlane());
  // A multicast runs along two dimensions at most.
  const int together = multicasts ? 2 : 1;
  for (DimMask waiting = dims; waiting != 0;) {
    DimMask along = 0;
    for (int n = 0; n < together && waiting != 0; ++n) {
      along |= bit(lowest(waiting));
      waiting &= waiting - 1;
    }
    steps.push_back(
        between(multicasts ? Kind::Multicast : Kind::Stream, waiting, along, lowest(along)));
  }
  return steps;
}

}  // namespace gridloom::mapping
