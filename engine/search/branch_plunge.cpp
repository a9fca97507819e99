// SPDX-License-Identifier: Apache-2.0
// One point per order, as a quick first ranking.
#include <algorithm>

#include "search/branch.h"

namespace gridloom::search {

Branch::Done Branch::plunge(const Task& task, Ranking& out, const base::Progress& progress) {
  start(task, progress);
  if (readsTooLong()) return finishItem(out);
  forOrders([&](Points points) {
    if (points == Points::HoldsNothing || points == Points::NoneFits) return;
    m_done.bound = std::min(m_done.bound, m_orderBound);
    if (points == Points::Open) plungeOrder();
  });
  // Of orders that were not looked at, nothing is known.
  if (m_stopped || progress.cancelled()) m_done.bound = 0;
  return finishItem(out);
}

// The option that fits with the least bound beside the chosen ones; adds its bytes to `bytes`.
const Branch::Option* Branch::leastBound(const Operand& operand, std::size_t depth,
                                         std::int64_t& bytes) {
  const Option* best = nullptr;
  double least = limit();
  std::int64_t withBest = 0;
  for (const Option& o : operand.options) {
    if (o.bound > least || !step()) break;
    const CostedOption& costed = m_costed[o.number];
    const std::int64_t held = cost::Evaluator::moreHeld(m_fixed, costed.held);
    const std::int64_t used = base::saturatingAdd(bytes, base::saturatingAdd(o.localBytes, held));
    const std::int64_t needed = base::saturatingAdd(used, leastBytes(depth + 1));
    if (needed > m_evaluator.hardware().local().bytes || overfull(costed) >= 0) continue;
    const double bound = m_costed.bound(m_bound, costed, least, operand.laterApart);
    if (bound > least || (best != nullptr && bound == least)) continue;
    best = &o;
    least = bound;
    withBest = used;
  }
  bytes = withBest;
  return best;
}

void Branch::plungeOrder() {
  std::int64_t bytes = m_evaluator.stateBytes(m_candidate);
  std::uint64_t choice = 0;
  std::size_t depth = 0;
  for (; depth < m_operands.size(); ++depth) {
    const Operand& operand = m_operands[depth];
    const Option* option = leastBound(operand, depth, bytes);
    if (option == nullptr) break;
    choice += option->digit * operand.radix;
    m_chosen[operand.number] = &m_costed[option->number];
    fix(*m_chosen[operand.number]);
  }
  if (depth == m_operands.size() && step()) {
    ++m_done.tally.evaluated;
    finish(choice);
  }
  while (depth-- > 0) release(*m_chosen[m_operands[depth].number]);
}

}  // namespace gridloom::search
