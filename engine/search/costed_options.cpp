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
  m_costs.clear();
}

void CostedOptions::startOrder(const TiledCandidate& candidate) {
  m_alone.start(candidate, m_evaluator.hardware().launch());
}

template <class FootprintOf>
std::uint32_t CostedOptions::known(std::uint32_t& number, CostedOption::Of of,
                                   std::uint32_t operand, std::uint32_t choice,
                                   const FootprintOf& footprint) {
  if (number != kNone) return number;
  number = static_cast<std::uint32_t>(m_made.size());
  CostedOption& made = m_made.emplace_back(of, operand, choice, footprint());
  const auto levels = m_evaluator.hardware().sharedBuffers();
  for (std::size_t k = levels.size(); k-- > 0;) {
    if (made.footprint.shared[k] > levels[k].bytes) made.overfull = static_cast<int>(k);
  }
  return number;
}

std::uint32_t CostedOptions::input(const TiledCandidate& s, std::uint32_t operand,
                                   std::uint32_t option) {
  return known(m_inputs[option], CostedOption::Of::Input, operand, option,
               [&] { return m_evaluator.footprint(s, operand, m_movements->inputs[option]); });
}

std::uint32_t CostedOptions::output(const TiledCandidate& s, std::uint32_t operand,
                                    std::uint32_t option) {
  return known(m_outputs[option], CostedOption::Of::Output, operand, option,
               [&] { return m_evaluator.footprint(s, operand, m_movements->outputs[option]); });
}

std::uint32_t CostedOptions::join(const TiledCandidate& s, std::uint32_t splitAllReduce,
                                  std::uint32_t join) {
  const MovementPlan::AllReduceChoice& of = m_movements->splitAllReduces[splitAllReduce];
  return known(m_joins[splitAllReduce][join], CostedOption::Of::AllReduce, splitAllReduce, join,
               [&] { return m_evaluator.footprint(s, of.reduce, of.joins[join]); });
}

double CostedOptions::readTime(const TiledCandidate& s, std::uint32_t number) {
  CostedOption& option = m_made[number];
  if (option.of != CostedOption::Of::Input) return 0;
  if (option.read != CostedOption::kNotCosted) return option.read;
  const hardware::GlobalMemory& global = m_evaluator.hardware().global();
  option.read = m_evaluator.bytesRead(s, option.operand, m_movements->inputs[option.choice]) /
                (static_cast<double>(global.channels) * global.readBandwidth);
  return option.read;
}

void CostedOptions::cost(const TiledCandidate& s, std::uint32_t number) {
  CostedOption& option = m_made[number];
  if (option.cost != CostedOption::kNotCosted) return;
  switch (option.of) {
  case CostedOption::Of::Input:
    return costMovement(s, option, m_movements->inputs[option.choice], &cost::Evaluator::input);
  case CostedOption::Of::Output:
    return costMovement(s, option, m_movements->outputs[option.choice], &cost::Evaluator::output);
  case CostedOption::Of::AllReduce:
    const MovementPlan::AllReduceChoice& of = m_movements->splitAllReduces[option.operand];
    const MovementCost cost = m_evaluator.allReduce(s, of.reduce, of.joins[option.choice]);
    return finish(option, {&cost, 1});
  }
}

template <class Movement>
void CostedOptions::costMovement(const TiledCandidate& s, CostedOption& option,
                                 const Movement& movement,
                                 MovementCost (cost::Evaluator::*costOf)(const TiledCandidate&,
                                                                         std::size_t,
                                                                         const Movement&) const) {
  if (movement.usesSharedBuffer()) {
    const cost::Stages stages = m_evaluator.stages(s, option.operand, movement);
    return finish(option, {stages.begin(), stages.size()});
  }
  const MovementCost cost = (m_evaluator.*costOf)(s, option.operand, movement);
  finish(option, {&cost, 1});
}

void CostedOptions::finish(CostedOption& option, std::span<const MovementCost> stages) {
  option.held = stages.front().held;
  option.cost = static_cast<std::uint32_t>(m_costs.size());
  option.stages = static_cast<std::uint32_t>(stages.size() - 1);
  for (const MovementCost& stage : stages) {
    addCost(stage);
    const cost::FlatCost& flat = m_costs.back();
    option.memory.add(flat, m_evaluator.hardware().global());
    if (!flat.isStore) option.apart = std::max(option.apart, flat.apart());
  }
  option.bound = bound(m_alone, option);
}

void CostedOptions::addCost(const MovementCost& stage) {
  m_costs.push_back(cost::flatten(stage, m_evaluator.terms()));
  m_rows.resize(m_rows.size() + 2 * m_rowCount);
  loadsOf(m_costs.back(), std::span(m_rows).last(2 * m_rowCount));
}

double CostedOptions::boundOfStages(cost::Recursion& stack, const CostedOption& option,
                                    double enough, double laterApart) const {
  if (enough < std::numeric_limits<double>::infinity()) {
    // Pushing the stages costs more than asking for the last one alone.
    // A later stage may keep cores farther apart.
    const double withoutThem =
        stack.bound(load(option), enough, std::max(laterApart, option.apart));
    if (withoutThem > enough) return withoutThem;
  }
  for (std::uint32_t stage = 0; stage < option.stages; ++stage) {
    stack.push(stageLoad(option, stage));
  }
  const double bound = stack.bound(load(option), enough, laterApart);
  for (std::uint32_t stage = 0; stage < option.stages; ++stage) stack.pop();
  return bound;
}

}  // namespace gridloom::search
