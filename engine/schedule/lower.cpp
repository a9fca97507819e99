// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "mapping/all_reduce.h"
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
    m_plan = mapping::transferPlan(m_nest, m_hw, m_out.mapping, m_out.tiling);
    for (std::size_t i = 0; i < m_nest.inputs.size(); ++i) addInput(i);
    for (std::size_t o = 0; o < m_nest.outputs.size(); ++o) {
      m_outputs.push_back(portsOf(m_nest.outputs[o].name, o, m_plan.outputs[o]));
    }
    for (std::size_t r = 0; r < m_nest.allReduces.size(); ++r) {
      m_allReduces.push_back(portsOf(m_nest.allReduces[r].name, r, m_plan.allReduces[r]));
    }
    addLocals();
    m_out.work = m_nest.work;
    m_out.grids = outputGrids(m_nest);
    m_out.localBytes = localBytesOf(m_out, m_hw);
    return assignPrograms(progress);
  }

 private:
  using Step = mapping::TransferStep;

  BufferId addBuffer(std::string name, Buffer::Use use, std::size_t operand, std::int64_t bytes,
                     int slots, std::size_t sharedLevel = 0) {
    m_out.buffers.push_back(
        {std::move(name), use, static_cast<int>(operand), bytes, slots, sharedLevel});
    return BufferId::of(m_out.buffers.size() - 1);
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

  const std::string& nameOf(mapping::Memory shared) const {
    return m_hw.sharedBuffer(shared.level()).name;
  }

  std::string nameOfBuffer(const std::string& operand, const mapping::TileBuffer& buffer) const {
    if (buffer.memory.isShared()) return fmt::format("{} in {}", operand, nameOf(buffer.memory));
    const Buffer::Use use = buffer.use;
    const bool own =
        use == Buffer::Use::Input || use == Buffer::Use::Output || use == Buffer::Use::Stationary;
    return own ? operand : fmt::format("{} {}", operand, schedule::nameOf(use));
  }

  OperandPorts portsOf(const std::string& name, std::size_t operand,
                       const mapping::Transfers& transfers) {
    OperandPorts ports;
    for (const mapping::TileBuffer& buffer : transfers.buffers) {
      const bool shared = buffer.memory.isShared();
      const std::size_t level = shared ? buffer.memory.level() : 0;
      (shared ? ports.shared[level] : ports.buffers[static_cast<std::size_t>(buffer.use)]) =
          addBuffer(nameOfBuffer(name, buffer), buffer.use, operand, buffer.bytes, buffer.slots,
                    level);
    }
    for (std::size_t s = 0; s < transfers.steps.size(); ++s) addChannels(name, transfers, s, ports);
    return ports;
  }

  // The channels of a step. Loads, forwarded tiles and stores to global memory have none.
  void addChannels(const std::string& name, const mapping::Transfers& transfers, std::size_t s,
                   OperandPorts& ports) {
    const Step& step = transfers.steps[s];
    const BufferId own = ports.buffer(Buffer::Use::Input);
    const BufferId total = ports.buffer(Buffer::Use::Total);
    const BufferId partial = ports.buffer(Buffer::Use::Partial);
    const BufferId received = partial.valid() ? partial : ports.buffer(Buffer::Use::Contributed);
    const std::string dims = step.along == 0 ? "" : " " + dimNames(step.along);
    const auto add = [&](const std::string& how, Channel::Kind kind, BufferId target, int by) {
      m_out.channels.push_back({fmt::format("{} {}", name, how), kind, step.along, step.first, by,
                                target, m_out.buffers[target.index()].slots});
      ports.wires.push_back({PortId::of(m_out.channels.size() - 1), s});
    };
    switch (step.kind) {
    case Step::Kind::Load:
    case Step::Kind::Forward:
      return;
    case Step::Kind::Multicast:
      if (step.to.isShared())
        return add(fmt::format("into {}{}", nameOf(step.to), dims), Channel::Kind::Feed,
                   ports.in(step.to), 0);
      if (step.from.isShared()) return add("feed" + dims, Channel::Kind::Feed, own, 0);
      return own.valid() ? add("multicast" + dims, Channel::Kind::Multicast, own, 0)
                         : add("back" + dims, Channel::Kind::Multicast, total, 0);
    case Step::Kind::Stream:
      return own.valid() ? add("stream" + dims, Channel::Kind::Neighbour, own, step.direction)
                         : add("back" + dims, Channel::Kind::Neighbour, total, step.direction);
    case Step::Kind::AllGather:
      return add("all-gather" + dims, Channel::Kind::Ring, own, 0);
    case Step::Kind::Rotate:
      return add("rotate" + dims, Channel::Kind::Rotate, own, 0);
    case Step::Kind::ReduceScatter:
      return add("reduce-scatter " + dims, Channel::Kind::Ring, received, 0);
    case Step::Kind::SharedCopy:
      return add("shared" + dims, Channel::Kind::Share, own, 0);
    case Step::Kind::Chain:
      return add("reduce" + dims, Channel::Kind::Neighbour, received, step.direction);
    case Step::Kind::Tree:
      for (int by = 1; by < m_placement.sizeOf(step.first); by *= 2) {
        add(fmt::format("reduce{} by {}", dims, by), Channel::Kind::Pair, received, by);
      }
      return;
    case Step::Kind::Gather:
      return add("gather" + dims, Channel::Kind::ToRoot, ports.buffer(Buffer::Use::Gather), 0);
    case Step::Kind::Store:
      if (!step.to.isShared()) return;
      return add(step.from.isShared() ? "drain into " + nameOf(step.to) : "drain",
                 Channel::Kind::Drain, ports.in(step.to), 0);
    }
  }

  void addInput(std::size_t input) {
    const kernel::Operand& operand = m_nest.inputs[input];
    const std::size_t first = m_out.buffers.size();
    m_inputs.push_back(portsOf(operand.name, input, m_plan.inputs[input]));
    m_out.buffers[first].need = demandOf(m_nest, operand, m_out.mapping.inputs[input]);
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
    ProgramWriter writer(m_nest, m_plan, static_cast<int>(m_out.mapping.order.size()),
                         m_out.outputLevel, m_inputs, m_outputs, m_allReduces);
    std::map<CoreRole, ProgramId> known;
    m_out.programOfCore.assign(static_cast<std::size_t>(m_placement.coreCount()), {});
    for (std::int32_t core = 0; core < m_placement.coreCount(); ++core) {
      if (progress != nullptr && core % kCoresPerLook == 0 && progress->cancelled()) return false;
      if (!m_placement.active(core)) continue;
      const CoreRole roles = roleOf(core);
      const auto [entry, added] = known.try_emplace(roles, ProgramId::of(m_out.programs.size()));
      if (added) m_out.programs.push_back(writer.write(roles));
      ++m_out.programs[entry->second.index()].cores;
      m_out.programOfCore[static_cast<std::size_t>(core)] = entry->second;
    }
    return true;
  }

  CoreRole roleOf(std::int32_t core) const {
    const auto parts = [&](const std::vector<mapping::Transfers>& transfers,
                           const std::vector<OperandPorts>& ports) {
      std::vector<CoreRole::Part> all;
      for (std::size_t n = 0; n < transfers.size(); ++n) {
        all.push_back(partOf(core, m_placement, transfers[n], ports[n], m_out.channels));
      }
      return all;
    };
    const DimMask split = mapping::splitDims(m_nest, m_out.mapping);
    return {parts(m_plan.inputs, m_inputs), parts(m_plan.outputs, m_outputs),
            parts(m_plan.allReduces, m_allReduces), m_placement.rootOf(core, split) == core};
  }

  const kernel::TileNest& m_nest;
  const hardware::Topology& m_hw;
  Schedule& m_out;
  Placement m_placement;
  mapping::TransferPlan m_plan;
  std::vector<OperandPorts> m_inputs, m_outputs, m_allReduces;
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
