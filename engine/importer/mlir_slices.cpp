// SPDX-License-Identifier: Apache-2.0
//
// Slices of tensors, what surrounds tensors, and tensors in blocks.
#include <fmt/format.h>

#include <algorithm>

#include "importer/mlir_reader.h"

namespace gridloom::importer {

namespace {

ExprRef within(const Linear& form, ExprRef value, ExprRef other) {
  return call("select",
              {call(">=", {indexValue(form), number(0)}), std::move(value), std::move(other)});
}

}  // namespace

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

// A slice with all dimensions of its place: those that the source has not are of size 1.
Tile Reader::boxOf(const Tile& from, const std::vector<std::int64_t>& sizes) {
  Tile box{newVars(sizes), nullptr};
  std::vector<Linear> index;
  for (std::size_t d = 0, next = 0; d < sizes.size(); ++d) {
    const std::size_t left = from.vars.size() - next, dims = sizes.size() - d;
    if (sizes[d] == 1 && left < dims) continue;
    if (next < from.vars.size()) index.push_back(Linear::loop(box.vars[d]));
    ++next;
  }
  if (index.size() != from.vars.size())
    refuse(m_at, "a slice has other dimensions than its place", "insert a tensor of that shape");
  box.body = applied(from, index);
  return box;
}

// Of a tensor that a loop carries, the slice waits for the other iterations. Other tensors keep
// their elements around it.
void Reader::readInsertSlice(mlir::Value source, mlir::Value into,
                             mlir::OffsetSizeAndStrideOpInterface op, mlir::Value result) {
  for (const mlir::OpFoldResult stride : op.getMixedStrides()) {
    if (exactOf(stride) == Linear::of(1)) continue;
    refuse(m_at, "a slice is inserted with a stride", "insert elements side by side");
  }
  std::vector<Linear> offset;
  std::vector<std::int64_t> sizes;
  for (std::size_t d = 0; d < op.getMixedOffsets().size(); ++d) {
    offset.push_back(exactOf(op.getMixedOffsets()[d]));
    const Linear size = exactOf(op.getMixedSizes()[d]);
    if (!size.isConstant())
      refuse(m_at, "the size of a slice depends on a loop", "choose sizes that the blocks divide");
    sizes.push_back(size.constant);
  }
  if (std::holds_alternative<Patch>(get(source)))
    refuse(m_at, "a part of a slice is inserted", "insert the whole slice");
  insertBox(boxOf(tile(source), sizes), into, std::move(offset), sizes, result);
}

void Reader::insertBox(const Tile& box, mlir::Value into, std::vector<Linear> offset,
                       const std::vector<std::int64_t>& sizes, mlir::Value result) {
  const auto* old = std::get_if<Tile>(&get(into));
  const bool isWhole =
      std::ranges::all_of(offset, [](const Linear& from) { return from == Linear{}; }) &&
      old != nullptr && std::ranges::equal(sizes, old->vars, {}, {}, [&](Loop var) {
        return m_program.loops.extent(var);
      });
  if (isWhole) {
    set(result, box);
    return;
  }
  if (old == nullptr ||
      (old->body && old->body->kind == Expr::Kind::Load && old->body->buffer <= -1000)) {
    if (old == nullptr)
      refuse(m_at, "several slices are inserted into a tensor that a loop carries",
             "insert one slice per iteration");
    std::vector<std::int64_t> shape;
    for (const Loop var : old->vars) shape.push_back(m_program.loops.extent(var));
    set(result, Patch{old->body->buffer, box, std::move(offset), std::move(shape)});
    return;
  }
  Tile all;
  std::vector<std::int64_t> shape;
  for (const Loop var : old->vars) shape.push_back(m_program.loops.extent(var));
  all.vars = newVars(shape);
  std::vector<Linear> inBox;
  for (std::size_t d = 0; d < shape.size(); ++d)
    inBox.push_back(Linear::loop(all.vars[d]) - offset[d]);
  all.body = applied(box, inBox);
  if (sizes != shape) {
    // What nothing was written to may hold anything.
    const ExprRef around = old->body ? applied(*old, formsOf(all.vars)) : number(0);
    for (std::size_t d = 0; d < shape.size(); ++d) {
      if (sizes[d] == shape[d]) continue;
      all.body = within(Linear::of(sizes[d] - 1) - inBox[d], all.body, around);
      all.body = within(inBox[d], all.body, around);
    }
  }
  set(result, std::move(all));
}

// The loop moves the patch by its own size along one dimension.
Patch Reader::widened(const Patch& patch, Loop loop) {
  Patch all = patch;
  std::vector<Linear> index = formsOf(patch.tile.vars);
  std::optional<std::size_t> along;
  for (std::size_t d = 0; d < patch.offset.size(); ++d) {
    const std::int64_t step = m_program.loops.normal(patch.offset[d]).coefficient(loop);
    if (step == 0) continue;
    if (along || step != m_program.loops.extent(patch.tile.vars[d]))
      refuse(m_at, "the slices of a loop's iterations overlap or leave gaps",
             "insert slices side by side, in steps of their size");
    along = d;
  }
  std::map<Loop, Linear> by;
  if (!along) {
    // The last iteration wrote it.
    by[loop] = Linear::of(m_program.loops.extent(loop) - 1);
    all.tile.body = substitute(patch.tile.body, by);
    return all;
  }
  const std::size_t d = *along;
  const std::int64_t size = m_program.loops.extent(patch.tile.vars[d]);
  const Loop wide = m_program.loops.add(m_program.loops.extent(loop) * size);
  const auto parts = divided(Linear::loop(wide), size);
  by[loop] = parts.first;
  by[patch.tile.vars[d]] = parts.second;
  all.tile.body = substitute(patch.tile.body, by);
  all.tile.vars[d] = wide;
  all.offset[d].terms.erase(loop);
  return all;
}

// A tensor all of whose elements were replaced; a part waits for the loops around.
Value Reader::whole(const Patch& patch) {
  for (std::size_t d = 0; d < patch.shape.size(); ++d) {
    const Linear offset = m_program.loops.normal(patch.offset[d]);
    if (!offset.isConstant()) return patch;
    if (!(offset == Linear{}) || m_program.loops.extent(patch.tile.vars[d]) != patch.shape[d])
      refuse(m_at, "the slices of a loop do not cover the tensor", "cover it, or fill the rest");
  }
  return patch.tile;
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
