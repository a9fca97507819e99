// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "mapping/constraints.h"
#include "mapping/describer.h"
#include "mapping/units.h"

namespace gridloom::mapping {

namespace {

// The `buffer` directives of an input: one for each shared buffer, or one that says none is used.
std::string bufferDirectives(const Describer& d, const hardware::Topology& hw,
                             const Mapping& mapping, const std::string& tensor,
                             const InputMovement& m) {
  if (!m.usesSharedBuffer()) return fmt::format("buffer({}, none)\n", tensor);
  std::string out;
  for (std::size_t k = 0; k < hw.sharedBuffers().size(); ++k) {
    const SharedBufferUse& use = m.sharedBuffers[k];
    const auto level = static_cast<std::size_t>(use.level);
    if (!use.isUsed()) {
      out += fmt::format("buffer({}, {}, none)\n", tensor, hw.sharedBuffer(k).name);
      continue;
    }
    out += fmt::format("buffer({}, {}, {}, {}", tensor, hw.sharedBuffer(k).name,
                       level < mapping.order.size() ? d.loop(mapping.order[level]) : "innermost",
                       use.buffers == 2 ? "double" : "single");
    if (static_cast<int>(k) != m.nextShared(-1))
      out += use.along == 0 ? ", none" : fmt::format(", {}", fmt::join(d.dims(use.along, 0), ", "));
    out += ")\n";
  }
  return out;
}

std::string bufferDirectives(const hardware::Topology& hw, const std::string& tensor,
                             const OutputMovement& m) {
  static constexpr const char* kBuffers[] = {"none", "single", "double"};
  if (!m.usesSharedBuffer()) return fmt::format("buffer({}, none)\n", tensor);
  std::string out;
  for (std::size_t k = 0; k < hw.sharedBuffers().size(); ++k) {
    out += fmt::format("buffer({}, {}, {})\n", tensor, hw.sharedBuffer(k).name,
                       kBuffers[std::min<std::uint8_t>(m.sharedBuffers[k], 2)]);
  }
  return out;
}

// Empty where the page-interleaved layout is the only choice.
std::string layoutDirective(const hardware::Topology& hw, const std::string& tensor,
                            TensorLayout layout) {
  if (layout == TensorLayout::PageInterleaved && !hw.global().searchesLayouts) return {};
  return fmt::format("layout({}, {})\n", tensor, kLayoutNames[static_cast<std::size_t>(layout)]);
}

// The directive that names how an input moves.
std::string movementDirective(const Describer& d, const std::string& name, const InputMovement& m) {
  const auto dims = fmt::format("{}", fmt::join(d.dims(m.along, m.first), ", "));
  switch (m.kind) {
  case MovementKind::Direct:
    return fmt::format("direct({})\n", name);
  case MovementKind::Multicast:
    return fmt::format("multicast({}, {})\n", name, dims);
  case MovementKind::TwoStage:
    return fmt::format("two_stage({}, {})\n", name, dims);
  case MovementKind::Stream:
    return fmt::format("stream({}, {})\n", name, dims);
  case MovementKind::Stationary:
    return fmt::format("stationary({})\n", name);
  case MovementKind::Forwarded:
    return fmt::format("forwarded({})\n", name);
  case MovementKind::AllGather:
    return fmt::format("all_gather({}, {})\n", name, dims);
  case MovementKind::Rotate:
    return fmt::format("rotate({}, {})\n", name, dims);
  }
  return {};
}

std::string inputDirectives(const Describer& d, const hardware::Topology& hw,
                            const Mapping& mapping, const std::string& name,
                            const InputMovement& m) {
  std::string out = movementDirective(d, name, m);
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
  if (hw.hasSharedBuffer()) out += bufferDirectives(d, hw, mapping, name, m);
  out += layoutDirective(hw, name, m.layout);
  return out;
}

std::string outputDirectives(const Describer& d, const hardware::Topology& hw,
                             const std::string& name, const OutputMovement& m) {
  std::string out =
      fmt::format("reduce({}, {})\n", name, kReductionNames[static_cast<std::size_t>(m.reduction)]);
  out += m.gather < 0
             ? fmt::format("gather({})\n", name)
             : fmt::format("gather({}, {})\n", name, d.dim(static_cast<std::size_t>(m.gather)));
  out += fmt::format("{}({})\n", m.buffers == 2 ? "double" : "single", name);
  if (hw.hasSharedBuffer()) out += bufferDirectives(hw, name, m);
  out += layoutDirective(hw, name, m.layout);
  return out;
}

}  // namespace

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
  for (const auto& [tensor, unit] : pinnedUnits(kernel, nest)) {
    out += fmt::format("unit({}, {})\n", tensor, nameOf(unit));
  }
  for (std::size_t i = 0; i < mapping.inputs.size(); ++i) {
    out += inputDirectives(d, hw, mapping, nest.inputs[i].name, mapping.inputs[i]);
  }
  for (std::size_t i = 0; i < mapping.outputs.size(); ++i) {
    out += outputDirectives(d, hw, nest.outputs[i].name, mapping.outputs[i]);
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
