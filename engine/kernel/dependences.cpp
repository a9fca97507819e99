// SPDX-License-Identifier: Apache-2.0
#include "kernel/dependences.h"

#include <algorithm>

#include "kernel/read_guards.h"

namespace gridloom::kernel {

namespace {

// The same element of every iteration: the most common read needs no isl.
affine::DependenceDistance noDistance(std::size_t loops) {
  affine::DependenceDistance distance;
  distance.exists = true;
  distance.perLoop.assign(loops, {0, 0});
  return distance;
}

// Whether two accesses of a tensor differ in a constant index, and so never read the same element.
bool areApart(const Access& a, const Access& b) {
  for (std::size_t d = 0; d < a.indices.size(); ++d) {
    const affine::LinearExpr& x = a.indices[d];
    const affine::LinearExpr& y = b.indices[d];
    if (x.isConstant() && y.isConstant() && x.constant != y.constant) return true;
  }
  return false;
}

FlowDependence flowBetween(const Kernel& kernel, std::size_t writer, std::size_t reader,
                           std::size_t read) {
  const Statement& from = kernel.statements[writer];
  const Statement& to = kernel.statements[reader];
  FlowDependence flow{StatementId::of(writer), StatementId::of(reader), read, {}, {}};
  const std::vector<LoopId> readerTargets = targetLoops(to);
  for (const LoopId loop : targetLoops(from)) {
    if (contains(readerTargets, loop)) {
      flow.shared.push_back(loop);
    }
  }
  const bool sameElement = to.reads[read].indices == from.target.indices;
  flow.distance = sameElement
                      ? noDistance(kernel.loops.size())
                      : affine::dependence(targetDomainOf(kernel, from), from.target.indices,
                                           readDomain(kernel, to, read), to.reads[read].indices);
  return flow;
}

}  // namespace

bool FlowDependence::carriedBy(LoopId loop) const {
  if (!contains(shared, loop)) {
    return false;
  }
  const auto& range = distance.perLoop[loop.index()];
  return range.min != 0 || range.max != 0;
}

affine::IntegerSet readDomain(const Kernel& kernel, const Statement& statement, std::size_t read) {
  const auto under = enclosingReductions(statement);
  std::vector<LoopId> loops = targetLoops(statement);
  for (std::size_t n = 0; n < statement.expr.size(); ++n) {
    if (statement.expr[n].read == static_cast<std::int32_t>(read)) {
      loops.insert(loops.end(), under[n].begin(), under[n].end());
    }
  }
  affine::IntegerSet domain = domainOver(kernel, statement, loops);
  addGuards(readGuards(statement, read), domain);
  return domain;
}

std::vector<FlowDependence> flowDependences(const Kernel& kernel) {
  std::vector<FlowDependence> flows;
  for (std::size_t reader = 0; reader < kernel.statements.size(); ++reader) {
    const Statement& to = kernel.statements[reader];
    for (std::size_t read = 0; read < to.reads.size(); ++read) {
      for (std::size_t writer = 0; writer < kernel.statements.size(); ++writer) {
        const Access& target = kernel.statements[writer].target;
        if (target.tensor != to.reads[read].tensor || areApart(target, to.reads[read])) {
          continue;
        }
        FlowDependence flow = flowBetween(kernel, writer, reader, read);
        if (flow.distance.exists) {
          flows.push_back(std::move(flow));
        }
      }
    }
  }
  return flows;
}

std::vector<LoopId> forwardLoops(const Kernel& kernel, const std::vector<FlowDependence>& flows) {
  std::vector<LoopId> loops;
  for (std::size_t l = 0; l < kernel.loops.size(); ++l) {
    if (kernel.loops[l].kind == LoopKind::Sequential) loops.push_back(LoopId::of(l));
  }
  for (const FlowDependence& flow : flows) {
    std::erase_if(loops, [&](LoopId loop) {
      const auto& range = flow.distance.perLoop[loop.index()];
      return flow.carriedBy(loop) && (!range.min || *range.min < 0);
    });
  }
  return loops;
}

LoopKind deriveKind(const Kernel& kernel, const std::vector<FlowDependence>& flows, LoopId loop) {
  bool reduced = false;
  bool inOutput = false;
  for (const Statement& statement : kernel.statements) {
    reduced = reduced || contains(statement.reductions, loop);
    inOutput = inOutput || (kernel.tensor(statement.target.tensor).role == TensorRole::Output &&
                            contains(targetLoops(statement), loop));
  }
  const bool carried =
      std::ranges::any_of(flows, [&](const FlowDependence& flow) { return flow.carriedBy(loop); });
  if (carried) {
    return LoopKind::Sequential;
  }
  return reduced && !inOutput ? LoopKind::Reduction : LoopKind::Parallel;
}

}  // namespace gridloom::kernel
