// SPDX-License-Identifier: Apache-2.0
#include "cost/recursion.h"

#include "cost/recurse.h"
#include "cost/terms/all_terms.h"
#include "cost/tiled_candidate.h"

namespace gridloom::cost {

namespace {

// Sums are made in another order for whole candidates; rounding differs by at most this factor.
constexpr double kRounding = 1 - 1e-9;

struct BoundContext {
  double laterApart;
};

}  // namespace

void LevelSums::add(const FlatCost& o) {
  any = true;
  contends |= o.contends;
  if (o.loadsAhead()) {
    chained = std::max(chained, o.pipelined);
    if (const mapping::DimMask shared = o.lockstep & (inStep | inScope); shared != 0) {
      chained = std::max(chained, o.issues * o.chain(o.togetherIn(shared)));
    }
    return;
  }
  const double load = o.load(inStep);
  if (o.isStore) {
    if (!o.overlapped) {
      storedFixed = std::max(storedFixed, o.issues * (o.wait(load) - load));
      stored += o.issues * load;
    }
    chained = std::max(chained, o.issues * o.chain(load));
    return;
  }
  // The first transfer of an input is part of the fill.
  const double waits = o.issues - 1;
  fixed = std::max(fixed, waits * (o.wait(load) - load));
  loads += waits * load;
  chained = std::max(chained, waits * o.chain(load));
}

void Recursion::start(const TiledCandidate& candidate, double launch) {
  m_launch = launch;
  m_rows = paddedRows(*candidate.patterns);
  m_share.clear();
  for (const double iterations : candidate.iterations) m_share.push_back(1 / iterations);
  m_stack.clear();
  m_whole.assign(1, {candidate.compute.total()});
  m_levels.assign(m_share.size(), {});
  m_busy.assign(m_share.size() * m_rows, 0.0);
  m_filling.assign(m_rows, 0.0);
  m_draining.assign(m_rows, 0.0);
}

// Adds dimensions along which cores are synchronised: some transfers of the stack then contend with
// each other.
void Recursion::joinSteps(LevelSums& sums, int level, const FlatCost& joined) const {
  const mapping::DimMask along = joined.level < level ? 0 : joined.along;
  const mapping::DimMask added = (along & ~sums.inStep) | (joined.scope & ~sums.inScope);
  sums.inStep |= along;
  sums.inScope |= joined.scope;
  if ((added & sums.contends) == 0) return;
  sums.fixed = sums.loads = sums.storedFixed = sums.stored = sums.chained = 0;
  for (const FlatCost* o : m_stack) {
    if (o->level == level && !o->isAllReduce) sums.add(*o);
  }
}

void Recursion::fillWith(const LoadedCost& movement) {
  double* filling = m_filling.data() + (depth() + 1) * m_rows;
  if (movement.cost->isStore) {
    std::copy_n(filling - m_rows, m_rows, filling);
    return;
  }
  cost::add(filling - m_rows, movement.once, filling, m_rows);
  WholeSums& whole = m_whole[depth() + 1];
  whole.fill = std::max(whole.fill, maximum(filling, m_rows));
}

void Recursion::drainWith(const LoadedCost& movement) {
  double* draining = m_draining.data() + (depth() + 1) * m_rows;
  WholeSums& whole = m_whole[depth() + 1];
  if (whole.stores == 1 && movement.cost->isStore) {
    std::copy_n(movement.once, m_rows, draining);
  } else if (movement.cost->isStore) {
    whole.drain = std::max(whole.drain, drainOf(movement, draining - m_rows));
    cost::add(draining - m_rows, movement.once, draining, m_rows);
  } else {
    std::copy_n(draining - m_rows, m_rows, draining);
  }
}

void Recursion::push(const LoadedCost& movement) {
  const FlatCost& o = *movement.cost;
  const std::size_t before = depth(), after = before + 1, levels = m_share.size();
  m_whole.resize(after + 1);
  m_levels.resize((after + 1) * levels);
  m_busy.resize((after + 1) * levels * m_rows);
  m_filling.resize((after + 1) * m_rows);
  m_draining.resize((after + 1) * m_rows);

  m_whole[after] = m_whole[before];
  add(o, m_whole[after]);
  fillWith(movement);
  if (m_whole[after].stores > 0) drainWith(movement);
  for (std::size_t l = levels; l-- > 0;) {
    LevelSums& sums = m_levels[at(after, l)];
    sums = m_levels[at(before, l)];
    const double* below = m_busy.data() + at(before, l) * m_rows;
    double* busy = m_busy.data() + at(after, l) * m_rows;
    if (o.level < static_cast<int>(l)) {
      if (o.scope != 0) joinSteps(sums, static_cast<int>(l), o);
      std::copy_n(below, m_rows, busy);
      continue;
    }
    cost::add(below, movement.resourceLoads, busy, m_rows);
    sums.loaded = maximum(busy, m_rows);
    joinSteps(sums, static_cast<int>(l), o);
    if (o.level == static_cast<int>(l) && !o.isAllReduce) sums.add(o);
  }
  m_stack.push_back(&o);
}

double Recursion::bound(const LoadedCost& last, double enough, double laterApart) const {
  BoundContext context{laterApart};
  SilentObserver observer;
  return kRounding * cycles<BoundTerms>(last, context, observer, enough / kRounding);
}

}  // namespace gridloom::cost
