// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "mapping/constraints.h"
#include "mapping/mapping.h"

namespace gridloom::mapping {

namespace {

class Describer {
 public:
  Describer(const kernel::Kernel& kernel, const hardware::Topology& hw, const Mapping& mapping)
      : m_kernel(kernel), m_hw(hw), m_mapping(mapping) {}

  const std::string& loop(LoopId id) const { return m_kernel.loop(id).name; }
  const std::string& dim(std::size_t d) const { return m_hw.dims()[d].name; }

  // Names of the dimensions of a mask, `first` leading.
  std::vector<std::string> dims(DimMask mask, int first) const {
    std::vector<std::string> names;
    if (mask >> first & 1) names.push_back(dim(static_cast<std::size_t>(first)));
    for (std::size_t d = 0; d < m_hw.dims().size(); ++d) {
      if ((mask >> d & 1) && static_cast<int>(d) != first) names.push_back(dim(d));
    }
    return names;
  }

  // Loops that have mesh dimensions, with those in tiling order.
  std::vector<std::pair<LoopId, std::vector<std::string>>> spatial() const {
    std::vector<std::pair<LoopId, std::vector<std::string>>> loops;
    for (const std::uint8_t d : m_mapping.dimOrder) {
      const LoopId id = m_mapping.space[d];
      if (!id.valid()) continue;
      auto at = std::find_if(loops.begin(), loops.end(), [&](auto& l) { return l.first == id; });
      if (at == loops.end()) at = loops.insert(loops.end(), {id, {}});
      at->second.push_back(dim(d));
    }
    return loops;
  }

  // The loop just inside a transfer: what it is hoisted out of.
  std::string level(const InputMovement& movement) const {
    if (movement.level == 0) return "once";
    if (movement.level == m_mapping.order.size()) return {};
    return "over " + loop(m_mapping.order[movement.level]);
  }

  // " in mem_tiles over k x2", for each shared buffer from the cores outwards.
  std::string sharedBuffers(const InputMovement& m) const {
    std::string text;
    for (int k = m.nextShared(-1); k >= 0; k = m.nextShared(k)) {
      const SharedBufferUse& use = m.sharedBuffers[static_cast<std::size_t>(k)];
      const auto level = static_cast<std::size_t>(use.level);
      text += " in " + m_hw.sharedBuffer(static_cast<std::size_t>(k)).name;
      if (use.along != 0) text += fmt::format(" to {}", fmt::join(dims(use.along, 0), " "));
      if (level == 0)
        text += " once";
      else if (level < m_mapping.order.size())
        text += " over " + loop(m_mapping.order[level]);
      if (use.buffers == 2) text += " x2";
    }
    return text;
  }

  // The `buffer` directives of an input: one for each shared buffer, or one that says none is used.
  std::string bufferDirectives(const std::string& tensor, const InputMovement& m) const {
    if (!m.usesSharedBuffer()) return fmt::format("buffer({}, none)\n", tensor);
    std::string out;
    for (std::size_t k = 0; k < m_hw.sharedBuffers().size(); ++k) {
      const SharedBufferUse& use = m.sharedBuffers[k];
      const auto level = static_cast<std::size_t>(use.level);
      if (!use.isUsed()) {
        out += fmt::format("buffer({}, {}, none)\n", tensor, m_hw.sharedBuffer(k).name);
        continue;
      }
      out +=
          fmt::format("buffer({}, {}, {}, {}", tensor, m_hw.sharedBuffer(k).name,
                      level < m_mapping.order.size() ? loop(m_mapping.order[level]) : "innermost",
                      use.buffers == 2 ? "double" : "single");
      if (static_cast<int>(k) != m.nextShared(-1))
        out += use.along == 0 ? ", none" : fmt::format(", {}", fmt::join(dims(use.along, 0), ", "));
      out += ")\n";
    }
    return out;
  }

  std::string bufferDirectives(const std::string& tensor, const OutputMovement& m) const {
    static constexpr const char* kBuffers[] = {"none", "single", "double"};
    if (!m.usesSharedBuffer()) return fmt::format("buffer({}, none)\n", tensor);
    std::string out;
    for (std::size_t k = 0; k < m_hw.sharedBuffers().size(); ++k) {
      out += fmt::format("buffer({}, {}, {})\n", tensor, m_hw.sharedBuffer(k).name,
                         kBuffers[std::min<std::uint8_t>(m.sharedBuffers[k], 2)]);
    }
    return out;
  }

 private:
  const kernel::Kernel& m_kernel;
  const hardware::Topology& m_hw;
  const Mapping& m_mapping;
};

// Empty where the page-interleaved layout is the only choice.
std::string layoutDirective(const hardware::Topology& hw, const std::string& tensor,
                            TensorLayout layout) {
  if (layout == TensorLayout::PageInterleaved && !hw.global().searchesLayouts) return {};
  return fmt::format("layout({}, {})\n", tensor, kLayoutNames[static_cast<std::size_t>(layout)]);
}

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
  for (std::size_t i = 0; i < mapping.inputs.size(); ++i) {
    const InputMovement& m = mapping.inputs[i];
    std::string text = nest.inputs[i].name + " " + describeMovement(kernel, hw, m);
    const std::string level = m.kind == MovementKind::Stationary ? "" : d.level(m);
    if (!level.empty()) text += " " + level;
    if (m.buffers == 2) text += " x2";
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
    if (m.buffers == 2) text += " x2";
    for (int k = m.nextShared(-1); k >= 0; k = m.nextShared(k)) {
      const auto level = static_cast<std::size_t>(k);
      text += fmt::format(" in {}{}", hw.sharedBuffer(level).name,
                          m.sharedBuffers[level] == 2 ? " x2" : "");
    }
    moves.push_back(text + layoutText(m.layout));
  }
  for (std::size_t r = 0; r < mapping.allReduces.size(); ++r) {
    if (mapping.allReduces[r] == ReductionTopology::None) continue;
    moves.push_back(fmt::format("{} all-reduce {}", nest.allReduces[r].name,
                                kReductionNames[static_cast<std::size_t>(mapping.allReduces[r])]));
  }
  return fmt::format("{} | {} | {} | {}", describePlacement(kernel, hw, mapping),
                     fmt::join(tileSizes, " "),
                     order.empty() ? "single wave" : fmt::format("for {}", fmt::join(order, " ")),
                     fmt::join(moves, ", "));
}

std::string printPlacement(const kernel::Kernel& kernel, const hardware::Topology& hw,
                           const Mapping& mapping) {
  const Describer d(kernel, hw, mapping);
  std::string spaces, tiles;
  for (const auto& [loop, dims] : d.spatial()) {
    spaces += fmt::format("space({}->{}) ", d.loop(loop), fmt::join(dims, ", "));
    tiles += fmt::format("tile({}, {}) ", d.loop(loop), mapping.tileSize[loop.index()]);
  }
  for (std::size_t k = 0; k < mapping.space.size(); ++k) {
    if (!mapping.space[k].valid()) spaces += fmt::format("space(->{}) ", d.dim(k));
  }
  std::string out = spaces + tiles;
  if (!out.empty()) out.pop_back();
  return out;
}

std::string printDirectives(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                            const hardware::Topology& hw, const Mapping& mapping) {
  const Describer d(kernel, hw, mapping);
  std::string out;
  for (const auto& [loop, dims] : d.spatial()) {
    out += fmt::format("space({}->{})\n", d.loop(loop), fmt::join(dims, ", "));
  }
  for (std::size_t k = 0; k < mapping.space.size(); ++k) {
    if (!mapping.space[k].valid()) out += fmt::format("space(->{})\n", d.dim(k));
  }
  for (std::size_t l = 0; l < mapping.tileSize.size(); ++l) {
    out += fmt::format("tile({}, {})\n", kernel.loops[l].name, mapping.tileSize[l]);
  }
  if (!mapping.order.empty()) {
    std::vector<std::string> names;
    for (const LoopId loop : mapping.order) names.push_back(d.loop(loop));
    out += fmt::format("order({})\n", fmt::join(names, ", "));
  }
  for (std::size_t i = 0; i < mapping.inputs.size(); ++i) {
    const InputMovement& m = mapping.inputs[i];
    const std::string& name = nest.inputs[i].name;
    const auto dims = fmt::format("{}", fmt::join(d.dims(m.along, m.first), ", "));
    switch (m.kind) {
    case MovementKind::Direct:
      out += fmt::format("direct({})\n", name);
      break;
    case MovementKind::Multicast:
      out += fmt::format("multicast({}, {})\n", name, dims);
      break;
    case MovementKind::TwoStage:
      out += fmt::format("two_stage({}, {})\n", name, dims);
      break;
    case MovementKind::Stream:
      out += fmt::format("stream({}, {})\n", name, dims);
      break;
    case MovementKind::Stationary:
      out += fmt::format("stationary({})\n", name);
      break;
    case MovementKind::Forwarded:
      out += fmt::format("forwarded({})\n", name);
      break;
    case MovementKind::AllGather:
      out += fmt::format("all_gather({}, {})\n", name, dims);
      break;
    case MovementKind::Rotate:
      out += fmt::format("rotate({}, {})\n", name, dims);
      break;
    }
    if (hw.local().sharedDims != 0) {
      const auto mates = fmt::format("{}", fmt::join(d.dims(m.shared, 0), ", "));
      out += fmt::format("shared({}, {})\n", name, m.shared == 0 ? "none" : mates);
    }
    if (m.level < mapping.order.size()) {
      out += m.level == 0 ? fmt::format("prefetch({})\n", name)
                          : fmt::format("hoist({}, {})\n", name, d.loop(mapping.order[m.level]));
    } else if (!mapping.order.empty()) {
      out += fmt::format("hoist({})\n", name);
    }
    out += fmt::format("{}({})\n", m.buffers == 2 ? "double" : "single", name);
    if (hw.hasSharedBuffer()) out += d.bufferDirectives(name, m);
    out += layoutDirective(hw, name, m.layout);
  }
  for (std::size_t i = 0; i < mapping.outputs.size(); ++i) {
    const OutputMovement& m = mapping.outputs[i];
    const std::string& name = nest.outputs[i].name;
    out += fmt::format("reduce({}, {})\n", name,
                       kReductionNames[static_cast<std::size_t>(m.reduction)]);
    out += m.gather < 0
               ? fmt::format("gather({})\n", name)
               : fmt::format("gather({}, {})\n", name, d.dim(static_cast<std::size_t>(m.gather)));
    out += fmt::format("{}({})\n", m.buffers == 2 ? "double" : "single", name);
    if (hw.hasSharedBuffer()) out += d.bufferDirectives(name, m);
    out += layoutDirective(hw, name, m.layout);
  }
  // An all-reduce without a topology spans one core; the placement already implies it.
  for (std::size_t r = 0; r < mapping.allReduces.size(); ++r) {
    if (mapping.allReduces[r] == ReductionTopology::None) continue;
    out += fmt::format("reduce({}, {})\n", nest.allReduces[r].name,
                       kReductionNames[static_cast<std::size_t>(mapping.allReduces[r])]);
  }
  return out;
}

}  // namespace gridloom::mapping
