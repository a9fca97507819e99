// SPDX-License-Identifier: Apache-2.0
//
// Vectors are boxes of elements, as tensors are. Here they are loaded from memory and stored to it.
#include <fmt/format.h>
#include <mlir/Dialect/Vector/IR/VectorOps.h>

#include <algorithm>

#include "importer/mlir_reader.h"

namespace gridloom::importer {

namespace {

// The element of a transfer's mask for each element of its vector: masks have the dimensions of the
// memory that the vector runs along, in the memory's order.
std::vector<Linear> maskAt(const std::vector<int>& dims, const std::vector<Linear>& element) {
  std::map<int, Linear> at;
  for (std::size_t d = 0; d < dims.size(); ++d)
    if (dims[d] >= 0) at[dims[d]] = element[d];
  std::vector<Linear> index;
  for (const auto& [dim, form] : at) index.push_back(form);
  return index;
}

}  // namespace

bool Reader::readVector(mlir::Operation& op) {
  if (op.getName().getDialectNamespace() != "vector" &&
      !llvm::isa<mlir::affine::AffineVectorLoadOp, mlir::affine::AffineVectorStoreOp>(op))
    return false;
  return readVectorMemory(op) || readVectorReduction(op) || readVectorShape(op);
}

// The box of a memory that a vector stands for: `index` is its first element, and `dims` are the
// dimensions of the memory that those of the vector run along; -1 repeats one element.
View Reader::vectorBox(const View& from, const std::vector<Linear>& index,
                       const std::vector<int>& dims, mlir::VectorType type) const {
  View box = from;
  box.where.clear();  // see insideOf
  box.offset = place(from, index);
  box.step.clear();
  box.sizes.assign(type.getShape().begin(), type.getShape().end());
  box.source.reset();
  if (from.source) refuse(m_at, "a vector is read through a reshaped view", "read its elements");
  for (const int dim : dims) {
    box.step.push_back(dim < 0 ? std::vector<std::int64_t>(box.offset.size(), 0)
                               : from.step[static_cast<std::size_t>(dim)]);
  }
  return box;
}

// The conditions under which an element of the box lies inside of the memory.
std::vector<Linear> Reader::insideOf(const std::vector<std::int64_t>& sizes,
                                     const std::vector<Linear>& index, const std::vector<int>& dims,
                                     const Tile& tile) const {
  std::vector<Linear> inside;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (dims[d] < 0) continue;
    const auto m = static_cast<std::size_t>(dims[d]);
    const Linear at = m_program.loops.normal(index[m] + Linear::loop(tile.vars[d]));
    const auto [least, greatest] = m_program.loops.range(at);
    if (greatest >= sizes[m]) inside.push_back(Linear::of(sizes[m] - 1) - at);
    if (least < 0) inside.push_back(at);
  }
  return inside;
}

// The same of a view, whose masks leave out elements, too.
std::vector<Linear> Reader::insideOf(const View& from, const std::vector<Linear>& index,
                                     const std::vector<int>& dims, const Tile& tile) const {
  std::vector<Linear> inside = insideOf(from.sizes, index, dims, tile);
  std::vector<Linear> at = index;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (dims[d] < 0) continue;
    Linear& form = at[static_cast<std::size_t>(dims[d])];
    form = form + Linear::loop(tile.vars[d]);
  }
  for (const Linear& mask : masksAt(from, at)) {
    const Linear form = m_program.loops.normal(mask);
    if (m_program.loops.range(form).first < 0) inside.push_back(form);
  }
  return inside;
}

Tile Reader::readBox(mlir::Value source, const std::vector<Linear>& index,
                     const std::vector<int>& dims, mlir::VectorType type, const ExprRef& padding) {
  Tile result{newVars(type.getShape()), nullptr};
  std::vector<Linear> within;
  if (llvm::isa<mlir::TensorType>(source.getType())) {
    std::vector<std::int64_t> sizes;
    const Tile from = tile(source);
    std::vector<Linear> at = index;
    for (std::size_t d = 0; d < dims.size(); ++d) {
      if (dims[d] < 0) continue;
      Linear& form = at[static_cast<std::size_t>(dims[d])];
      form = form + Linear::loop(result.vars[d]);
    }
    for (const Loop var : from.vars) sizes.push_back(m_program.loops.extent(var));
    result.body = applied(from, at);
    within = insideOf(sizes, index, dims, result);
  } else {
    const View from = view(source);
    within = insideOf(from, index, dims, result);
    result.body = loaded(vectorBox(from, index, dims, type), formsOf(result.vars));
  }
  for (const Linear& form : within) {
    if (!padding)
      refuse(m_at, "a vector reaches beyond the end of its memory", "mask it, or pad the memory");
    result.body = call("select", {call(">=", {indexValue(form), number(0)}), result.body, padding});
  }
  return result;
}

// What a mask leaves out keeps what was there.
void Reader::writeBox(mlir::Value target, const std::vector<Linear>& index,
                      const std::vector<int>& dims, mlir::VectorType type, const Tile& value,
                      mlir::Value mask) {
  const View from = view(target);
  View box = vectorBox(from, index, dims, type);
  // A view's conditions number its dimensions -1, -2, ...
  std::map<Loop, Linear> dimensions;
  for (std::size_t v = 0; v < value.vars.size(); ++v)
    dimensions[value.vars[v]] = Linear::loop(-1 - static_cast<Loop>(v));
  const auto limit = [&](const std::vector<Linear>& forms) {
    const std::vector<Linear> numbered = substitute(load(-1, forms), dimensions)->index;
    box.where.insert(box.where.end(), numbered.begin(), numbered.end());
  };
  limit(insideOf(from, index, dims, value));
  if (!mask) {
    write(box, value);
    return;
  }
  const ExprRef held = applied(tile(mask), maskAt(dims, formsOf(value.vars)));
  std::vector<Linear> holds;
  if (!asBounds(held, holds)) {
    Tile chosen = value;
    chosen.body = call("select", {held, value.body, loaded(box, formsOf(value.vars))});
    write(box, chosen);
    return;
  }
  limit(holds);
  write(box, value);
}

// A condition as forms that are at least 0, where it is one.
bool Reader::asBounds(const ExprRef& condition, std::vector<Linear>& holds) const {
  if (condition->kind == Expr::Kind::Number) return condition->number != 0;
  if (condition->kind != Expr::Kind::Call || condition->args.size() != 2) return false;
  if (condition->name == "and")
    return asBounds(condition->args[0], holds) && asBounds(condition->args[1], holds);
  const auto form = [](const ExprRef& of) -> std::optional<Linear> {
    if (of->kind == Expr::Kind::Index) return of->index.front();
    if (isNumber(of)) return Linear::of(static_cast<std::int64_t>(of->number));
    return std::nullopt;
  };
  const auto a = form(condition->args[0]), b = form(condition->args[1]);
  if (!a || !b) return false;
  const std::string& name = condition->name;
  if (name == ">=") holds.push_back(*a - *b);
  if (name == "<=") holds.push_back(*b - *a);
  if (name == ">") holds.push_back(*a - *b - Linear::of(1));
  if (name == "<") holds.push_back(*b - *a - Linear::of(1));
  if (name == "==") {
    holds.push_back(*a - *b);
    holds.push_back(*b - *a);
  }
  return name == ">=" || name == "<=" || name == ">" || name == "<" || name == "==";
}

bool Reader::readVectorMemory(mlir::Operation& op) {
  // The innermost dimensions of the memory.
  const auto inner = [&](std::size_t rank, mlir::VectorType type) {
    std::vector<int> dims;
    for (std::int64_t d = 0; d < type.getRank(); ++d)
      dims.push_back(static_cast<int>(rank) - static_cast<int>(type.getRank()) +
                     static_cast<int>(d));
    return dims;
  };
  const auto mappedDims = [&](mlir::AffineMap map) {
    std::vector<int> dims;
    for (const mlir::AffineExpr expr : map.getResults()) {
      const auto dim = llvm::dyn_cast<mlir::AffineDimExpr>(expr);
      dims.push_back(dim ? static_cast<int>(dim.getPosition()) : -1);
    }
    return dims;
  };
  const auto masked = [&](Tile value, const std::vector<int>& dims, mlir::Value mask,
                          const ExprRef& other) {
    if (!mask) return value;
    const ExprRef held = applied(tile(mask), maskAt(dims, formsOf(value.vars)));
    value.body = call("select", {held, value.body, other});
    return value;
  };
  if (auto load = llvm::dyn_cast<mlir::vector::LoadOp>(op)) {
    const auto index = indicesOf(load.getIndices());
    set(load.getResult(), readBox(load.getBase(), index, inner(index.size(), load.getVectorType()),
                                  load.getVectorType(), nullptr));
  } else if (auto affine = llvm::dyn_cast<mlir::affine::AffineVectorLoadOp>(op)) {
    const auto index = mappedIndices(affine.getAffineMap(), affine.getMapOperands());
    set(affine.getResult(),
        readBox(affine.getMemRef(), index, inner(index.size(), affine.getVectorType()),
                affine.getVectorType(), nullptr));
  } else if (auto store_ = llvm::dyn_cast<mlir::vector::StoreOp>(op)) {
    const auto index = indicesOf(store_.getIndices());
    writeBox(store_.getBase(), index, inner(index.size(), store_.getVectorType()),
             store_.getVectorType(), tile(store_.getValueToStore()), {});
  } else if (auto put = llvm::dyn_cast<mlir::affine::AffineVectorStoreOp>(op)) {
    const auto index = mappedIndices(put.getAffineMap(), put.getMapOperands());
    writeBox(put.getMemRef(), index, inner(index.size(), put.getVectorType()), put.getVectorType(),
             tile(put.getValueToStore()), {});
  } else if (auto part = llvm::dyn_cast<mlir::vector::MaskedLoadOp>(op)) {
    const auto index = indicesOf(part.getIndices());
    const auto dims = inner(index.size(), part.getVectorType());
    // What the mask leaves out may lie beyond the end.
    const Tile other = tile(part.getPassThru());
    Tile value = readBox(part.getBase(), index, dims, part.getVectorType(), number(0));
    set(part.getResult(), masked(value, dims, part.getMask(), applied(other, formsOf(value.vars))));
  } else if (auto maskedStore = llvm::dyn_cast<mlir::vector::MaskedStoreOp>(op)) {
    const auto index = indicesOf(maskedStore.getIndices());
    writeBox(maskedStore.getBase(), index, inner(index.size(), maskedStore.getVectorType()),
             maskedStore.getVectorType(), tile(maskedStore.getValueToStore()),
             maskedStore.getMask());
  } else if (auto read = llvm::dyn_cast<mlir::vector::TransferReadOp>(op)) {
    const ExprRef padding = scalar(read.getPadding());
    const auto dims = mappedDims(read.getPermutationMap());
    Tile value = readBox(read.getSource(), indicesOf(read.getIndices()), dims, read.getVectorType(),
                         padding);
    set(read.getResult(), masked(std::move(value), dims, read.getMask(), padding));
  } else if (auto write_ = llvm::dyn_cast<mlir::vector::TransferWriteOp>(op)) {
    readTransferWrite(write_, indicesOf(write_.getIndices()),
                      mappedDims(write_.getPermutationMap()));
  } else {
    return false;
  }
  return true;
}

// Into a tensor, the vector replaces a box of it.
void Reader::readTransferWrite(mlir::vector::TransferWriteOp op, const std::vector<Linear>& index,
                               const std::vector<int>& dims) {
  const Tile value = tile(op.getVector());
  if (!llvm::isa<mlir::TensorType>(op.getSource().getType())) {
    writeBox(op.getSource(), index, dims, op.getVectorType(), value, op.getMask());
    return;
  }
  if (op.getMask()) refuse(op, "a masked vector is written into a tensor", "write to memory");
  const auto type = llvm::cast<mlir::ShapedType>(op.getSource().getType());
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(type.getRank()), 1);
  Tile box;
  std::vector<Linear> at(value.vars.size());
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (dims[d] < 0) refuse(op, "a vector repeats where it is written", "write it once");
    sizes[static_cast<std::size_t>(dims[d])] = m_program.loops.extent(value.vars[d]);
  }
  box.vars = newVars(sizes);
  for (std::size_t d = 0; d < dims.size(); ++d)
    at[d] = Linear::loop(box.vars[static_cast<std::size_t>(dims[d])]);
  box.body = applied(value, at);
  insertBox(box, op.getSource(), index, sizes, op.getResult());
}

}  // namespace gridloom::importer
