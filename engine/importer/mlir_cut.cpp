// SPDX-License-Identifier: Apache-2.0
//
// Slices that have fewer elements in some iterations, such as tiles at an edge. They are imported
// with their greatest size. What lies beyond their own size is never used where operations work
// element by element; all else is refused.
#include <fmt/format.h>
#include <mlir/Dialect/Bufferization/IR/Bufferization.h>

#include <algorithm>

#include "importer/mlir_reader.h"

namespace gridloom::importer {

namespace {

bool isDynamic(mlir::Value value, std::size_t dim) {
  const auto type = llvm::dyn_cast<mlir::RankedTensorType>(value.getType());
  return type && dim < static_cast<std::size_t>(type.getRank()) &&
         type.isDynamicDim(static_cast<unsigned>(dim));
}

/// What a tensor that a loop or a branch makes, or that an operation writes, has its size from.
mlir::Value origin(mlir::Value value) {
  if (const auto argument = llvm::dyn_cast<mlir::BlockArgument>(value)) {
    mlir::Operation* const parent = argument.getOwner()->getParentOp();
    auto loop = llvm::dyn_cast_or_null<mlir::LoopLikeOpInterface>(parent);
    if (!loop) return nullptr;
    mlir::OpOperand* const init = loop.getTiedLoopInit(argument);
    return init == nullptr ? nullptr : init->get();
  }
  const auto result = llvm::cast<mlir::OpResult>(value);
  mlir::Operation* const op = result.getOwner();
  if (auto to = llvm::dyn_cast<mlir::DestinationStyleOpInterface>(op))
    return to.getTiedOpOperand(result)->get();
  if (auto insert = llvm::dyn_cast<mlir::tensor::InsertSliceOp>(op)) return insert.getDest();
  if (auto cast = llvm::dyn_cast<mlir::tensor::CastOp>(op)) return cast.getSource();
  if (auto loop = llvm::dyn_cast<mlir::LoopLikeOpInterface>(op)) {
    mlir::OpOperand* const init = loop.getTiedLoopInit(result);
    return init == nullptr ? nullptr : init->get();
  }
  if (auto branch = llvm::dyn_cast<mlir::scf::IfOp>(op))
    return branch.thenYield().getOperand(result.getResultNumber());
  const llvm::StringRef dialect = op->getName().getDialectNamespace();
  return dialect == "arith" || dialect == "math" ? op->getOperand(op->getNumOperands() - 1)
                                                 : nullptr;
}

/// Whether the operation takes the elements along the dimension one by one.
bool isElementwise(mlir::linalg::LinalgOp op, mlir::OpOperand& operand, std::size_t dim) {
  const mlir::AffineMap map = op.getMatchingIndexingMap(&operand);
  const auto loop = llvm::dyn_cast<mlir::AffineDimExpr>(map.getResult(static_cast<unsigned>(dim)));
  return loop &&
         op.getIteratorTypesArray()[loop.getPosition()] == mlir::utils::IteratorType::parallel;
}

bool takesOnePart(mlir::Operation& op) {
  const llvm::StringRef dialect = op.getName().getDialectNamespace();
  return dialect == "arith" || dialect == "math" || dialect == "scf" ||
         llvm::isa<mlir::func::ReturnOp, mlir::tensor::ExtractSliceOp, mlir::tensor::InsertSliceOp,
                   mlir::tensor::ParallelInsertSliceOp, mlir::tensor::DimOp, mlir::tensor::CastOp,
                   mlir::tensor::ExtractOp, mlir::bufferization::MaterializeInDestinationOp>(op);
}

}  // namespace

bool Reader::isCut(mlir::Value value, std::size_t dim) const {
  while (value && isDynamic(value, dim)) {
    mlir::OpFoldResult size;
    if (auto slice = value.getDefiningOp<mlir::tensor::ExtractSliceOp>()) {
      const auto dropped = slice.getDroppedDims();
      std::size_t of = 0;
      for (std::size_t kept = dim + 1; of < dropped.size(); ++of) {
        if (!dropped.test(static_cast<unsigned>(of)) && --kept == 0) break;
      }
      size = slice.getMixedSizes()[of];
    } else if (auto empty = value.getDefiningOp<mlir::tensor::EmptyOp>()) {
      size = empty.getMixedSizes()[dim];
    } else {
      value = origin(value);
      continue;
    }
    if (mlir::getConstantIntValue(size)) return false;
    const auto known = invariant(llvm::cast<mlir::Value>(size));
    if (!known) return false;
    const Integer exact = simplified(*known);
    return !exact.isExact() || !exact.forms.front().isConstant();
  }
  return false;
}

void Reader::refuseCut(mlir::Operation& op) const {
  for (mlir::OpOperand& operand : op.getOpOperands()) {
    const auto type = llvm::dyn_cast<mlir::RankedTensorType>(operand.get().getType());
    if (!type || type.hasStaticShape() || takesOnePart(op)) continue;
    auto linalg = llvm::dyn_cast<mlir::linalg::LinalgOp>(op);
    for (std::size_t d = 0; d < static_cast<std::size_t>(type.getRank()); ++d) {
      if (linalg && isElementwise(linalg, operand, d)) continue;
      if (!isCut(operand.get(), d)) continue;
      refuse(&op,
             fmt::format("`{}` takes all elements of a slice that is smaller in some iterations",
                         op.getName().getStringRef().str()),
             "choose sizes that the blocks divide");
    }
  }
}

}  // namespace gridloom::importer
