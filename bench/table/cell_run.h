// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace gridloom::bench {

/// A kernel on a machine.
struct Cell {
  std::string kernel, hardware;
  std::vector<std::pair<std::string, std::int64_t>> sizes;  ///< others are the kernel's own

  std::string name() const { return kernel + " on " + hardware; }
  std::string sizesText() const {
    std::string text;
    for (const auto& [name, size] : sizes)
      text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, size);
    return text;
  }
};

/// What became of it.
struct Row {
  Cell cell;
  std::string refusal;  ///< why there is no mapping; the rest is then empty
  std::string mapping;
  double predicted = 0, simulated = 0, utilization = 0;
  double searchSeconds = 0, rerankSeconds = 0;  ///< CPU
  std::size_t simulatedMappings = 0, tooLong = 0;
  /// What holds it up: by the model, by what is busiest in simulation, and the resource of which
  /// twice as much helps most in simulation, with the part of the cycles that it saves. Empty where
  /// that takes too long.
  std::string named, busiest, decisive;
  double saved = 0;
  bool exact = false;
  std::vector<std::string> faults;
};

/// Searches, re-ranks, and checks what must hold of every mapping that is listed. `twice`:
/// simulates the best with twice of each resource, too.
Row runCell(Cell cell, bool twice);

}  // namespace gridloom::bench
