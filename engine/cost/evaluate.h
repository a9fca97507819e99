// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cost/evaluator.h"
#include "cost/recurse.h"
#include "cost/terms/all_terms.h"

namespace gridloom::cost {

/// The recursion with all terms of a whole candidate: one function for ranking and explanation.
template <class Observer>
double Evaluator::evaluate(const TiledCandidate& s, std::span<const LoadedCost> costs,
                           Scratch& scratch, Observer& observer, double enough) const {
  scratch.stack.start(s, m_hw.launch());
  for (const LoadedCost& cost : costs) scratch.stack.push(cost);
  return evaluate(scratch.stack, s, costs, scratch, observer, enough);
}

template <class Observer>
double Evaluator::evaluate(const Recursion& stack, const TiledCandidate& s,
                           std::span<const LoadedCost> costs, Scratch& scratch, Observer& observer,
                           double enough) const {
  WholeCandidate whole(s, costs, scratch, m_terms);
  return stack.cycles<AllTerms>({}, whole, observer, enough);
}

}  // namespace gridloom::cost
