// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "kernel/kernel.h"

/// Sets of loops.
namespace gridloom::kernel {

using Loops = std::vector<LoopId>;

/// In ascending order, each once.
inline Loops sorted(Loops loops) {
  std::ranges::sort(loops);
  loops.erase(std::unique(loops.begin(), loops.end()), loops.end());
  return loops;
}
/// Ascending; the others keep the order of the first.
inline Loops unite(const Loops& a, const Loops& b) {
  Loops all = a;
  all.insert(all.end(), b.begin(), b.end());
  return sorted(std::move(all));
}
inline Loops without(Loops loops, const Loops& removed) {
  std::erase_if(loops, [&](LoopId loop) { return contains(removed, loop); });
  return loops;
}
inline Loops common(Loops loops, const Loops& kept) {
  std::erase_if(loops, [&](LoopId loop) { return !contains(kept, loop); });
  return loops;
}

}  // namespace gridloom::kernel
