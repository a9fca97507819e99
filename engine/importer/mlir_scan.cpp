// SPDX-License-Identifier: Apache-2.0
//
// Scans: operations of torch-mlir's dialect tm_tensor and of triton-shared's ttx, in the generic
// form.
#include <fmt/format.h>

#include "importer/mlir_reader.h"

namespace gridloom::importer {

bool Reader::readTmTensor(mlir::Operation& op) {
  llvm::StringRef name = op.getName().getStringRef();
  if (name == "ttx.cumsum") {
    readCumulativeSum(op);
    return true;
  }
  if (!name.consume_front("tm_tensor.")) return false;
  if (name == "scan") {
    readScan(op);
    return true;
  }
  if (name == "scatter") refuseScatter();
  if (name == "attention")
    refuse(&op, "`tm_tensor.attention` is not imported",
           "lower it to products and a softmax: torch-mlir keeps them with "
           "`-torch-decompose-complex-ops`");
  return false;
}

// The sum of an input's elements up to each one along a dimension.
void Reader::readCumulativeSum(mlir::Operation& op) {
  const auto add = [](const ExprRef& before, const ExprRef& own, const std::vector<Linear>&) {
    return call("+", {before, own});
  };
  const auto dimension = op.getAttrOfType<mlir::IntegerAttr>("dimension");
  if (!dimension || op.getNumOperands() != 2 || op.getNumResults() != 1)
    refuse(&op, "a cumulative sum has another form than one of tensors", "give it an axis");
  scanned(op, dimension.getInt(), nullptr, add);
}

// Along one dimension, each element is the region of the one before it and of the input. The first
// one is the input's; where a scan is not inclusive it is the accumulator, and elements lag by one.
void Reader::readScan(mlir::Operation& op) {
  const auto dimension = op.getAttrOfType<mlir::IntegerAttr>("dimension");
  const auto inclusive = op.getAttrOfType<mlir::BoolAttr>("inclusive");
  const bool isForm = dimension && inclusive && op.getNumOperands() == 3 &&
                      op.getNumResults() == 2 && op.getNumRegions() == 1 &&
                      op.getRegion(0).hasOneBlock() &&
                      op.getRegion(0).front().getNumArguments() == 2;
  if (!isForm)
    refuse(&op, "a scan has another form than one of tensors",
           "give it an input, an output and an accumulator, all tensors");
  mlir::Block& body = op.getRegion(0).front();
  const auto step = [&](const ExprRef& before, const ExprRef& own, const std::vector<Linear>& at) {
    const std::map<void*, ExprRef> args{{body.getArgument(0).getAsOpaquePointer(), before},
                                        {body.getArgument(1).getAsOpaquePointer(), own}};
    return region(body, 0, args, at);
  };
  scanned(op, dimension.getInt(), inclusive.getValue() ? nullptr : op.getOperand(2), step);
}

// `start`: what the elements lag behind with; null where a scan is inclusive.
void Reader::scanned(mlir::Operation& op, std::int64_t dimension, mlir::Value start,
                     const ScanStep& step) {
  const auto type = llvm::dyn_cast<mlir::RankedTensorType>(op.getResult(0).getType());
  Tile from = tile(op.getOperand(0));
  if (!type || dimension < 0 || dimension >= static_cast<std::int64_t>(from.vars.size()))
    refuse(&op, "a scan runs along a dimension that its input does not have", "count from 0");
  const std::string dtype = dtypeOf(type.getElementType());
  if (from.body->kind != Expr::Kind::Load) from = stored(from, dtype);
  const auto dim = static_cast<std::size_t>(dimension);
  const std::vector<std::int64_t> shape = extentsOf(from);
  const int together = m_carrying++;
  const auto target = static_cast<int>(m_program.buffers.size());
  // An element for each iteration of the loops around.
  const std::vector<Loop> around = loopsAround();
  Buffer buffer{fmt::format("t{}", m_locals++), dtype, {}, false, false};
  for (const Loop loop : around) buffer.shape.push_back(m_program.loops.extent(loop));
  buffer.shape.insert(buffer.shape.end(), shape.begin(), shape.end());
  m_program.buffers.push_back(std::move(buffer));
  const auto placed = [&](const std::vector<Linear>& element) {
    std::vector<Linear> index = formsOf(around);
    index.insert(index.end(), element.begin(), element.end());
    return index;
  };

  std::vector<Linear> first = formsOf(newVars(shape));
  first[dim] = Linear::of(0);
  std::vector<Linear> others = first;
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(dim));
  const ExprRef begin = start ? applied(tile(start), others) : applied(from, first);
  addStatement({target, placed(first), begin, {}, together}, &op);

  const std::vector<Linear> here = formsOf(newVars(shape));
  std::vector<Linear> before = here;
  before[dim] = here[dim] - Linear::of(1);
  const ExprRef next =
      step(load(target, placed(before)), applied(from, start ? before : here), here);
  m_at = &op;
  if (shape[dim] > 1) addStatement({target, placed(here), next, {before[dim]}, together}, &op);

  Tile all{newVars(shape), nullptr};
  all.body = load(target, placed(formsOf(all.vars)));
  set(op.getResult(0), all);
  if (op.getNumResults() == 1 || op.getResult(1).use_empty()) return;
  if (shape[dim] < 2)
    refuse(&op, "the accumulator of a scan over one element is used", "use the scan's result");
  // What was added up last.
  Tile last;
  std::vector<Linear> end = formsOf(newVars(shape));
  end[dim] = Linear::of(shape[dim] - 1);
  for (std::size_t d = 0; d < end.size(); ++d)
    if (d != dim) last.vars.push_back(*end[d].asLoop());
  last.body = load(target, placed(end));
  set(op.getResult(1), last);
}

}  // namespace gridloom::importer
