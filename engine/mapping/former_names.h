// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>
#include <utility>

namespace gridloom::mapping {

/// Values of directives, schedules and result files that earlier versions named differently. Files
/// with a former name are read; only the present name is written.
inline constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kFormerNames{{
    {"l1", "local"},
    {"staged", "two_stage"},
    {"kept", "stationary"},
    {"passed", "forwarded"},
    {"middle", "shared_input"},
    {"outgoing", "shared_output"},
    {"combine", "reduce"},
    {"place", "layout"},
}};

/// The present name of a value; the argument itself when it never had another.
constexpr std::string_view presentName(std::string_view name) {
  for (const auto& [former, present] : kFormerNames) {
    if (name == former) return present;
  }
  return name;
}

}  // namespace gridloom::mapping
