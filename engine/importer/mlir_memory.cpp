// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "importer/mlir_reader.h"

namespace gridloom::importer {

bool Reader::readMemory(mlir::Operation& op) {
  return readAllocation(op) || readView(op) || readAccess(op);
}

// Memory of its own in each iteration of the loops around it.
MemoryRef Reader::memoryHere(std::string dtype, std::vector<std::int64_t> shape) const {
  auto memory = std::make_shared<Memory>();
  memory->dtype = std::move(dtype);
  memory->shape = std::move(shape);
  memory->scope = m_scope;
  memory->conditions = m_conditions.size();
  memory->bounds = m_where.size();
  memory->guards = m_guards.size();
  return memory;
}

bool Reader::readAllocation(mlir::Operation& op) {
  const llvm::StringRef name = op.getName().getStringRef();
  if (name == "memref.dealloc" || name == "memref.assume_alignment" || name == "affine.prefetch" ||
      name == "memref.prefetch")
    return true;
  if (auto global = llvm::dyn_cast<mlir::memref::GetGlobalOp>(op)) return readGlobal(global);
  if (name != "memref.alloc" && name != "memref.alloca") return false;
  const auto type = llvm::cast<mlir::MemRefType>(op.getResult(0).getType());
  const MemoryRef memory =
      memoryHere(dtypeOf(type.getElementType()), sizesOf(type, op.getOperands()));
  m_allocated.push_back(memory);
  set(op.getResult(0), wholeView(memory));
  return true;
}

bool Reader::readView(mlir::Operation& op) {
  const llvm::StringRef name = op.getName().getStringRef();
  if (name == "memref.collapse_shape" || name == "memref.expand_shape" ||
      name == "memref.reshape") {
    set(op.getResult(0), reshaped(view(op.getOperand(0)), op));
    return true;
  }
  if (name == "bufferization.to_memref" &&
      llvm::isa<mlir::TensorType>(op.getOperand(0).getType())) {
    readBuffer(op);
    return true;
  }
  if (name == "memref.cast" || name == "memref.memory_space_cast" ||
      name == "bufferization.to_memref") {
    if (!llvm::isa<mlir::MemRefType, mlir::UnrankedMemRefType>(op.getOperand(0).getType()))
      return false;
    set(op.getResult(0), view(op.getOperand(0)));
    return true;
  }
  if (auto cast = llvm::dyn_cast<mlir::memref::ReinterpretCastOp>(op)) {
    set(op.getResult(0), reinterpreted(view(cast.getSource()), cast));
    return true;
  }
  if (auto part = llvm::dyn_cast<mlir::memref::SubViewOp>(op)) {
    set(op.getResult(0),
        withoutDims(subview(view(part.getSource()), part, part.getType()), part.getDroppedDims()));
    return true;
  }
  return false;
}

bool Reader::readAccess(mlir::Operation& op) {
  const llvm::StringRef name = op.getName().getStringRef();
  if (name == "memref.copy" || name == "linalg.copy") {
    write(view(op.getOperand(1)), tile(op.getOperand(0)));
  } else if (auto load = llvm::dyn_cast<mlir::memref::LoadOp>(op)) {
    readLoad(load);
  } else if (auto store_ = llvm::dyn_cast<mlir::memref::StoreOp>(op)) {
    if (llvm::any_of(store_.getIndices(), [&](auto at) { return isFromData(at); })) refuseScatter();
    const View to = view(store_.getMemRef());
    store(to, inside(to, indicesOf(store_.getIndices())), scalar(store_.getValueToStore()));
  } else if (auto affineLoad = llvm::dyn_cast<mlir::affine::AffineLoadOp>(op)) {
    const View from = view(affineLoad.getMemRef());
    const auto at = mappedIndices(affineLoad.getAffineMap(), affineLoad.getMapOperands());
    set(op.getResult(0), loaded(from, inside(from, at)));
  } else if (auto affineStore = llvm::dyn_cast<mlir::affine::AffineStoreOp>(op)) {
    const View to = view(affineStore.getMemRef());
    const auto at = mappedIndices(affineStore.getAffineMap(), affineStore.getMapOperands());
    store(to, inside(to, at), scalar(affineStore.getValueToStore()));
  } else {
    return false;
  }
  return true;
}

// The indices of an access, which runs wherever the conditions on loops around it hold.
std::vector<Linear> Reader::inside(const View& of, const std::vector<Linear>& index) const {
  if (of.flat || m_choosing > 0 || !m_guards.empty() || index.size() != of.sizes.size())
    return index;
  for (std::size_t d = 0; d < index.size(); ++d) {
    const Linear form = m_program.loops.normal(index[d]);
    const bool isBelow = !holdsNowhere({form * -1 - Linear::of(1)});
    if (!isBelow && holdsNowhere({form - Linear::of(of.sizes[d])})) continue;
    const auto [least, greatest] = m_program.loops.range(form);
    refuse(m_at,
           fmt::format("index {} reaches {}, outside the memory's dimension of {}", d,
                       isBelow ? least : greatest, of.sizes[d]),
           "make the loop shorter, or the memory larger");
  }
  return index;
}

void Reader::readLoad(mlir::memref::LoadOp op) {
  const auto indices = op.getIndices();
  if (llvm::none_of(indices, [&](auto at) { return isFromData(at); })) {
    const View from = view(op.getMemRef());
    set(op.getResult(), loaded(from, inside(from, indicesOf(indices))));
    return;
  }
  std::vector<ExprRef> index;
  for (const mlir::Value at : indices) index.push_back(indexOf(at));
  set(op.getResult(), elementAt(contents(view(op.getMemRef())), index, dtypeOf(op.getType())));
}

Tile Reader::contents(const View& view) {
  Tile tile;
  tile.vars = newVars(view.sizes);
  tile.body = loaded(view, formsOf(tile.vars));
  return tile;
}

ExprRef Reader::loaded(const View& view, const std::vector<Linear>& index) {
  const MemoryRef& memory = view.memory;
  std::vector<Linear> at = place(view, index);
  const bool isWritten = isNoted(*memory) || memory->content || memory->base || memory->after >= 0;
  if (isWritten && !view.data.empty())
    refuse(m_at, "data address memory that the function writes",
           "write to a tensor of its own, or split the function");
  if (isNoted(*memory)) return notedLoad(memory, at, false);
  if (memory->content) return applied(*memory->content, at);
  if (memory->base) {
    std::vector<Linear> all = formsOf(memory->scope);
    all.insert(all.end(), at.begin(), at.end());
    return isBeforeStores(*memory, all) ? applied(*memory->base, at) : carriedElement(memory, at);
  }
  if (memory->after >= 0) {
    if (memory->isArgument && isApart(*memory, at)) return loadAt(view, memory->before, at);
    std::vector<Linear> all = formsOf(memory->scope);
    if (memory->isArgument) all.clear();
    if (!std::ranges::all_of(
            memory->isArgument ? std::vector<Loop>{} : memory->scope,
            [&](Loop loop) { return std::ranges::find(m_scope, loop) != m_scope.end(); }))
      refuse(m_at, "it reads what the last iteration of a loop left",
             "give the memory a dimension for the loop, or read it inside");
    all.insert(all.end(), at.begin(), at.end());
    if (isBeforeStores(*memory, all)) {
      if (!memory->isArgument) refuseOrder();
      return loadAt(view, memory->before, at);
    }
    return load(memory->after, std::move(all));
  }
  if (!memory->isArgument)
    refuse(m_at, "it reads memory before anything was written to it", "fill it first");
  return loadAt(view, memory->before, std::move(at));
}

// The tensor that holds what the function writes to a memory.
int Reader::bufferFor(const MemoryRef& memory) {
  if (memory->after >= 0) return memory->after;
  memory->after = static_cast<int>(m_program.buffers.size());
  Buffer buffer{"", memory->dtype, memory->shape, memory->isFlat, memory->isArgument};
  if (memory->isArgument) {
    const Buffer& before = m_program.buffers[static_cast<std::size_t>(memory->before)];
    buffer.name = before.name;
    buffer.place = before.place;
    buffer.before = memory->before;
  } else {
    buffer.name = fmt::format("t{}", m_locals++);
    std::vector<std::int64_t> shape;
    for (const Loop loop : memory->scope) shape.push_back(m_program.loops.extent(loop));
    buffer.shape.insert(buffer.shape.begin(), shape.begin(), shape.end());
  }
  if (memory->shape.empty() && !memory->isFlat) buffer.shape.push_back(1);
  m_program.buffers.push_back(std::move(buffer));
  return memory->after;
}

}  // namespace gridloom::importer
