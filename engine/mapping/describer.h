// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "mapping/mapping.h"

namespace gridloom::mapping {

/// Names of what a mapping chooses.
class Describer {
 public:
  Describer(const kernel::Kernel& kernel, const hardware::Topology& hw, const Mapping& mapping)
      : m_kernel(kernel), m_hw(hw), m_mapping(mapping) {}

  const std::string& loop(LoopId id) const { return m_kernel.loop(id).name; }
  const std::string& dim(std::size_t d) const { return m_hw.dims()[d].name; }

  /// Names of the dimensions of a mask, `first` leading.
  std::vector<std::string> dims(DimMask mask, int first) const {
    std::vector<std::string> names;
    if (mask >> first & 1) names.push_back(dim(static_cast<std::size_t>(first)));
    for (std::size_t d = 0; d < m_hw.dims().size(); ++d) {
      if ((mask >> d & 1) && static_cast<int>(d) != first) names.push_back(dim(d));
    }
    return names;
  }

  /// Loops that have mesh dimensions, with those in tiling order.
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

  /// The loop just inside a transfer: what it is hoisted out of.
  std::string level(const InputMovement& movement) const {
    if (movement.level == 0) return "once";
    if (movement.level == m_mapping.order.size()) return {};
    return "over " + loop(m_mapping.order[movement.level]);
  }

  /// " in mem_tiles over k ×2", for each shared buffer from the cores outwards.
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
      if (use.buffers == 2) text += " ×2";
    }
    return text;
  }

 private:
  const kernel::Kernel& m_kernel;
  const hardware::Topology& m_hw;
  const Mapping& m_mapping;
};

}  // namespace gridloom::mapping
