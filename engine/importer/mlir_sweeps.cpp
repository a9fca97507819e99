// SPDX-License-Identifier: Apache-2.0
//
// Memory that a loop carries: sweeps over time, in which an iteration reads what the one before
// wrote.
#include <algorithm>
#include <set>
#include <utility>

#include "importer/mlir_reader.h"

namespace gridloom::importer {

namespace {

// A load or store of an element.
struct AccessOp {
  mlir::Value memory;
  mlir::AffineMap map;  ///< null: the operands are the indices
  std::vector<mlir::Value> operands;
  bool isStore = false;
  mlir::Operation* op = nullptr;
  bool isSameAs(const AccessOp& other) const {
    return map == other.map && operands == other.operands;
  }
};

std::optional<AccessOp> accessOf(mlir::Operation& op) {
  const auto all = [](mlir::ValueRange range) {
    return std::vector<mlir::Value>(range.begin(), range.end());
  };
  if (auto at = llvm::dyn_cast<mlir::affine::AffineLoadOp>(op))
    return AccessOp{at.getMemRef(), at.getAffineMap(), all(at.getMapOperands()), false, &op};
  if (auto at = llvm::dyn_cast<mlir::affine::AffineStoreOp>(op))
    return AccessOp{at.getMemRef(), at.getAffineMap(), all(at.getMapOperands()), true, &op};
  if (auto at = llvm::dyn_cast<mlir::memref::LoadOp>(op))
    return AccessOp{at.getMemRef(), {}, all(at.getIndices()), false, &op};
  if (auto at = llvm::dyn_cast<mlir::memref::StoreOp>(op))
    return AccessOp{at.getMemRef(), {}, all(at.getIndices()), true, &op};
  return std::nullopt;
}

bool dependsOn(mlir::Value value, mlir::Value index) {
  if (value == index) return true;
  mlir::Operation* const op = value.getDefiningOp();
  return op != nullptr && op->getNumRegions() == 0 &&
         llvm::any_of(op->getOperands(), [&](mlir::Value v) { return dependsOn(v, index); });
}

// Whether an index moves with a loop inside of this one.
bool movesInside(mlir::Value value, mlir::Operation* loop) {
  if (const auto argument = llvm::dyn_cast<mlir::BlockArgument>(value))
    return loop->isProperAncestor(argument.getOwner()->getParentOp());
  mlir::Operation* const op = value.getDefiningOp();
  return op->getNumRegions() == 0 &&
         llvm::any_of(op->getOperands(), [&](mlir::Value v) { return movesInside(v, loop); });
}

struct Accesses {
  std::vector<AccessOp> loads, stores;
  bool readsFirst = false;  ///< the first access is a load
};

// Whether some iteration needs what an earlier one wrote elsewhere.
bool needsEarlier(const Accesses& all, mlir::Operation* loop) {
  const bool sweeps = std::ranges::any_of(all.stores, [&](const AccessOp& store) {
    return std::ranges::any_of(store.operands, [&](mlir::Value v) { return movesInside(v, loop); });
  });
  return all.readsFirst && sweeps && std::ranges::any_of(all.loads, [&](const AccessOp& load) {
           return std::ranges::none_of(all.stores,
                                       [&](const AccessOp& s) { return s.isSameAs(load); });
         });
}

// Whether some iteration uses what an earlier one left elsewhere than for the element itself.
bool escapes(const Accesses& all, mlir::Operation* loop) {
  if (!all.readsFirst) return false;
  std::set<mlir::Operation*> seen;
  const std::function<bool(mlir::Operation*)> reaches = [&](mlir::Operation* op) {
    if (op == loop || !loop->isProperAncestor(op) || !seen.insert(op).second) return false;
    if (const auto access = accessOf(*op); access && access->isStore)
      return access->memory != all.stores.front().memory;
    if (op->hasTrait<mlir::OpTrait::IsTerminator>())
      return op->getParentOp() == loop ? op->getNumOperands() > 0 : reaches(op->getParentOp());
    return llvm::any_of(op->getUsers(), reaches);
  };
  return std::ranges::any_of(
      all.loads, [&](const AccessOp& load) { return llvm::any_of(load.op->getUsers(), reaches); });
}

using AccessesByMemory = std::vector<std::pair<mlir::Value, Accesses>>;

// Nothing where whole tensors are moved.
std::optional<AccessesByMemory> accessesIn(mlir::Block& body) {
  AccessesByMemory all;
  bool isElementwise = true;
  body.walk([&](mlir::Operation* op) {
    if (llvm::isa<mlir::linalg::LinalgOp, mlir::memref::CopyOp>(op)) isElementwise = false;
    const auto access = accessOf(*op);
    if (!access) return;
    auto at = std::ranges::find(all, access->memory, &AccessesByMemory::value_type::first);
    if (at == all.end()) {
      all.push_back({access->memory, {}});
      at = all.end() - 1;
      at->second.readsFirst = !access->isStore;
    }
    (access->isStore ? at->second.stores : at->second.loads).push_back(*access);
  });
  return isElementwise ? std::optional(std::move(all)) : std::nullopt;
}

// Whether every iteration writes the same elements. `index`: that of the loop.
bool isWrittenAgain(const Accesses& all, mlir::Value index) {
  const auto follows = [&](const AccessOp& store) {
    return std::ranges::any_of(store.operands, [&](mlir::Value v) { return dependsOn(v, index); });
  };
  return !all.stores.empty() && std::ranges::none_of(all.stores, follows);
}

}  // namespace

// Whether the value is a view of a whole memory.
bool Reader::isWhole(mlir::Value memory) const {
  const auto known = m_values.find(memory.getAsOpaquePointer());
  const auto* view = known == m_values.end() ? nullptr : std::get_if<View>(&known->second);
  return view != nullptr && !view->flat && !view->memory->isFlat &&
         view->sizes == view->memory->shape && !view->memory->shape.empty();
}

// If the loop carries any memory in this way, it carries all that it writes again in every
// iteration.
void Reader::carryMemories(CarryingLoop& of, mlir::Block& body) {
  auto all = accessesIn(body);
  if (!all || m_flow) return;
  std::erase_if(*all, [&](const auto& entry) {
    return !isWhole(entry.first) || !isWrittenAgain(entry.second, body.getArgument(0));
  });
  mlir::Operation* const loop = body.getParentOp();
  const bool any = std::ranges::any_of(*all, [&](const auto& entry) {
    return needsEarlier(entry.second, loop) || escapes(entry.second, loop);
  });
  if (!any) return;
  for (const auto& [value, accesses] : *all)
    carryMemory(of, std::get<View>(m_values[value.getAsOpaquePointer()]).memory);
  m_sweep = m_scope.size();
}

void Reader::carryMemory(CarryingLoop& of, const MemoryRef& memory) {
  if (memory->base || (memory->isArgument && memory->after >= 0))
    refuse(m_at, "a loop sweeps over memory that was written before, or that a loop around sweeps",
           "split the function");
  const bool isWritten = memory->isArgument || memory->content || memory->after >= 0;
  if (!isWritten)
    refuse(m_at, "a loop sweeps over memory to which nothing was written", "fill it first");
  Carried c;
  c.first = contents(wholeView(memory));
  c.memory = memory;
  c.dtype = memory->dtype;
  c.state = -1000 - m_states++;
  c.vars = newVars(memory->shape);
  Tile before{c.vars, load(c.state, stateIndex(of, formsOf(c.vars)))};
  memory->base = before;
  memory->content = std::move(before);
  memory->state = c.state;
  memory->after = -1;
  memory->statement.reset();
  memory->scope = m_scope;
  c.wasArgument = std::exchange(memory->isArgument, false);
  of.carried.push_back(std::move(c));
}

// What an iteration leaves; behind the loop, memory is the caller's, or the function's, again.
void Reader::leaveMemories(CarryingLoop& of) {
  for (Carried& c : of.carried) {
    if (!c.memory) continue;
    Tile last{newVars(c.memory->shape), nullptr};
    last.body = c.memory->content ? applied(*c.memory->content, formsOf(last.vars))
                                  : carriedElement(c.memory, formsOf(last.vars));
    c.last = std::move(last);
    c.memory->base.reset();
    c.memory->earlier.clear();
    c.memory->after = -1;
    c.memory->statement.reset();
    c.memory->isArgument = c.wasArgument;
    c.memory->scope = c.wasArgument ? std::vector<Loop>{} : of.outer;
  }
}

// The element of the tensor that a load of the state names.
std::vector<Linear> Reader::elementOf(const MemoryRef& memory, const Expr& load) const {
  const auto end = load.index.end() - 1;
  return {end - static_cast<std::ptrdiff_t>(memory->shape.size()), end};
}

// An element after what the iteration has written so far.
ExprRef Reader::carriedElement(const MemoryRef& memory, const std::vector<Linear>& at) {
  const ExprRef before = applied(*memory->base, at);
  if (!memory->statement) return before;
  const Statement& written = m_program.statements[*memory->statement];
  return writtenOr(memory, written.index, written.where, at, before);
}

// An element where a statement writes it, else what was there before.
ExprRef Reader::writtenOr(const MemoryRef& memory, const std::vector<Linear>& written,
                          const std::vector<Linear>& where, const std::vector<Linear>& at,
                          const ExprRef& before) {
  const std::size_t fixed = memory->scope.size();
  std::map<Loop, Linear> by;
  std::vector<Linear> inside;
  for (std::size_t d = 0; d < at.size(); ++d) {
    const Linear form = m_program.loops.normal(written[fixed + d]);
    if (form.isConstant()) {
      inside.push_back(at[d] - form);
      inside.push_back(form - at[d]);
      continue;
    }
    if (form.terms.size() != 1 || form.terms.begin()->second != 1)
      refuse(m_at, "a loop sweeps over elements that no single loop indexes", "index by loops");
    const Loop loop = form.terms.begin()->first;
    by[loop] = at[d] - Linear::of(form.constant);
    inside.push_back(by[loop]);
    inside.push_back(Linear::of(m_program.loops.extent(loop) - 1) - by[loop]);
  }
  for (const Linear& bound : where) {
    const ExprRef form = substitute(indexValue(bound), by);
    inside.push_back(isNumber(form) ? Linear::of(static_cast<std::int64_t>(form->number))
                                    : form->index[0]);
  }
  std::vector<Linear> index = formsOf(memory->scope);
  index.insert(index.end(), at.begin(), at.end());
  ExprRef value = load(bufferFor(memory), std::move(index));
  for (const Linear& form : inside) {
    const auto [least, greatest] = m_program.loops.range(m_program.loops.normal(form));
    if (greatest < 0) return before;
    if (least < 0)
      value = call("select", {call(">=", {indexValue(form), number(0)}), value, before});
  }
  return value;
}

}  // namespace gridloom::importer
