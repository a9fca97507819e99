// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <mlir/Dialect/Arith/IR/Arith.h>

#include <algorithm>

#include "importer/mlir_structured.h"

namespace gridloom::importer {

bool Reader::readLinalg(mlir::Operation& op) {
  if (auto softmax = llvm::dyn_cast<mlir::linalg::SoftmaxOp>(op)) {
    readSoftmax(softmax);
    return true;
  }
  auto structured = llvm::dyn_cast<mlir::linalg::LinalgOp>(op);
  if (!structured) return false;
  if (llvm::isa<mlir::linalg::FillRng2DOp>(op))
    refuse(&op, "its numbers come from a generator that wraps around at 32 bits",
           "pass them as a tensor argument");
  Structured(*this, structured).read();
  return true;
}

// A value that a structured operation leaves in an output operand.
void Reader::writeOut(mlir::Value out, mlir::Operation& op, unsigned result, Tile value) {
  if (llvm::isa<mlir::TensorType>(out.getType())) {
    set(op.getResult(result), std::move(value));
  } else {
    write(view(out), value);
  }
}

// The value of one of a region's results for one iteration.
ExprRef Reader::region(mlir::Block& block, unsigned result, const std::map<void*, ExprRef>& args,
                       const std::vector<Linear>& index) {
  std::map<void*, ExprRef> known = args;
  const auto valueOf = [&](mlir::Value value) -> ExprRef {
    const auto at = known.find(value.getAsOpaquePointer());
    return at != known.end() ? at->second : scalar(value);
  };
  for (mlir::Operation& op : block.without_terminator()) {
    m_at = &op;
    if (op.getName().getStringRef() == "cf.assert") continue;
    ExprRef value;
    if (auto at = llvm::dyn_cast<mlir::linalg::IndexOp>(op)) {
      value = indexValue(index[at.getDim()]);
    } else if (auto extract = llvm::dyn_cast<mlir::tensor::ExtractOp>(op)) {
      std::vector<ExprRef> indices;
      for (const mlir::Value i : extract.getIndices()) {
        const auto own = known.find(i.getAsOpaquePointer());
        indices.push_back(own != known.end() ? own->second : indexOf(i));
      }
      value = elementAt(tile(extract.getTensor()), indices, dtypeOf(extract.getType()));
    } else if (auto c = llvm::dyn_cast<mlir::arith::ConstantOp>(op)) {
      if (const auto f = llvm::dyn_cast<mlir::FloatAttr>(c.getValue()))
        value = number(f.getValueAsDouble());
      if (const auto i = llvm::dyn_cast<mlir::IntegerAttr>(c.getValue()))
        value = number(static_cast<double>(i.getInt()));
    } else {
      std::vector<ExprRef> operands;
      for (const mlir::Value operand : op.getOperands()) operands.push_back(valueOf(operand));
      value = element(op, operands);
    }
    if (!value)
      refuse(&op, fmt::format("`{}` is not imported", op.getName().getStringRef().str()),
             "regions compute with arith and math");
    known[op.getResult(0).getAsOpaquePointer()] = value;
  }
  return valueOf(block.getTerminator()->getOperand(result));
}

void Reader::readSoftmax(mlir::linalg::SoftmaxOp op) {
  const mlir::Value input = op.getInput();
  const auto type = llvm::cast<mlir::ShapedType>(input.getType());
  Tile from = tile(input);
  if (from.body->kind != Expr::Kind::Load) from = stored(from, dtypeOf(type.getElementType()));
  std::vector<std::int64_t> shape;
  for (const Loop var : from.vars) shape.push_back(m_program.loops.extent(var));
  const auto dim = static_cast<std::size_t>(op.getDimension());
  // The greatest element, or the sum, along the dimension; over the others.
  const auto along = [&](const char* name, const Tile& elements) {
    Tile result;
    std::vector<Linear> index = formsOf(newVars(shape));
    const Loop reduced = *index[dim].asLoop();
    for (std::size_t d = 0; d < index.size(); ++d)
      if (d != dim) result.vars.push_back(*index[d].asLoop());
    result.body = reduce(name, {reduced}, applied(elements, index));
    return stored(result, "f32");
  };
  const auto over = [&](const char* name, const Tile& elements, const Tile& row) {
    Tile result{newVars(shape), nullptr};
    std::vector<Linear> index = formsOf(result.vars), rowIndex = index;
    rowIndex.erase(rowIndex.begin() + static_cast<std::ptrdiff_t>(dim));
    result.body = call(name, {applied(elements, index), applied(row, rowIndex)});
    return result;
  };
  Tile exponential = over("-", from, along("max", from));
  exponential.body = call("exp", {exponential.body});
  exponential = stored(exponential, "f32");
  writeOut(op.getOutput(), *op, 0, over("/", exponential, along("sum", exponential)));
}

}  // namespace gridloom::importer
