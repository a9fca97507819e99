// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "importer/mlir_reader.h"

namespace gridloom::importer {

bool Reader::readLoop(mlir::Operation& op) {
  const llvm::StringRef name = op.getName().getStringRef();
  if (name == "affine.yield" || name == "scf.yield" || name == "scf.reduce") return true;
  if (auto branch = llvm::dyn_cast<mlir::scf::IfOp>(op)) {
    readIf(branch);
  } else if (auto parallel = llvm::dyn_cast<mlir::affine::AffineParallelOp>(op)) {
    readParallel(parallel);
  } else if (auto loops = llvm::dyn_cast<mlir::scf::ParallelOp>(op)) {
    readScfParallel(loops);
  } else if (auto loop = llvm::dyn_cast<mlir::affine::AffineForOp>(op)) {
    const Integer from = ofMap(loop.getLowerBoundMap(), loop.getLowerBoundOperands(), false);
    const Integer to = ofMap(loop.getUpperBoundMap(), loop.getUpperBoundOperands(), true);
    readFor(op, loop.getInductionVar(), from, to, loop.getStepAsInt(), loop.getInits(),
            *loop.getBody());
  } else if (auto counted = llvm::dyn_cast<mlir::scf::ForOp>(op)) {
    readFor(op, counted.getInductionVar(), integer(counted.getLowerBound()),
            integer(counted.getUpperBound()), constant(counted.getStep()), counted.getInitArgs(),
            *counted.getBody());
  } else {
    return false;
  }
  return true;
}

// The index of a loop from `from` up to `to`, over a loop that starts at 0. Bounds that depend on
// other loops become conditions.
Linear Reader::counted(const Integer& from, const Integer& to, std::int64_t step, Loop& loop,
                       std::vector<Linear>& where) {
  const Integer low = simplified(from), high = simplified(to);
  if (step <= 0) refuse(m_at, "a loop counts down", "loops count upwards");
  if (low.isExact() && high.isExact()) {
    const Linear span = high.forms[0] - low.forms[0];
    if (span.isConstant()) {
      loop = m_program.loops.add((std::max<std::int64_t>(span.constant, 0) + step - 1) / step);
      return low.forms[0] + Linear::loop(loop) * step;
    }
  }
  if (step != 1)
    refuse(m_at, "a loop with a step has bounds that depend on other loops",
           "choose sizes that its step divides");
  std::int64_t least = 0, greatest = 0;
  for (const Linear& form : low.forms) {
    const std::int64_t value = m_program.loops.range(form).first;
    least = &form == &low.forms.front() ? value : std::max(least, value);
  }
  for (const Linear& form : high.forms) {
    const std::int64_t value = m_program.loops.range(form).second;
    greatest = &form == &high.forms.front() ? value : std::min(greatest, value);
  }
  loop = m_program.loops.add(std::max<std::int64_t>(greatest - least, 0));
  const Linear index = Linear::loop(loop) + Linear::of(least);
  for (const Linear& form : low.forms)
    if (!form.isConstant()) where.push_back(index - form);
  for (const Linear& form : high.forms)
    if (!form.isConstant()) where.push_back(form - Linear::of(1) - index);
  return index;
}

// Blocks that a mask cuts are filled first; to fill the others, too, changes nothing, as they are
// written as a whole. A condition on loops and arguments alone is known.
void Reader::readIf(mlir::scf::IfOp op) {
  const auto known = m_values.find(op.getCondition().getAsOpaquePointer());
  const auto* condition = known == m_values.end() ? nullptr : std::get_if<ExprRef>(&known->second);
  if (condition != nullptr && isNumber(*condition) && op.getNumResults() == 0) {
    const bool taken = (*condition)->number != 0;
    if (taken) readBlock(*op.thenBlock());
    if (!taken && op.elseBlock() != nullptr) readBlock(*op.elseBlock());
    return;
  }
  const bool fills = op.getNumResults() == 0 && op.elseBlock() == nullptr &&
                     llvm::all_of(op.thenBlock()->without_terminator(), [](mlir::Operation& inner) {
                       return llvm::isa<mlir::linalg::FillOp>(inner);
                     });
  if (!fills)
    refuse(op, "a branch depends on a loop or on data",
           "use arith.select, or a loop with bounds of its own");
  readBlock(*op.thenBlock());
}

void Reader::leaveLoops(std::size_t scope, std::size_t where) {
  m_scope.resize(scope);
  m_where.resize(where);
}

void Reader::readParallel(mlir::affine::AffineParallelOp op) {
  const std::size_t scope = m_scope.size(), where = m_where.size();
  if (op.getNumResults() > 0) refuse(op, "a parallel loop reduces", "reduce in an affine.for");
  const auto steps = op.getSteps();
  for (unsigned d = 0; d < op.getNumDims(); ++d) {
    const Integer from = ofMap(op.getLowerBoundMap(d), op.getLowerBoundsOperands(), false);
    const Integer to = ofMap(op.getUpperBoundMap(d), op.getUpperBoundsOperands(), true);
    Loop loop = 0;
    set(op.getIVs()[d], Integer(counted(from, to, steps[d], loop, m_where)));
    m_scope.push_back(loop);
  }
  readBlock(*op.getBody());
  leaveLoops(scope, where);
}

void Reader::readScfParallel(mlir::scf::ParallelOp op) {
  const std::size_t scope = m_scope.size(), where = m_where.size();
  if (op.getNumResults() > 0) refuse(op, "a parallel loop reduces", "reduce in an scf.for");
  for (unsigned d = 0; d < op.getNumLoops(); ++d) {
    Loop loop = 0;
    const Linear index = counted(integer(op.getLowerBound()[d]), integer(op.getUpperBound()[d]),
                                 constant(op.getStep()[d]), loop, m_where);
    set(op.getInductionVars()[d], Integer(index));
    m_scope.push_back(loop);
  }
  readBlock(*op.getBody());
  leaveLoops(scope, where);
}

void Reader::readFor(mlir::Operation& op, mlir::Value index, const Integer& from, const Integer& to,
                     std::int64_t step, mlir::ValueRange inits, mlir::Block& body) {
  const std::size_t scope = m_scope.size(), where = m_where.size();
  Loop loop = 0;
  const Linear at = counted(from, to, step, loop, m_where);
  std::vector<Carried> carried;
  for (std::size_t n = 0; n < inits.size(); ++n) {
    const auto known = m_values.find(inits[n].getAsOpaquePointer());
    carried.push_back({body.getArgument(static_cast<unsigned>(n) + 1),
                       body.getTerminator()->getOperand(static_cast<unsigned>(n)),
                       known == m_values.end() ? get(inits[n]) : known->second,
                       -1,
                       {}});
  }
  if (m_program.loops.extent(loop) == 0) {
    for (std::size_t n = 0; n < carried.size(); ++n)
      set(op.getResult(static_cast<unsigned>(n)), carried[n].first);
    leaveLoops(scope, where);
    return;
  }
  if (!carried.empty() && m_where.size() > where)
    refuse(&op, "a loop that carries values has bounds that depend on other loops",
           "choose sizes that the blocks divide");
  m_scope.push_back(loop);
  set(index, Integer(at));
  carryIntegers(carried, loop);
  carryViews(carried, loop);
  for (Carried& c : carried) {
    const auto shaped = llvm::dyn_cast<mlir::RankedTensorType>(c.argument.getType());
    const bool isData = shaped || llvm::isa<mlir::FloatType>(c.argument.getType());
    if (!isData) continue;
    c.state = -1000 - m_states++;
    if (!shaped) {
      set(c.argument, load(c.state, {}));
      continue;
    }
    if (const auto* first = std::get_if<Tile>(&c.first)) {
      for (const Loop var : first->vars)
        c.vars.push_back(m_program.loops.add(m_program.loops.extent(var)));
    } else {
      c.vars = newVars(shaped.getShape());
    }
    set(c.argument, Tile{c.vars, load(c.state, formsOf(c.vars))});
  }
  const std::size_t before = m_program.statements.size();
  readBlock(body);
  for (std::size_t s = before; s < m_program.statements.size(); ++s) {
    forLoads(*m_program.statements[s].value, [&](const Expr& load) {
      if (load.buffer <= -1000)
        refuse(&op, "a value carried from iteration to iteration is used in the loop itself",
               "only sums, products, maxima and minima over the loop are imported; write the "
               "recurrence in a .rec file");
    });
  }
  for (std::size_t n = 0; n < carried.size(); ++n) {
    m_at = &op;
    set(op.getResult(static_cast<unsigned>(n)), afterLoop(carried[n], loop));
  }
  leaveLoops(scope, where);
}

// Offsets that grow by a constant in every iteration.
void Reader::carryIntegers(std::vector<Carried>& carried, Loop loop) {
  std::vector<std::pair<Carried*, Loop>> probes;
  for (Carried& c : carried) {
    const auto* first = std::get_if<Integer>(&c.first);
    if (first == nullptr || !first->isExact()) continue;
    probes.emplace_back(&c, m_program.loops.add(1));
    set(c.argument, Integer(Linear::loop(probes.back().second)));
  }
  std::vector<Linear> steps;
  for (const auto& [c, probe] : probes) {
    const auto next = invariant(c->yielded);
    if (!next || !next->isExact())
      refuse(m_at, "an integer that a loop carries does not grow by a constant",
             "carry offsets that grow by a constant");
    steps.push_back(m_program.loops.normal(next->forms[0] - Linear::loop(probe)));
    if (!steps.back().isConstant())
      refuse(m_at, "an integer that a loop carries does not grow by a constant",
             "carry offsets that grow by a constant");
  }
  for (std::size_t n = 0; n < probes.size(); ++n) {
    const Linear first = std::get<Integer>(probes[n].first->first).forms[0];
    set(probes[n].first->argument, Integer(first + Linear::loop(loop) * steps[n].constant));
  }
}

// Views that move on by a constant: the cast at the loop's end says where the next one lies.
void Reader::carryViews(std::vector<Carried>& carried, Loop loop) {
  for (Carried& c : carried) {
    const auto* first = std::get_if<View>(&c.first);
    if (first == nullptr) continue;
    auto cast = c.yielded.getDefiningOp<mlir::memref::ReinterpretCastOp>();
    const auto offset =
        cast ? llvm::dyn_cast<mlir::Value>(cast.getMixedOffsets()[0]) : mlir::Value();
    const auto next = offset ? invariant(offset) : std::nullopt;
    if (!next || !next->isExact() || !first->flat)
      refuse(m_at, "memory that a loop carries does not move on by a constant",
             "carry a memref.reinterpret_cast whose offset grows by a constant");
    View now = *first;
    const Linear after = m_program.loops.normal(next->forms[0]);
    now.offset = {after - Linear::of(after.coefficient(loop))};
    Linear atStart = now.offset[0];
    atStart.terms.erase(loop);
    if (!(m_program.loops.normal(first->offset[0]) == atStart))
      refuse(m_at, "memory that a loop carries starts elsewhere than its offset says",
             "start the offset where the memory starts");
    set(c.argument, now);
  }
}

Value Reader::afterLoop(const Carried& carried, Loop loop) {
  const Value& last = get(carried.yielded);
  if (std::holds_alternative<Integer>(last) || std::holds_alternative<View>(last)) return Value{};
  Tile result;
  if (const auto* elements = std::get_if<Tile>(&last)) {
    result = *elements;
  } else {
    result.body = scalar(carried.yielded);
  }
  const auto isOld = [&](const Expr& load) { return load.buffer == carried.state; };
  bool readsOld = false;
  forLoads(*result.body, [&](const Expr& load) {
    readsOld = readsOld || isOld(load);
    if (load.buffer <= -1000 && !isOld(load))
      refuse(m_at, "several values that a loop carries depend on each other",
             "only sums, products, maxima and minima over the loop are imported; write the "
             "recurrence in a .rec file");
  });
  if (!readsOld) {
    std::map<Loop, Linear> by;
    by[loop] = Linear::of(m_program.loops.extent(loop) - 1);
    result.body = substitute(result.body, by);
  } else {
    const auto first = [&]() -> ExprRef {
      if (const auto* elements = std::get_if<Tile>(&carried.first);
          elements != nullptr && elements->body)
        return applied(*elements, formsOf(result.vars));
      if (const auto* value = std::get_if<ExprRef>(&carried.first)) return *value;
      refuse(m_at, "a loop adds to a tensor before anything was written to it",
             "fill it with 0 first");
    };
    result.body = accumulation(result.body, {loop}, isOld, first);
  }
  if (llvm::isa<mlir::FloatType>(carried.argument.getType())) return result.body;
  return result;
}

// `value` is what one iteration makes of the old value: a sum, product, maximum or minimum.
ExprRef Reader::accumulation(const ExprRef& value, const std::vector<Loop>& loops,
                             const std::function<bool(const Expr&)>& isOld,
                             const std::function<ExprRef()>& old) const {
  for (const Reduction& how : reductions()) {
    const auto rest = without(value, how.op, isOld);
    if (!rest) continue;
    std::vector<Loop> parts;
    for (const Loop loop : loops) {
      for (const auto& [part, coefficient] : m_program.loops.normal(Linear::loop(loop)).terms)
        parts.push_back(part);
    }
    return accumulated(how, old(), std::move(parts), *rest);
  }
  refuse(m_at, "its loops reduce by something else than a sum, product, maximum or minimum",
         "write it as `old + x`, `old * x`, or the maximum or minimum of both");
}

}  // namespace gridloom::importer
