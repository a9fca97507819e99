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

  // "via mem_tiles over k x2"
  std::string stay(const Stay& s) const {
    const auto level = static_cast<std::size_t>(s.level);
    const std::string held = level == 0 ? " once"
                             : level < m_mapping.order.size()
                                 ? " over " + loop(m_mapping.order[level])
                                 : "";
    return fmt::format("via {}{}{}", m_hw.middle().name, held, s.buffers == 2 ? " x2" : "");
  }

  // What follows the tensor in its `via` directive.
  std::string viaNames(const InputMovement& m) const {
    if (!m.stays()) return "none";
    const auto level = static_cast<std::size_t>(m.stay.level);
    return fmt::format("{}, {}, {}", m_hw.middle().name,
                       level < m_mapping.order.size() ? loop(m_mapping.order[level]) : "innermost",
                       m.stay.buffers == 2 ? "double" : "single");
  }

 private:
  const kernel::Kernel& m_kernel;
  const hardware::Topology& m_hw;
  const Mapping& m_mapping;
};

// Where pages are the only choice, they go without saying.
std::string placeDirective(const hardware::Topology& hw, const std::string& tensor, Place place) {
  if (place == Place::Page && !hw.global().searchesPlaces) return {};
  return fmt::format("place({}, {})\n", tensor, kPlaceNames[static_cast<std::size_t>(place)]);
}

std::string placeText(Place place) {
  switch (place) {
  case Place::Page:
    return {};
  case Place::Tile:
    return " by tile";
  case Place::Nearest:
    return " nearest";
  case Place::Local:
    return " in l1";
  }
  return {};
}

}  // namespace

std::string describeSpread(const kernel::Kernel& kernel, const hardware::Topology& hw,
                           const InputMovement& movement) {
  const Mapping none;
  const Describer d(kernel, hw, none);
  const auto names = fmt::format("{}", fmt::join(d.dims(movement.along, movement.first), ","));
  const std::string shared =
      movement.shared == 0 ? ""
                           : fmt::format(" shared {}", fmt::join(d.dims(movement.shared, 0), ","));
  switch (movement.spread) {
  case Spread::Direct:
    return "direct" + shared;
  case Spread::Multicast:
    return "mcast " + names + shared;
  case Spread::Staged:
    return "staged " + names + shared;
  case Spread::Stream:
    return "stream " + names + shared;
  case Spread::Kept:
    return "kept";
  case Spread::Passed:
    return "passed";
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
  std::vector<std::string> blocks;
  for (std::size_t l = 0; l < mapping.block.size(); ++l) {
    blocks.push_back(fmt::format("{}{}", kernel.loops[l].name, mapping.block[l]));
  }
  std::vector<std::string> order;
  for (const LoopId loop : mapping.order) order.push_back(d.loop(loop));
  std::vector<std::string> moves;
  for (std::size_t i = 0; i < mapping.inputs.size(); ++i) {
    const InputMovement& m = mapping.inputs[i];
    std::string text = nest.inputs[i].name + " " + describeSpread(kernel, hw, m);
    const std::string level = m.spread == Spread::Kept ? "" : d.level(m);
    if (!level.empty()) text += " " + level;
    if (m.buffers == 2) text += " x2";
    if (m.stays()) text += " " + d.stay(m.stay);
    moves.push_back(text + placeText(m.place));
  }
  for (std::size_t i = 0; i < mapping.outputs.size(); ++i) {
    const OutputMovement& m = mapping.outputs[i];
    std::string text = nest.outputs[i].name;
    if (m.combine != Combine::None) text += m.combine == Combine::Chain ? " chain" : " tree";
    if (m.gather >= 0) text += " gather " + d.dim(static_cast<std::size_t>(m.gather));
    if (m.buffers == 2) text += " x2";
    if (m.stays()) text += fmt::format(" via {}{}", hw.middle().name, m.stay == 2 ? " x2" : "");
    moves.push_back(text + placeText(m.place));
  }
  for (std::size_t r = 0; r < mapping.allReduces.size(); ++r) {
    if (mapping.allReduces[r] == Combine::None) continue;
    moves.push_back(fmt::format("{} all-reduce {}", nest.allReduces[r].name,
                                kCombineNames[static_cast<std::size_t>(mapping.allReduces[r])]));
  }
  return fmt::format("{} | {} | {} | {}", describePlacement(kernel, hw, mapping),
                     fmt::join(blocks, " "),
                     order.empty() ? "single wave" : fmt::format("for {}", fmt::join(order, " ")),
                     fmt::join(moves, ", "));
}

std::string printPlacement(const kernel::Kernel& kernel, const hardware::Topology& hw,
                           const Mapping& mapping) {
  const Describer d(kernel, hw, mapping);
  std::string spaces, tiles;
  for (const auto& [loop, dims] : d.spatial()) {
    spaces += fmt::format("space({}->{}) ", d.loop(loop), fmt::join(dims, ", "));
    tiles += fmt::format("tile({}, {}) ", d.loop(loop), mapping.block[loop.index()]);
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
  for (std::size_t l = 0; l < mapping.block.size(); ++l) {
    out += fmt::format("tile({}, {})\n", kernel.loops[l].name, mapping.block[l]);
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
    switch (m.spread) {
    case Spread::Direct:
      out += fmt::format("direct({})\n", name);
      break;
    case Spread::Multicast:
      out += fmt::format("broadcast({}, {})\n", name, dims);
      break;
    case Spread::Staged:
      out += fmt::format("stage({}, {})\n", name, dims);
      break;
    case Spread::Stream:
      out += fmt::format("stream({}, {})\n", name, dims);
      break;
    case Spread::Kept:
      out += fmt::format("keep({})\n", name);
      break;
    case Spread::Passed:
      out += fmt::format("pass({})\n", name);
      break;
    }
    if (hw.local().sharedDims != 0) {
      const auto mates = fmt::format("{}", fmt::join(d.dims(m.shared, 0), ", "));
      out += fmt::format("share({}, {})\n", name, m.shared == 0 ? "none" : mates);
    }
    if (m.level < mapping.order.size()) {
      out += m.level == 0 ? fmt::format("prefetch({})\n", name)
                          : fmt::format("hoist({}, {})\n", name, d.loop(mapping.order[m.level]));
    } else if (!mapping.order.empty()) {
      out += fmt::format("hoist({})\n", name);
    }
    out += fmt::format("{}({})\n", m.buffers == 2 ? "double" : "single", name);
    if (hw.hasMiddle()) out += fmt::format("via({}, {})\n", name, d.viaNames(m));
    out += placeDirective(hw, name, m.place);
  }
  for (std::size_t i = 0; i < mapping.outputs.size(); ++i) {
    const OutputMovement& m = mapping.outputs[i];
    const std::string& name = nest.outputs[i].name;
    out +=
        fmt::format("combine({}, {})\n", name, kCombineNames[static_cast<std::size_t>(m.combine)]);
    out += m.gather < 0
               ? fmt::format("gather({})\n", name)
               : fmt::format("gather({}, {})\n", name, d.dim(static_cast<std::size_t>(m.gather)));
    out += fmt::format("{}({})\n", m.buffers == 2 ? "double" : "single", name);
    if (hw.hasMiddle()) {
      static constexpr const char* kBuffers[] = {"", ", single", ", double"};
      out += fmt::format("via({}, {}{})\n", name, m.stays() ? hw.middle().name : "none",
                         kBuffers[std::min<std::uint8_t>(m.stay, 2)]);
    }
    out += placeDirective(hw, name, m.place);
  }
  // Where no core has a share only, the placement says so.
  for (std::size_t r = 0; r < mapping.allReduces.size(); ++r) {
    if (mapping.allReduces[r] == Combine::None) continue;
    out += fmt::format("combine({}, {})\n", nest.allReduces[r].name,
                       kCombineNames[static_cast<std::size_t>(mapping.allReduces[r])]);
  }
  return out;
}

}  // namespace gridloom::mapping
