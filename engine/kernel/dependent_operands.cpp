// SPDX-License-Identifier: Apache-2.0
#include "kernel/dependent_operands.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "kernel/dependent_nest.h"
#include "kernel/statement_ops.h"

namespace gridloom::kernel {

namespace {

using Differences = std::vector<Difference>;

class OperandFinder {
 public:
  OperandFinder(const Kernel& kernel, const EmbeddedStatements& statements,
                const Differences& atEnd, TileNest& nest)
      : m_kernel(kernel), m_statements(statements), m_atEnd(atEnd), m_nest(nest) {}

  // Reads with the most loops come first, so that reads with fewer find a window that contains
  // them.
  void run() {
    findSteppedDims();
    std::vector<Read> reads;
    for (std::size_t s = 0; s < m_kernel.statements.size(); ++s) {
      const Statement& statement = m_kernel.statements[s];
      const auto under = enclosingReductions(statement);
      for (std::size_t n = 0; n < statement.expr.size(); ++n) {
        if (statement.expr[n].op != ExprOp::Read) continue;
        const bool sums = std::ranges::any_of(
            m_statements.placed[s].sums, [&](LoopId loop) { return contains(under[n], loop); });
        reads.push_back({&statement, &m_statements.placed[s],
                         &statement.reads[static_cast<std::size_t>(statement.expr[n].read)], sums});
      }
    }
    std::ranges::stable_sort(reads, std::ranges::greater{},
                             [](const Read& read) { return loopsOf(*read.access).size(); });
    for (const Read& read : reads) addRead(read);
    limitWindows(m_nest.inputs);
    nameWindows(m_nest.inputs);
    for (Operand& input : m_nest.inputs) {
      if (input.produced) input.makers = m_statements.targets[input.tensor.index()];
    }
    for (std::size_t t = 0; t < m_statements.targets.size(); ++t) {
      if (m_statements.targets[t].empty()) continue;
      Access target{TensorId::of(t), {}, {}, {}, {}};
      for (const LoopId loop : m_statements.targets[t]) {
        target.indices.push_back(affine::LinearExpr::dim(loop.index()));
      }
      m_nest.outputs.push_back(windowOf(m_kernel, target, true, Phase::Every));
    }
  }

 private:
  struct Read {
    const Statement* statement;
    const PlacedStatement* placed;
    const Access* access;
    bool sums;
  };

  void addRead(const Read& read) {
    const Differences& elements = read.sums ? read.placed->summed : read.placed->elements;
    const Differences tiles = read.sums ? Differences{} : m_atEnd;
    Operand operand = windowOf(m_kernel, *read.access, false, Phase::Every);
    operand.produced = isOutput(read.access->tensor);
    const GuardPart part{elements, tiles};
    if (!operand.produced) return addRegion(std::move(operand), {part});
    if (isWavefront(*read.access)) return addWavefront(read, operand, part);
    if (readsEarlierStep(m_statements, *read.access) && offsetsOf(*read.access).empty()) {
      return addEarlierStep(read, std::move(operand), part);
    }
    std::vector<GuardPart> parts = otherTiles(read, operand, part);
    if (!parts.empty()) addRegion(std::move(operand), std::move(parts));
  }

  void addRegion(Operand operand, std::vector<GuardPart> parts) {
    for (std::size_t p = 0; p < parts.size(); ++p)
      addPart(operand.guard, std::move(parts[p]), p == 0);
    addWindow(m_nest.inputs, std::move(operand),
              [&](const Operand& window, const Operand& added) { return covers(window, added); });
  }

  // The dimensions along which reads of a tensor need elements before the tile: the first one of
  // each read that does not have the tile's own index.
  void findSteppedDims() {
    m_stepped.resize(m_kernel.tensors.size());
    for (const Statement& statement : m_kernel.statements) {
      for (const Access& read : statement.reads) {
        if (!isOutput(read.tensor)) continue;
        const std::vector<std::int64_t> offsets = offsetsOf(read);
        const auto first = std::ranges::find_if(offsets, [](auto by) { return by < 0; });
        if (first != offsets.end()) {
          m_stepped[read.tensor.index()].insert(static_cast<std::size_t>(first - offsets.begin()));
        }
      }
    }
  }

  // Distances from the element that a statement defines; empty for an access to other loops.
  std::vector<std::int64_t> offsetsOf(const Access& access) const {
    std::vector<std::int64_t> offsets;
    for (std::size_t d = 0; d < access.indices.size(); ++d) {
      const PlainIndex index = *plainIndex(access.indices[d]);
      if (index.loop != m_statements.targetLoop(access.tensor, d)) return {};
      offsets.push_back(index.offset);
    }
    return offsets;
  }

  // Whether tiles need others before them along several dimensions, as in an alignment of two
  // sequences: D[i - 1, j] and D[i, j - 1].
  bool isWavefront(const Access& read) const {
    return m_stepped[read.tensor.index()].size() > 1 && !offsetsOf(read).empty();
  }

  // One window for the elements before the tile along each dimension. Those before it along two
  // dimensions belong to the first one.
  void addWavefront(const Read& read, const Operand& operand, const GuardPart& part) {
    const std::vector<std::int64_t> offsets = offsetsOf(*read.access);
    const std::set<std::size_t>& stepped = m_stepped[read.access->tensor.index()];
    for (const std::size_t dim : stepped) {
      if (offsets[dim] >= 0) continue;
      Operand window = operand;
      window.dims[dim].behind = true;
      for (const std::size_t earlier : stepped) {
        if (earlier >= dim || offsets[earlier] >= 0) continue;
        window.dims[earlier].minOffset = window.dims[earlier].maxOffset = 0;
      }
      GuardPart behind = part;
      std::erase_if(behind.elements,
                    [](const Difference& d) { return !d.a.valid() || !d.b.valid(); });
      behind.tiles.push_back({m_statements.targetLoop(read.access->tensor, dim), {}, 1});
      addRegion(std::move(window), {behind});
    }
  }

  // Elements of an earlier step that other loops index, `r[t - 1, j]` or `d[k - 1, i, k]`.
  void addEarlierStep(const Read& read, Operand operand, GuardPart part) {
    std::size_t dim = 0;
    const auto isEarlier = [&](std::size_t d) {
      const PlainIndex index = *plainIndex(read.access->indices[d]);
      return index.offset < 0 && index.loop == m_statements.targetLoop(read.access->tensor, d);
    };
    while (!isEarlier(dim)) ++dim;
    operand.dims[dim].behind = true;
    std::erase_if(part.elements, [](const Difference& d) { return !d.a.valid() || !d.b.valid(); });
    part.tiles.push_back({m_statements.targetLoop(read.access->tensor, dim), {}, 1});
    addRegion(std::move(operand), {part});
  }

  // A read of another tile than the current one, as cases that exclude each other.
  std::vector<GuardPart> otherTiles(const Read& read, Operand& operand, const GuardPart& base) {
    std::vector<GuardPart> parts;
    GuardPart same = base;
    bool shifted = false;
    for (std::size_t d = 0; d < read.access->indices.size(); ++d) {
      const LoopId loop = m_statements.targetLoop(read.access->tensor, d);
      const PlainIndex index = *plainIndex(read.access->indices[d]);
      if (index.loop == loop) {
        shifted = shifted || index.offset != 0;
        if (index.offset < 0 && !m_behind) m_behind = d;
        continue;
      }
      for (const bool below : {true, false}) {
        GuardPart part = same;
        part.tiles.push_back(below ? Difference{loop, index.loop, 1}
                                   : Difference{index.loop, loop, 1});
        if (isPossible(part)) parts.push_back(std::move(part));
      }
      append(same.tiles, equalLoops(loop, index.loop));
    }
    if (shifted && parts.empty()) {
      // Bounds of single loops only cut the region at the borders of the tensor.
      parts.push_back(base);
      std::erase_if(parts.back().elements,
                    [](const Difference& d) { return !d.a.valid() || !d.b.valid(); });
      if (m_behind) {
        operand.dims[*m_behind].behind = true;
        parts.back().tiles.push_back(
            {m_statements.targetLoop(read.access->tensor, *m_behind), {}, 1});
      }
    }
    m_behind.reset();
    return parts;
  }

  // Elements k < j of loops with the same tile size lie in tiles k <= j.
  bool isPossible(const GuardPart& part) const {
    Differences tiles = part.tiles;
    const auto closed = closureOf(part.elements);
    if (!closed) return false;
    for (const Difference& d : *closed) {
      if (d.a.valid() && d.b.valid() && d.least >= 0 &&
          m_statements.groupOf(d.a) == m_statements.groupOf(d.b)) {
        tiles.push_back({d.a, d.b, 0});
      }
    }
    return closureOf(tiles).has_value();
  }

  // Whether two loops have the same tile number wherever the part holds.
  bool meet(LoopId a, LoopId b, const GuardPart& part) const {
    GuardPart below = part;
    below.elements.insert(below.elements.end(), {{a, {}, 0}, {b, {}, 0}});
    GuardPart above = below;
    below.tiles.push_back({b, a, 1});
    above.tiles.push_back({a, b, 1});
    return m_statements.groupOf(a) == m_statements.groupOf(b) && !isPossible(below) &&
           !isPossible(above);
  }

  bool meetAlways(LoopId a, LoopId b, const TileGuard& guard) const {
    return !guard.always() && std::ranges::all_of(guard.parts, [&](const GuardPart& part) {
      return meet(a, b, part);
    });
  }

  // Sums over all of one dimension, whatever their loops are called.
  bool areBothWhole(const PlainIndex& a, const PlainIndex& b) const {
    const auto isWhole = [&](LoopId loop) {
      return std::ranges::find(m_nest.whole, loop, &TileNest::Whole::loop) != m_nest.whole.end();
    };
    return isWhole(a.loop) && isWhole(b.loop) && a.offset == b.offset &&
           m_kernel.loop(a.loop).extent == m_kernel.loop(b.loop).extent;
  }

  // Whether what an operand's tiles need belongs to a window.
  bool covers(const Operand& window, const Operand& operand) const {
    if (window.tensor != operand.tensor || !gatherAlike(window, operand)) return false;
    const bool wavefront = window.produced && m_stepped[window.tensor.index()].size() > 1;
    for (std::size_t d = 0; d < window.dims.size(); ++d) {
      if (wavefront && window.dims[d].behind != operand.dims[d].behind) return false;
      if (window.dims[d].index == operand.dims[d].index) continue;
      const auto a = plainIndex(window.dims[d].index), b = plainIndex(operand.dims[d].index);
      if (!a || !b || !a->loop.valid() || !b->loop.valid()) return false;
      if (areBothWhole(*a, *b)) continue;
      if (!meetAlways(a->loop, b->loop, operand.guard)) return false;
    }
    return lieTogether(window, operand);
  }

  bool isOutput(TensorId tensor) const {
    return m_kernel.tensor(tensor).role == TensorRole::Output;
  }

  const Kernel& m_kernel;
  const EmbeddedStatements& m_statements;
  const Differences& m_atEnd;
  TileNest& m_nest;
  std::optional<std::size_t> m_behind;
  std::vector<std::set<std::size_t>> m_stepped;  ///< per tensor
};

}  // namespace

void addDependentOperands(const Kernel& kernel, const EmbeddedStatements& statements,
                          const std::vector<Difference>& atEnd, TileNest& nest) {
  OperandFinder(kernel, statements, atEnd, nest).run();
}

}  // namespace gridloom::kernel
