// SPDX-License-Identifier: Apache-2.0
#include "cost/partial_bound.h"

#include <algorithm>

#include "cost/resource_loads.h"

namespace gridloom::cost {

namespace {

// Sums are made in another order here than for whole candidates; rounding differs by at most this
// factor.
constexpr double kRounding = 1 - 1e-9;

}  // namespace

std::size_t paddedRows(const TiledCandidate& candidate) {
  return (std::max<std::size_t>(candidate.patterns->resourceCount(), 1) + 3) / 4 * 4;
}

OptionLoad loadOf(const MovementCost& cost, std::span<double> rows) {
  // Resources that never dominate come last; those that fit into the padding do not change the
  // maximum.
  const std::size_t padded = rows.size() / 2;
  const std::size_t count = std::min(padded, cost.pattern->resourceLoads.size());
  std::ranges::fill(rows, 0.0);
  accumulate(rows.data(), cost, cost.weight, count);
  if (!cost.output) accumulateLoad(rows.data() + padded, cost, cost.firstBytes(), count);
  return {&cost, rows.data(), rows.data() + padded};
}

// Adds the cycles of an option at its level, apart from resource loads.
void PartialBound::Level::add(const MovementCost& o) {
  any = true;
  if (o.overlapped && !o.output) {
    chained = std::max(chained, o.issues * o.chain(o.lone()));
    return;
  }
  const double load = o.load(inStep);
  if (o.output) {
    if (!o.overlapped) stored = std::max(stored, o.issues * o.wait(load));
    chained = std::max(chained, o.issues * o.chain(load));
    return;
  }
  // The first transfer of an input is part of the fill.
  const double waits = o.issues - 1;
  fixed = std::max(fixed, waits * (o.wait(load) - load));
  loads += waits * load;
  chained = std::max(chained, waits * o.chain(load));
}

void PartialBound::Whole::add(const MovementCost& o) {
  inside += o.reduction + o.exchange;
  if (!o.output) {
    fill = std::max(fill, o.first);
  } else {
    drain = std::max(drain, o.level == 0 || o.overlapped ? o.last : o.passing);
  }
}

void PartialBound::start(const TiledCandidate& candidate, double launch) {
  m_candidate = &candidate;
  m_launch = launch;
  m_rows = paddedRows(candidate);
  m_share.clear();
  for (const double iterations : candidate.iterations) m_share.push_back(1 / iterations);
  m_options.clear();
  m_whole.assign(1, {candidate.compute.total(), 0, 0});
  m_levels.assign(m_share.size(), {});
  m_busy.assign(m_share.size() * m_rows, 0.0);
  m_filling.assign(m_rows, 0.0);
}

// Adds dimensions along which cores are synchronised: some transfers of the stack then contend with
// each other.
void PartialBound::joinSteps(Level& at, int level, mapping::DimMask along) const {
  if ((along & ~at.inStep) == 0) return;
  at.inStep |= along;
  if (!at.any) return;
  at.fixed = at.loads = at.stored = at.chained = 0;
  for (const MovementCost* o : m_options) {
    if (o->level == level) at.add(*o);
  }
}

void PartialBound::push(const OptionLoad& option) {
  const MovementCost& o = *option.cost;
  const std::size_t before = depth(), after = before + 1, levels = m_share.size();
  m_whole.resize(after + 1);
  m_levels.resize((after + 1) * levels);
  m_busy.resize((after + 1) * levels * m_rows);
  m_filling.resize((after + 1) * m_rows);

  m_whole[after] = m_whole[before];
  m_whole[after].add(o);
  double* filling = m_filling.data() + after * m_rows;
  add(filling - m_rows, option.filling, filling, m_rows);
  m_whole[after].fill = std::max(m_whole[after].fill, maximum(filling, m_rows));
  for (std::size_t l = levels; l-- > 0;) {
    Level& at = m_levels[layout(after, l)];
    at = m_levels[layout(before, l)];
    const double* below = m_busy.data() + layout(before, l) * m_rows;
    double* busy = m_busy.data() + layout(after, l) * m_rows;
    if (o.level < static_cast<int>(l)) {
      std::copy_n(below, m_rows, busy);
      continue;
    }
    add(below, option.resourceLoads, busy, m_rows);
    at.loaded = maximum(busy, m_rows);
    at.busiestChannelCycles += o.busiestChannelCycles;
    joinSteps(at, static_cast<int>(l), o.along);
    if (o.level == static_cast<int>(l)) at.add(o);
  }
  m_options.push_back(&o);
}

double PartialBound::boundWith(const OptionLoad& last) const {
  const MovementCost* o = last.cost;
  Whole whole = m_whole[depth()];
  if (o) whole.add(*o);
  if (o && !o->output) {
    whole.fill = std::max(whole.fill, largestSum(filling(), last.filling, m_rows));
  }
  const Level* levels = m_levels.data() + layout(depth(), 0);
  const double* busy = m_busy.data() + layout(depth(), 0) * m_rows;
  double time = whole.inside;
  double lastIterationCredit = 0, loaded = 0, busiestChannelCycles = 0;
  for (std::size_t l = m_share.size(); l-- > 0;) {
    const bool here = o && o->level == static_cast<int>(l);
    if (!levels[l].any && !here) continue;
    Level at = levels[l];
    if (o && o->level >= static_cast<int>(l)) {
      joinSteps(at, static_cast<int>(l), o->along);
      at.busiestChannelCycles += o->busiestChannelCycles;
      at.loaded = largestSum(busy + l * m_rows, last.resourceLoads, m_rows);
    }
    loaded = at.loaded;
    busiestChannelCycles = at.busiestChannelCycles;
    if (l == 0) break;
    if (here) at.add(*o);
    const double inside = time + std::max(at.fixed + at.loads, at.stored);
    time = std::max({inside, at.chained, loaded, busiestChannelCycles});
    lastIterationCredit += (time - inside) * m_share[l];
  }
  const double cycles = whole.fill + (time - lastIterationCredit) + whole.drain;
  const double firstEnds = whole.fill + m_whole[0].inside * m_share.back();
  return kRounding * (m_launch + std::max({cycles, loaded, busiestChannelCycles, firstEnds}));
}

}  // namespace gridloom::cost
