// SPDX-License-Identifier: Apache-2.0
#include "mapping/neighbours.h"

#include <algorithm>
#include <cstdlib>
#include <span>
#include <tuple>
#include <utility>

#include "mapping/admit.h"
#include "mapping/all_reduce.h"
#include "mapping/layout_options.h"
#include "mapping/transfers.h"

namespace gridloom::mapping {

namespace {

// How far a movement is from a former one, most important first. `deeper`: temporal loops more than
// before; a transfer has as many loops inside it.
auto distance(const InputMovement& m, const InputMovement& former, int deeper) {
  return std::tuple(m.kind != former.kind, m.along != former.along, m.first != former.first,
                    m.usesSharedBuffer() != former.usesSharedBuffer(), m.layout != former.layout,
                    m.shared != former.shared, std::abs(m.level - former.level - deeper),
                    m.buffers != former.buffers, m.sharedBuffers != former.sharedBuffers);
}

auto distance(const OutputMovement& m, const OutputMovement& former, int) {
  return std::tuple(m.reduction != former.reduction, m.gather != former.gather,
                    m.usesSharedBuffer() != former.usesSharedBuffer(), m.layout != former.layout,
                    m.buffers != former.buffers, m.sharedBuffers != former.sharedBuffers);
}

auto distance(ReductionTopology how, ReductionTopology former, int) { return how != former; }

}  // namespace

class Neighbours::Search {
 public:
  Search(Neighbours& in, const Mapping& mapping)
      : m_kernel(in.m_kernel),
        m_nest(in.m_nest),
        m_hw(in.m_hw),
        m_axes(in.m_axes),
        m_constraints(in.m_constraints),
        m_dependences(in.m_dependences),
        m_mapping(mapping) {}

  std::vector<Mapping> find() {
    changeMovements();
    changeTileSizes();
    changeOrder();
    changeSpace();
    return std::move(m_found);
  }

 private:
  auto inputsOf(const Mapping& m) {
    const TileDependences* dependences =
        m_nest.hasProduced() ? &m_dependences[m_dependences.kindOf(m.tileSize)] : nullptr;
    return [this, &m, dependences](std::size_t i) {
      return inputOptions(m_nest, i, m, m_hw, m_constraints, dependences);
    };
  }
  auto outputsOf(const Mapping& m) const {
    return [&](std::size_t o) { return outputOptions(m_nest, o, m, m_hw, m_constraints); };
  }
  auto allReducesOf(const Mapping& m) const {
    return [&](std::size_t r) { return allReduceOptions(m_nest, r, m, m_constraints); };
  }

  // Every choice is legal given the others; only layouts and capacity are left to check.
  void add(const Mapping& m) {
    if (m == m_mapping || std::ranges::find(m_found, m) != m_found.end()) return;
    if (operandOfOtherLayout(m_nest, m) == nullptr && fits(m)) m_found.push_back(m);
  }

  bool fits(const Mapping& m) const {
    const Tiling tiling = tilingOf(m, m_kernel, m_hw);
    return localMemoryBytes(m_nest, m, tiling, m_hw) <= m_hw.local().bytes &&
           overfullSharedBuffer(m_nest, m, tiling, m_hw) == m_hw.sharedBuffers().size();
  }

  template <class Choice, class Options>
  void changeEach(std::vector<Choice> Mapping::*choices, const Options& optionsOf) {
    for (std::size_t n = 0; n < (m_mapping.*choices).size(); ++n) {
      for (const Choice& option : optionsOf(n)) {
        Mapping changed = m_mapping;
        (changed.*choices)[n] = option;
        add(changed);
      }
    }
  }

  void changeMovements() {
    changeEach(&Mapping::inputs, inputsOf(m_mapping));
    changeEach(&Mapping::outputs, outputsOf(m_mapping));
    changeEach(&Mapping::allReduces, allReducesOf(m_mapping));
  }

  void changeTileSizes() {
    for (std::size_t l = 0; l < m_mapping.tileSize.size(); ++l) {
      for (const std::int64_t size : m_axes.tileSizes[l]) {
        Mapping changed = m_mapping;
        changed.tileSize[l] = size;
        for (const LoopId loop : tiedTo(LoopId::of(l))) changed.tileSize[loop.index()] = size;
        addNearest(changed);
      }
    }
  }

  // The loops that must have its tile size.
  std::span<const LoopId> tiedTo(LoopId loop) const {
    for (const auto& tied : m_nest.ties) {
      if (kernel::contains(tied, loop)) return tied;
    }
    return {};
  }

  void changeOrder() {
    const Tiling tiling = tilingOf(m_mapping, m_kernel, m_hw);
    for (std::size_t n = 0; n + 1 < m_mapping.order.size(); ++n) {
      Mapping changed = m_mapping;
      std::swap(changed.order[n], changed.order[n + 1]);
      if (isAllowed(changed.order, tiling)) addWithMovements(std::move(changed));
    }
  }

  bool isAllowed(const std::vector<LoopId>& order, const Tiling& tiling) const {
    return isOrder(m_nest, tiling, order) && admitsOrder(m_constraints, order);
  }

  void changeSpace() {
    for (const SpaceChoice& choice : m_axes.spaces) {
      int loops = 0;
      for (std::size_t d = 0; d < choice.space.size(); ++d) {
        loops += choice.space[d] != m_mapping.space[d] ? 1 : 0;
      }
      const bool ordered = loops == 0 && choice.dimOrder != m_mapping.dimOrder;
      if (loops != 1 && !ordered) continue;
      Mapping changed = m_mapping;
      changed.space = choice.space;
      changed.dimOrder = choice.dimOrder;
      addNearest(changed);
    }
  }

  // With every temporal order that keeps the sequence of the loops that were ordered before.
  void addNearest(Mapping& changed) {
    if (!keepsTies(m_nest, changed.tileSize)) return;
    const Tiling tiling = tilingOf(changed, m_kernel, m_hw);
    if (isRedundant(changed, tiling, m_hw) || !keepsShares(m_nest, tiling)) return;
    for (std::vector<LoopId>& order : ordersLikeBefore(tiling)) {
      if (!isAllowed(order, tiling)) continue;
      changed.order = std::move(order);
      addWithMovements(changed);
    }
  }

  // The former order without loops that have one trip now, and others at every place in it.
  std::vector<std::vector<LoopId>> ordersLikeBefore(const Tiling& tiling) const {
    std::vector<LoopId> kept = m_mapping.order;
    std::erase_if(kept, [&](LoopId loop) { return tiling.loops[loop.index()].trips == 1; });
    std::vector<std::vector<LoopId>> orders{kept};
    for (std::size_t l = 0; l < tiling.loops.size(); ++l) {
      const LoopId loop = LoopId::of(l);
      if (tiling.loops[l].trips == 1 || kernel::contains(kept, loop)) continue;
      std::vector<std::vector<LoopId>> longer;
      for (const std::vector<LoopId>& order : orders) {
        for (std::size_t n = 0; n <= order.size(); ++n) {
          longer.push_back(order);
          longer.back().insert(longer.back().begin() + static_cast<std::ptrdiff_t>(n), loop);
        }
      }
      orders = std::move(longer);
    }
    return orders;
  }

  // False when some operand has no legal choice.
  template <class Choice, class Options>
  bool takeNearest(std::vector<Choice> Mapping::*choices, Mapping& changed,
                   const Options& optionsOf) const {
    const int deeper =
        static_cast<int>(changed.order.size()) - static_cast<int>(m_mapping.order.size());
    for (std::size_t n = 0; n < (changed.*choices).size(); ++n) {
      const Choice& former = (m_mapping.*choices)[n];
      const auto options = optionsOf(n);
      const auto nearest = std::ranges::min_element(
          options, {}, [&](const Choice& option) { return distance(option, former, deeper); });
      if (nearest == options.end()) return false;
      (changed.*choices)[n] = *nearest;
    }
    return true;
  }

  void addWithMovements(Mapping changed) {
    if (takeNearest(&Mapping::inputs, changed, inputsOf(changed)) &&
        takeNearest(&Mapping::outputs, changed, outputsOf(changed)) &&
        takeNearest(&Mapping::allReduces, changed, allReducesOf(changed))) {
      add(changed);
    }
  }

  const kernel::Kernel& m_kernel;
  const kernel::TileNest& m_nest;
  const hardware::Topology& m_hw;
  const Axes& m_axes;
  const Constraints& m_constraints;
  KnownDependences& m_dependences;
  const Mapping& m_mapping;
  std::vector<Mapping> m_found;
};

std::vector<Mapping> Neighbours::of(const Mapping& mapping) {
  return Search(*this, mapping).find();
}

}  // namespace gridloom::mapping
