// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdlib>

namespace gridloom::test {

/// How many random cases a property is tried on: `few`, times GRIDLOOM_ROUNDS of the environment,
/// which `./setup nightly` sets. Without it, a sanitized build tries a quarter, as it is many times
/// slower.
inline int rounds(int few) {
  const char* times = std::getenv("GRIDLOOM_ROUNDS");
  if (times != nullptr) return few * std::max(1, std::atoi(times));
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return (few + 3) / 4;
#else
  return few;
#endif
}

}  // namespace gridloom::test
