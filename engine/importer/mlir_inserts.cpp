// SPDX-License-Identifier: Apache-2.0
//
// Slices that are inserted into tensors: once, by the iterations of a loop, with a stride.
#include <algorithm>

#include "importer/mlir_reader.h"

namespace gridloom::importer {

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
  std::vector<Linear> offset;
  std::vector<std::int64_t> sizes, strides;
  std::vector<std::size_t> edges;
  const auto shape = sizesOfValue(into, llvm::cast<mlir::ShapedType>(into.getType()));
  for (std::size_t d = 0; d < op.getMixedOffsets().size(); ++d) {
    offset.push_back(exactOf(op.getMixedOffsets()[d]));
    const Linear stride = exactOf(op.getMixedStrides()[d]);
    if (!stride.isConstant() || stride.constant < 1)
      refuse(m_at, "the stride of a slice depends on a loop", "strides are constants");
    strides.push_back(stride.constant);
    bool isEdge = false;
    sizes.push_back(insertedSize(op.getMixedSizes()[d], Linear::of(shape[d]) - offset[d], isEdge));
    if (isEdge) edges.push_back(d);
  }
  if (std::holds_alternative<Patch>(get(source)))
    refuse(m_at, "a part of a slice is inserted", "insert the whole slice");
  Tile box = boxOf(tile(source), sizes);
  for (const std::size_t d : edges) {
    const Linear at = offset[d] + Linear::loop(box.vars[d]);
    box.body = within(Linear::of(shape[d] - 1) - at, box.body, number(0));
  }
  if (std::ranges::any_of(strides, [](std::int64_t stride) { return stride != 1; }))
    return insertStrided(box, into, offset, strides, result);
  insertBox(box, into, std::move(offset), sizes, result);
  if (auto* patch = std::get_if<Patch>(&m_values[result.getAsOpaquePointer()]);
      patch != nullptr && !edges.empty())
    patch->edgeOf = dtypeOf(mlir::getElementTypeOrSelf(into.getType()));
}

// The greatest size of a slice. At an edge it is the least of that and of what `rest` leaves.
std::int64_t Reader::insertedSize(mlir::OpFoldResult of, const Linear& rest, bool& isEdge) const {
  if (const auto known = mlir::getConstantIntValue(of)) return *known;
  const Integer size = simplified(integer(llvm::cast<mlir::Value>(of)));
  const Linear first = size.forms.front();
  if (size.isExact() && first.isConstant()) return first.constant;
  const Linear left = m_program.loops.normal(rest);
  std::int64_t greatest = -1;
  for (const Linear& form : size.forms) {
    if (form.isConstant())
      greatest = form.constant;
    else if (form == left)
      isEdge = true;
  }
  if (size.kind != Integer::Kind::Min || size.forms.size() != 2 || !isEdge || greatest < 0)
    refuse(m_at, "the size of a slice depends on a loop", "choose sizes that the blocks divide");
  return greatest;
}

// Into every n-th element of a tensor of zeros, as a transposed convolution does: each element is
// the sum of those of the slice that come to stand there, which is one or none.
void Reader::insertStrided(const Tile& box, mlir::Value into, const std::vector<Linear>& offset,
                           const std::vector<std::int64_t>& strides, mlir::Value result) {
  const Tile old = tile(into);
  if (!isNumber(old.body, 0))
    refuse(m_at, "a slice is inserted with a stride, and not into zeros",
           "fill the tensor with 0.0 first");
  Tile all;
  std::vector<std::int64_t> shape;
  for (const Loop var : old.vars) shape.push_back(m_program.loops.extent(var));
  all.vars = newVars(shape);
  std::vector<Linear> inBox, inside;
  std::vector<Loop> summed;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const Linear at = Linear::loop(all.vars[d]) - offset[d];
    const std::int64_t size = m_program.loops.extent(box.vars[d]);
    if (strides[d] == 1) {
      inBox.push_back(at);
      if (size == shape[d]) continue;
      inside.insert(inside.end(), {at, Linear::of(size - 1) - at});
      continue;
    }
    summed.push_back(m_program.loops.add(size));
    inBox.push_back(Linear::loop(summed.back()));
    const Linear gap = at - inBox.back() * strides[d];
    inside.insert(inside.end(), {gap, gap * -1});
  }
  all.body = applied(box, inBox);
  for (const Linear& form : inside) all.body = within(form, all.body, number(0));
  all.body = reduce("sum", summed, all.body);
  set(result, stored(all, dtypeOf(mlir::getElementTypeOrSelf(into.getType()))));
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

// A tensor all of whose elements were replaced; a part waits for the loops around. What slices at
// an edge have too much is left out.
Value Reader::whole(const Patch& patch) {
  bool hasEdge = false;
  for (std::size_t d = 0; d < patch.shape.size(); ++d) {
    const Linear offset = m_program.loops.normal(patch.offset[d]);
    if (!offset.isConstant()) return patch;
    const std::int64_t extent = m_program.loops.extent(patch.tile.vars[d]);
    const bool isBeyond = extent > patch.shape[d] && !patch.edgeOf.empty();
    if (!(offset == Linear{}) || (extent != patch.shape[d] && !isBeyond))
      refuse(m_at, "the slices of a loop do not cover the tensor", "cover it, or fill the rest");
    hasEdge = hasEdge || isBeyond;
  }
  if (!hasEdge) return patch.tile;
  const Tile all = stored(patch.tile, patch.edgeOf);
  Tile inside{newVars(patch.shape), nullptr};
  inside.body = applied(all, formsOf(inside.vars));
  return inside;
}

}  // namespace gridloom::importer
