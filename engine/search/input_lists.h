// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "hardware/topology.h"
#include "mapping/space.h"
#include "search/movement_plan.h"

namespace gridloom::search {

/// Lists the movements of inputs in one order after the other, and gives those that cost the same
/// one number: an index into `MovementPlan::inputs`.
///
/// A list consists of blocks: movements with transfers at the same levels. Two orders share the
/// numbers of a block if the same loops are outside those levels, so a block is looked up as a
/// whole. Without directives, an order decides a list only by the levels at which the tile moves,
/// so few lists are made.
class InputLists {
 public:
  /// What it gets must outlive it. `forOneOrder`: costs depend on the whole order.
  InputLists(const kernel::TileNest& nest, const hardware::Topology& hw,
             const mapping::Constraints& constraints, const mapping::TileDependences& dependences,
             bool forOneOrder, MovementPlan& plan);

  /// The next order. `mapping` has tile sizes, space, dimOrder and order.
  void startOrder(const mapping::Mapping& mapping);
  /// The options of an input in that order. New ones go to the plan, and those of them that differ
  /// from no other in more buffers alone also to `reads`. Counts points with a violated dependence.
  std::vector<std::uint32_t> of(const mapping::Mapping& mapping, std::size_t input,
                                std::int64_t& tooEarly, std::vector<std::uint32_t>& reads);

 private:
  struct Content {
    std::vector<mapping::InputMovement> movements;
    std::vector<bool> isLean;  ///< none is the same with fewer buffers
  };
  struct Block {
    std::size_t content = 0;            ///< index into `m_contents`
    std::vector<std::uint32_t> digits;  ///< per movement: its place in the list
  };
  struct List {
    std::size_t size = 0;
    std::vector<Block> blocks;
    std::int64_t tooEarly = 0;
  };
  /// Input and content, order where the cost depends on it, sets of loops outside the transfers.
  using Key = std::array<std::uint64_t, 3 + hardware::kMostSharedBuffers>;
  struct HashKey {
    std::size_t operator()(const Key& key) const;
  };

  const List& listOf(const mapping::Mapping& mapping, std::size_t input);
  List makeList(const mapping::Mapping& mapping, std::size_t input);
  std::size_t contentOf(std::vector<mapping::InputMovement> movements);
  std::uint32_t firstOf(std::size_t input, std::size_t content, std::vector<std::uint32_t>& reads);
  Key keyOf(std::size_t input, std::size_t content) const;

  const kernel::TileNest& m_nest;
  const hardware::Topology& m_hw;
  const mapping::Constraints& m_constraints;
  const mapping::TileDependences& m_dependences;
  bool m_forOneOrder;
  MovementPlan& m_plan;
  std::vector<Content> m_contents;
  std::unordered_map<std::uint64_t, List> m_lists;  ///< by input and levels at which the tile moves
  List m_ownList;                                   ///< of an order whose list no other has
  std::unordered_map<Key, std::uint32_t, HashKey> m_first;  ///< number of a block's first movement
  std::vector<std::uint64_t> m_outside;  ///< per number of temporal loops: the set of the outermost
};

}  // namespace gridloom::search
