// SPDX-License-Identifier: Apache-2.0
//
// Operations of torch-mlir's dialect tm_tensor, in the generic form.
#include <fmt/format.h>

#include "importer/mlir_reader.h"

namespace gridloom::importer {

bool Reader::readTmTensor(mlir::Operation& op) {
  llvm::StringRef name = op.getName().getStringRef();
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

// Along one dimension, each element is the region of the one before it and of the input. The first
// one is the input's; where a scan is not inclusive it is the accumulator, and elements lag by one.
void Reader::readScan(mlir::Operation& op) {
  const auto dimension = op.getAttrOfType<mlir::IntegerAttr>("dimension");
  const auto inclusive = op.getAttrOfType<mlir::BoolAttr>("inclusive");
  const bool isForm = dimension && inclusive && op.getNumOperands() == 3 &&
                      op.getNumResults() == 2 && op.getNumRegions() == 1 &&
                      op.getRegion(0).hasOneBlock() &&
                      op.getRegion(0).front().getNumArguments() == 2;
  if (!isForm || !m_scope.empty())
    refuse(&op, "a scan has another form than one of tensors, outside of loops",
           "give it an input, an output and an accumulator, all tensors");
  const auto type = llvm::dyn_cast<mlir::RankedTensorType>(op.getResult(0).getType());
  Tile from = tile(op.getOperand(0));
  if (!type || dimension.getInt() < 0 ||
      dimension.getInt() >= static_cast<std::int64_t>(from.vars.size()))
    refuse(&op, "a scan runs along a dimension that its input does not have", "count from 0");
  const std::string dtype = dtypeOf(type.getElementType());
  if (from.body->kind != Expr::Kind::Load) from = stored(from, dtype);
  const auto dim = static_cast<std::size_t>(dimension.getInt());
  const std::vector<std::int64_t> shape = extentsOf(from);
  const int together = m_carrying++;
  const auto target = static_cast<int>(m_program.buffers.size());
  m_program.buffers.push_back({fmt::format("t{}", m_locals++), dtype, shape, false, false});

  std::vector<Linear> first = formsOf(newVars(shape));
  first[dim] = Linear::of(0);
  std::vector<Linear> others = first;
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(dim));
  const ExprRef start =
      inclusive.getValue() ? applied(from, first) : applied(tile(op.getOperand(2)), others);
  addStatement({target, first, start, {}, together}, &op);

  const std::vector<Linear> here = formsOf(newVars(shape));
  std::vector<Linear> before = here;
  before[dim] = here[dim] - Linear::of(1);
  mlir::Block& body = op.getRegion(0).front();
  const std::map<void*, ExprRef> args{
      {body.getArgument(0).getAsOpaquePointer(), load(target, before)},
      {body.getArgument(1).getAsOpaquePointer(),
       applied(from, inclusive.getValue() ? here : before)}};
  const ExprRef step = region(body, 0, args, here);
  m_at = &op;
  if (shape[dim] > 1) addStatement({target, here, step, {before[dim]}, together}, &op);

  Tile all{newVars(shape), nullptr};
  all.body = load(target, formsOf(all.vars));
  set(op.getResult(0), all);
  if (op.getResult(1).use_empty()) return;
  if (shape[dim] < 2)
    refuse(&op, "the accumulator of a scan over one element is used", "use the scan's result");
  // What was added up last.
  Tile last;
  std::vector<Linear> end = formsOf(newVars(shape));
  end[dim] = Linear::of(shape[dim] - 1);
  for (std::size_t d = 0; d < end.size(); ++d)
    if (d != dim) last.vars.push_back(*end[d].asLoop());
  last.body = load(target, end);
  set(op.getResult(1), last);
}

}  // namespace gridloom::importer
