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
}

void CostedOptions::startOrder(const TiledCandidate& candidate) {
  m_alone.start(candidate, m_evaluator.hardware().launch());
}

CostedOption& CostedOptions::add(std::uint32_t& number, const cost::Footprint& footprint) {
  number = static_cast<std::uint32_t>(m_made.size());
  CostedOption& made = m_made.emplace_back();
  made.footprint = footprint;
  made.fitsLocal = footprint.local <= m_evaluator.hardware().local().bytes;
  made.fitsSharedBuffer = footprint.sharedBuffer == 0 ||
                          footprint.sharedBuffer <= m_evaluator.hardware().sharedBuffer().bytes;
  return made;
}

void CostedOptions::finish(CostedOption& made, const MovementCost& cost,
                           const MovementCost* sharedBuffer) {
  made.cost = cost::flatten(cost, m_evaluator.terms());
  made.held = cost.held;
  if (sharedBuffer) made.sharedBuffer = cost::flatten(*sharedBuffer, m_evaluator.terms());
  made.resourceLoads = m_rows.size();
  addRows(made.cost);
  if (made.sharedBuffer) addRows(*made.sharedBuffer);
  made.bound = bound(m_alone, made);
}

void CostedOptions::addRows(const cost::FlatCost& cost) {
  m_rows.resize(m_rows.size() + 2 * m_rowCount);
  loadsOf(cost, std::span(m_rows).last(2 * m_rowCount));
}

double CostedOptions::bound(cost::Recursion& stack, const CostedOption& option) const {
  if (!option.sharedBuffer) return stack.bound(load(option));
  stack.push(sharedBufferLoad(option));
  const double bound = stack.bound(load(option));
  stack.pop();
  return bound;
}

std::uint32_t CostedOptions::input(const TiledCandidate& s, std::size_t operand,
                                   std::uint32_t option) {
  std::uint32_t& number = m_inputs[option];
  if (number != kNone) return number;
  const mapping::InputMovement& m = m_movements->inputs[option];
  CostedOption& made = add(number, m_evaluator.footprint(s, operand, m));
  if (!made.fitsLocal || !made.fitsSharedBuffer) return number;
  if (!m.usesSharedBuffer()) {
    finish(made, m_evaluator.input(s, operand, m));
    return number;
  }
  const MovementCost arrival = m_evaluator.sharedBuffer(s, operand, m);
  finish(made, m_evaluator.input(s, operand, m, &arrival), &arrival);
  return number;
}

std::uint32_t CostedOptions::output(const TiledCandidate& s, std::size_t operand,
                                    std::uint32_t option) {
  std::uint32_t& number = m_outputs[option];
  if (number != kNone) return number;
  const mapping::OutputMovement& m = m_movements->outputs[option];
  CostedOption& made = add(number, m_evaluator.footprint(s, operand, m));
  if (!made.fitsLocal || !made.fitsSharedBuffer) return number;
  const MovementCost leaving = m_evaluator.output(s, operand, m);
  if (!m.usesSharedBuffer()) {
    finish(made, leaving);
    return number;
  }
  const MovementCost written = m_evaluator.sharedBuffer(s, operand, m, leaving);
  finish(made, leaving, &written);
  return number;
}

std::uint32_t CostedOptions::join(const TiledCandidate& s, std::size_t splitAllReduce,
                                  std::size_t join) {
  std::uint32_t& number = m_joins[splitAllReduce][join];
  if (number != kNone) return number;
  const MovementPlan::AllReduceChoice& of = m_movements->splitAllReduces[splitAllReduce];
  CostedOption& made = add(number, m_evaluator.footprint(s, of.reduce, of.joins[join]));
  if (!made.fitsLocal) return number;
  finish(made, m_evaluator.allReduce(s, of.reduce, of.joins[join]));
  return number;
}

}  // namespace gridloom::search
