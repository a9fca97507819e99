// SPDX-License-Identifier: Apache-2.0
#include "kernel/dependent_nest.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "kernel/dependent_operands.h"
#include "kernel/element_order.h"
#include "kernel/embedded_statements.h"
#include "kernel/statement_ops.h"

namespace gridloom::kernel {

namespace {

using Loops = std::vector<LoopId>;
using Differences = std::vector<Difference>;

class DependentBuilder {
 public:
  DependentBuilder(const Kernel& kernel, EmbeddedStatements statements)
      : m_kernel(kernel), m_statements(std::move(statements)) {}

  base::Result<TileNest> run() {
    collectTies();
    findEnds();
    if (m_errors.empty()) chooseSteps();
    if (!m_errors.empty()) return std::move(m_errors);
    sortLoops();
    for (std::size_t s = 0; s < m_kernel.statements.size(); ++s) addOps(s);
    addWork();
    addDependentOperands(m_kernel, m_statements, atEnd(), m_nest);
    return std::move(m_nest);
  }

 private:
  const std::string& nameOf(LoopId loop) const { return m_kernel.loop(loop).name; }
  void fail(base::Span span, const std::string& what, std::string hint) {
    m_errors.push_back(notYetMapped(m_kernel, span, what, std::move(hint)));
  }

  void collectTies() {
    for (std::size_t l = 0; l < m_statements.group.size(); ++l) {
      Loops members;
      for (std::size_t k = 0; k < m_statements.group.size(); ++k) {
        if (m_statements.group[k] == LoopId::of(l)) members.push_back(LoopId::of(k));
      }
      if (members.size() > 1) m_nest.ties.push_back(std::move(members));
    }
  }

  // Finds the tile in which a sum over tied elements ends: `k < j` ends in the tile of j.
  void findEnds() {
    std::map<LoopId, Loops> ends;  // per sum: the loops at which it ends in all statements
    for (std::size_t s = 0; s < m_kernel.statements.size(); ++s) {
      const Statement& statement = m_kernel.statements[s];
      for (const LoopId sum : statement.reductions) {
        if (contains(m_statements.loops, sum)) {
          return fail(statement.span,
                      fmt::format("{} is summed over and indexes an output", nameOf(sum)),
                      "use another loop for the sum");
        }
        if (!m_statements.isTied(sum)) continue;
        m_statements.placed[s].sums.push_back(sum);
        const Loops bounds = boundsOf(m_statements.placed[s].summed, sum);
        if (bounds.empty()) return failEnd(statement, sum, {}, {});
        const Loops by = firstOf(bounds, m_statements.placed[s].summed);
        if (by.empty()) return failBounds(statement, sum, bounds);
        const auto [known, isFirst] = ends.try_emplace(sum, by);
        const LoopId before = known->second.front();
        std::erase_if(known->second, [&](LoopId loop) { return !contains(by, loop); });
        if (known->second.empty()) return failEnd(statement, sum, by.front(), before);
      }
    }
    for (const auto& [sum, by] : ends) m_nest.ends.push_back({sum, by.front()});
    if (m_nest.ends.size() > 1) {
      fail(m_kernel.statements.front().span, "several loops are summed over elements of outputs",
           "one is followed from tile to tile");
    }
  }

  void failEnd(const Statement& statement, LoopId sum, LoopId by, LoopId other) {
    if (by.valid()) {
      return fail(statement.span,
                  fmt::format("the sum over {0} ends at {1} here, and at {2} in another statement",
                              nameOf(sum), nameOf(by), nameOf(other)),
                  fmt::format("make it end at {} in all of them: store one of the outputs "
                              "transposed, as the built-in kernel `lu` does",
                              nameOf(other)));
    }
    const bool backward = std::ranges::any_of(
        statement.constraints, [&](const auto& c) { return c.expr.coefficient(sum.index()) > 0; });
    if (backward) {
      return fail(statement.span,
                  fmt::format("the sum over {} needs later elements of the output", nameOf(sum)),
                  "count from the end, in a `local` that the output copies, as the built-in kernel "
                  "`ludcmp` does");
    }
    fail(statement.span,
         fmt::format("the sum over {} is not bounded by the element it is for", nameOf(sum)),
         fmt::format("`where {} < ...` tells where it ends", nameOf(sum)));
  }

  void failBounds(const Statement& statement, LoopId sum, const Loops& bounds) {
    fail(statement.span,
         fmt::format("the sum over {} ends at the smaller of {} and {}", nameOf(sum),
                     nameOf(bounds[0]), nameOf(bounds[1])),
         fmt::format("write a statement for `{0} <= {1}` and one for `{0} > {1}`, each with an "
                     "output of its own, one of them transposed, as the built-in kernel `lu` does",
                     nameOf(bounds[1]), nameOf(bounds[0])));
  }

  // Of loops that bound a sum, those that are never larger than any other: `k < i, k < j` ends at j
  // where `j <= i`. On the diagonal `i == j`, it ends at both.
  static Loops firstOf(const Loops& bounds, const Differences& summed) {
    const auto closed = closureOf(summed);
    if (!closed) return bounds;  // there is nothing to sum
    const auto isNeverLarger = [&](LoopId a, LoopId b) {
      return a == b || std::ranges::any_of(*closed, [&](const Difference& d) {
               return d.a == b && d.b == a && d.least >= 0;
             });
    };
    Loops first;
    std::ranges::copy_if(bounds, std::back_inserter(first), [&](LoopId a) {
      return std::ranges::all_of(bounds, [&](LoopId b) { return isNeverLarger(a, b); });
    });
    return first;
  }

  // The loops below which a sum stays: on the diagonal `i == j`, `k < i` stays below both.
  Loops boundsOf(const Differences& summed, LoopId sum) const {
    Loops ends;
    for (const Difference& d : summed) {
      const bool isEnd = d.b == sum && d.least >= 1 && contains(m_statements.loops, d.a);
      if (isEnd && m_statements.groupOf(d.a) == m_statements.groupOf(sum) && !contains(ends, d.a))
        ends.push_back(d.a);
    }
    for (std::size_t e = 0; e < ends.size(); ++e) {
      for (const LoopId loop : m_statements.loops) {
        if (!contains(ends, loop) && areEqual(summed, ends[e], loop)) ends.push_back(loop);
      }
    }
    return ends;
  }

  static bool areEqual(const Differences& all, LoopId a, LoopId b) {
    const auto says = [&](LoopId from, LoopId to) {
      return std::ranges::any_of(
          all, [&](const Difference& d) { return d.a == from && d.b == to && d.least >= 0; });
    };
    return says(a, b) && says(b, a);
  }

  void chooseSteps() {
    const auto flows =
        placedFlows(m_kernel, m_statements.placed, m_statements.targets, m_statements.loops);
    auto steps = stepsFor(flows, m_statements.loops);
    if (const auto* found = std::get_if<Loops>(&steps)) {
      m_nest.steps = *found;
      return;
    }
    const FlowDependence& open = flows[std::get<std::size_t>(steps)];
    const Statement& reader = m_kernel.statements[open.reader.index()];
    fail(reader.span,
         fmt::format("no order of loops computes {} after {}", toString(m_kernel, reader.target),
                     toString(m_kernel, reader.reads[open.read])),
         "elements are computed with growing indices: let a loop count from the end, as `u` in "
         "`x[u] = x[u - 1] + A[N - 1 - u]`");
  }

  void sortLoops() {
    for (const Loop& loop : m_kernel.loops) m_nest.extents.push_back(loop.extent);
    for (std::size_t l = 0; l < m_kernel.loops.size(); ++l) {
      const LoopId loop = LoopId::of(l);
      if (contains(m_statements.loops, loop)) {
        m_nest.parallel.push_back(loop);
      } else if (std::ranges::find(m_nest.ends, loop, &TileNest::End::sum) != m_nest.ends.end()) {
        m_nest.reductions.push_back(loop);
      } else {
        m_nest.whole.push_back(
            {loop, "it is summed over inside a statement whose output is needed by others"});
      }
    }
    m_nest.outputLoops = m_nest.parallel;
  }

  Differences atEnd() const {
    Differences tiles;
    for (const TileNest::End& end : m_nest.ends) append(tiles, equalLoops(end.sum, end.by));
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
    for (StatementOp& step : statementOps(m_kernel, statement, true)) {
      step.op.statement = StatementId::of(s);
      const bool sums = std::ranges::any_of(
          m_statements.placed[s].sums, [&](LoopId loop) { return contains(step.under, loop); });
      TileOp last = step.op;
      if (sums) {
        addGuard(step.op, {m_statements.placed[s].summed, beforeEnd(m_statements.placed[s].sums)});
        m_nest.ops.push_back(std::move(step.op));
      }
      addGuard(last,
               {sums ? m_statements.placed[s].summed : m_statements.placed[s].elements, atEnd()});
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
    for (const PlacedStatement& placed : m_statements.placed) {
      if (placed.sums.empty()) continue;
      addPart(m_nest.work, {placed.summed, beforeEnd(placed.sums)}, first);
      first = false;
    }
    addPart(m_nest.work, {{}, atEnd()}, first);
  }

  const Kernel& m_kernel;
  EmbeddedStatements m_statements;
  TileNest m_nest;
  base::Diagnostics m_errors;
};

}  // namespace

bool outputsDependOnOutputs(const Kernel& kernel, const std::vector<FlowDependence>& flows) {
  return std::ranges::any_of(flows, [&](const FlowDependence& flow) {
    const Statement& reader = kernel.statements[flow.reader.index()];
    return kernel.tensor(reader.reads[flow.read].tensor).role == TensorRole::Output &&
           std::ranges::any_of(flow.shared, [&](LoopId loop) { return flow.carriedBy(loop); });
  });
}

std::optional<Kernel> withFewestSteps(const Kernel& kernel) {
  if (!outputsDependOnOutputs(kernel, flowDependences(kernel))) return std::nullopt;
  const auto embedded = embedStatements(kernel);
  if (!embedded) return std::nullopt;
  const auto flows = placedFlows(kernel, embedded->placed, embedded->targets, embedded->loops);
  const auto order = orderOfFewestSteps(flows, embedded->loops, kernel.statements.size());
  if (!order || std::ranges::is_sorted(*order)) return std::nullopt;
  Kernel sorted = kernel;
  for (std::size_t s = 0; s < order->size(); ++s)
    sorted.statements[s] = kernel.statements[(*order)[s]];
  return sorted;
}

base::Result<TileNest> dependentNest(const Kernel& kernel) {
  auto statements = embedStatements(kernel);
  if (!statements) return statements.takeDiagnostics();
  return DependentBuilder(kernel, *std::move(statements)).run();
}

}  // namespace gridloom::kernel
