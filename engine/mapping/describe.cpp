// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "mapping/constraints.h"
#include "mapping/describer.h"
#include "mapping/units.h"

namespace gridloom::mapping {

namespace {

std::string layoutText(TensorLayout layout) {
  switch (layout) {
  case TensorLayout::PageInterleaved:
    return {};
  case TensorLayout::TileInterleaved:
    return " by tile";
  case TensorLayout::NearestChannel:
    return " nearest";
  case TensorLayout::Local:
    return " local";
  }
  return {};
}

}  // namespace

std::string describeMovement(const kernel::Kernel& kernel, const hardware::Topology& hw,
                             const InputMovement& movement) {
  const Mapping none;
  const Describer d(kernel, hw, none);
  const auto names = fmt::format("{}", fmt::join(d.dims(movement.along, movement.first), ","));
  const std::string shared =
      movement.shared == 0 ? ""
                           : fmt::format(" shared {}", fmt::join(d.dims(movement.shared, 0), ","));
  switch (movement.kind) {
  case MovementKind::Direct:
    return "direct" + shared;
  case MovementKind::Multicast:
    return "multicast " + names + shared;
  case MovementKind::TwoStage:
    return "two-stage " + names + shared;
  case MovementKind::Stream:
    return "stream " + names + shared;
  case MovementKind::Stationary:
    return "stationary";
  case MovementKind::Forwarded:
    return "forwarded";
  case MovementKind::AllGather:
    return "all-gather " + names;
  case MovementKind::Rotate:
    return "rotate " + names;
  }
  return {};
}

std::string describePlacement(const kernel::Kernel& kernel, const hardware::Topology& hw,
                              const Mapping& mapping) {
  const Describer d(kernel, hw, mapping);
  std::vector<std::string> space;
  for (const auto& [loop, dims] : d.spatial()) {
    space.push_back(fmt::format("{}->{}", d.loop(loop), fmt::join(dims, ",")));
  }
  return space.empty() ? "one core" : fmt::format("{}", fmt::join(space, " "));
}

std::string describe(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                     const hardware::Topology& hw, const Mapping& mapping) {
  const Describer d(kernel, hw, mapping);
  std::vector<std::string> tileSizes;
  for (std::size_t l = 0; l < mapping.tileSize.size(); ++l) {
    tileSizes.push_back(fmt::format("{}{}", kernel.loops[l].name, mapping.tileSize[l]));
  }
  std::vector<std::string> order;
  for (const LoopId loop : mapping.order) order.push_back(d.loop(loop));
  std::vector<std::string> moves;
  std::map<std::string, kernel::UnitKind> units = pinnedUnits(kernel, nest);
  for (std::size_t i = 0; i < mapping.inputs.size(); ++i) {
    const InputMovement& m = mapping.inputs[i];
    std::string text = nest.inputs[i].name + " " + describeMovement(kernel, hw, m);
    const std::string level = m.kind == MovementKind::Stationary ? "" : d.level(m);
    if (!level.empty()) text += " " + level;
    if (m.buffers == 2) text += " ×2";
    text += d.sharedBuffers(m);
    moves.push_back(text + layoutText(m.layout));
  }
  for (std::size_t i = 0; i < mapping.outputs.size(); ++i) {
    const OutputMovement& m = mapping.outputs[i];
    std::string text = nest.outputs[i].name;
    if (m.reduction == ReductionTopology::ReduceScatter) {
      text += " reduce-scatter";
    } else if (m.reduction != ReductionTopology::None) {
      text += fmt::format(" {}", kReductionNames[static_cast<std::size_t>(m.reduction)]);
    }
    if (m.gather >= 0) text += " gather " + d.dim(static_cast<std::size_t>(m.gather));
    if (m.buffers == 2) text += " ×2";
    for (int k = m.nextShared(-1); k >= 0; k = m.nextShared(k)) {
      const auto level = static_cast<std::size_t>(k);
      text += fmt::format(" in {}{}", hw.sharedBuffer(level).name,
                          m.sharedBuffers[level] == 2 ? " ×2" : "");
    }
    text += layoutText(m.layout);
    if (const auto unit = units.extract(nest.outputs[i].name))
      text += fmt::format(" on {}", nameOf(unit.mapped()));
    moves.push_back(text);
  }
  for (std::size_t r = 0; r < mapping.allReduces.size(); ++r) {
    if (mapping.allReduces[r] == ReductionTopology::None) continue;
    moves.push_back(fmt::format("{} all-reduce {}", nest.allReduces[r].name,
                                kReductionNames[static_cast<std::size_t>(mapping.allReduces[r])]));
  }
  for (const auto& [tensor, unit] : units) {
    moves.push_back(fmt::format("{} on {}", tensor, nameOf(unit)));
  }
  return fmt::format("{} | {} | {} | {}", describePlacement(kernel, hw, mapping),
                     fmt::join(tileSizes, " "),
                     order.empty() ? "single wave" : fmt::format("for {}", fmt::join(order, " ")),
                     fmt::join(moves, ", "));
}

}  // namespace gridloom::mapping
