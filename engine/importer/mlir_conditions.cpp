// SPDX-License-Identifier: Apache-2.0
//
// Stores inside of branches: what they write only where a condition holds.
#include <mlir/Interfaces/SideEffectInterfaces.h>

#include <algorithm>

#include "importer/mlir_reader.h"

namespace gridloom::importer {

namespace {

bool isFromOutside(mlir::Value memory, mlir::Block& block) {
  mlir::Operation* const op = memoryOf(memory).getDefiningOp();
  return !llvm::isa_and_nonnull<mlir::memref::AllocOp, mlir::memref::AllocaOp>(op) ||
         block.findAncestorOpInBlock(*op) == nullptr;
}

// A function that is called may write all memory that it gets.
bool writesOutside(mlir::Operation& op, mlir::Block& block) {
  if (llvm::isa<mlir::func::CallOp>(op)) {
    return llvm::any_of(op.getOperands(), [&](mlir::Value v) {
      return llvm::isa<mlir::BaseMemRefType>(v.getType()) && isFromOutside(v, block);
    });
  }
  auto effects = llvm::dyn_cast<mlir::MemoryEffectOpInterface>(op);
  if (!effects) return false;
  llvm::SmallVector<mlir::MemoryEffects::EffectInstance> all;
  effects.getEffects(all);
  return llvm::any_of(all, [&](const mlir::MemoryEffects::EffectInstance& effect) {
    return llvm::isa<mlir::MemoryEffects::Write>(effect.getEffect()) &&
           (!effect.getValue() || isFromOutside(effect.getValue(), block));
  });
}

bool mentions(const Linear& form, const std::vector<Loop>& loops) {
  return std::ranges::any_of(form.terms, [&](const auto& term) {
    return std::ranges::find(loops, term.first) != loops.end();
  });
}

}  // namespace

void Reader::refuseWrites(mlir::Block& block) {
  block.walk([&](mlir::Operation* op) {
    if (writesOutside(*op, block))
      refuse(op, "a branch that yields values writes memory, too", "store behind the branch");
  });
}

void Reader::readWhere(mlir::Block& block, const std::vector<Linear>& holds) {
  const std::size_t where = m_where.size(), conditions = m_conditions.size();
  m_where.insert(m_where.end(), holds.begin(), holds.end());
  m_conditions.insert(m_conditions.end(), holds.begin(), holds.end());
  readBlock(block);
  m_where.resize(where);
  m_conditions.resize(conditions);
}

// Conditions around the allocation hold wherever the memory is.
std::vector<Linear> Reader::conditionsOn(const Memory& memory) const {
  std::vector<Linear> conditions;
  for (std::size_t n = memory.conditions; n < m_conditions.size(); ++n)
    conditions.push_back(m_program.loops.normal(m_conditions[n]));
  return conditions;
}

std::vector<Linear> Reader::boundsOn(const Memory& memory) const {
  std::vector<Linear> bounds;
  for (std::size_t n = memory.bounds; n < m_where.size(); ++n)
    bounds.push_back(m_program.loops.normal(m_where[n]));
  return bounds;
}

// What the one branch stored is the other value of what the other branch stores.
bool Reader::joinBranches(const View& view, const std::vector<Linear>& index, ExprRef& value,
                          std::vector<Linear>& where) const {
  const MemoryRef& memory = view.memory;
  if (!memory->statement || where.empty()) return false;
  const Statement& first = m_program.statements[*memory->statement];
  std::vector<Linear> at = memory->isArgument ? std::vector<Linear>{} : formsOf(memory->scope);
  const std::vector<Linear> own = place(view, index);
  at.insert(at.end(), own.begin(), own.end());
  std::vector<Linear> both = where;
  both.back() = both.back() * -1 - Linear::of(1);
  if (first.index != at || first.where != both) return false;
  value = call("select", {condition({where.back()}), value, first.value});
  where.pop_back();
  return true;
}

// Where conditions, or bounds of loops, do not hold, an element keeps what was written before.
void Reader::keepBefore(const View& view, const std::vector<Linear>& index, ExprRef& value,
                        std::vector<Linear>& where) {
  if (m_flow) return;  // the stores in front of this one are noted
  const MemoryRef& memory = view.memory;
  std::vector<Linear> holds = conditionsOn(*memory);
  const bool isBranch = !holds.empty();
  if (!isBranch && !reads(*value, *memory)) holds = boundsOn(*memory);
  if (holds.empty() || memory->base || (!memory->content && !memory->statement)) return;
  if (joinBranches(view, index, value, where)) return;
  std::vector<Linear> at = memory->isArgument ? std::vector<Linear>{} : formsOf(memory->scope);
  const std::vector<Linear> own = place(view, index);
  at.insert(at.end(), own.begin(), own.end());
  const std::vector<Loop> others = otherLoops(at);
  // The conditions of a sum leave terms out.
  const bool limitsSum =
      std::ranges::all_of(holds, [&](const Linear& form) { return mentions(form, others); });
  if (!others.empty() && (!isBranch || (limitsSum && reads(*value, *memory)))) return;
  if (!others.empty())
    refuse(m_at, "a branch writes an element again in some iterations of a loop",
           "choose the value by arith.select, and store it behind the branch");
  value = call("select", {condition(holds), value, loaded(view, index)});
  std::erase_if(where, [&](const Linear& form) {
    return std::ranges::find(holds, m_program.loops.normal(form)) != holds.end();
  });
}

bool Reader::reads(const Expr& value, const Memory& memory) {
  bool found = false;
  forLoads(value, [&](const Expr& load) {
    found = found ||
            (load.buffer >= 0 && (load.buffer == memory.before || load.buffer == memory.after));
  });
  return found;
}

}  // namespace gridloom::importer
