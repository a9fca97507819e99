// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "mapping/constraints.h"

namespace gridloom::search {

/// General advice where directives leave no mapping.
inline constexpr const char* kLoosen =
    "`gridloom show --space` lists what there is; loosen what `not` and `isolate` "
    "exclude";

/// Under which conditions directives about an input, or an output, leave a legal choice.
std::string hintAbout(const mapping::Constraints::Input& asked);
std::string hintAbout(const mapping::Constraints::Output& asked);

/// The same by operand; general advice for an operand without directives.
template <class Asked>
std::string hintAbout(const std::map<int, Asked>& asked, std::size_t operand) {
  const auto found = asked.find(static_cast<int>(operand));
  return found == asked.end() ? kLoosen : hintAbout(found->second);
}

}  // namespace gridloom::search
