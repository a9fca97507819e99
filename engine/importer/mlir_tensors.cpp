// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Bufferization/IR/Bufferization.h>

#include <algorithm>
#include <limits>

#include "importer/mlir_reader.h"

namespace gridloom::importer {

bool Reader::readTensor(mlir::Operation& op) {
  return readTensorShape(op) || readTensorElements(op) || readTensorReshape(op);
}

bool Reader::readTensorShape(mlir::Operation& op) {
  const llvm::StringRef name = op.getName().getStringRef();
  if (name == "tensor.empty" || name == "bufferization.alloc_tensor") {
    const auto type = llvm::cast<mlir::ShapedType>(op.getResult(0).getType());
    auto empty = llvm::dyn_cast<mlir::tensor::EmptyOp>(op);
    std::vector<std::int64_t> sizes;
    if (empty) {
      for (const mlir::OpFoldResult size : empty.getMixedSizes())
        sizes.push_back(greatestSize(size));
    } else {
      sizes = sizesOf(type, op.getOperands());
    }
    set(op.getResult(0), Tile{newVars(sizes), nullptr});
    return true;
  }
  if (name == "tensor.dim" || name == "memref.dim") {
    const auto d = static_cast<std::size_t>(constant(op.getOperand(1)));
    const auto* elements = std::get_if<Tile>(&get(op.getOperand(0)));
    if (elements != nullptr ? hasEdge(op.getOperand(0), d) : !view(op.getOperand(0)).where.empty())
      refuse(&op, "it takes the size of a slice that is smaller in some iterations",
             "choose sizes that the blocks divide");
    const std::int64_t size = elements != nullptr ? m_program.loops.extent(elements->vars[d])
                                                  : view(op.getOperand(0)).sizes[d];
    set(op.getResult(0), Integer(Linear::of(size)));
    return true;
  }
  if (name == "tensor.cast" || name == "bufferization.to_tensor") {
    const bool isTensor = llvm::isa<mlir::TensorType>(op.getOperand(0).getType());
    set(op.getResult(0),
        name == "tensor.cast" && !isTensor ? get(op.getOperand(0)) : Value{tile(op.getOperand(0))});
    return true;
  }
  if (name != "bufferization.materialize_in_destination" || op.getNumResults() > 0) return false;
  write(view(op.getOperand(1)), tile(op.getOperand(0)));
  return true;
}

bool Reader::readTensorElements(mlir::Operation& op) {
  const llvm::StringRef name = op.getName().getStringRef();
  if (name == "tensor.splat" || name == "tensor.from_elements") {
    const auto type = llvm::cast<mlir::ShapedType>(op.getResult(0).getType());
    if (name == "tensor.from_elements" && type.getNumElements() != 1) return false;
    set(op.getResult(0), Tile{newVars(type.getShape()), scalar(op.getOperand(0))});
  } else if (auto extract = llvm::dyn_cast<mlir::tensor::ExtractOp>(op)) {
    readExtract(extract);
  } else if (auto concat = llvm::dyn_cast<mlir::tensor::ConcatOp>(op)) {
    readConcat(concat);
  } else if (auto generate = llvm::dyn_cast<mlir::tensor::GenerateOp>(op)) {
    readGenerate(generate);
  } else if (auto insert = llvm::dyn_cast<mlir::tensor::InsertOp>(op)) {
    readInsert(insert);
  } else {
    return false;
  }
  return true;
}

void Reader::readExtract(mlir::tensor::ExtractOp extract) {
  std::vector<ExprRef> index;
  for (const mlir::Value at : extract.getIndices()) index.push_back(indexOf(at));
  const Tile from = tile(extract.getTensor());
  ExprRef element = elementAt(from, index, dtypeOf(extract.getType()));
  // A reduction is computed once, and not by every element that uses it.
  if (hasReduction(*element))
    element = stored({{}, element}, dtypeOf(extract.getTensor().getType().getElementType())).body;
  set(extract.getResult(), element);
}

// One element is a slice of size 1.
void Reader::readInsert(mlir::tensor::InsertOp insert) {
  const ExprRef element = scalar(insert.getScalar());
  const std::vector<std::int64_t> sizes(insert.getIndices().size(), 1);
  if (sizes.empty()) return set(insert.getResult(), Tile{{}, element});
  std::vector<Linear> offset;
  for (const mlir::Value at : insert.getIndices()) offset.push_back(exactOf(at));
  insertBox({newVars(sizes), element}, insert.getDest(), std::move(offset), sizes,
            insert.getResult());
}

void Reader::readGenerate(mlir::tensor::GenerateOp generate) {
  Tile result;
  result.vars = newVars(sizesOf(generate.getType(), generate.getDynamicExtents()));
  std::map<void*, ExprRef> indices;
  for (std::size_t d = 0; d < result.vars.size(); ++d)
    indices[generate.getBody().getArgument(static_cast<unsigned>(d)).getAsOpaquePointer()] =
        indexValue(Linear::loop(result.vars[d]));
  result.body = region(generate.getBody().front(), 0, indices, formsOf(result.vars));
  set(generate.getResult(), std::move(result));
}

bool Reader::readTensorReshape(mlir::Operation& op) {
  if (auto reshape = llvm::dyn_cast<mlir::tensor::CollapseShapeOp>(op)) {
    readCollapse(reshape);
  } else if (auto expand = llvm::dyn_cast<mlir::tensor::ExpandShapeOp>(op)) {
    readExpand(expand);
  } else {
    return false;
  }
  return true;
}

void Reader::readCollapse(mlir::tensor::CollapseShapeOp reshape) {
  const Tile from = tile(reshape.getSrc());
  const auto extent = [&](std::int64_t d) {
    return m_program.loops.extent(from.vars[static_cast<std::size_t>(d)]);
  };
  Tile result;
  std::vector<Linear> index(from.vars.size());
  for (const auto& group : reshape.getReassociationIndices()) {
    std::int64_t all = 1;
    for (const auto d : group) all *= extent(d);
    result.vars.push_back(m_program.loops.add(all));
    Linear rest = Linear::loop(result.vars.back());
    for (const auto d : group) {
      all /= extent(d);
      const auto parts = divided(rest, all);
      index[static_cast<std::size_t>(d)] = parts.first;
      rest = parts.second;
    }
  }
  result.body = applied(from, index);
  set(reshape.getResult(), stored(result, dtypeOf(reshape.getType().getElementType())));
}

void Reader::readExpand(mlir::tensor::ExpandShapeOp reshape) {
  keepIfShared(reshape.getSrc(), false, 0);
  const Tile from = tile(reshape.getSrc());
  Tile result;
  std::vector<Linear> index;
  result.vars = newVars(sizesOf(reshape.getResultType(), reshape.getOutputShape()));
  for (const auto& group : reshape.getReassociationIndices()) {
    Linear at;
    for (const auto d : group)
      at = at * m_program.loops.extent(result.vars[static_cast<std::size_t>(d)]) +
           Linear::loop(result.vars[static_cast<std::size_t>(d)]);
    index.push_back(at);
  }
  result.body = applied(from, index);
  set(reshape.getResult(), std::move(result));
}

// One tensor behind the other along a dimension.
void Reader::readConcat(mlir::tensor::ConcatOp concat) {
  const auto dim = static_cast<std::size_t>(concat.getDim());
  std::vector<Tile> parts;
  std::int64_t size = 0;
  for (const mlir::Value input : concat.getInputs()) {
    parts.push_back(tile(input));
    size += m_program.loops.extent(parts.back().vars[dim]);
  }
  std::vector<std::int64_t> shape;
  for (const Loop var : parts.front().vars) shape.push_back(m_program.loops.extent(var));
  shape[dim] = size;
  Tile result{newVars(shape), nullptr};
  std::vector<Linear> index = formsOf(result.vars);
  const Linear at = index[dim];
  for (std::size_t n = parts.size(); n-- > 0;) {
    size -= m_program.loops.extent(parts[n].vars[dim]);
    index[dim] = at - Linear::of(size);
    const std::int64_t own = m_program.loops.extent(parts[n].vars[dim]);
    ExprRef part = applied(parts[n], index);
    if (result.body) {
      const Linear before = Linear::of(own - 1) - index[dim];
      part = call("select", {call(">=", {indexValue(before), number(0)}), part, result.body});
    }
    // What lies before is another part's.
    if (size > 0)
      part = call("select", {call(">=", {indexValue(index[dim]), number(0)}), part, number(0)});
    result.body = part;
  }
  set(concat.getResult(), std::move(result));
}

// Of a slice that a mask may cut: where it is stored, the mask cuts it again.
std::int64_t Reader::greatestSize(mlir::OpFoldResult size) const {
  if (const auto known = mlir::getConstantIntValue(size)) return *known;
  const Integer value = simplified(integer(llvm::cast<mlir::Value>(size)));
  if (value.kind == Integer::Kind::Max)
    refuse(m_at, "a slice has a size that is the greatest of several", "choose sizes that divide");
  std::int64_t greatest = m_program.loops.range(value.forms.front()).second;
  for (const Linear& form : value.forms)
    greatest = std::min(greatest, m_program.loops.range(form).second);
  return greatest;
}

}  // namespace gridloom::importer
