// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// A loop of one statement.
using LoopUse = std::pair<std::size_t, LoopId>;

/// Sets of uses that shall be one loop: none of them has two of one statement.
class LoopClasses {
 public:
  void add(LoopUse use) { m_classes.push_back({use}); }

  /// Whether this made one set of two.
  bool join(LoopUse a, LoopUse b) {
    const auto one = find(a), other = find(b);
    if (one == m_classes.end() || other == m_classes.end() || one == other) return false;
    std::set<std::size_t> statements;
    for (const LoopUse& use : *one) statements.insert(use.first);
    const auto isIn = [&](const LoopUse& use) { return statements.contains(use.first); };
    if (std::ranges::any_of(*other, isIn)) return false;
    one->insert(other->begin(), other->end());
    m_classes.erase(other);
    return true;
  }

  bool areOne(LoopUse a, LoopUse b) { return find(a) == find(b); }
  const std::set<LoopUse>& of(LoopUse use) { return *find(use); }
  const std::vector<std::set<LoopUse>>& all() const { return m_classes; }

 private:
  std::vector<std::set<LoopUse>>::iterator find(const LoopUse& use) {
    return std::ranges::find_if(m_classes, [&](const auto& each) { return each.contains(use); });
  }

  std::vector<std::set<LoopUse>> m_classes;
};

}  // namespace gridloom::kernel
