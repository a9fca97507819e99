// SPDX-License-Identifier: Apache-2.0
//
// Which statements of loads and stores stand in one kernel.
#include <algorithm>
#include <map>
#include <set>

#include "importer/forms.h"
#include "importer/mlir_reader.h"

namespace gridloom::importer {

namespace {

// The loops along which a statement reads other elements of its own tensor.
std::set<Loop> carriedLoops(const Statement& statement) {
  std::set<Loop> loops;
  forLoads(*statement.value, [&](const Expr& load) {
    if (load.buffer != statement.target) return;
    for (std::size_t d = 0; d < statement.index.size(); ++d) {
      if (load.index[d] == statement.index[d]) continue;
      for (const auto& [loop, c] : statement.index[d].terms) loops.insert(loop);
    }
  });
  return loops;
}

// For each tensor the last recurrence that reads it and runs along one of its loops: as a softmax
// along its keys, which reads products of the same iteration.
std::map<int, std::size_t> carriedOnBy(const std::vector<Statement>& all) {
  std::map<int, std::set<Loop>> made;
  std::map<int, std::size_t> last;
  for (std::size_t s = 0; s < all.size(); ++s) {
    const std::set<Loop> carried = carriedLoops(all[s]);
    forLoads(*all[s].value, [&](const Expr& load) {
      const std::set<Loop>& loops = made[load.buffer];
      if (std::ranges::any_of(carried, [&](Loop loop) { return loops.contains(loop); }))
        last[load.buffer] = s;
    });
    for (const Linear& form : all[s].index)
      for (const auto& [loop, c] : form.terms) made[all[s].target].insert(loop);
  }
  return last;
}

}  // namespace

// Statements that need each other, or write parts of one tensor, are one kernel with those between
// them: from each statement to the last one that it needs, that writes its tensor, or that carries
// it on.
void Reader::keepTogether() {
  std::vector<Statement>& all = m_program.statements;
  std::map<int, std::size_t> last;
  for (std::size_t s = 0; s < all.size(); ++s) last[all[s].target] = s;
  for (const auto& [buffer, s] : carriedOnBy(all)) last[buffer] = std::max(last[buffer], s);
  std::size_t end = 0;
  int together = -1;
  for (std::size_t s = 0; s < all.size(); ++s) {
    std::size_t until = last[all[s].target];
    forLoads(*all[s].value, [&](const Expr& load) {
      const auto at = last.find(load.buffer);
      if (at != last.end()) until = std::max(until, at->second);
    });
    if (s >= end) together = until > s ? m_carrying++ : -1;
    if (until > s) end = std::max(end, until + 1);
    if (together >= 0) all[s].together = together;
  }
}

}  // namespace gridloom::importer
