// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <map>

#include "schedule/op_names.h"
#include "schedule/operand_transfers.h"
#include "schedule/placement.h"
#include "schedule/program_writer.h"
#include "schedule/schedule.h"
#include "schedule/shared_copies.h"
#include "schedule/tile_demand.h"

namespace gridloom::schedule {
namespace {

using base::Diagnostics;
using base::plainError;
using mapping::DimMask;

// Cores between two checks for cancellation.
constexpr std::int32_t kCoresPerLook = 4096;

/// Builds a schedule step by step. The members are in the order in which they are built.
class Lowering {
 public:
  Lowering(const kernel::TileNest& nest, const hardware::Topology& hw, Schedule& schedule)
      : m_nest(nest),
        m_hw(hw),
        m_out(schedule),
        m_placement(schedule.mapping, schedule.tiling, hw) {}

  /// False when cancelled.
  bool run(const base::Progress* progress) {
    for (std::size_t i = 0; i < m_nest.inputs.size(); ++i) addInput(i);
    for (std::size_t o = 0; o < m_nest.outputs.size(); ++o) addOutput(o);
    m_reduces.resize(m_nest.allReduces.size());
    for (const std::size_t r : mapping::splitAllReduces(m_nest, m_out.mapping)) addReduce(r);
    addLocals();
    m_out.work = m_nest.work;
    m_out.grids = outputGrids(m_nest);
    m_out.localBytes = localBytesOf(m_out, m_hw);
    return assignPrograms(progress);
  }

 private:
  BufferId addBuffer(std::string name, Buffer::Use use, std::size_t operand, std::int64_t bytes,
                     int slots) {
    m_out.buffers.push_back({std::move(name), use, static_cast<int>(operand), bytes, slots});
    return BufferId::of(m_out.buffers.size() - 1);
  }

  PortId addChannel(Channel channel) {
    channel.depth = m_out.buffers[channel.target.index()].slots;
    m_out.channels.push_back(std::move(channel));
    return PortId::of(m_out.channels.size() - 1);
  }

  std::string dimNames(DimMask along) const {
    std::string names;
    for (int d = 0; d < m_placement.dims(); ++d) {
      if ((along >> d & 1u) != 0) {
        names += (names.empty() ? "" : " ") + m_hw.dims()[static_cast<std::size_t>(d)].name;
      }
    }
    return names;
  }

  void addInput(std::size_t input) {
    const kernel::Operand& operand = m_nest.inputs[input];
    mapping::InputMovement movement = m_out.mapping.inputs[input];
    const int slots = movement.buffers;
    movement.buffers = 1;
    InputPorts ports;
    const bool kept = movement.kind == mapping::MovementKind::Stationary;
    ports.buffer = addBuffer(
        operand.name, kept ? Buffer::Use::Stationary : Buffer::Use::Input, input,
        mapping::inputBufferBytes(operand, movement, m_out.tiling, m_out.mapping.order), slots);
    m_out.buffers.back().need = demandOf(m_nest, operand, movement);
    const DimMask first = DimMask{1} << movement.first;
    const auto channel = [&](Channel::Kind kind, const char* how, DimMask along, int step) {
      return addChannel({fmt::format("{} {} {}", operand.name, how, dimNames(along)), kind, along,
                         movement.first, step, ports.buffer, 1});
    };
    if (movement.shared != 0) {
      ports.shared = channel(Channel::Kind::Share, "shared", movement.shared, 0);
      m_out.channels.back().first = static_cast<std::uint8_t>(std::countr_zero(movement.shared));
    }
    if (movement.usesSharedBuffer()) {
      mapping::InputMovement sharedBuffer = movement;
      sharedBuffer.level = static_cast<std::uint8_t>(movement.sharedBuffer.level);
      ports.sharedBuffer = addBuffer(
          fmt::format("{} in {}", operand.name, m_hw.sharedBuffer().name), Buffer::Use::SharedInput,
          input,
          mapping::inputBufferBytes(operand, sharedBuffer, m_out.tiling, m_out.mapping.order),
          movement.sharedBuffer.buffers);
      ports.first = channel(Channel::Kind::Feed, "feed", movement.along, 0);
      m_inputs.push_back(ports);
      return;
    }
    switch (movement.kind) {
    case mapping::MovementKind::Direct:
    case mapping::MovementKind::Stationary:
    case mapping::MovementKind::Forwarded:
      break;
    case mapping::MovementKind::Multicast:
      ports.first = channel(Channel::Kind::Multicast, "multicast", movement.along, 0);
      break;
    case mapping::MovementKind::TwoStage:
      ports.first = channel(Channel::Kind::Multicast, "multicast", first, 0);
      ports.second = channel(Channel::Kind::Multicast, "multicast", movement.along & ~first, 0);
      break;
    case mapping::MovementKind::Stream:
      ports.first = channel(Channel::Kind::Neighbour, "stream", movement.along, 1);
      break;
    }
    addResident(Buffer::Use::Resident, input, operand.name,
                mapping::residentBytes(operand, m_out.mapping.inputs[input], m_out.tiling));
    m_inputs.push_back(ports);
  }

  void addOutput(std::size_t output) {
    const kernel::Operand& operand = m_nest.outputs[output];
    mapping::OutputMovement movement = m_out.mapping.outputs[output];
    const std::int64_t bytes =
        mapping::outputBufferBytes(m_nest, operand, {}, m_out.tiling, m_out.mapping.order);
    const bool joins = movement.reduction != mapping::ReductionTopology::None;
    const std::int64_t partial =
        joins ? mapping::partialBytes(m_nest, operand, m_out.tiling, m_out.mapping.order) : 0;
    OutputPorts ports;
    ports.buffer = addBuffer(operand.name, Buffer::Use::Output, output, std::max(bytes, partial),
                             movement.buffers);
    if (joins) {
      ports.partial =
          addBuffer(operand.name + " partial", Buffer::Use::Partial, output, partial, 1);
      addReduction(operand.name, mapping::splitDims(m_nest, m_out.mapping), movement.reduction,
                   ports.partial, ports.reduction);
    }
    if (movement.gather >= 0) {
      ports.gathered = addBuffer(operand.name + " gathered", Buffer::Use::Gather, output, bytes, 1);
      const DimMask along = DimMask{1} << movement.gather;
      ports.gather = addChannel({fmt::format("{} gather {}", operand.name, dimNames(along)),
                                 Channel::Kind::ToRoot, along, 0, 0, ports.gathered, 1});
    }
    if (movement.usesSharedBuffer()) {
      ports.outgoing = addBuffer(fmt::format("{} in {}", operand.name, m_hw.sharedBuffer().name),
                                 Buffer::Use::SharedOutput, output, bytes, movement.sharedBuffer);
      ports.drain =
          addChannel({operand.name + " drain", Channel::Kind::Drain, 0, 0, 0, ports.outgoing, 1});
    }
    addResident(
        Buffer::Use::Remaining, output, operand.name,
        mapping::residentBytes(m_nest, operand, movement, m_out.tiling, m_out.mapping.order));
    addHeld(output);
    m_outputs.push_back(std::move(ports));
  }

  void addHeld(std::size_t output) {
    const kernel::Operand& operand = m_nest.outputs[output];
    const std::int64_t iterations =
        mapping::heldIterations(m_nest, m_out.mapping, m_out.tiling, operand);
    if (iterations == 0) return;
    addBuffer(operand.name + " held", Buffer::Use::Held, output,
              mapping::heldBytes(operand, 1, m_out.tiling, m_out.mapping.order),
              static_cast<int>(iterations));
  }

  void addResident(Buffer::Use use, std::size_t operand, const std::string& name,
                   std::int64_t bytes) {
    if (bytes > 0) addBuffer(fmt::format("{} {}", name, nameOf(use)), use, operand, bytes, 1);
  }

  // Channels that carry results to coordinate 0 of the dimensions in `split`.
  void addReduction(const std::string& of, DimMask split, mapping::ReductionTopology reduction,
                    BufferId partial, std::vector<PortId>& out) {
    for (int d = m_placement.dims(); d-- > 0;) {
      const DimMask along = DimMask{1} << d;
      if ((split & along) == 0) continue;
      const std::string name = fmt::format("{} reduce {}", of, dimNames(along));
      if (reduction == mapping::ReductionTopology::Chain) {
        // Follows the direction of the links, so that each step is one hop.
        const bool up = m_hw.goesUpwards(m_hw.writePlane(), static_cast<std::size_t>(d));
        out.push_back(
            addChannel({name, Channel::Kind::Neighbour, along, 0, up ? 1 : -1, partial, 1}));
        continue;
      }
      for (int step = 1; step < m_placement.sizeOf(d); step *= 2) {
        out.push_back(addChannel({fmt::format("{} by {}", name, step), Channel::Kind::Pair, along,
                                  0, step, partial, 1}));
      }
    }
  }

  void addReduce(std::size_t reduce) {
    const kernel::AllReduce& of = m_nest.allReduces[reduce];
    const std::int64_t bytes = kernel::resultBytes(of, m_out.tiling.tileSizes);
    const auto buffer = [&](Buffer::Use use) {
      return addBuffer(fmt::format("{} {}", of.name, nameOf(use)), use, reduce, bytes, 1);
    };
    ReducePorts& ports = m_reduces[reduce];
    ports.contribution = buffer(Buffer::Use::Contribution);
    ports.contributed = buffer(Buffer::Use::Contributed);
    ports.total = buffer(Buffer::Use::Total);
    const DimMask dims = mapping::allReduceDims(of, m_out.mapping);
    addReduction(of.name, dims, m_out.mapping.allReduces[reduce], ports.contributed,
                 ports.reduction);
    const bool casts = m_hw.canMulticast(m_hw.readPlane());
    for (const DimMask along : mapping::wayBack(m_hw, dims)) {
      const auto first = static_cast<std::uint8_t>(std::countr_zero(along));
      ports.back.push_back(addChannel({fmt::format("{} back {}", of.name, dimNames(along)),
                                       casts ? Channel::Kind::Multicast : Channel::Kind::Neighbour,
                                       along, first, casts ? 0 : 1, ports.total, 1}));
    }
  }

  void addLocals() {
    for (std::size_t l = 0; l < m_nest.locals.size(); ++l) {
      addBuffer(
          m_nest.locals[l].name, Buffer::Use::Local, l,
          mapping::localBufferBytes(m_nest, m_nest.locals[l], m_out.tiling, m_out.mapping.order),
          1);
    }
  }

  bool assignPrograms(const base::Progress* progress) {
    ProgramWriter writer(m_nest, m_out.mapping, m_out.outputLevel, m_inputs, m_outputs, m_reduces);
    std::map<CoreRole, ProgramId> known;
    m_out.programOfCore.assign(static_cast<std::size_t>(m_placement.coreCount()), {});
    for (std::int32_t core = 0; core < m_placement.coreCount(); ++core) {
      if (progress != nullptr && core % kCoresPerLook == 0 && progress->cancelled()) return false;
      if (!m_placement.active(core)) continue;
      const CoreRole roles =
          roleOf(core, m_placement, m_nest, m_out.mapping, m_out.channels, m_outputs, m_reduces);
      const auto [entry, added] = known.try_emplace(roles, ProgramId::of(m_out.programs.size()));
      if (added) m_out.programs.push_back(writer.write(roles));
      ++m_out.programs[entry->second.index()].cores;
      m_out.programOfCore[static_cast<std::size_t>(core)] = entry->second;
    }
    return true;
  }

  const kernel::TileNest& m_nest;
  const hardware::Topology& m_hw;
  Schedule& m_out;
  Placement m_placement;
  std::vector<InputPorts> m_inputs;
  std::vector<OutputPorts> m_outputs;
  std::vector<ReducePorts> m_reduces;
};

// Checks only what the code above indexes with. mapping::checkMapping decides legality.
Diagnostics checkShape(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                       const hardware::Topology& hw, const mapping::Mapping& mapping) {
  const auto tileSizeOk = [](std::int64_t tileSize) { return tileSize >= 1; };
  const bool fits =
      mapping.tileSize.size() == kernel.loops.size() && mapping.space.size() == hw.dims().size() &&
      mapping.dimOrder.size() == hw.dims().size() && mapping.inputs.size() == nest.inputs.size() &&
      mapping.outputs.size() == nest.outputs.size() &&
      mapping.allReduces.size() == nest.allReduces.size() &&
      std::all_of(mapping.tileSize.begin(), mapping.tileSize.end(), tileSizeOk);
  if (!fits) {
    return {plainError("the mapping was made for another kernel or other hardware",
                       "check it with mapping::checkMapping first")};
  }
  // A process's held slots are a mask with one bit per buffer.
  const std::size_t splitAllReduces = mapping::splitAllReduces(nest, mapping).size();
  if (2 * nest.inputs.size() + 3 * (nest.outputs.size() + splitAllReduces) > 60) {
    return {plainError(
        fmt::format("the kernel has {} operands; schedules hold at most 60 buffers that move",
                    nest.inputs.size() + nest.outputs.size() + splitAllReduces))};
  }
  return {};
}

// Cores count their iterations in 32 bits.
Diagnostics checkTrips(const kernel::Kernel& kernel, const mapping::Tiling& tiling) {
  Diagnostics errors;
  for (std::size_t l = 0; l < tiling.loops.size(); ++l) {
    const std::int64_t trips = tiling.loops[l].trips;
    if (trips <= std::numeric_limits<std::int32_t>::max()) continue;
    errors.push_back(
        plainError(fmt::format("too many iterations to simulate: {} of loop `{}` on one core",
                               trips, kernel.loops[l].name),
                   "use larger tiles"));
  }
  return errors;
}

}  // namespace

base::Result<Schedule> lower(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                             const hardware::Topology& hw, const mapping::Mapping& mapping,
                             const base::Progress* progress) {
  Diagnostics errors = checkShape(kernel, nest, hw, mapping);
  if (!errors.empty()) return errors;
  Schedule schedule;
  schedule.mapping = mapping;
  schedule.tiling = mapping::tilingOf(mapping, kernel, hw);
  errors = checkTrips(kernel, schedule.tiling);
  if (!errors.empty()) return errors;
  schedule.outputLevel = mapping::outputLevel(nest, mapping.order);
  describeOperands(schedule, nest);
  if (!Lowering(nest, hw, schedule).run(progress)) return base::plainError("cancelled");
  return schedule;
}

}  // namespace gridloom::schedule
