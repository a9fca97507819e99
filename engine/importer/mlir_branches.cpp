// SPDX-License-Identifier: Apache-2.0
//
// Branches, and calls of other functions.
#include <fmt/format.h>
#include <mlir/IR/IntegerSet.h>

#include <algorithm>

#include "importer/mlir_reader.h"

namespace gridloom::importer {

namespace {

// Deeper calls are taken for a recursion.
constexpr int kMostDepth = 32;
// Chains of functions that call the next one twice grow with every function.
constexpr int kMostCalls = 1'024;

}  // namespace

// A condition on loops and arguments alone may be known. A branch that yields values chooses
// between them.
void Reader::readIf(mlir::scf::IfOp op) {
  const auto at = m_values.find(op.getCondition().getAsOpaquePointer());
  const auto* found = at == m_values.end() ? nullptr : std::get_if<ExprRef>(&at->second);
  const ExprRef condition = found == nullptr ? nullptr : *found;
  if (condition && isNumber(condition)) return readTaken(*op, condition->number != 0 ? 0 : 1);
  std::vector<Linear> holds;
  const bool isOnLoops = condition && asBounds(condition, holds);
  if (const auto taken = isOnLoops ? chosenBranch(holds) : std::nullopt)
    return readTaken(*op, *taken);
  if (op.getNumResults() > 0 && condition) return chooseYielded(*op, condition);
  if (onlyFills(op)) return readBlock(*op.thenBlock());
  if (!condition)
    refuse(op, "a branch on a mask's size writes memory", "fill a block, or use affine.if");
  mlir::Block* const otherwise = op.elseBlock();
  if (isOnLoops && (otherwise == nullptr || holds.size() == 1)) {
    readWhere(*op.thenBlock(), holds);
    if (otherwise != nullptr) readWhere(*otherwise, {holds[0] * -1 - Linear::of(1)});
    return;
  }
  readGuarded(*op.thenBlock(), condition, true);
  if (otherwise != nullptr) readGuarded(*otherwise, condition, false);
}

void Reader::chooseYielded(mlir::Operation& op, const ExprRef& condition) {
  mlir::Block &then = op.getRegion(0).front(), &rest = op.getRegion(1).front();
  ++m_choosing;
  for (mlir::Block* block : {&then, &rest}) {
    refuseWrites(*block);
    readBlock(*block);
  }
  --m_choosing;
  m_at = &op;
  for (unsigned n = 0; n < op.getNumResults(); ++n) {
    Tile chosen = tile(then.getTerminator()->getOperand(n));
    const Tile other = tile(rest.getTerminator()->getOperand(n));
    const ExprRef otherwise = applied(other, formsOf(chosen.vars));
    const bool isOther = chosen.body->size < otherwise->size;
    chosen.body = isOther ? keptUnless(condition, false, otherwise, chosen.body)
                          : keptUnless(condition, true, chosen.body, otherwise);
    const bool isTensor = llvm::isa<mlir::TensorType>(op.getResult(n).getType());
    set(op.getResult(n), isTensor ? Value{chosen} : Value{chosen.body});
  }
}

// Blocks that a mask cuts are filled first; to fill the others, too, changes nothing, as they are
// written as a whole.
bool Reader::onlyFills(mlir::scf::IfOp op) const {
  const auto isFirst = [&](mlir::Operation& inner) {
    auto fill = llvm::dyn_cast<mlir::linalg::FillOp>(inner);
    if (!fill || !llvm::isa<mlir::MemRefType>(fill.output().getType())) return false;
    const MemoryRef memory = view(fill.output()).memory;
    return !memory->isArgument && !memory->content && !memory->statement;
  };
  return !m_flow && op.getNumResults() == 0 && op.elseBlock() == nullptr &&
         llvm::all_of(op.thenBlock()->without_terminator(), isFirst);
}

// What is written in the block is written where the condition holds, or does not.
void Reader::readGuarded(mlir::Block& block, const ExprRef& condition, bool holds) {
  m_guards.emplace_back(condition, holds);
  readBlock(block);
  m_guards.pop_back();
}

// Whether all of the forms are at least 0, as a value.
ExprRef Reader::condition(const std::vector<Linear>& atLeastZero) const {
  ExprRef all;
  for (const Linear& form : atLeastZero) {
    const ExprRef one = call(">=", {indexValue(form), number(0)});
    all = all ? call("and", {all, one}) : one;
  }
  return all;
}

// The set's constraints limit what is written, or choose between the values that are yielded.
void Reader::readAffineIf(mlir::affine::AffineIfOp op) {
  mlir::IntegerSet holding = op.getIntegerSet();
  std::vector<Linear> holds;
  const mlir::AffineMap map = mlir::AffineMap::get(holding.getNumDims(), holding.getNumSymbols(),
                                                   holding.getConstraints(), op.getContext());
  for (unsigned n = 0; n < holding.getNumConstraints(); ++n) {
    const Linear form =
        m_program.loops.normal(ofExpr(holding.getConstraint(n), map, op.getOperands()));
    holds.push_back(form);
    if (holding.isEq(n)) holds.push_back(form * -1);
  }
  if (const auto taken = chosenBranch(holds)) {
    readTaken(*op, *taken);
    return;
  }
  if (op.getNumResults() > 0) return chooseYielded(*op, condition(holds));
  readWhere(*op.getThenBlock(), holds);
  if (!op.hasElse()) return;
  // The other branch in parts: a condition does not hold, and all in front of it do.
  for (std::size_t n = 0; n < holds.size(); ++n) {
    std::vector<Linear> part(holds.begin(), holds.begin() + static_cast<std::ptrdiff_t>(n));
    part.push_back(holds[n] * -1 - Linear::of(1));
    if (chosenBranch(part) != 1) readWhere(*op.getElseBlock(), part);
  }
}

// A region that runs once, in its place.
void Reader::readRegion(mlir::Operation& op) {
  if (!op.getRegion(0).hasOneBlock())
    refuse(&op, "a region has jumps between blocks",
           "write its branches as scf.if, and its loops as scf.for");
  readTaken(op, 0);
}

// The function that is called is read in the place of the call.
void Reader::readCall(mlir::func::CallOp op) {
  const auto found = m_functions.find(op.getCallee().str());
  mlir::func::FuncOp callee = found == m_functions.end() ? nullptr : found->second;
  if (!callee || callee.isExternal())
    refuse(op, fmt::format("`{}` has no body", op.getCallee().str()),
           "put the function that is called into the file");
  mlir::Region& region = callee.getBody();
  if (!region.hasOneBlock() || !llvm::isa<mlir::func::ReturnOp>(region.front().getTerminator()))
    refuse(op, fmt::format("`{}` has jumps between blocks", op.getCallee().str()),
           "write its branches as scf.if, and its loops as scf.for");
  if (++m_called > kMostCalls)
    refuse(op, fmt::format("there are more than {} calls of functions", kMostCalls),
           "write a loop, or fewer functions");
  if (++m_calls > kMostDepth)
    refuse(op, "functions call each other too deep", "write one function");
  for (unsigned n = 0; n < op.getNumOperands(); ++n) {
    const auto known = m_values.find(op.getOperand(n).getAsOpaquePointer());
    if (known != m_values.end()) {
      set(callee.getArgument(n), known->second);
    } else {
      m_values.erase(callee.getArgument(n).getAsOpaquePointer());
    }
  }
  mlir::Block& body = region.front();
  for (mlir::Operation& inner : body.without_terminator()) readOp(inner);
  for (unsigned n = 0; n < op.getNumResults(); ++n) {
    const mlir::Value returned = body.getTerminator()->getOperand(n);
    keepEdges(returned, op.getResult(n));
    set(op.getResult(n), get(returned));
  }
  --m_calls;
}

}  // namespace gridloom::importer
