// SPDX-License-Identifier: Apache-2.0
#include "kernel/step_rows.h"

#include <algorithm>
#include <utility>

#include "kernel/copies.h"
#include "kernel/dependences.h"
#include "kernel/embedded_statements.h"
#include "kernel/expr_summary.h"
#include "kernel/inlined_writers.h"
#include "kernel/loop_sets.h"
#include "kernel/renumbered_loops.h"
#include "kernel/scopes.h"
#include "kernel/tensor_cycles.h"
#include "kernel/undefined_zeros.h"

namespace gridloom::kernel {

namespace {

using affine::LinearExpr;

constexpr int kMostRows = 32;
constexpr std::size_t kMostRowNodes = 400;
// Every tile computes a row again that cores would share otherwise.
constexpr double kMostWorkAgain = 1.0 / 8;

// The most points at which a value in the statement is computed: those inside of a sum that do not
// need its loops are computed before it.
double pointsOf(const Kernel& kernel, const Statement& statement) {
  const ExprSummary summary(statement);
  double most = 1;
  for (std::size_t n = 0; n < statement.expr.size(); ++n) {
    double points = 1;
    for (const LoopId loop :
         unite(summary.loopsOf(static_cast<std::int32_t>(n)), statement.expr[n].loops))
      points *= static_cast<double>(kernel.loop(loop).extent);
    most = std::max(most, points);
  }
  return most;
}

bool dependsOnAny(const LinearExpr& expr, const std::vector<LoopId>& loops) {
  return std::ranges::any_of(loops, [&](LoopId loop) { return expr.dependsOn(loop.index()); });
}

class StepRows {
 public:
  explicit StepRows(const Kernel& kernel) : m_draft(kernel), m_cycles(kernel) {
    for (const Statement& statement : kernel.statements) {
      const TensorId tensor = statement.target.tensor;
      if (!m_cycles.isBetween(tensor, tensor)) continue;
      m_most = std::max(m_most, pointsOf(kernel, statement));
      m_rank = std::max(m_rank, kernel.tensor(tensor).shape.size());
    }
  }

  std::optional<Kernel> run() {
    if (m_rank < 2) return std::nullopt;
    while (alignLoops()) {
    }
    int rows = 0;
    for (auto flow = nextRow(); flow; flow = nextRow()) {
      if (++rows > kMostRows || !computeAgain(*flow)) return std::nullopt;
    }
    if (rows == 0) return std::nullopt;
    dropUnread();
    storeLocals();
    eraseUnusedLoops(m_draft);
    addUndefinedZeros(m_draft);
    return std::move(m_draft);
  }

 private:
  bool isInCycle(TensorId tensor) const { return m_cycles.isBetween(tensor, tensor); }
  bool isSmall(TensorId tensor) const { return m_draft.tensor(tensor).shape.size() < m_rank; }

  // The loops of a tensor's statement that has one for each index; none: it has no such statement.
  std::vector<LoopId> loopsOfTensor(TensorId tensor) const {
    for (const Statement& statement : m_draft.statements) {
      if (statement.target.tensor != tensor) continue;
      const std::vector<LoopId> loops = loopPerIndex(statement.target);
      if (!loops.empty()) return loops;
    }
    return {};
  }

  bool areApart(LoopId a, LoopId b) const {
    return std::ranges::none_of(m_draft.statements, [&](const Statement& s) {
      return contains(s.loops, a) && contains(s.loops, b);
    });
  }

  // Two loops over the steps, where one tensor has a step more than another, are the longer one.
  bool alignLoops() {
    for (const Statement& statement : m_draft.statements) {
      for (const Access& read : statement.reads) {
        if (!m_cycles.isBetween(read.tensor, statement.target.tensor)) continue;
        const std::vector<LoopId> loops = loopsOfTensor(read.tensor);
        for (std::size_t d = 0; d < loops.size(); ++d) {
          const auto index = plainIndex(read.indices[d]);
          if (!index || !index->loop.valid() || index->loop == loops[d]) continue;
          if (!contains(targetLoops(statement), index->loop)) continue;
          if (!areApart(index->loop, loops[d])) continue;
          align(index->loop, loops[d]);
          return true;
        }
      }
    }
    return false;
  }

  void align(LoopId a, LoopId b) {
    if (m_draft.loop(a).extent > m_draft.loop(b).extent) std::swap(a, b);
    const LinearExpr last = LinearExpr::number(m_draft.loop(a).extent - 1);
    for (Statement& statement : m_draft.statements) {
      if (!isInCycle(statement.target.tensor) || !contains(statement.loops, a)) continue;
      renumberLoops(statement, [&](LoopId loop) { return loop == a ? b : loop; });
      statement.constraintSpelling.clear();
      if (m_draft.loop(a).extent == m_draft.loop(b).extent) continue;
      statement.constraints.push_back({last - LinearExpr::dim(b.index())});
    }
  }

  const Access& readOf(const FlowDependence& flow) const {
    return m_draft.statements[flow.reader.index()].reads[flow.read];
  }

  bool isOfEarlierStep(const FlowDependence& flow) const {
    const Access& read = readOf(flow);
    const std::vector<LoopId> loops = loopsOfTensor(read.tensor);
    const std::vector<LoopId> own = targetLoops(m_draft.statements[flow.reader.index()]);
    for (std::size_t d = 0; d < loops.size(); ++d) {
      const auto index = plainIndex(read.indices[d]);
      if (index && index->offset < 0 && index->loop == loops[d] && contains(own, loops[d]))
        return true;
    }
    return false;
  }

  // Whether it is of any element of the step: what lies a constant number of elements away is not.
  bool isOfRow(const FlowDependence& flow) const {
    return !isOfEarlierStep(flow) && std::ranges::any_of(flow.shared, [&](LoopId loop) {
      const auto& range = flow.distance.perLoop[loop.index()];
      return !range.min || !range.max || *range.min != *range.max;
    });
  }

  std::optional<FlowDependence> nextRow() {
    m_flows = flowDependences(m_draft);
    const auto found = std::ranges::find_if(m_flows, [&](const FlowDependence& flow) {
      const TensorId reader = m_draft.statements[flow.reader.index()].target.tensor;
      const TensorId writer = m_draft.statements[flow.writer.index()].target.tensor;
      if (isSmall(reader) || !isInCycle(reader) || !isInCycle(writer)) return false;
      return isSmall(writer) || isOfRow(flow);
    });
    return found == m_flows.end() ? std::nullopt : std::optional(*found);
  }

  bool mayComputeAgain(const Statement& writer) const {
    const bool limitsSum = std::ranges::any_of(writer.constraints, [&](const auto& limit) {
      return dependsOnAny(limit.expr, writer.reductions);
    });
    return !limitsSum && isOneElement(writer) && !m_draft.tensor(writer.target.tensor).initial &&
           pointsOf(m_draft, writer) <= kMostWorkAgain * m_most;
  }

  // A loop for a reduction that may not have those taken: one that sums have already, if possible.
  // What limits a loop of the reader is no limit of the sum that is put in.
  LoopId loopBeside(LoopId like, const Statement& reader, const std::vector<LoopId>& taken) {
    const std::int64_t extent = m_draft.loop(like).extent;
    const auto isLimited = [&](LoopId loop) {
      return std::ranges::any_of(reader.constraints, [&](const auto& limit) {
        return limit.expr.dependsOn(loop.index());
      });
    };
    for (const std::vector<LoopId>* loops : {&reader.reductions, &std::as_const(m_added)}) {
      for (const LoopId loop : *loops) {
        if (m_draft.loop(loop).extent == extent && !contains(taken, loop) && !isLimited(loop))
          return loop;
      }
    }
    Loop added = m_draft.loop(like);
    added.name = freeName(m_draft, added.name);
    added.declared = extent;
    added.declaredSpelling.clear();
    m_draft.loops.push_back(std::move(added));
    m_added.push_back(LoopId::of(m_draft.loops.size() - 1));
    return m_added.back();
  }

  // The loops that have a value where the statement reads.
  static std::vector<LoopId> loopsAt(const Statement& reader, std::size_t read) {
    std::vector<LoopId> loops = targetLoops(reader);
    const auto under = enclosingReductions(reader);
    for (std::size_t n = 0; n < reader.expr.size(); ++n) {
      if (reader.expr[n].read == static_cast<std::int32_t>(read))
        loops.insert(loops.end(), under[n].begin(), under[n].end());
    }
    return loops;
  }

  bool computeAgain(const FlowDependence& flow) {
    // Writers are read while the reader changes.
    const std::vector<Statement> statements = m_draft.statements;
    const Statement& reader = statements[flow.reader.index()];
    const affine::IntegerSet domain = readDomain(m_draft, reader, flow.read);
    const std::vector<LoopId> around = loopsAt(reader, flow.read);
    std::vector<WriterAt> writers;
    for (const FlowDependence& each : m_flows) {
      if (each.reader != flow.reader || each.read != flow.read) continue;
      const Statement& writer = statements[each.writer.index()];
      if (each.writer == flow.reader || !mayComputeAgain(writer)) return false;
      const LoopMap again = loopsAgain(writer, reader, around);
      writers.emplace_back(m_draft, writer, reader.reads[flow.read], again);
      writers.back().dropImplied(domain);
    }
    std::ranges::stable_partition(writers, &WriterAt::isLimited);
    Statement& changed = m_draft.statements[flow.reader.index()];
    inlineWriters(writers, changed, flow.read);
    base::Diagnostics errors;
    takeScope(m_draft, changed, errors);
    return errors.empty() && changed.expr.size() <= kMostRowNodes;
  }

  // Other loops for the reductions of the writer where the reader has `around`.
  LoopMap loopsAgain(const Statement& writer, const Statement& reader,
                     const std::vector<LoopId>& around) {
    std::vector<LoopId> taken = around;
    std::vector<std::pair<LoopId, LoopId>> renamed;
    for (const LoopId loop : writer.reductions) {
      renamed.emplace_back(loop, loopBeside(loop, reader, taken));
      taken.push_back(renamed.back().second);
    }
    return [renamed = std::move(renamed)](LoopId loop) {
      const auto at = std::ranges::find(renamed, loop, &std::pair<LoopId, LoopId>::first);
      return at == renamed.end() ? loop : at->second;
    };
  }

  // What is computed where it is read, and read nowhere else.
  void dropUnread() {
    const auto isUnread = [&](const Statement& statement) {
      const TensorId tensor = statement.target.tensor;
      return m_draft.tensor(tensor).role == TensorRole::Local && isInCycle(tensor) &&
             std::ranges::none_of(m_draft.statements, [&](const Statement& other) {
               return std::ranges::find(other.reads, tensor, &Access::tensor) != other.reads.end();
             });
    };
    for (;;) {
      const auto unread = std::ranges::find_if(m_draft.statements, isUnread);
      if (unread == m_draft.statements.end()) return;
      m_draft.statements.erase(unread);
    }
  }

  void storeLocals() {
    for (std::size_t t = 0; t < m_draft.tensors.size(); ++t) {
      const TensorId id = TensorId::of(t);
      if (!isInCycle(id) || isSmall(id)) continue;
      Tensor& tensor = m_draft.tensors[t];
      const std::vector<LoopId> loops = loopsOfTensor(id);
      if (tensor.role != TensorRole::Local || loops.empty()) continue;
      std::vector<std::int64_t> extents;
      for (const LoopId loop : loops) extents.push_back(m_draft.loop(loop).extent);
      if (tensor.shape != extents) {
        Tensor longer = tensorLike(m_draft, tensor, "_steps");
        longer.shape = std::move(extents);
        longer.shapeSpelling.clear();
        tensor = std::move(longer);
      }
      tensor.role = TensorRole::Output;
    }
  }

  Kernel m_draft;
  TensorCycles m_cycles;
  double m_most = 0;                    ///< the points of the statement that has most
  std::size_t m_rank = 0;               ///< the dimensions of the largest tensor of a recurrence
  std::vector<LoopId> m_added;          ///< for reductions that are computed again
  std::vector<FlowDependence> m_flows;  ///< of the draft
};

}  // namespace

std::optional<Kernel> withStepRows(const Kernel& kernel) {
  if (!TensorCycles(kernel).any()) return std::nullopt;
  return StepRows(kernel).run();
}

}  // namespace gridloom::kernel
