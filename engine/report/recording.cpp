// SPDX-License-Identifier: Apache-2.0
#include "report/recording.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "mapping/all_reduce.h"
#include "mapping/constraints.h"
#include "report/unit_choices.h"
#include "schedule/op_names.h"

namespace gridloom::report {

namespace {

constexpr std::size_t kMostSharesShown = 1'000'000;
/// A wafer has millions of links, and their names would dominate its result.
constexpr std::size_t kMostLinks = 1 << 18, kBusiest = 1000;

std::string nameOf(mapping::MovementKind kind) {
  return std::string(kMovementNames[static_cast<std::size_t>(kind)]);
}

std::string nameOf(mapping::ReductionTopology reduction) {
  return std::string(mapping::kReductionNames[static_cast<std::size_t>(reduction)]);
}

std::string nameOf(mapping::TensorLayout place) {
  return std::string(mapping::kLayoutNames[static_cast<std::size_t>(place)]);
}

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<std::string> alongNames(const hardware::Topology& hw,
                                    const mapping::InputMovement& movement) {
  std::vector<std::string> names;
  const auto dims = hw.dims();
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if ((movement.along >> d & 1U) == 0) continue;
    const auto where = d == movement.first ? names.begin() : names.end();
    names.insert(where, dims[d].name);
  }
  return names;
}

std::vector<std::string> dimNames(const hardware::Topology& hw, mapping::DimMask mask) {
  std::vector<std::string> names;
  for (std::size_t d = 0; d < hw.dims().size(); ++d) {
    if ((mask >> d & 1U) != 0) names.push_back(hw.dims()[d].name);
  }
  return names;
}

template <class Movement, class RecordOf>
std::vector<SharedBufferRecord> recordsOutwards(const Movement& movement,
                                                const RecordOf& recordOf) {
  std::vector<SharedBufferRecord> records;
  for (int k = movement.nextShared(-1); k >= 0; k = movement.nextShared(k)) {
    records.push_back(recordOf(static_cast<std::size_t>(k)));
  }
  return records;
}

std::vector<SharedBufferRecord> sharedBuffers(const hardware::Topology& hw,
                                              const mapping::InputMovement& movement) {
  return recordsOutwards(movement, [&](std::size_t k) -> SharedBufferRecord {
    const mapping::SharedBufferUse& use = movement.sharedBuffers[k];
    return {hw.sharedBuffer(k).name, use.level, use.buffers, dimNames(hw, use.along)};
  });
}

std::vector<SharedBufferRecord> sharedBuffers(const hardware::Topology& hw,
                                              const mapping::OutputMovement& movement) {
  return recordsOutwards(movement, [&](std::size_t k) -> SharedBufferRecord {
    return {hw.sharedBuffer(k).name, 0, movement.sharedBuffers[k], {}};
  });
}

std::vector<double> statesOf(const std::array<double, simulate::kStates>& states) {
  return {states.begin(), states.end()};
}

}  // namespace

HardwareRecord recordOf(const hardware::Topology& hw, const hardware::HardwareSpec& spec,
                        const hardware::ComputeModel& compute) {
  HardwareRecord record;
  record.name = hw.name();
  record.label = spec.label;
  for (const hardware::MeshDim& dim : hw.dims()) record.dims.push_back({dim.name, dim.size});
  record.cores = hw.enabledCores();
  record.clock = hw.clock();
  const double perCore = compute.peakFlops();
  record.peakFlops = perCore * static_cast<double>(hw.enabledCores());
  record.localBytes = hw.local().bytes / hw.local().sharedBy;
  const hardware::GlobalMemory& global = hw.global();
  record.channels = global.channels;
  record.readBandwidth = global.readBandwidth * static_cast<double>(global.channels);
  record.writeBandwidth = global.writeBandwidth * static_cast<double>(global.channels);
  record.duplex = global.duplex;
  return record;
}

KernelRecord recordOf(const kernel::Kernel& kernel) {
  KernelRecord record;
  record.name = kernel.name;
  for (const kernel::Parameter& p : kernel.parameters)
    record.parameters.push_back({p.name, p.value});
  for (const kernel::Loop& loop : kernel.loops) {
    record.loops.push_back({loop.name, std::string(kernel::nameOf(loop.kind)), loop.extent});
  }
  for (const kernel::Tensor& tensor : kernel.tensors) {
    record.tensors.push_back({tensor.name, std::string(kernel::nameOf(tensor.dtype)),
                              std::string(kernel::nameOf(tensor.role)), tensor.shape});
  }
  record.flops = kernel::flopCount(kernel);
  record.compulsoryBytes = kernel::compulsoryBytes(kernel).value;
  return record;
}

MappingRecord recordOf(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                       const hardware::Topology& hw, const mapping::Mapping& mapping,
                       const hardware::ComputeModel& compute) {
  MappingRecord record;
  record.line = mapping::describe(kernel, nest, hw, mapping);
  record.directives = linesOf(mapping::printDirectives(kernel, nest, hw, mapping));
  for (std::size_t l = 0; l < mapping.tileSize.size(); ++l) {
    record.tileSize.push_back({kernel.loops[l].name, mapping.tileSize[l]});
  }
  for (std::size_t d = 0; d < mapping.space.size(); ++d) {
    const kernel::LoopId loop = mapping.space[d];
    record.space.emplace_back(hw.dims()[d].name,
                              loop.valid() ? kernel.loop(loop).name : std::string());
  }
  for (const std::uint8_t d : mapping.dimOrder) record.dimOrder.push_back(hw.dims()[d].name);
  for (const kernel::LoopId loop : mapping.order) record.order.push_back(kernel.loop(loop).name);
  for (std::size_t i = 0; i < mapping.inputs.size(); ++i) {
    const mapping::InputMovement& movement = mapping.inputs[i];
    record.inputs.push_back({nest.inputs[i].name, nameOf(movement.kind), alongNames(hw, movement),
                             movement.level, movement.buffers, sharedBuffers(hw, movement),
                             nameOf(movement.layout), dimNames(hw, movement.shared)});
  }
  for (std::size_t i = 0; i < mapping.outputs.size(); ++i) {
    const mapping::OutputMovement& movement = mapping.outputs[i];
    const bool gathers = movement.gather >= 0;
    record.outputs.push_back(
        {nest.outputs[i].name, nameOf(movement.reduction),
         gathers ? hw.dims()[static_cast<std::size_t>(movement.gather)].name : std::string(),
         movement.buffers, nameOf(movement.layout), sharedBuffers(hw, movement)});
  }
  for (const std::size_t r : mapping::splitAllReduces(nest, mapping)) {
    record.allReduces.push_back({nest.allReduces[r].name, nameOf(mapping.allReduces[r])});
  }
  record.units = unitsOf(kernel, nest, compute, mapping.tileSize);
  return record;
}

ScheduleRecord recordOf(const schedule::Schedule& schedule) {
  ScheduleRecord out;
  out.localBytes = schedule.localBytes;
  for (const schedule::Buffer& buffer : schedule.buffers) {
    out.buffers.push_back(
        {buffer.name, std::string(schedule::nameOf(buffer.use)), buffer.slots, buffer.bytes});
  }
  return out;
}

SimulatedRecord recordOf(const hardware::Topology& hw, const simulate::Simulation& simulation) {
  SimulatedRecord record;
  record.cycles = simulation.cycles;
  record.seconds = simulation.seconds;
  record.tflops = simulation.tflops;
  record.utilization = simulation.utilization;
  record.bottleneck = simulation.bottleneck;
  record.events = simulation.events;
  for (std::size_t s = 0; s < simulate::kStates; ++s) {
    const auto state = static_cast<simulate::State>(s);
    record.states.push_back({std::string(simulate::nameOf(state)), simulation.states[s]});
  }
  record.traffic = simulation.traffic;
  for (std::size_t level = 0; level < simulation.sharedTraffic.size(); ++level)
    record.sharedBuffers.push_back({hw.sharedBuffer(level).name, simulation.sharedTraffic[level]});
  return record;
}

std::vector<ResourceRecord> linkRecords(const hardware::Topology& hw,
                                        const simulate::Simulation& simulation) {
  std::vector<std::size_t> used;
  for (std::size_t l = 0; l < simulation.links.size(); ++l) {
    const network::ResourceUse& use = simulation.links[l];
    if (use.bytes > 0 || use.busy > 0) used.push_back(l);
  }
  if (used.size() > kMostLinks) {
    const auto busier = [&](std::size_t a, std::size_t b) {
      const double first = simulation.links[a].busy, second = simulation.links[b].busy;
      return first > second || (first == second && a < b);
    };
    std::ranges::partial_sort(used, used.begin() + kBusiest, busier);
    used.resize(kBusiest);
  }
  std::vector<ResourceRecord> records;
  for (const std::size_t l : used) {
    const network::ResourceUse& use = simulation.links[l];
    records.push_back({hw.linkName(hardware::LinkId::of(l)), use.busy, use.bytes});
  }
  return records;
}

std::vector<ResourceRecord> channelRecords(const hardware::Topology& hw,
                                           const simulate::Simulation& simulation) {
  std::vector<ResourceRecord> records;
  const auto add = [&](const std::vector<network::ResourceUse>& uses, const char* direction) {
    for (std::size_t c = 0; c < uses.size(); ++c) {
      records.push_back({hw.global().name + " " + std::to_string(c) + " " + direction, uses[c].busy,
                         uses[c].bytes});
    }
  };
  add(simulation.channelReads, "read");
  add(simulation.channelWrites, "write");
  return records;
}

std::vector<CoreRecord> coreRecords(const hardware::Topology& hw,
                                    const simulate::Simulation& simulation) {
  std::vector<CoreRecord> records;
  for (std::size_t c = 0; c < simulation.coreStates.size(); ++c) {
    CoreRecord record;
    record.coordinates.resize(hw.dims().size());
    hw.coordinatesOf(hardware::CoreId::of(c), record.coordinates);
    record.states = statesOf(simulation.coreStates[c]);
    records.push_back(std::move(record));
  }
  return records;
}

OverTimeRecord overTimeRecord(const hardware::Topology& hw,
                              const simulate::Simulation& simulation) {
  const simulate::UseOverTime& use = simulation.overTime;
  OverTimeRecord record{use.binCycles, {}, {}, {}};
  if (use.links.size() + use.cores.size() > kMostSharesShown || use.bins == 0) return record;
  const auto fill = [&](const std::vector<float>& shares, std::vector<UseRecord>& out,
                        const auto& nameOf) {
    for (std::size_t r = 0; r * use.bins < shares.size(); ++r) {
      const auto begin = shares.begin() + static_cast<std::ptrdiff_t>(r * use.bins);
      const auto end = begin + static_cast<std::ptrdiff_t>(use.bins);
      if (std::all_of(begin, end, [](float share) { return share <= 0; })) continue;
      out.push_back({nameOf(r), {begin, end}});
    }
  };
  fill(use.links, record.links,
       [&](std::size_t l) { return hw.linkName(hardware::LinkId::of(l)); });
  fill(use.channels, record.channels,
       [&](std::size_t c) { return hw.global().name + " " + std::to_string(c); });
  std::vector<std::int64_t> at(hw.dims().size());
  fill(use.cores, record.cores, [&](std::size_t c) {
    hw.coordinatesOf(hardware::CoreId::of(c), at);
    return fmt::format("({})", fmt::join(at, ","));
  });
  return record;
}

}  // namespace gridloom::report
