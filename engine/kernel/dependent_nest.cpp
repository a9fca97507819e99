// SPDX-License-Identifier: Apache-2.0
#include "kernel/dependent_nest.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernel/element_order.h"
#include "kernel/statement_ops.h"

namespace gridloom::kernel {

namespace {

using Loops = std::vector<LoopId>;
using Differences = std::vector<Difference>;

Differences equal(LoopId a, LoopId b, std::int64_t by = 0) { return {{a, b, by}, {b, a, -by}}; }

void append(Differences& to, const Differences& more) {
  to.insert(to.end(), more.begin(), more.end());
}

/// An index of the form `loop + constant`, or a constant (no loop).
struct Index {
  LoopId loop;
  std::int64_t offset = 0;
};
std::optional<Index> plainIndex(const affine::LinearExpr& expr) {
  Index index{{}, expr.constant};
  for (std::size_t l = 0; l < expr.coefficients.size(); ++l) {
    if (expr.coefficients[l] == 0) continue;
    if (expr.coefficients[l] != 1 || index.loop.valid()) return std::nullopt;
    index.loop = LoopId::of(l);
  }
  return index;
}

class DependentBuilder {
 public:
  explicit DependentBuilder(const Kernel& kernel) : m_kernel(kernel) {}

  base::Result<TileNest> run() {
    findTargets();
    if (m_errors.empty()) placeStatements();
    if (m_errors.empty()) tieLoops();
    if (m_errors.empty()) findEnds();
    if (m_errors.empty()) chooseSteps();
    if (!m_errors.empty()) return std::move(m_errors);
    sortLoops();
    for (std::size_t s = 0; s < m_kernel.statements.size(); ++s) addOps(s);
    addWork();
    addOperands();
    return std::move(m_nest);
  }

 private:
  const std::string& nameOf(LoopId loop) const { return m_kernel.loop(loop).name; }
  const std::string& targetName(const Statement& s) const {
    return m_kernel.tensor(s.target.tensor).name;
  }
  bool isOutput(TensorId tensor) const {
    return m_kernel.tensor(tensor).role == TensorRole::Output;
  }
  LoopId targetLoop(TensorId tensor, std::size_t dim) const {
    return m_targets[tensor.index()][dim];
  }

  void fail(base::Span span, const std::string& what, std::string hint) {
    m_errors.push_back(
        base::errorAt(m_kernel.source, span, "not yet mapped: " + what, std::move(hint)));
  }

  // The loops of every output: one per dimension, the same ones for all outputs.
  void findTargets() {
    m_targets.resize(m_kernel.tensors.size());
    for (const Statement& statement : m_kernel.statements) {
      if (!isOutput(statement.target.tensor)) {
        return fail(statement.span,
                    fmt::format("`{}` is local in a kernel whose outputs depend on each other",
                                targetName(statement)),
                    "write its expression where it is used, or make it an output");
      }
      Loops loops;
      for (const affine::LinearExpr& index : statement.target.indices) {
        const auto plain = plainIndex(index);
        if (!plain || !plain->loop.valid() || plain->offset != 0) break;
        if (!contains(loops, plain->loop)) loops.push_back(plain->loop);
      }
      if (loops.size() == statement.target.indices.size()) {
        Loops& known = m_targets[statement.target.tensor.index()];
        if (known.empty()) known = loops;
      }
    }
    for (const Statement& statement : m_kernel.statements) {
      const Loops& loops = m_targets[statement.target.tensor.index()];
      Loops sorted = loops;
      std::ranges::sort(sorted);
      if (m_loops.empty()) m_loops = sorted;
      if (!loops.empty() && sorted == m_loops) continue;
      return fail(
          statement.span,
          fmt::format("`{}` has no statement over all loops of the outputs", targetName(statement)),
          "outputs that depend on each other are mapped when they share their loops");
    }
  }

  void placeStatements() {
    for (const Statement& statement : m_kernel.statements) {
      PlacedStatement placed;
      embed(statement, placed.elements);
      placed.summed = placed.elements;
      for (const affine::Constraint& constraint : statement.constraints) {
        const auto differences = differencesOf(constraint);
        if (!differences) {
          return fail(statement.span,
                      fmt::format("the domain of `{}` is bounded by {}", targetName(statement),
                                  affine::toString(constraint.expr, loopNames(m_kernel))),
                      "bounds like `j < i + 2` are mapped");
        }
        append(placed.summed, *differences);
      }
      for (const affine::Constraint& constraint : domainInside(statement, {})) {
        append(placed.elements, *differencesOf(constraint));
      }
      m_placed.push_back(std::move(placed));
    }
  }

  // `L[j, j]` of a tensor written as L[i, j] elsewhere has the domain i = j in the nest.
  void embed(const Statement& statement, Differences& elements) {
    for (std::size_t d = 0; d < statement.target.indices.size(); ++d) {
      const LoopId loop = targetLoop(statement.target.tensor, d);
      const auto index = plainIndex(statement.target.indices[d]);
      const bool known = index && (!index->loop.valid() || contains(m_loops, index->loop));
      if (!known || (index->loop == loop && index->offset != 0)) {
        return fail(statement.span,
                    fmt::format("{} is not an element of the loops {} runs over",
                                toString(m_kernel, statement.target), targetName(statement)),
                    "write the left sides of a tensor with the same loops");
      }
      if (index->loop != loop) append(elements, equal(loop, index->loop, index->offset));
    }
  }

  LoopId groupOf(LoopId loop) const { return m_group[loop.index()]; }

  // Loops that index one dimension of an output have the same tile size.
  void tieLoops() {
    for (std::size_t l = 0; l < m_kernel.loops.size(); ++l) m_group.push_back(LoopId::of(l));
    for (const Statement& statement : m_kernel.statements) {
      tie(statement, statement.target);
      for (const Access& read : statement.reads) {
        if (isOutput(read.tensor)) tie(statement, read);
      }
    }
    for (std::size_t l = 0; l < m_group.size(); ++l) {
      Loops members;
      for (std::size_t k = 0; k < m_group.size(); ++k) {
        if (m_group[k] == LoopId::of(l)) members.push_back(LoopId::of(k));
      }
      if (members.size() > 1) m_nest.ties.push_back(std::move(members));
    }
  }

  void tie(const Statement& statement, const Access& access) {
    for (std::size_t d = 0; d < access.indices.size(); ++d) {
      const LoopId loop = targetLoop(access.tensor, d);
      const auto index = plainIndex(access.indices[d]);
      const bool moved = index && index->loop.valid() && index->loop != loop && index->offset != 0;
      if (!index || moved) {
        return fail(statement.span,
                    fmt::format("{} needs {}", toString(m_kernel, statement.target),
                                toString(m_kernel, access)),
                    "elements like X[i - 1] and X[j] are followed from tile to tile");
      }
      if (!index->loop.valid()) continue;
      if (m_kernel.loop(index->loop).extent != m_kernel.loop(loop).extent) {
        return fail(statement.span,
                    fmt::format("{} and {} index one dimension of {} and differ in extent",
                                nameOf(index->loop), nameOf(loop), targetName(statement)),
                    "give them the same extent");
      }
      const LoopId from = groupOf(index->loop), to = groupOf(loop);
      std::ranges::replace(m_group, from, to);
    }
  }

  // Finds the tile in which a sum over tied elements ends: `k < j` ends in the tile of j.
  void findEnds() {
    for (std::size_t s = 0; s < m_kernel.statements.size(); ++s) {
      const Statement& statement = m_kernel.statements[s];
      for (const LoopId sum : statement.reductions) {
        if (contains(m_loops, sum)) {
          return fail(statement.span,
                      fmt::format("{} is summed over and indexes an output", nameOf(sum)),
                      "use another loop for the sum");
        }
        if (!isTied(sum)) continue;
        m_placed[s].sums.push_back(sum);
        const LoopId by = endOf(m_placed[s].summed, sum);
        const auto known = std::ranges::find(m_nest.ends, sum, &TileNest::End::sum);
        if (by.valid() && known != m_nest.ends.end() && known->by == by) continue;
        if (by.valid() && known == m_nest.ends.end()) {
          m_nest.ends.push_back({sum, by});
          continue;
        }
        return fail(
            statement.span,
            fmt::format("the sum over {} is not bounded by the element it is for", nameOf(sum)),
            fmt::format("`where {} < ...` tells where it ends", nameOf(sum)));
      }
    }
    if (m_nest.ends.size() > 1) {
      fail(m_kernel.statements.front().span, "several loops are summed over elements of outputs",
           "one is followed from tile to tile");
    }
  }

  bool isTied(LoopId loop) const { return std::ranges::count(m_group, groupOf(loop)) > 1; }

  LoopId endOf(const Differences& summed, LoopId sum) const {
    for (const Difference& d : summed) {
      if (d.b == sum && d.least >= 1 && contains(m_loops, d.a) && groupOf(d.a) == groupOf(sum)) {
        return d.a;
      }
    }
    return {};
  }

  void chooseSteps() {
    const auto flows = placedFlows(m_kernel, m_placed, m_targets, m_loops);
    auto steps = stepsFor(flows, m_loops);
    if (const auto* found = std::get_if<Loops>(&steps)) {
      m_nest.steps = *found;
      return;
    }
    const FlowDependence& open = flows[std::get<std::size_t>(steps)];
    const Statement& reader = m_kernel.statements[open.reader.index()];
    fail(reader.span,
         fmt::format("no order of loops computes {} after {}", toString(m_kernel, reader.target),
                     toString(m_kernel, reader.reads[open.read])),
         "elements are computed with growing indices of their loops");
  }

  void sortLoops() {
    for (const Loop& loop : m_kernel.loops) m_nest.extents.push_back(loop.extent);
    for (std::size_t l = 0; l < m_kernel.loops.size(); ++l) {
      const LoopId loop = LoopId::of(l);
      if (contains(m_loops, loop)) {
        m_nest.parallel.push_back(loop);
      } else if (std::ranges::find(m_nest.ends, loop, &TileNest::End::sum) != m_nest.ends.end()) {
        m_nest.reductions.push_back(loop);
      } else {
        m_nest.whole.push_back(
            {loop, "it is summed over inside a statement whose output is needed by others"});
      }
    }
  }

  Differences atEnd() const {
    Differences tiles;
    for (const TileNest::End& end : m_nest.ends) append(tiles, equal(end.sum, end.by));
    return tiles;
  }

  Differences beforeEnd(const Loops& sums) const {
    Differences tiles;
    for (const TileNest::End& end : m_nest.ends) {
      if (contains(sums, end.sum)) tiles.push_back({end.by, end.sum, 1});
    }
    return tiles;
  }

  void addOps(std::size_t s) {
    const Statement& statement = m_kernel.statements[s];
    for (StatementOp& step : statementOps(m_kernel, statement)) {
      step.op.statement = StatementId::of(s);
      const bool sums = std::ranges::any_of(
          m_placed[s].sums, [&](LoopId loop) { return contains(step.under, loop); });
      TileOp last = step.op;
      if (sums) {
        addGuard(step.op, {m_placed[s].summed, beforeEnd(m_placed[s].sums)});
        m_nest.ops.push_back(std::move(step.op));
      }
      addGuard(last, {sums ? m_placed[s].summed : m_placed[s].elements, atEnd()});
      addStepped(std::move(last), targetLoops(statement));
    }
  }

  static void addGuard(TileOp& op, GuardPart part) { addPart(op.guard, std::move(part), true); }

  // Inside a tile, a product advances one index of the stepped loops at a time, as vector work.
  void addStepped(TileOp op, const Loops& loops) {
    std::ranges::copy_if(m_nest.steps, std::back_inserter(op.stepped),
                         [&](LoopId loop) { return contains(loops, loop); });
    if (op.unit == UnitKind::Matrix && !op.stepped.empty()) {
      op.unit = UnitKind::Vector;
      for (const Loops* role : {&op.m, &op.n, &op.k, &op.batch}) {
        op.loops.insert(op.loops.end(), role->begin(), role->end());
      }
      std::ranges::sort(op.loops);
      op.m = op.n = op.k = op.batch = {};
      std::erase_if(op.loops, [&](LoopId loop) { return contains(op.stepped, loop); });
      op.fn = VectorFn::Mul;
      m_nest.ops.push_back(op);
      op.fn = VectorFn::SumReduce;
    }
    std::erase_if(op.loops, [&](LoopId loop) { return contains(op.stepped, loop); });
    m_nest.ops.push_back(std::move(op));
  }

  // Without sums over other tiles there is work in every tile.
  void addWork() {
    if (m_nest.ends.empty()) return;
    bool first = true;
    for (const PlacedStatement& placed : m_placed) {
      if (placed.sums.empty()) continue;
      addPart(m_nest.work, {placed.summed, beforeEnd(placed.sums)}, first);
      first = false;
    }
    addPart(m_nest.work, {{}, atEnd()}, first);
  }

  struct Read {
    const Statement* statement;
    const PlacedStatement* placed;
    const Access* access;
    bool sums;
  };

  // Reads with the most loops come first, so that reads with fewer find a window that contains
  // them.
  void addOperands() {
    std::vector<Read> reads;
    for (std::size_t s = 0; s < m_kernel.statements.size(); ++s) {
      const Statement& statement = m_kernel.statements[s];
      const auto under = enclosingReductions(statement);
      for (std::size_t n = 0; n < statement.expr.size(); ++n) {
        if (statement.expr[n].op != ExprOp::Read) continue;
        const bool sums = std::ranges::any_of(
            m_placed[s].sums, [&](LoopId loop) { return contains(under[n], loop); });
        reads.push_back({&statement, &m_placed[s],
                         &statement.reads[static_cast<std::size_t>(statement.expr[n].read)], sums});
      }
    }
    std::ranges::stable_sort(reads, std::ranges::greater{},
                             [](const Read& read) { return loopsOf(*read.access).size(); });
    for (const Read& read : reads) addRead(read);
    for (Operand& input : m_nest.inputs) {
      if (input.produced) input.makers = m_targets[input.tensor.index()];
    }
    for (std::size_t t = 0; t < m_targets.size(); ++t) {
      if (m_targets[t].empty()) continue;
      Access target{TensorId::of(t), {}, {}, {}};
      for (const LoopId loop : m_targets[t]) {
        target.indices.push_back(affine::LinearExpr::dim(loop.index()));
      }
      m_nest.outputs.push_back(windowOf(m_kernel, target, true, Phase::Every));
    }
  }

  void addRead(const Read& read) {
    const Differences& elements = read.sums ? read.placed->summed : read.placed->elements;
    const Differences tiles = read.sums ? Differences{} : atEnd();
    Operand operand = windowOf(m_kernel, *read.access, false, Phase::Every);
    operand.produced = isOutput(read.access->tensor);
    std::vector<GuardPart> parts{{elements, tiles}};
    if (operand.produced) parts = otherTiles(read, operand, parts.front());
    if (parts.empty()) return;
    Operand& window = windowFor(std::move(operand), parts.front());
    for (GuardPart& part : parts) {
      addPart(window.guard, std::move(part), m_fresh);
      m_fresh = false;
    }
  }

  // A read of another tile than the current one, as cases that exclude each other.
  std::vector<GuardPart> otherTiles(const Read& read, Operand& operand, const GuardPart& base) {
    std::vector<GuardPart> parts;
    GuardPart same = base;
    bool shifted = false;
    for (std::size_t d = 0; d < read.access->indices.size(); ++d) {
      const LoopId loop = targetLoop(read.access->tensor, d);
      const Index index = *plainIndex(read.access->indices[d]);
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
      append(same.tiles, equal(loop, index.loop));
    }
    if (shifted && parts.empty()) {
      // Bounds of single loops only cut the region at the borders of the tensor.
      parts.push_back(base);
      std::erase_if(parts.back().elements,
                    [](const Difference& d) { return !d.a.valid() || !d.b.valid(); });
      if (m_behind) {
        operand.dims[*m_behind].behind = true;
        parts.back().tiles.push_back({targetLoop(read.access->tensor, *m_behind), {}, 1});
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
      if (d.a.valid() && d.b.valid() && d.least >= 0 && groupOf(d.a) == groupOf(d.b)) {
        tiles.push_back({d.a, d.b, 0});
      }
    }
    return closureOf(tiles).has_value();
  }

  // Whether two loops have the same tile number wherever the part holds.
  bool meet(LoopId a, LoopId b, const GuardPart& part) const {
    GuardPart below = part, above = part;
    below.tiles.push_back({b, a, 1});
    above.tiles.push_back({a, b, 1});
    return groupOf(a) == groupOf(b) && !isPossible(below) && !isPossible(above);
  }

  bool covers(const Operand& window, const Operand& operand, const GuardPart& part) const {
    if (window.tensor != operand.tensor) return false;
    for (std::size_t d = 0; d < window.dims.size(); ++d) {
      if (window.dims[d].index == operand.dims[d].index) continue;
      const auto a = plainIndex(window.dims[d].index), b = plainIndex(operand.dims[d].index);
      if (!a || !b || !a->loop.valid() || !b->loop.valid() || !meet(a->loop, b->loop, part)) {
        return false;
      }
    }
    return true;
  }

  Operand& windowFor(Operand operand, const GuardPart& part) {
    std::size_t windows = operand.produced ? 1 : 0;  // the output has the tensor's name
    m_fresh = false;
    for (Operand& known : m_nest.inputs) {
      windows += known.tensor == operand.tensor ? 1 : 0;
      if (!covers(known, operand, part)) continue;
      for (std::size_t d = 0; d < known.dims.size(); ++d) {
        known.dims[d].minOffset = std::min(known.dims[d].minOffset, operand.dims[d].minOffset);
        known.dims[d].maxOffset = std::max(known.dims[d].maxOffset, operand.dims[d].maxOffset);
      }
      return known;
    }
    if (windows > 0) operand.name += fmt::format("@{}", windows + 1);
    m_fresh = true;
    m_nest.inputs.push_back(std::move(operand));
    return m_nest.inputs.back();
  }

  const Kernel& m_kernel;
  TileNest m_nest;
  base::Diagnostics m_errors;
  Loops m_loops;                          ///< of the outputs
  std::vector<Loops> m_targets;           ///< per tensor: the loop of each dimension
  std::vector<PlacedStatement> m_placed;  ///< per statement
  Loops m_group;                          ///< per loop: the first of those with the same tile size
  bool m_fresh = false;
  std::optional<std::size_t> m_behind;
};

}  // namespace

bool outputsDependOnOutputs(const Kernel& kernel, const std::vector<FlowDependence>& flows) {
  return std::ranges::any_of(flows, [&](const FlowDependence& flow) {
    const Statement& reader = kernel.statements[flow.reader.index()];
    return kernel.tensor(reader.reads[flow.read].tensor).role == TensorRole::Output &&
           std::ranges::any_of(flow.shared, [&](LoopId loop) { return flow.carriedBy(loop); });
  });
}

base::Result<TileNest> dependentNest(const Kernel& kernel) {
  return DependentBuilder(kernel).run();
}

}  // namespace gridloom::kernel
