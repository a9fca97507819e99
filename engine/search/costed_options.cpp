// SPDX-License-Identifier: Apache-2.0
#include "search/costed_options.h"

#include <span>

namespace gridloom::search {

using cost::OptionCost;
using cost::Skeleton;
using mapping::InputMovement;
using mapping::OutputMovement;

void CostedOptions::startItem(const Skeleton& skeleton) {
  m_rowCount = cost::paddedRows(skeleton);
  m_rows.clear();
  m_made.clear();
  m_inputs.known.clear();
  m_inputs.heads.fill(kNone);
  m_outputs.known.clear();
  m_outputs.heads.fill(kNone);
}

void CostedOptions::startOrder(const Skeleton& skeleton) {
  if (m_forOneOrder) startItem(skeleton);
  m_alone.start(skeleton, m_evaluator.hardware().launch());
  m_outside.assign(1, 0);
  for (const kernel::LoopId loop : skeleton.mapping.order) {
    m_outside.push_back(m_outside.back() | std::uint64_t{1} << loop.index());
  }
}

template <class Movement, class Make>
std::uint32_t CostedOptions::find(Table<Movement>& table, const Known<Movement>& key,
                                  std::size_t hash, const Make& make) {
  std::uint32_t& head = table.heads[hash % table.heads.size()];
  for (std::uint32_t at = head; at != kNone; at = table.known[at].next) {
    const Known<Movement>& known = table.known[at];
    if (known.operand == key.operand && known.outside == key.outside &&
        known.outsideStay == key.outsideStay && known.movement == key.movement)
      return known.number;
  }
  table.known.push_back(key);
  table.known.back().number = make();
  table.known.back().next = head;
  head = static_cast<std::uint32_t>(table.known.size() - 1);
  return table.known.back().number;
}

std::uint32_t CostedOptions::add(OptionCost cost, std::optional<OptionCost> stay) {
  CostedOption& made = m_made.emplace_back(std::move(cost), std::move(stay));
  made.rows = m_rows.size();
  addRows(made.cost);
  if (made.stay) addRows(*made.stay);
  made.bound = bound(m_alone, made);
  return static_cast<std::uint32_t>(m_made.size() - 1);
}

double CostedOptions::bound(cost::PartialBound& stack, const CostedOption& option) const {
  if (!option.stay) return stack.bound(load(option));
  stack.push(stayLoad(option));
  const double bound = stack.bound(load(option));
  stack.pop();
  return bound;
}

void CostedOptions::addRows(const OptionCost& cost) {
  m_rows.resize(m_rows.size() + 2 * m_rowCount);
  loadOf(cost, std::span(m_rows).last(2 * m_rowCount));
}

std::uint32_t CostedOptions::input(const Skeleton& s, std::size_t operand, const InputMovement& m) {
  Known<InputMovement> key{m, operand, m_outside[m.level], 0};
  if (m.stays()) key.outsideStay = m_outside[static_cast<std::size_t>(m.stay.level)];
  const std::size_t hash = key.outside * 31 + operand * 7 + m.along * 5 + m.first * 3 +
                           static_cast<std::size_t>(m.spread) * 64 + m.buffers * 128;
  return find(m_inputs, key, hash, [&] {
    std::optional<OptionCost> stay;
    if (m.stays()) stay = m_evaluator.stay(s, operand, m);
    return add(m_evaluator.input(s, operand, m), std::move(stay));
  });
}

std::uint32_t CostedOptions::output(const Skeleton& s, std::size_t operand,
                                    const OutputMovement& m) {
  const auto level = static_cast<std::size_t>(s.outputLevel);
  const Known<OutputMovement> key{m, operand, m_outside[level], 0};
  const std::size_t hash = key.outside * 31 + operand * 7 + m.buffers * 3 +
                           static_cast<std::size_t>(m.gather + 1) * 5 +
                           static_cast<std::size_t>(m.combine) * 64;
  return find(m_outputs, key, hash, [&] {
    std::optional<OptionCost> stay;
    if (m.stays()) stay = m_evaluator.stay(s, operand, m);
    return add(m_evaluator.output(s, operand, m), std::move(stay));
  });
}

}  // namespace gridloom::search
