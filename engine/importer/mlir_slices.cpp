// SPDX-License-Identifier: Apache-2.0
//
// Slices of tensors, what surrounds tensors, and tensors in blocks.
#include <fmt/format.h>

#include <algorithm>

#include "importer/mlir_reader.h"

namespace gridloom::importer {

Linear Reader::exactOf(mlir::OpFoldResult of) const {
  if (const auto known = mlir::getConstantIntValue(of)) return Linear::of(*known);
  return m_program.loops.normal(exact(llvm::cast<mlir::Value>(of)));
}

std::vector<std::int64_t> Reader::sizesOfValue(mlir::Value value, mlir::ShapedType type) const {
  if (const auto* elements = std::get_if<Tile>(&get(value))) {
    std::vector<std::int64_t> sizes;
    for (const Loop var : elements->vars) sizes.push_back(m_program.loops.extent(var));
    return sizes;
  }
  return {type.getShape().begin(), type.getShape().end()};
}

bool Reader::readSlice(mlir::Operation& op) {
  if (auto slice = llvm::dyn_cast<mlir::tensor::ExtractSliceOp>(op)) {
    readExtractSlice(slice);
  } else if (auto insert = llvm::dyn_cast<mlir::tensor::InsertSliceOp>(op)) {
    readInsertSlice(insert.getSource(), insert.getDest(), insert, insert.getResult());
  } else if (auto inParallel = llvm::dyn_cast<mlir::tensor::ParallelInsertSliceOp>(op)) {
    readInsertSlice(inParallel.getSource(), inParallel.getDest(), inParallel, inParallel.getDest());
  } else if (auto pad = llvm::dyn_cast<mlir::tensor::PadOp>(op)) {
    readPad(pad);
  } else if (auto pack = llvm::dyn_cast<mlir::tensor::PackOp>(op)) {
    readPack(pack);
  } else if (auto unpack = llvm::dyn_cast<mlir::tensor::UnPackOp>(op)) {
    readUnpack(unpack);
  } else {
    return false;
  }
  return true;
}

void Reader::readExtractSlice(mlir::tensor::ExtractSliceOp slice) {
  Tile from;
  // A slice of what was not written yet is not written either.
  if (const auto* elements = std::get_if<Tile>(&get(slice.getSource())))
    from = *elements;
  else
    from = tile(slice.getSource());
  const auto droppedDims = slice.getDroppedDims();
  Tile result;
  std::vector<Linear> index;
  for (std::size_t d = 0; d < from.vars.size(); ++d) {
    Linear at = exactOf(slice.getMixedOffsets()[d]);
    const std::int64_t size = greatestSize(slice.getMixedSizes()[d]);
    const Linear stride = exactOf(slice.getMixedStrides()[d]);
    if (!stride.isConstant()) refuse(slice, "a slice strides by a loop", "strides are constants");
    if (!droppedDims.test(static_cast<unsigned>(d))) {
      result.vars.push_back(m_program.loops.add(size));
      at = at + Linear::loop(result.vars.back()) * stride.constant;
    }
    index.push_back(at);
  }
  if (from.body) result.body = applied(from, index);
  set(slice.getResult(), std::move(result));
}

void Reader::readPad(mlir::tensor::PadOp pad) {
  const mlir::Value padding = pad.getConstantPaddingValue();
  if (!padding) refuse(pad, "the padding is no constant", "pad with a constant");
  if (m_values.find(padding.getAsOpaquePointer()) == m_values.end())
    readOp(*padding.getDefiningOp());
  const ExprRef around = scalar(padding);
  const Tile from = tile(pad.getSource());
  Tile result;
  std::vector<Linear> index, inside;
  for (std::size_t d = 0; d < from.vars.size(); ++d) {
    const Linear low = exactOf(pad.getMixedLowPad()[d]), high = exactOf(pad.getMixedHighPad()[d]);
    if (!low.isConstant() || !high.isConstant())
      refuse(pad, "the padding depends on a loop", "pad by numbers");
    const std::int64_t size = m_program.loops.extent(from.vars[d]);
    result.vars.push_back(m_program.loops.add(size + low.constant + high.constant));
    const Linear at = Linear::loop(result.vars.back()) - low;
    index.push_back(at);
    if (low.constant > 0) inside.push_back(at);
    if (high.constant > 0) inside.push_back(Linear::of(size - 1) - at);
  }
  result.body = applied(from, index);
  for (const Linear& form : inside) result.body = within(form, result.body, around);
  set(pad.getResult(), std::move(result));
}

// Element (i, a) of a packed tensor is element E * i + a, dimension by dimension.
void Reader::readPack(mlir::tensor::PackOp pack) {
  const Tile from = tile(pack.getSource());
  std::vector<std::int64_t> outer, inner;
  for (const Loop var : from.vars) outer.push_back(m_program.loops.extent(var));
  const auto dims = pack.getInnerDimsPos();
  for (std::size_t n = 0; n < dims.size(); ++n) {
    const Linear size = exactOf(pack.getMixedTiles()[n]);
    if (!size.isConstant()) refuse(pack, "a block's size depends on a loop", "use a number");
    inner.push_back(size.constant);
    std::int64_t& all = outer[static_cast<std::size_t>(dims[n])];
    all = (all + size.constant - 1) / size.constant;
  }
  std::vector<Loop> outerVars(outer.size());
  const auto order = pack.getOuterDimsPerm();
  Tile result;
  for (std::size_t d = 0; d < outer.size(); ++d) {
    const auto of = order.empty() ? d : static_cast<std::size_t>(order[d]);
    outerVars[of] = m_program.loops.add(outer[of]);
    result.vars.push_back(outerVars[of]);
  }
  std::vector<Linear> index = formsOf(outerVars);
  std::vector<Linear> inside;
  for (std::size_t n = 0; n < dims.size(); ++n) {
    const auto d = static_cast<std::size_t>(dims[n]);
    result.vars.push_back(m_program.loops.add(inner[n]));
    index[d] = index[d] * inner[n] + Linear::loop(result.vars.back());
    const std::int64_t size = m_program.loops.extent(from.vars[d]);
    if (outer[d] * inner[n] > size) inside.push_back(Linear::of(size - 1) - index[d]);
  }
  result.body = applied(from, index);
  if (!inside.empty()) {
    if (!pack.getPaddingValue())
      refuse(pack, "blocks do not divide the tensor, and no padding is given", "give a padding");
    for (const Linear& form : inside)
      result.body = within(form, result.body, scalar(pack.getPaddingValue()));
  }
  set(pack.getResult(), std::move(result));
}

void Reader::readUnpack(mlir::tensor::UnPackOp unpack) {
  const Tile from = tile(unpack.getSource());
  const std::vector<std::int64_t> sizes = sizesOfValue(unpack.getDest(), unpack.getDestType());
  const auto dims = unpack.getInnerDimsPos();
  const auto order = unpack.getOuterDimsPerm();
  // Of whole blocks; what a last block has too much is left out behind.
  std::vector<std::int64_t> blocks = sizes, inner;
  for (std::size_t n = 0; n < dims.size(); ++n) {
    inner.push_back(m_program.loops.extent(from.vars[sizes.size() + n]));
    std::int64_t& size = blocks[static_cast<std::size_t>(dims[n])];
    size = (size + inner[n] - 1) / inner[n] * inner[n];
  }
  Tile all;
  all.vars = newVars(blocks);
  std::vector<Linear> outer = formsOf(all.vars), inBlock;
  for (std::size_t n = 0; n < dims.size(); ++n) {
    const auto d = static_cast<std::size_t>(dims[n]);
    const auto parts = divided(outer[d], inner[n]);
    outer[d] = parts.first;
    inBlock.push_back(parts.second);
  }
  std::vector<Linear> index;
  for (std::size_t d = 0; d < outer.size(); ++d)
    index.push_back(outer[order.empty() ? d : static_cast<std::size_t>(order[d])]);
  index.insert(index.end(), inBlock.begin(), inBlock.end());
  all.body = applied(from, index);
  all = stored(all, dtypeOf(unpack.getDestType().getElementType()));
  Tile result{newVars(sizes), nullptr};
  result.body = applied(all, formsOf(result.vars));
  set(unpack.getResult(), std::move(result));
}

}  // namespace gridloom::importer
