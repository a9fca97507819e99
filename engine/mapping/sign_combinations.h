// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "affine/integer_set.h"

namespace gridloom::mapping {

/// Which signs (-1, 0, 1) several affine expressions have at the same points of a set. Keeps what
/// it found out: searches ask for the same sets again and again.
///
/// Dimensions that no constraint and no expression relate are looked at by themselves, so that sets
/// which differ along one of them share the rest, and a set of several takes as long as the sum of
/// its parts, not their product.
class SignCombinations {
 public:
  using Signs = std::vector<int>;  ///< one per expression

  /// Every combination that occurs, each once; none for an empty set. Where isl gives up, a
  /// combination is assumed to occur.
  std::vector<Signs> of(const affine::IntegerSet& set,
                        const std::vector<affine::LinearExpr>& expressions);

 private:
  struct Part;
  static std::vector<Part> partsOf(const affine::IntegerSet& set,
                                   const std::vector<affine::LinearExpr>& expressions);
  const std::vector<Signs>& of(Part& part);

  std::map<std::vector<std::int64_t>, std::vector<Signs>> m_known;
};

}  // namespace gridloom::mapping
