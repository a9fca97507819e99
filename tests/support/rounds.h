// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdlib>

namespace gridloom::test {

/// How many random cases a property is tried on: `few`, times GRIDLOOM_ROUNDS of the environment,
/// which `./setup nightly` sets.
inline int rounds(int few) {
  const char* times = std::getenv("GRIDLOOM_ROUNDS");
  return times == nullptr ? few : few * std::max(1, std::atoi(times));
}

}  // namespace gridloom::test
