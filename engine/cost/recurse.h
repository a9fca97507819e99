// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "cost/recursion.h"
#include "cost/resource_loads.h"

/// How `Recursion` turns the sums of all levels into cycles.
namespace gridloom::cost {

// Cycles until the last tile of `store` is stored, beside those that `draining` sums.
inline double Recursion::drainOf(const LoadedCost& store, const double* draining) const {
  return store.cost->latency + largestSumWhere(draining, store.once, m_rows);
}

inline double Recursion::workWith(const LoadedCost& last) const {
  return m_whole[depth()].work + (last.cost ? last.cost->work : 0);
}

inline WholeSums Recursion::wholeWith(const LoadedCost& last) const {
  WholeSums whole = m_whole[depth()];
  if (!last.cost) return whole;
  add(*last.cost, whole);
  if (!last.cost->isStore) {
    const double* filling = m_filling.data() + depth() * m_rows;
    whole.fill = std::max(whole.fill, largestSum(filling, last.once, m_rows));
  } else if (whole.stores > 1) {
    const double* draining = m_draining.data() + depth() * m_rows;
    whole.drain = std::max(whole.drain, drainOf(last, draining));
  }
  return whole;
}

// `last` is at this level or further inside.
inline LevelSums Recursion::levelWith(std::size_t level, const LoadedCost& last) const {
  const FlatCost& o = *last.cost;
  LevelSums sums = m_levels[at(depth(), level)];
  joinSteps(sums, static_cast<int>(level), o);
  const double* busy = m_busy.data() + at(depth(), level) * m_rows;
  sums.loaded = largestSum(busy, last.resourceLoads, m_rows);
  if (o.level == static_cast<int>(level) && level > 0 && !o.isAllReduce) sums.add(o);
  return sums;
}

template <class Terms, class Context, class Observer>
double Recursion::cycles(const LoadedCost& last, Context& context, Observer& observer,
                         double enough) const {
  const double* busy = m_busy.data() + at(depth(), 0) * m_rows;
  double time = workWith(last);
  Terms::each([&]<class Term>() {
    if constexpr (requires { Term::beforeLevels(context); }) {
      const double waits = Term::beforeLevels(context);
      observer.waited(waits);
      time += waits;
    }
  });
  // The last iteration of a level has no next transfer to wait for.
  double lastIterationCredit = 0, loaded = 0;
  const int lastLevel = last.cost ? last.cost->level : -1;
  const bool lastMoves = last.cost && !last.cost->isAllReduce;
  const mapping::DimMask lastScope = last.cost ? last.cost->scope : 0;
  for (std::size_t l = m_share.size(); l-- > 0;) {
    const LevelSums& below = m_levels[at(depth(), l)];
    const int level = static_cast<int>(l);
    if (!below.any && !(lastMoves && lastLevel == level)) continue;
    LevelSums sums = lastLevel >= level ? levelWith(l, last) : below;
    if (lastScope != 0 && lastLevel < level) joinSteps(sums, level, *last.cost);
    loaded = sums.loaded;
    if (l == 0) break;
    const double waited = std::max(sums.fixed + sums.loads, sums.storedFixed + sums.stored);
    LevelNow now{static_cast<int>(l), 1 / m_share[l], time,
                 time + waited,       time + waited,  0,
                 Limit::Inside,       sums,           busy + l * m_rows};
    Terms::each([&]<class Term>() {
      if constexpr (requires { Term::atLevel(context, now); }) {
        const double cycles = Term::atLevel(context, now);
        now.limit = cycles > now.time ? Term::kLimit : now.limit;
        now.time = std::max(now.time, cycles);
        now.moved = std::max(now.moved, cycles);
      }
    });
    const double excess = now.time - now.inside, lastShare = excess * m_share[l];
    lastIterationCredit += lastShare;
    observer.waited(waited);
    if (excess > 0) observer.excess(excess - lastShare, now.limit, now.busy);
    time = endLevel<Terms>(now, context, observer);
    // Levels further out, fill and drain only add to it.
    const double atLeast = m_launch + time - lastIterationCredit;
    if (atLeast > enough) return atLeast;
  }
  Terms::each([&]<class Term>() {
    if constexpr (requires { Term::afterLevels(context); }) {
      const double waits = Term::afterLevels(context);
      observer.waited(waits);
      time += waits;
    }
  });
  return endsAfter<Terms>(time - lastIterationCredit, wholeWith(last), loaded, context, observer,
                          enough);
}

// Adds what follows a level to its time.
template <class Terms, class Context, class Observer>
double Recursion::endLevel(const LevelNow& now, Context& context, Observer& observer) {
  double time = now.time;
  Terms::each([&]<class Term>() {
    if constexpr (requires { Term::afterLevel(context, now); }) {
      const double more = Term::afterLevel(context, now);
      if (more > 0) observer.excess(more, Limit::Chain, now.busy);
      time += more;
    }
  });
  Terms::each([&]<class Term>() {
    if constexpr (requires { Term::endLevel(context, now, time); }) {
      Term::endLevel(context, now, time);
    }
  });
  observer.level(now, time);
  return time;
}

template <class Terms, class Context, class Observer>
double Recursion::endsAfter(double within, const WholeSums& whole, double loaded, Context& context,
                            Observer& observer, double enough) const {
  const double* busy = m_busy.data() + at(depth(), 0) * m_rows;
  double first = whole.fill;
  // All that follows only adds to this.
  const auto atLeast = [&] { return std::max(m_launch + first + within, m_launch + loaded); };
  Terms::each([&]<class Term>() {
    if constexpr (requires { Term::first(context); }) {
      if (atLeast() <= enough) first = std::max(first, Term::first(context));
    }
  });
  if (atLeast() > enough) return atLeast();
  double fill = first;
  Terms::each([&]<class Term>() {
    if constexpr (requires { Term::fill(context, within); }) {
      fill = std::max(fill, Term::fill(context, within));
    }
  });
  double drain = whole.drain;
  Terms::each([&]<class Term>() {
    if constexpr (requires { Term::drain(context); }) drain = std::max(drain, Term::drain(context));
  });
  // A bound takes cores to be as far apart as any load may keep them.
  double apart = fill;
  if constexpr (requires { context.laterApart; })
    apart = std::min(fill, std::max(whole.apart, context.laterApart));
  Terms::each([&]<class Term>() {
    if constexpr (requires { Term::apart(context); }) apart = Term::apart(context);
  });
  drain = std::max(whole.lone, drain - apart);
  observer.fill(fill);
  observer.drain(drain);
  const double cycles = m_launch + fill + within + drain;
  // Fill and drain are times of single transfers; the total busy time of a resource bounds the
  // whole.
  double firstEnds = first + compute() * m_share.back();
  Terms::each([&]<class Term>() {
    if constexpr (requires { Term::remaining(context, busy); }) {
      firstEnds += Term::remaining(context, busy);
    }
  });
  const double least = m_launch + std::max(loaded, firstEnds);
  if (cycles >= least) return cycles;
  observer.excess(least - cycles, Limit::Row, busy);
  return least;
}

}  // namespace gridloom::cost
