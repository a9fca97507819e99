// SPDX-License-Identifier: Apache-2.0
//
// What memory holds in front of a loop that writes it again, and behind it.
#include <fmt/format.h>
#include <mlir/Interfaces/SideEffectInterfaces.h>
#include <mlir/Interfaces/ViewLikeInterface.h>

#include <algorithm>

#include "importer/mlir_reader.h"

namespace gridloom::importer {

llvm::SmallVector<mlir::Value> writtenBy(mlir::Operation& op) {
  llvm::SmallVector<mlir::Value> written;
  const auto takeAll = [&] {
    for (const mlir::Value operand : op.getOperands())
      if (llvm::isa<mlir::BaseMemRefType>(operand.getType())) written.push_back(operand);
  };
  if (llvm::isa<mlir::func::CallOp>(op) || !op.isRegistered()) {
    takeAll();
    return written;
  }
  auto effects = llvm::dyn_cast<mlir::MemoryEffectOpInterface>(op);
  if (!effects) return written;
  llvm::SmallVector<mlir::MemoryEffects::EffectInstance> all;
  effects.getEffects(all);
  for (const mlir::MemoryEffects::EffectInstance& effect : all) {
    if (llvm::isa<mlir::MemoryEffects::Write>(effect.getEffect()) && effect.getValue())
      written.push_back(effect.getValue());
  }
  return written;
}

mlir::Value memoryOf(mlir::Value value) {
  while (auto view = value.getDefiningOp<mlir::ViewLikeOpInterface>()) value = view.getViewSource();
  return value;
}

// What a memory holds becomes a statement where a loop writes it again: its iterations may read
// what earlier ones wrote.
void Reader::settle(mlir::Block& body, std::size_t bounds) {
  const std::vector<Linear> where(m_where.begin(),
                                  m_where.begin() + static_cast<std::ptrdiff_t>(bounds));
  body.walk([&](mlir::Operation* op) {
    for (const mlir::Value value : writtenBy(*op)) {
      const auto known = m_values.find(memoryOf(value).getAsOpaquePointer());
      if (known == m_values.end()) continue;
      const auto* view = std::get_if<View>(&known->second);
      if (view == nullptr || !view->memory->content || view->memory->base) continue;
      const MemoryRef memory = view->memory;
      const Tile content = *memory->content;
      memory->content.reset();
      storeElement(memory, formsOf(content.vars), content.body, where);
    }
  });
}

// What the iterations of loops left as a whole is what the last ones left.
void Reader::leaveContents(const std::vector<Loop>& loops) {
  for (const MemoryRef& memory : m_allocated) {
    if (!memory->content || memory->base) continue;
    const std::set<Loop> free = freeLoops(*memory->content->body);
    std::map<Loop, Linear> by;
    for (const Loop loop : loops)
      if (free.contains(loop)) by[loop] = Linear::of(m_program.loops.extent(loop) - 1);
    if (!by.empty()) memory->content->body = substitute(memory->content->body, by);
  }
}

// A statement whose elements are written again. Where others read what it gave, it stays, as a
// tensor of the function's own; what is written from now on has another number.
void Reader::retire(const MemoryRef& memory, const std::vector<Linear>& index,
                    const std::vector<Linear>& where, bool accumulates) {
  const int old = memory->after;
  bool isRead = false;
  for (std::size_t s = 0; s < m_program.statements.size(); ++s) {
    const Statement& statement = m_program.statements[s];
    if (statement.target < 0 || s == *memory->statement) continue;
    forLoads(*statement.value, [&](const Expr& load) {
      if (load.buffer != old) return;
      isRead = true;
      if (s < nestOf(*memory) || m_scope.empty()) return;
      const Time time = timeOf(load.index, index, where);
      if (accumulates || (time != Time::Same && time != Time::Later))
        refuse(m_at, "it writes a tensor again that was read in between",
               "write to a tensor of its own, or split the function");
    });
  }
  const Buffer named = m_program.buffers[static_cast<std::size_t>(old)];
  if (isRead) {
    if (accumulates) m_stale.emplace(old, m_program.statements.size());
    m_program.buffers[static_cast<std::size_t>(old)].name = fmt::format("t{}", m_locals++);
    m_program.buffers[static_cast<std::size_t>(old)].isArgument = false;
    m_program.buffers[static_cast<std::size_t>(old)].before = -1;
  } else {
    m_program.statements[*memory->statement].target = -1;
    m_replaced.insert(old);
  }
  memory->statement.reset();
  memory->after = static_cast<int>(m_program.buffers.size());
  m_program.buffers.push_back(named);
}

}  // namespace gridloom::importer
