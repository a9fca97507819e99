// SPDX-License-Identifier: Apache-2.0
//
// Views of memory, and where their elements are.
#include <algorithm>

#include "importer/mlir_reader.h"

namespace gridloom::importer {

namespace {

std::vector<std::int64_t> rowMajor(const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> strides(shape.size(), 1);
  for (std::size_t d = shape.size(); d-- > 1;) strides[d - 1] = strides[d] * shape[d];
  return strides;
}

// In `View::where`, the loop that stands for a dimension of the view.
Loop placeholder(std::size_t dim) { return -1 - static_cast<Loop>(dim); }

}  // namespace

// The view without dimensions of size 1.
View Reader::withoutDims(const View& whole, const llvm::SmallBitVector& dropped) {
  View kept = whole;
  kept.step.clear();
  kept.sizes.clear();
  for (std::size_t d = 0, to = 0; d < whole.sizes.size(); ++d) {
    if (dropped.test(static_cast<unsigned>(d))) continue;
    kept.step.push_back(whole.step[d]);
    kept.sizes.push_back(whole.sizes[d]);
    for (Linear& form : kept.where) {
      if (d == to || !form.terms.contains(placeholder(d))) continue;
      form.terms[placeholder(to)] = form.terms[placeholder(d)];
      form.terms.erase(placeholder(d));
    }
    ++to;
  }
  return kept;
}

View Reader::wholeView(const MemoryRef& memory) const {
  View view{memory, memory->isFlat, {}, {}, memory->shape, {}};
  if (memory->isFlat) {
    view.offset = {Linear{}};
    for (const std::int64_t stride : rowMajor(memory->shape)) view.step.push_back({stride});
    return view;
  }
  view.offset.assign(memory->shape.size(), {});
  for (std::size_t d = 0; d < memory->shape.size(); ++d) {
    view.step.emplace_back(memory->shape.size(), 0);
    view.step.back()[d] = 1;
  }
  return view;
}

// A view of another shape, the same elements in row-major order.
View Reader::reshaped(const View& from, mlir::Operation& op) const {
  const auto type = llvm::cast<mlir::ShapedType>(op.getResult(0).getType());
  if (!from.where.empty())
    refuse(&op, "a masked view changes its shape", "choose sizes that the blocks divide");
  View to{from.memory, false, {Linear{}}, {}, {}, {}, std::make_shared<View>(from)};
  std::int64_t all = 1, known = 1;
  for (const std::int64_t size : from.sizes) all *= size;
  for (const std::int64_t size : type.getShape())
    if (!mlir::ShapedType::isDynamic(size)) known *= size;
  if (type.getNumDynamicDims() > 1)
    refuse(&op, "a view changes to a shape with several sizes that are not known",
           "give the sizes as numbers");
  for (const std::int64_t size : type.getShape())
    to.sizes.push_back(mlir::ShapedType::isDynamic(size) ? all / std::max<std::int64_t>(known, 1)
                                                         : size);
  for (const std::int64_t stride : rowMajor(to.sizes)) to.step.push_back({stride});
  return to;
}

View Reader::subview(const View& from, mlir::OffsetSizeAndStrideOpInterface op, mlir::ShapedType) {
  View part = from;
  const auto value = [&](mlir::OpFoldResult of) -> Integer {
    if (const auto known = mlir::getConstantIntValue(of)) return Linear::of(*known);
    return integer(llvm::cast<mlir::Value>(of));
  };
  for (std::size_t d = 0; d < from.step.size(); ++d) {
    const Integer offset = value(op.getMixedOffsets()[d]);
    const Integer size = simplified(value(op.getMixedSizes()[d]));
    const Integer stride = value(op.getMixedStrides()[d]);
    if (!offset.isExact() || !stride.isExact() || !stride.forms[0].isConstant())
      refuse(m_at, "a view starts or strides where no affine form says", "use affine offsets");
    for (std::size_t m = 0; m < part.offset.size(); ++m) {
      part.offset[m] = part.offset[m] + offset.forms[0] * from.step[d][m];
      part.step[d][m] = from.step[d][m] * stride.forms[0].constant;
    }
    if (size.isExact() && size.forms[0].isConstant()) {
      part.sizes[d] = size.forms[0].constant;
      continue;
    }
    if (size.kind == Integer::Kind::Max)
      refuse(m_at, "a view has a size that is the greatest of several", "choose sizes that divide");
    // A mask: the elements below each of these.
    std::int64_t greatest = part.sizes[d];
    for (const Linear& form : size.forms) {
      greatest = std::min(greatest, m_program.loops.range(form).second);
      if (!form.isConstant())
        part.where.push_back(form - Linear::of(1) - Linear::loop(placeholder(d)));
    }
    part.sizes[d] = greatest;
  }
  return part;
}

View Reader::reinterpreted(const View& from, mlir::memref::ReinterpretCastOp op) {
  View to{from.memory, true, {}, {}, {}, {}};
  if (!from.memory->isFlat)
    refuse(op, "memory that the function allocated is addressed by numbers",
           "use memref.subview, or a reinterpret_cast of an argument");
  const auto value = [&](mlir::OpFoldResult of) -> Linear {
    if (const auto known = mlir::getConstantIntValue(of)) return Linear::of(*known);
    return m_program.loops.normal(exact(llvm::cast<mlir::Value>(of)));
  };
  to.offset = {offsetOf(op.getMixedOffsets()[0], to.data)};
  for (const mlir::OpFoldResult size : op.getMixedSizes()) {
    const Linear known = value(size);
    if (!known.isConstant()) refuse(op, "a block's size depends on a loop", "blocks have one size");
    to.sizes.push_back(known.constant);
  }
  for (const mlir::OpFoldResult stride : op.getMixedStrides()) {
    const Linear known = value(stride);
    if (!known.isConstant()) refuse(op, "a stride depends on a loop", "strides are constants");
    to.step.push_back({known.constant});
  }
  return to;
}

std::vector<Linear> Reader::place(const View& view, const std::vector<Linear>& index) const {
  std::vector<Linear> at = view.offset;
  for (std::size_t d = 0; d < index.size(); ++d) {
    for (std::size_t m = 0; m < at.size(); ++m) at[m] = at[m] + index[d] * view.step[d][m];
  }
  if (view.source) return place(*view.source, unflattened(at.front(), view.source->sizes));
  if (at.empty()) at = {Linear{}};  // a scalar in memory is a tensor of one element
  return at;
}

}  // namespace gridloom::importer
