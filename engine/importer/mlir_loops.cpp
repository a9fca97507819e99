// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "importer/mlir_reader.h"

namespace gridloom::importer {

bool Reader::readLoop(mlir::Operation& op) {
  const llvm::StringRef name = op.getName().getStringRef();
  if (name == "affine.yield" || name == "scf.yield" || name == "scf.reduce" ||
      name == "memref.alloca_scope.return")
    return true;
  if (llvm::isa<mlir::scf::WhileOp>(op))
    refuse(&op, "how often a loop runs is known only when it ends",
           "write it as scf.for or affine.for");
  if (auto branch = llvm::dyn_cast<mlir::scf::IfOp>(op)) {
    readIf(branch);
  } else if (auto affineBranch = llvm::dyn_cast<mlir::affine::AffineIfOp>(op)) {
    readAffineIf(affineBranch);
  } else if (llvm::isa<mlir::scf::ExecuteRegionOp, mlir::memref::AllocaScopeOp>(op)) {
    readRegion(op);
  } else if (auto inner = llvm::dyn_cast<mlir::func::CallOp>(op)) {
    readCall(inner);
  } else if (auto all = llvm::dyn_cast<mlir::scf::ForallOp>(op)) {
    readForall(all);
  } else if (auto inserts = llvm::dyn_cast<mlir::scf::InParallelOp>(op)) {
    readBlock(*inserts.getBody());
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
  if (step != 1 && !low.isExact())
    refuse(m_at, "a loop with a step starts at the greatest of several",
           "choose sizes that its step divides");
  std::int64_t least = std::numeric_limits<std::int64_t>::min();
  for (const Linear& form : low.forms) least = std::max(least, m_program.loops.range(form).first);
  std::int64_t greatest = std::numeric_limits<std::int64_t>::max();
  for (const Linear& form : high.forms)
    greatest = std::min(greatest, m_program.loops.range(form).second);
  const std::int64_t most = std::max<std::int64_t>(greatest - least, 0);
  if (step == 1) {
    if (const auto index = cutTile(low.forms, high.forms, most, loop, where)) return *index;
  }
  loop = m_program.loops.add((most + step - 1) / step);
  const Linear start = step == 1 ? Linear::of(least) : low.forms[0];
  const Linear index = start + Linear::loop(loop) * step;
  if (step == 1) {
    for (const Linear& form : low.forms)
      if (!form.isConstant()) where.push_back(index - form);
  }
  for (const Linear& form : high.forms)
    if (!form.isConstant() || !start.isConstant()) where.push_back(form - Linear::of(1) - index);
  return index;
}

// From the greatest of `low` to the least of `high`: a tile's beginning and end, of which others
// cut something off. None where no two of them are a fixed number below `most` apart.
std::optional<Linear> Reader::cutTile(const std::vector<Linear>& low,
                                      const std::vector<Linear>& high, std::int64_t most,
                                      Loop& loop, std::vector<Linear>& where) {
  for (const Linear& begin : low) {
    for (const Linear& end : high) {
      const Linear span = end - begin;
      if (!span.isConstant() || span.constant >= most || begin.isConstant()) continue;
      loop = m_program.loops.add(std::max<std::int64_t>(span.constant, 0));
      const Linear index = begin + Linear::loop(loop);
      for (const Linear& form : low)
        if (!(form == begin)) where.push_back(index - form);
      for (const Linear& form : high)
        if (!(form == end)) where.push_back(form - Linear::of(1) - index);
      return index;
    }
  }
  return std::nullopt;
}

void Reader::leaveLoops(std::size_t scope, std::size_t where) {
  leaveContents({m_scope.begin() + static_cast<std::ptrdiff_t>(scope), m_scope.end()});
  m_scope.resize(scope);
  m_where.resize(where);
}

// In front of loops whose iterations are read once.
void Reader::enterLoops(mlir::Block& body, std::size_t bounds) {
  const auto begin = [&] {
    if (m_scope.size() <= m_sweep) m_nest = m_program.statements.size();
    if (m_scope.empty()) m_outerNest = m_nest;
  };
  begin();
  settle(body, bounds);
  begin();  // the settled statements stand in front of the nest
}

// Whether loops have no iterations: their bodies write nothing.
bool Reader::neverRuns(mlir::Operation* op, const std::vector<Loop>& loops) const {
  const bool isEmpty = holdsNowhere({}) || std::ranges::any_of(loops, [&](Loop loop) {
                         return m_program.loops.extent(loop) == 0;
                       });
  if (isEmpty && op->getNumResults() > 0)
    refuse(op, "a loop without iterations yields values", "use the values that it begins with");
  return isEmpty;
}

void Reader::readFor(mlir::Operation& op, mlir::Value index, const Integer& from, const Integer& to,
                     std::int64_t step, mlir::ValueRange inits, mlir::Block& body) {
  const std::size_t scope = m_scope.size(), where = m_where.size();
  CarryingLoop of;
  of.outer = m_scope;
  const Linear at = counted(from, to, step, of.loop, m_where);
  for (std::size_t n = 0; n < inits.size(); ++n) {
    const auto known = m_values.find(inits[n].getAsOpaquePointer());
    of.carried.push_back({body.getArgument(static_cast<unsigned>(n) + 1),
                          body.getTerminator()->getOperand(static_cast<unsigned>(n)),
                          known == m_values.end() ? get(inits[n]) : known->second,
                          -1,
                          {},
                          {},
                          std::nullopt,
                          nullptr,
                          false,
                          std::nullopt});
  }
  if (m_program.loops.extent(of.loop) == 0 || holdsNowhere({})) {
    for (std::size_t n = 0; n < of.carried.size(); ++n)
      set(op.getResult(static_cast<unsigned>(n)), of.carried[n].first);
    leaveLoops(scope, where);
    return;
  }
  const std::size_t values = of.carried.size(), sweep = m_sweep;
  m_scope.push_back(of.loop);
  carryMemories(of, body);
  m_scope.pop_back();
  enterLoops(body, where);
  of.bounds.assign(m_where.begin() + static_cast<std::ptrdiff_t>(where), m_where.end());
  m_scope.push_back(of.loop);
  set(index, Integer(at));
  carryIntegers(of.carried, of.loop);
  carryViews(of.carried, of.loop);
  carryData(of);
  of.firstStatement = m_program.statements.size();
  readBlock(body);
  m_at = &op;
  // What is carried stays as it is where an iteration does not take place.
  if (!of.carried.empty()) m_where.resize(where);
  leaveMemories(of);
  makeStates(of);
  m_sweep = sweep;
  for (Carried& c : of.carried) {
    if (c.memory) c.memory->content = std::get<Tile>(*c.after);
  }
  for (std::size_t n = 0; n < values; ++n)
    set(op.getResult(static_cast<unsigned>(n)), afterLoop(of, of.carried[n]));
  leaveLoops(scope, where);
}

}  // namespace gridloom::importer
