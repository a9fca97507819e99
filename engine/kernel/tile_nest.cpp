// SPDX-License-Identifier: Apache-2.0
#include "kernel/tile_nest.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernel/dependent_nest.h"
#include "kernel/innermost_loops.h"
#include "kernel/loop_shares.h"
#include "kernel/nest_structure.h"

namespace gridloom::kernel {

namespace {

using Loops = std::vector<LoopId>;

// Accesses that differ by constants share one window where they lie together. Any other access of a
// tensor gets a window of its own.
bool sameWindow(const Operand& a, const Operand& b) {
  return gatherAlike(a, b) && a.tensor == b.tensor &&
         std::ranges::equal(a.dims, b.dims, {}, &RegionDim::index, &RegionDim::index) &&
         (a.output || lieTogether(a, b));
}

class NestFiller {
 public:
  NestFiller(const Kernel& kernel, NestStructure structure)
      : m_kernel(kernel), m_structure(std::move(structure)) {}

  TileNest run() {
    sortLoops();
    for (std::size_t s = 0; s < m_kernel.statements.size(); ++s) {
      addOps(StatementId::of(s));
      addOperands(StatementId::of(s));
    }
    limitWindows(m_nest.inputs);
    nameWindows(m_nest.inputs);
    nameWindows(m_nest.outputs);
    addOutputLoops();
    for (std::size_t t = 0; t < m_kernel.tensors.size(); ++t) {
      addLocal(TensorId::of(t));
    }
    addWork();
    addMerge();
    m_nest.locals.insert(m_nest.locals.end(), m_computed.begin(), m_computed.end());
    return std::move(m_nest);
  }

 private:
  void sortLoops() {
    for (const Loop& loop : m_kernel.loops) m_nest.extents.push_back(loop.extent);
    for (std::size_t l = 0; l < m_kernel.loops.size(); ++l) {
      const LoopId loop = LoopId::of(l);
      if (m_structure.isWhole(loop)) continue;
      const LoopKind kind = m_kernel.loop(loop).kind;
      (kind == LoopKind::Parallel    ? m_nest.parallel
       : kind == LoopKind::Reduction ? m_nest.reductions
                                     : m_nest.sequential)
          .push_back(loop);
    }
    m_nest.whole = m_structure.whole;
    std::ranges::sort(m_nest.whole, {}, &TileNest::Whole::loop);
    m_nest.allReduces = m_structure.allReduces;
  }

  void addOutputLoops() {
    m_nest.outputLoops = m_nest.parallel;
    std::ranges::copy_if(
        m_nest.sequential, std::back_inserter(m_nest.outputLoops), [&](LoopId loop) {
          return std::ranges::all_of(m_nest.outputs,
                                     [&](const Operand& output) { return output.dependsOn(loop); });
        });
  }

  void addOps(StatementId id) {
    const Statement& statement = m_kernel.statements[id.index()];
    int accumulators = 0;
    for (StatementOp& step : m_structure.ops[id.index()]) {
      step.op.statement = id;
      step.op.phase = m_structure.phaseOf(statement, id, step.under);
      step.op.stage = stageOf(id, step.under);
      addSteps(step.op, m_structure.stepped[id.index()]);
      const LoopId followed = m_structure.followed[id.index()];
      if (step.recurs && followed.valid() && step.op.stepped.empty()) addSteps(step.op, {followed});
      addPart(step.op.guard, {elementsOf(statement, step.under), {}}, true);
      const bool reduces = step.op.unit == UnitKind::Matrix || step.op.fn >= VectorFn::SumReduce;
      // The first reduction accumulates in the target's own tile.
      if (reduces && ++accumulators > 1) {
        addComputed(statement, fmt::format("sum {}", accumulators), targetLoops(statement),
                    step.op.phase == Phase::Every && !isFresh(statement));
      }
      for (const Loops& loops : step.computedOperands) {
        addComputed(statement, "operand", loops, false);
      }
      m_nest.ops.push_back(std::move(step.op));
    }
  }

  static void addSteps(TileOp& op, const Loops& steps) {
    for (const LoopId step : steps) {
      for (const Loops* loops : {&op.loops, &op.m, &op.n, &op.batch}) {
        if (contains(*loops, step)) op.stepped.push_back(step);
      }
    }
  }

  // Parts outside the reductions of an all-reduce need its result, as do all later statements.
  int stageOf(StatementId id, const Loops& under) const {
    int stage = 0;
    for (const AllReduce& reduce : m_structure.allReduces) {
      const bool reduces = reduce.statement == id && contains(under, reduce.over.front());
      if (reduce.statement < id || (reduce.statement == id && !reduces)) ++stage;
    }
    return stage;
  }

  // The part of the domain inside these reductions that is not a box, as differences. Other bounds
  // mask elements, but leave out no tile.
  static std::vector<Difference> elementsOf(const Statement& statement, const Loops& under) {
    std::vector<Difference> elements;
    for (const affine::Constraint& constraint : domainInside(statement, under)) {
      const auto differences = differencesOf(constraint);
      if (!differences) continue;
      elements.insert(elements.end(), differences->begin(), differences->end());
    }
    return elements;
  }

  // A tile outside the domains of all statements has no work.
  void addWork() {
    bool first = true;
    for (std::size_t s = 0; s < m_kernel.statements.size(); ++s) {
      if (doesMoreThanSum(m_kernel.statements[s], m_structure.inner)) m_nest.finishes = true;
      if (m_structure.statementPhase[s] != Phase::Every) {
        m_nest.finishes = true;
        continue;
      }
      addPart(m_nest.work, {elementsOf(m_kernel.statements[s], {}), {}}, first);
      first = false;
    }
  }

  // Only for a single sequential loop: state along two has no associative combine along one of
  // them.
  void addMerge() {
    if (m_nest.sequential.size() != 1 || !m_nest.reductions.empty()) return;
    auto merge = stateMerge(m_kernel, m_nest.sequential.front());
    if (auto* reason = std::get_if<std::string>(&merge)) {
      m_nest.noMerge = std::move(*reason);
    } else {
      m_nest.merge = std::get<StateMerge>(std::move(merge));
    }
  }

  // Whether a statement's result is used within one iteration of the inner loops only.
  bool isFresh(const Statement& statement) const {
    return std::ranges::none_of(m_structure.inner,
                                [&](LoopId loop) { return contains(statement.reductions, loop); });
  }

  /// `what` is "operand": "C (operand)", then "C (operand 2)".
  void addComputed(const Statement& statement, const std::string& what, Loops loops, bool carried) {
    std::ranges::sort(loops);
    const std::string& target = m_kernel.tensor(statement.target.tensor).name;
    std::string name = fmt::format("{} ({})", target, what);
    const auto isTaken = [&] {
      return std::ranges::find(m_computed, name, &LocalBuffer::name) != m_computed.end();
    };
    for (int i = 2; isTaken(); ++i) name = fmt::format("{} ({} {})", target, what, i);
    m_computed.push_back({statement.target.tensor, std::move(name),
                          m_kernel.tensor(statement.target.tensor).dtype, std::move(loops),
                          carried});
  }

  void addOperands(StatementId id) {
    const Statement& statement = m_kernel.statements[id.index()];
    const auto under = enclosingReductions(statement);
    for (std::size_t n = 0; n < statement.expr.size(); ++n) {
      if (statement.expr[n].op != ExprOp::Read) continue;
      const Access& read = statement.reads[static_cast<std::size_t>(statement.expr[n].read)];
      if (m_kernel.tensor(read.tensor).role == TensorRole::Input) {
        Operand operand =
            windowOf(m_kernel, read, false, m_structure.phaseOf(statement, id, under[n]));
        addPart(operand.guard, {elementsOf(statement, under[n]), {}}, true);
        addWindow(m_nest.inputs, std::move(operand), sameWindow);
      }
    }
    if (m_kernel.tensor(statement.target.tensor).role == TensorRole::Output) {
      addWindow(m_nest.outputs,
                windowOf(m_kernel, statement.target, true, m_structure.statementPhase[id.index()]),
                sameWindow);
    }
  }

  void addLocal(TensorId id) {
    const Tensor& tensor = m_kernel.tensor(id);
    LocalBuffer local{id, tensor.name, tensor.dtype, {}, false};
    bool assigned = false;
    for (std::size_t s = 0; s < m_kernel.statements.size(); ++s) {
      const Statement& statement = m_kernel.statements[s];
      if (statement.target.tensor != id || tensor.role != TensorRole::Local) continue;
      assigned = true;
      const auto collapsed = collapsedLoop(StatementId::of(s));
      for (const LoopId loop : targetLoops(statement)) {
        if (loop != collapsed && !contains(local.loops, loop)) local.loops.push_back(loop);
      }
      local.carried = local.carried || outlives(StatementId::of(s));
    }
    std::ranges::sort(local.loops);
    if (local.carried) keepSlices(local);
    if (assigned) m_nest.locals.push_back(std::move(local));
  }

  void keepSlices(LocalBuffer& local) const {
    for (const FlowDependence& flow : m_structure.flows) {
      const Statement& writer = m_kernel.statements[flow.writer.index()];
      if (writer.target.tensor != local.tensor) continue;
      for (const LoopId loop : m_nest.sequential) {
        const auto& range = flow.distance.perLoop[loop.index()];
        if (!contains(m_nest.outputLoops, loop) || !flow.carriedBy(loop)) continue;
        local.keptAlong = loop;
        if (contains(local.loops, loop) && range.max) local.kept = std::max(local.kept, *range.max);
      }
    }
  }

  // The sequential loop of which only the live slice is stored.
  std::optional<LoopId> collapsedLoop(StatementId id) const {
    const Statement& statement = m_kernel.statements[id.index()];
    if (!m_structure.stepped[id.index()].empty()) return steppedLoop(id);
    if (m_structure.followed[id.index()].valid()) return std::nullopt;
    if (const auto rescaled = rescaledLoop(m_kernel, statement)) return rescaled;
    const auto running = runningRead(statement);
    if (!running || running->distance != 1) return std::nullopt;
    return running->loop;
  }

  // Where only statements that advance index by index read it, at the current or the last index,
  // and others at its end.
  std::optional<LoopId> steppedLoop(StatementId id) const {
    const LoopId loop = m_structure.stepped[id.index()].front();
    for (const FlowDependence& flow : m_structure.flows) {
      const Statement& reader = m_kernel.statements[flow.reader.index()];
      if (flow.writer != id || !contains(targetLoops(reader), loop)) continue;
      const auto& range = flow.distance.perLoop[loop.index()];
      const bool near = range.min && range.max && *range.min >= 0 && *range.max <= 1;
      if (!near || !contains(m_structure.stepped[flow.reader.index()], loop)) return std::nullopt;
    }
    return loop;
  }

  bool outlives(StatementId id) const {
    const Statement& statement = m_kernel.statements[id.index()];
    if (m_structure.statementPhase[id.index()] == Phase::Epilogue) return false;
    const auto running = runningRead(statement);
    if (!isFresh(statement) || (running && contains(m_structure.inner, running->loop))) {
      return true;
    }
    return std::ranges::any_of(m_structure.flows, [&](const FlowDependence& flow) {
      return flow.writer == id &&
             (m_structure.statementPhase[flow.reader.index()] == Phase::Epilogue ||
              std::ranges::any_of(m_structure.inner,
                                  [&](LoopId loop) { return flow.carriedBy(loop); }));
    });
  }

  const Kernel& m_kernel;
  NestStructure m_structure;
  TileNest m_nest;
  std::vector<LocalBuffer> m_computed;
};

base::Result<TileNest> plainNest(const Kernel& kernel) {
  base::Result<NestStructure> structure = nestStructure(kernel);
  if (!structure) return structure.takeDiagnostics();
  return NestFiller(kernel, std::move(*structure)).run();
}

}  // namespace

bool Operand::dependsOn(LoopId loop) const { return contains(loops, loop); }

bool TileNest::hasProduced() const { return std::ranges::any_of(inputs, &Operand::produced); }

bool TileNest::isInShares(LoopId loop) const {
  return std::ranges::any_of(whole, [&](const Whole& w) { return w.loop == loop && w.inShares; });
}

base::Result<TileNest> tileNest(const Kernel& kernel) {
  const std::vector<FlowDependence> flows = flowDependences(kernel);
  auto nest = outputsDependOnOutputs(kernel, flows) ? dependentNest(kernel) : plainNest(kernel);
  if (nest) setInnermost(kernel, nest->ops);
  return nest;
}

bool hasEpilogue(const TileNest& nest) {
  const auto last = [](const auto& part) { return part.phase == Phase::Epilogue; };
  return nest.finishes || std::ranges::any_of(nest.ops, last) ||
         std::ranges::any_of(nest.inputs, last);
}

}  // namespace gridloom::kernel
