// SPDX-License-Identifier: Apache-2.0
#include "search/costed_options.h"

#include <span>

namespace gridloom::search {

using cost::OptionCost;
using cost::Skeleton;

void CostedOptions::startItem(const Skeleton& skeleton, const MovementPlan& movements) {
  m_movements = &movements;
  m_inputs.assign(movements.inputs.size(), kNone);
  m_outputs.assign(movements.outputs.size(), kNone);
  m_joins.clear();
  for (const MovementPlan::Meeting& meeting : movements.meetings) {
    m_joins.emplace_back(meeting.joins.size(), kNone);
  }
  m_rowCount = cost::paddedRows(skeleton);
  m_rows.clear();
  m_made.clear();
}

void CostedOptions::startOrder(const Skeleton& skeleton) {
  m_alone.start(skeleton, m_evaluator.hardware().launch());
}

CostedOption& CostedOptions::add(std::uint32_t& number, const cost::Footprint& footprint) {
  number = static_cast<std::uint32_t>(m_made.size());
  CostedOption& made = m_made.emplace_back();
  made.footprint = footprint;
  made.fitsLocal = footprint.local <= m_evaluator.hardware().local().bytes;
  made.fitsMiddle =
      footprint.middle == 0 || footprint.middle <= m_evaluator.hardware().middle().bytes;
  return made;
}

void CostedOptions::finish(CostedOption& made) {
  made.rows = m_rows.size();
  addRows(made.cost);
  if (made.stay) addRows(*made.stay);
  made.bound = bound(m_alone, made);
}

void CostedOptions::addRows(const OptionCost& cost) {
  m_rows.resize(m_rows.size() + 2 * m_rowCount);
  loadOf(cost, std::span(m_rows).last(2 * m_rowCount));
}

double CostedOptions::bound(cost::PartialBound& stack, const CostedOption& option) const {
  if (!option.stay) return stack.bound(load(option));
  stack.push(stayLoad(option));
  const double bound = stack.bound(load(option));
  stack.pop();
  return bound;
}

std::uint32_t CostedOptions::input(const Skeleton& s, std::size_t operand, std::uint32_t option) {
  std::uint32_t& number = m_inputs[option];
  if (number != kNone) return number;
  const mapping::InputMovement& m = m_movements->inputs[option];
  CostedOption& made = add(number, m_evaluator.footprint(s, operand, m));
  if (!made.fitsLocal || !made.fitsMiddle) return number;
  if (m.stays()) made.stay = m_evaluator.stay(s, operand, m);
  made.cost = m_evaluator.input(s, operand, m, made.stay ? &*made.stay : nullptr);
  finish(made);
  return number;
}

std::uint32_t CostedOptions::output(const Skeleton& s, std::size_t operand, std::uint32_t option) {
  std::uint32_t& number = m_outputs[option];
  if (number != kNone) return number;
  const mapping::OutputMovement& m = m_movements->outputs[option];
  CostedOption& made = add(number, m_evaluator.footprint(s, operand, m));
  if (!made.fitsLocal || !made.fitsMiddle) return number;
  made.cost = m_evaluator.output(s, operand, m);
  if (m.stays()) made.stay = m_evaluator.stay(s, operand, m, made.cost);
  finish(made);
  return number;
}

std::uint32_t CostedOptions::join(const Skeleton& s, std::size_t meeting, std::size_t join) {
  std::uint32_t& number = m_joins[meeting][join];
  if (number != kNone) return number;
  const MovementPlan::Meeting& of = m_movements->meetings[meeting];
  CostedOption& made =
      add(number, m_evaluator.footprint(s, m_evaluator.nest().allReduces[of.reduce]));
  if (!made.fitsLocal) return number;
  made.cost = m_evaluator.allReduce(s, of.reduce, of.joins[join]);
  finish(made);
  return number;
}

}  // namespace gridloom::search
