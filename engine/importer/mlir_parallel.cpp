// SPDX-License-Identifier: Apache-2.0
//
// Loops whose iterations have no order.
#include <fmt/format.h>

#include <algorithm>

#include "importer/mlir_reader.h"

namespace gridloom::importer {

namespace {

// What the kernel language calls a reduction; null: it has none.
const char* reductionOf(mlir::arith::AtomicRMWKind kind) {
  using K = mlir::arith::AtomicRMWKind;
  if (kind == K::addf || kind == K::addi) return "sum";
  if (kind == K::mulf || kind == K::muli) return "prod";
  if (kind == K::maximumf || kind == K::maxnumf || kind == K::maxs) return "max";
  if (kind == K::minimumf || kind == K::minnumf || kind == K::mins) return "min";
  return nullptr;
}

}  // namespace

// The index of a loop whose iterations run side by side; the loop joins `loops`.
Linear Reader::parallelIndex(const Integer& from, const Integer& to, std::int64_t step,
                             std::vector<Loop>& loops) {
  Loop loop = 0;
  Linear index = counted(from, to, step, loop, m_where);
  m_scope.push_back(loop);
  if (m_flow) m_flow->parallel.insert(loop);
  loops.push_back(loop);
  return index;
}

void Reader::readParallel(mlir::affine::AffineParallelOp op) {
  const std::size_t scope = m_scope.size(), where = m_where.size();
  std::vector<Loop> loops;
  enterLoops(*op.getBody(), where);
  const auto steps = op.getSteps();
  for (unsigned d = 0; d < op.getNumDims(); ++d) {
    const Integer from = ofMap(op.getLowerBoundMap(d), op.getLowerBoundsOperands(), false);
    const Integer to = ofMap(op.getUpperBoundMap(d), op.getUpperBoundsOperands(), true);
    set(op.getIVs()[d], Integer(parallelIndex(from, to, steps[d], loops)));
  }
  if (neverRuns(op, loops)) return leaveLoops(scope, where);
  readBlock(*op.getBody());
  m_at = op;
  for (unsigned n = 0; n < op.getNumResults(); ++n) {
    const auto kind = llvm::cast<mlir::arith::AtomicRMWKindAttr>(op.getReductions()[n]).getValue();
    const char* name = reductionOf(kind);
    if (name == nullptr || m_where.size() > where)
      refuse(op, "a parallel loop reduces in a way that is not imported",
             "add, multiply, or take the maximum or minimum, over a box");
    set(op.getResult(n), reduce(name, loops, scalar(op.getBody()->getTerminator()->getOperand(n))));
  }
  leaveLoops(scope, where);
}

void Reader::readScfParallel(mlir::scf::ParallelOp op) {
  const std::size_t scope = m_scope.size(), where = m_where.size();
  std::vector<Loop> loops;
  enterLoops(*op.getBody(), where);
  for (unsigned d = 0; d < op.getNumLoops(); ++d) {
    const Linear index =
        parallelIndex(integer(op.getLowerBound()[d]), integer(op.getUpperBound()[d]),
                      constant(op.getStep()[d]), loops);
    set(op.getInductionVars()[d], Integer(index));
  }
  if (neverRuns(op, loops)) return leaveLoops(scope, where);
  readBlock(*op.getBody());
  m_at = op;
  if (op.getNumResults() > 0 && m_where.size() > where)
    refuse(op, "a parallel loop reduces over bounds that depend on other loops", "use a box");
  readReduction(op, loops);
  leaveLoops(scope, where);
}

void Reader::readReduction(mlir::scf::ParallelOp op, const std::vector<Loop>& loops) {
  auto end = llvm::dyn_cast<mlir::scf::ReduceOp>(op.getBody()->getTerminator());
  for (unsigned n = 0; n < op.getNumResults(); ++n) {
    mlir::Block& combine = end.getReductions()[n].front();
    const std::map<void*, ExprRef> args{
        {combine.getArgument(0).getAsOpaquePointer(), load(-2, {})},
        {combine.getArgument(1).getAsOpaquePointer(), scalar(end.getOperand(n))}};
    const auto isOld = [](const Expr& expr) { return expr.buffer == -2; };
    set(op.getResult(n), accumulation(region(combine, 0, args, {}), loops, isOld,
                                      [&] { return scalar(op.getInitVals()[n]); }));
  }
}

void Reader::readForall(mlir::scf::ForallOp op) {
  const std::size_t scope = m_scope.size(), where = m_where.size();
  const auto exactOrConstant = [&](mlir::OpFoldResult of) { return Integer(exactOf(of)); };
  std::vector<Loop> loops;
  enterLoops(*op.getBody(), where);
  for (unsigned d = 0; d < op.getRank(); ++d) {
    const Linear step = exactOf(op.getMixedStep()[d]);
    if (!step.isConstant()) refuse(op, "a loop has a step that depends on another", "use a number");
    const Linear index =
        parallelIndex(exactOrConstant(op.getMixedLowerBound()[d]),
                      exactOrConstant(op.getMixedUpperBound()[d]), step.constant, loops);
    set(op.getInductionVars()[d], Integer(index));
  }
  std::vector<int> states;
  for (std::size_t n = 0; n < op.getOutputs().size(); ++n) {
    const auto type = llvm::cast<mlir::RankedTensorType>(op.getOutputs()[n].getType());
    Tile before{newVars(sizesOfValue(op.getOutputs()[n], type)), nullptr};
    states.push_back(-1000 - m_states++);
    before.body = load(states.back(), formsOf(before.vars));
    set(op.getRegionIterArgs()[n], std::move(before));
  }
  readBlock(*op.getBody());
  leaveLoops(scope, where);
  for (std::size_t n = 0; n < states.size(); ++n) {
    m_at = op;
    const auto* patch = std::get_if<Patch>(&get(op.getRegionIterArgs()[n]));
    if (patch == nullptr)
      refuse(op, "an output of scf.forall is not written by one tensor.parallel_insert_slice",
             "insert one slice per iteration");
    Patch all = *patch;
    // An iteration reads of the output what was there before.
    all.tile.body = withLoads(all.tile.body, [&](const Expr& l) -> ExprRef {
      if (l.buffer != states[n]) return nullptr;
      return applied(tile(op.getOutputs()[n]), l.index);
    });
    for (std::size_t l = loops.size(); l-- > 0;) all = widened(all, loops[l]);
    set(op.getResult(static_cast<unsigned>(n)), whole(all));
  }
}

}  // namespace gridloom::importer
