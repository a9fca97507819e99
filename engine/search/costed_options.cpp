// SPDX-License-Identifier: Apache-2.0
#include "search/costed_options.h"

#include <span>

namespace gridloom::search {

using cost::MovementCost;
using cost::TiledCandidate;

void CostedOptions::startItem(const TiledCandidate& candidate, const MovementPlan& movements) {
  m_movements = &movements;
  m_inputs.assign(movements.inputs.size(), kNone);
  m_outputs.assign(movements.outputs.size(), kNone);
  m_joins.clear();
  for (const MovementPlan::AllReduceChoice& splitAllReduce : movements.splitAllReduces) {
    m_joins.emplace_back(splitAllReduce.joins.size(), kNone);
  }
  m_rowCount = cost::paddedRows(*candidate.patterns);
  m_rows.clear();
  m_made.clear();
  m_stages.clear();
}

void CostedOptions::startOrder(const TiledCandidate& candidate) {
  m_alone.start(candidate, m_evaluator.hardware().launch());
}

CostedOption& CostedOptions::add(std::uint32_t& number, const cost::Footprint& footprint) {
  number = static_cast<std::uint32_t>(m_made.size());
  CostedOption& made = m_made.emplace_back();
  made.footprint = footprint;
  made.fitsLocal = footprint.local <= m_evaluator.hardware().local().bytes;
  const auto levels = m_evaluator.hardware().sharedBuffers();
  for (std::size_t k = levels.size(); k-- > 0;) {
    if (footprint.shared[k] > levels[k].bytes) made.overfull = static_cast<int>(k);
  }
  return made;
}

void CostedOptions::finish(CostedOption& made, std::span<const MovementCost> stages) {
  made.cost = cost::flatten(stages.front(), m_evaluator.terms());
  made.held = stages.front().held;
  made.resourceLoads = m_rows.size();
  addRows(made.cost);
  made.firstStage = static_cast<std::uint32_t>(m_stages.size());
  for (const MovementCost& stage : stages.subspan(1)) {
    m_stages.push_back(cost::flatten(stage, m_evaluator.terms()));
    addRows(m_stages.back());
    ++made.stages;
  }
  made.bound = bound(m_alone, made);
  const hardware::GlobalMemory& global = m_evaluator.hardware().global();
  made.memory.add(made.cost, global);
  for (std::uint32_t stage = 0; stage < made.stages; ++stage) {
    made.memory.add(m_stages[made.firstStage + stage], global);
  }
}

void CostedOptions::addRows(const cost::FlatCost& cost) {
  m_rows.resize(m_rows.size() + 2 * m_rowCount);
  loadsOf(cost, std::span(m_rows).last(2 * m_rowCount));
}

double CostedOptions::boundOfStages(cost::Recursion& stack, const CostedOption& option,
                                    double enough) const {
  if (enough < std::numeric_limits<double>::infinity()) {
    // Pushing the stages costs more than asking for the last one alone.
    const double withoutThem = stack.bound(load(option), enough);
    if (withoutThem > enough) return withoutThem;
  }
  for (std::uint32_t stage = 0; stage < option.stages; ++stage) {
    stack.push(stageLoad(option, stage));
  }
  const double bound = stack.bound(load(option), enough);
  for (std::uint32_t stage = 0; stage < option.stages; ++stage) stack.pop();
  return bound;
}

template <class Movement>
std::uint32_t CostedOptions::made(const TiledCandidate& s, std::size_t operand,
                                  const Movement& movement, std::uint32_t& number,
                                  MovementCost (cost::Evaluator::*costOf)(const TiledCandidate&,
                                                                          std::size_t,
                                                                          const Movement&) const) {
  if (number != kNone) return number;
  CostedOption& option = add(number, m_evaluator.footprint(s, operand, movement));
  if (!option.fits()) return number;
  if (movement.usesSharedBuffer()) {
    const cost::Stages stages = m_evaluator.stages(s, operand, movement);
    finish(option, {stages.begin(), stages.size()});
  } else {
    const MovementCost cost = (m_evaluator.*costOf)(s, operand, movement);
    finish(option, {&cost, 1});
  }
  return number;
}

std::uint32_t CostedOptions::input(const TiledCandidate& s, std::size_t operand,
                                   std::uint32_t option) {
  return made(s, operand, m_movements->inputs[option], m_inputs[option], &cost::Evaluator::input);
}

std::uint32_t CostedOptions::output(const TiledCandidate& s, std::size_t operand,
                                    std::uint32_t option) {
  return made(s, operand, m_movements->outputs[option], m_outputs[option],
              &cost::Evaluator::output);
}

std::uint32_t CostedOptions::join(const TiledCandidate& s, std::size_t splitAllReduce,
                                  std::size_t join) {
  std::uint32_t& number = m_joins[splitAllReduce][join];
  if (number != kNone) return number;
  const MovementPlan::AllReduceChoice& of = m_movements->splitAllReduces[splitAllReduce];
  CostedOption& made = add(number, m_evaluator.footprint(s, of.reduce, of.joins[join]));
  if (!made.fitsLocal) return number;
  const MovementCost cost = m_evaluator.allReduce(s, of.reduce, of.joins[join]);
  finish(made, {&cost, 1});
  return number;
}

}  // namespace gridloom::search
