// SPDX-License-Identifier: Apache-2.0
#include "search/input_lists.h"

#include <algorithm>
#include <map>
#include <utility>

#include "mapping/constraints.h"
#include "mapping/layout_options.h"
#include "mapping/rotation.h"

namespace gridloom::search {

using mapping::InputMovement;
using mapping::LoopId;

namespace {

using Levels = std::array<std::int8_t, 1 + hardware::kMostSharedBuffers>;

Levels levelsOf(const InputMovement& m) {
  Levels levels{static_cast<std::int8_t>(m.level)};
  for (std::size_t k = 0; k < m.sharedBuffers.size(); ++k) levels[k + 1] = m.sharedBuffers[k].level;
  return levels;
}

// Whether `other` is the same movement with fewer buffers of some memory, and with more of none.
bool needsLess(InputMovement other, const InputMovement& than) {
  if (other == than || other.buffers > than.buffers) return false;
  other.buffers = than.buffers;
  for (std::size_t k = 0; k < than.sharedBuffers.size(); ++k) {
    if (other.sharedBuffers[k].buffers > than.sharedBuffers[k].buffers) return false;
    other.sharedBuffers[k].buffers = than.sharedBuffers[k].buffers;
  }
  return other == than;
}

// Whether two orders have the same list if the tile moves at the same levels in both.
bool dependsOnLevelsAlone(const kernel::Operand& input, std::size_t index,
                          const hardware::Topology& hw, const mapping::Constraints& constraints) {
  return !input.produced && mapping::constraintOn(constraints.inputs, index) == nullptr &&
         constraints.excluded.empty() && mapping::rotatingDims(hw, constraints) == 0;
}

}  // namespace

std::size_t InputLists::HashKey::operator()(const Key& key) const {
  std::uint64_t hash = 0;
  for (const std::uint64_t part : key) {
    hash = (hash ^ part) * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 29;
  }
  return hash;
}

InputLists::InputLists(const kernel::TileNest& nest, const hardware::Topology& hw,
                       const mapping::Constraints& constraints,
                       const mapping::TileDependences& dependences, bool forOneOrder,
                       MovementPlan& plan)
    : m_nest(nest),
      m_hw(hw),
      m_constraints(constraints),
      m_dependences(dependences),
      m_forOneOrder(forOneOrder),
      m_plan(plan) {}

void InputLists::startOrder(const mapping::Mapping& mapping) {
  m_outside.assign(1, 0);
  for (const LoopId loop : mapping.order)
    m_outside.push_back(m_outside.back() | std::uint64_t{1} << loop.index());
}

std::vector<std::uint32_t> InputLists::of(const mapping::Mapping& mapping, std::size_t input,
                                          std::int64_t& tooEarly,
                                          std::vector<std::uint32_t>& reads) {
  const List& list = listOf(mapping, input);
  tooEarly += list.tooEarly;
  std::vector<std::uint32_t> numbers(list.size);
  for (const Block& block : list.blocks) {
    std::uint32_t number = firstOf(input, block.content, reads);
    for (const std::uint32_t digit : block.digits) numbers[digit] = number++;
  }
  return numbers;
}

const InputLists::List& InputLists::listOf(const mapping::Mapping& mapping, std::size_t input) {
  const kernel::Operand& operand = m_nest.inputs[input];
  if (!dependsOnLevelsAlone(operand, input, m_hw, m_constraints))
    return m_ownList = makeList(mapping, input);
  // The list of an input of the epilogue ends at the level of the outputs.
  auto levels = static_cast<std::uint64_t>(mapping::outputLevel(m_nest, mapping.order));
  levels = levels << 8 | mapping.order.size();
  for (const LoopId loop : mapping.order) levels = levels << 1 | (operand.dependsOn(loop) ? 1 : 0);
  const auto [at, isNew] = m_lists.try_emplace(levels << 16 | input);
  if (isNew) at->second = makeList(mapping, input);
  return at->second;
}

InputLists::List InputLists::makeList(const mapping::Mapping& mapping, std::size_t input) {
  List list;
  const auto movements =
      inputOptions(m_nest, input, mapping, m_hw, m_constraints, &m_dependences, &list.tooEarly);
  list.size = movements.size();
  std::map<Levels, std::vector<std::uint32_t>> blocks;
  for (std::uint32_t digit = 0; digit < movements.size(); ++digit)
    blocks[levelsOf(movements[digit])].push_back(digit);
  for (auto& [levels, digits] : blocks) {
    std::vector<InputMovement> block;
    for (const std::uint32_t digit : digits) block.push_back(movements[digit]);
    list.blocks.push_back({contentOf(std::move(block)), std::move(digits)});
  }
  return list;
}

// The index of a block's movements, which blocks of other lists may have, too.
std::size_t InputLists::contentOf(std::vector<InputMovement> movements) {
  const auto known = std::ranges::find(m_contents, movements, &Content::movements);
  if (known != m_contents.end()) return static_cast<std::size_t>(known - m_contents.begin());
  Content made;
  for (const InputMovement& own : movements) {
    made.isLean.push_back(std::ranges::none_of(
        movements, [&](const InputMovement& other) { return needsLess(other, own); }));
  }
  made.movements = std::move(movements);
  m_contents.push_back(std::move(made));
  return m_contents.size() - 1;
}

std::uint32_t InputLists::firstOf(std::size_t input, std::size_t content,
                                  std::vector<std::uint32_t>& reads) {
  const auto next = static_cast<std::uint32_t>(m_plan.inputs.size());
  const auto [at, isNew] = m_first.try_emplace(keyOf(input, content), next);
  if (!isNew) return at->second;
  const Content& made = m_contents[content];
  m_plan.inputs.insert(m_plan.inputs.end(), made.movements.begin(), made.movements.end());
  m_plan.inputOf.resize(m_plan.inputs.size(), static_cast<std::uint32_t>(input));
  for (std::uint32_t n = 0; n < made.movements.size(); ++n) {
    if (made.isLean[n]) reads.push_back(next + n);
  }
  return next;
}

InputLists::Key InputLists::keyOf(std::size_t input, std::size_t content) const {
  const InputMovement& m = m_contents[content].movements.front();
  Key key{std::uint64_t{content} << 16 | input, m_forOneOrder ? m_plan.orders.size() : 0,
          m_outside[m.level]};
  for (int k = m.nextShared(-1); k >= 0; k = m.nextShared(k)) {
    const auto level = static_cast<std::size_t>(k);
    key[3 + level] = m_outside[static_cast<std::size_t>(m.sharedBuffers[level].level)];
  }
  return key;
}

}  // namespace gridloom::search
