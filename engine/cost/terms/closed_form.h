// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cost/recursion.h"

/// The closed form itself (TL: Li et al., 2025, Sec. 2.5): what holds whatever the moment at which
/// cores act. It cannot be switched off.
namespace gridloom::cost {

/// No level ends before the most loaded resource has moved all bytes of this level and of those
/// further inside.
struct ResourceLoads {
  static constexpr bool kMonotone = true;
  static constexpr Limit kLimit = Limit::Row;
  template <class Context> static double atLevel(const Context&, const LevelNow& now) {
    return now.sums.loaded;
  }
};

/// Nor before the transfers of one operand have followed each other.
struct Chains {
  static constexpr bool kMonotone = true;
  static constexpr Limit kLimit = Limit::Chain;
  template <class Context> static double atLevel(const Context&, const LevelNow& now) {
    return now.sums.chained;
  }
};

}  // namespace gridloom::cost
