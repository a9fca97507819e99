// SPDX-License-Identifier: Apache-2.0
#include "kernel/tensor_cycles.h"

#include <algorithm>

namespace gridloom::kernel {

namespace {

using Needs = std::vector<std::vector<std::size_t>>;

Needs needsOf(const Kernel& kernel) {
  Needs needs(kernel.tensors.size());
  for (const Statement& statement : kernel.statements) {
    for (const Access& read : statement.reads) {
      needs[statement.target.tensor.index()].push_back(read.tensor.index());
    }
  }
  return needs;
}

// Strongly connected components (Tarjan, 1972): linear in tensors and reads. The recursion is at
// most as deep as there are tensors.
class Components {
 public:
  explicit Components(const Needs& needs)
      : m_needs(needs), m_seen(needs.size()), m_low(needs.size()), m_isOpen(needs.size()) {}

  // Those that are cycles: of several tensors, or of one that needs itself.
  std::vector<std::vector<std::size_t>> cycles() {
    for (std::size_t t = 0; t < m_needs.size(); ++t) {
      if (m_seen[t] == 0) visit(t);
    }
    return std::move(m_cycles);
  }

 private:
  void visit(std::size_t t) {
    m_seen[t] = m_low[t] = ++m_time;
    m_isOpen[t] = true;
    m_open.push_back(t);
    for (const std::size_t next : m_needs[t]) {
      if (m_seen[next] == 0) visit(next);
      if (m_isOpen[next]) m_low[t] = std::min(m_low[t], m_low[next]);
    }
    if (m_low[t] == m_seen[t]) close(t);
  }

  void close(std::size_t first) {
    const auto begin = std::ranges::find(m_open, first);
    std::vector<std::size_t> members(begin, m_open.end());
    m_open.erase(begin, m_open.end());
    for (const std::size_t t : members) m_isOpen[t] = false;
    const bool needsItself = std::ranges::find(m_needs[first], first) != m_needs[first].end();
    if (members.size() > 1 || needsItself) m_cycles.push_back(std::move(members));
  }

  const Needs& m_needs;
  std::vector<std::size_t> m_seen;  ///< when it was first visited; 0: not yet
  std::vector<std::size_t> m_low;   ///< the first visited of those it reaches that are open
  std::vector<bool> m_isOpen;
  std::vector<std::size_t> m_open;
  std::vector<std::vector<std::size_t>> m_cycles;
  std::size_t m_time = 0;
};

}  // namespace

TensorCycles::TensorCycles(const Kernel& kernel) : m_cycle(kernel.tensors.size(), -1) {
  const Needs needs = needsOf(kernel);
  for (const auto& members : Components(needs).cycles()) {
    for (const std::size_t t : members) m_cycle[t] = m_count;
    ++m_count;
  }
}

}  // namespace gridloom::kernel
