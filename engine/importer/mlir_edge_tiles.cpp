// SPDX-License-Identifier: Apache-2.0
//
// Slices that have fewer elements in some iterations, such as tiles at an edge. They are imported
// with their greatest size. What lies beyond their own size is never used where operations work
// element by element; all else is refused.
#include <fmt/format.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <mlir/Dialect/Bufferization/IR/Bufferization.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "importer/mlir_reader.h"

namespace gridloom::importer {

namespace {

bool isDynamic(mlir::Value value, std::size_t dim) {
  const auto type = llvm::dyn_cast<mlir::ShapedType>(value.getType());
  return type && type.hasRank() && dim < static_cast<std::size_t>(type.getRank()) &&
         type.isDynamicDim(static_cast<unsigned>(dim));
}

/// What a tensor that a loop or a branch makes, or that an operation writes, has its size from.
std::vector<mlir::Value> originsOf(mlir::Value value) {
  std::vector<mlir::Value> all;
  if (const auto argument = llvm::dyn_cast<mlir::BlockArgument>(value)) {
    mlir::Operation* const parent = argument.getOwner()->getParentOp();
    auto loop = llvm::dyn_cast_or_null<mlir::LoopLikeOpInterface>(parent);
    if (!loop) return all;
    if (mlir::OpOperand* const init = loop.getTiedLoopInit(argument)) all.push_back(init->get());
    if (mlir::OpOperand* const next = loop.getTiedLoopYieldedValue(argument))
      all.push_back(next->get());
    return all;
  }
  const auto result = llvm::cast<mlir::OpResult>(value);
  mlir::Operation* const op = result.getOwner();
  const llvm::StringRef dialect = op->getName().getDialectNamespace();
  if (auto to = llvm::dyn_cast<mlir::DestinationStyleOpInterface>(op)) {
    all.push_back(to.getTiedOpOperand(result)->get());
  } else if (auto insert = llvm::dyn_cast<mlir::tensor::InsertSliceOp>(op)) {
    all.push_back(insert.getDest());
  } else if (auto cast = llvm::dyn_cast<mlir::tensor::CastOp>(op)) {
    all.push_back(cast.getSource());
  } else if (auto from = llvm::dyn_cast<mlir::bufferization::ToTensorOp>(op)) {
    all.push_back(from->getOperand(0));
  } else if (auto loop = llvm::dyn_cast<mlir::LoopLikeOpInterface>(op)) {
    if (const mlir::BlockArgument carried = loop.getTiedLoopRegionIterArg(result))
      all.push_back(carried);
  } else if (auto branch = llvm::dyn_cast<mlir::scf::IfOp>(op)) {
    all.push_back(branch.thenYield().getOperand(result.getResultNumber()));
    all.push_back(branch.elseYield().getOperand(result.getResultNumber()));
  } else if (dialect == "arith" || dialect == "math") {
    all.assign(op->operand_begin(), op->operand_end());
  }
  return all;
}

/// The size that a slice, or a tensor of nothing, is given.
std::optional<mlir::OpFoldResult> sizeOf(mlir::Value value, std::size_t dim) {
  if (auto empty = value.getDefiningOp<mlir::tensor::EmptyOp>()) return empty.getMixedSizes()[dim];
  auto slice = value.getDefiningOp<mlir::tensor::ExtractSliceOp>();
  if (!slice) return std::nullopt;
  const auto dropped = slice.getDroppedDims();
  std::size_t of = 0;
  for (std::size_t kept = dim + 1; of < dropped.size(); ++of) {
    if (!dropped.test(static_cast<unsigned>(of)) && --kept == 0) break;
  }
  return slice.getMixedSizes()[of];
}

/// Whether the operation takes the elements along the dimension one by one.
bool isElementwise(mlir::linalg::LinalgOp op, mlir::OpOperand& operand, std::size_t dim) {
  const mlir::AffineMap map = op.getMatchingIndexingMap(&operand);
  const auto loop = llvm::dyn_cast<mlir::AffineDimExpr>(map.getResult(static_cast<unsigned>(dim)));
  return loop &&
         op.getIteratorTypesArray()[loop.getPosition()] == mlir::utils::IteratorType::parallel;
}

/// Whether a mask says which elements along a dimension of a view are there.
bool isMasked(const Value& value, std::size_t dim) {
  const auto* view = std::get_if<View>(&value);
  const Loop placeholder = -1 - static_cast<Loop>(dim);
  return view != nullptr && std::ranges::any_of(view->where, [&](const Linear& form) {
           return form.terms.contains(placeholder);
         });
}

bool takesOnePart(mlir::Operation& op) {
  const llvm::StringRef dialect = op.getName().getDialectNamespace();
  return dialect == "arith" || dialect == "math" || dialect == "scf" ||
         llvm::isa<mlir::func::ReturnOp, mlir::tensor::ExtractSliceOp, mlir::tensor::InsertSliceOp,
                   mlir::tensor::ParallelInsertSliceOp, mlir::tensor::DimOp, mlir::tensor::CastOp,
                   mlir::tensor::ExtractOp, mlir::bufferization::MaterializeInDestinationOp>(op);
}

}  // namespace

bool Reader::isVarying(mlir::Value size) const {
  const auto known = invariant(size);
  if (!known) return false;
  const Integer exact = simplified(*known);
  return !exact.isExact() || !exact.forms.front().isConstant();
}

bool Reader::hasEdge(mlir::Value value, std::size_t dim) const {
  std::vector<mlir::Value> open{value};
  llvm::SmallPtrSet<const void*, 8> seen;
  while (!open.empty()) {
    const mlir::Value next = open.back();
    open.pop_back();
    if (!isDynamic(next, dim) || !seen.insert(next.getAsOpaquePointer()).second) continue;
    if (const auto edges = m_edges.find(next.getAsOpaquePointer()); edges != m_edges.end()) {
      if (edges->second[dim]) return true;
      continue;
    }
    if (llvm::isa<mlir::MemRefType>(next.getType())) {
      if (isMasked(get(next), dim)) return true;
      continue;
    }
    if (const auto size = sizeOf(next, dim)) {
      if (!mlir::getConstantIntValue(*size) && isVarying(llvm::cast<mlir::Value>(*size)))
        return true;
      continue;
    }
    const std::vector<mlir::Value> origins = originsOf(next);
    if (origins.empty() && hasEdgeByOperands(next)) return true;
    open.insert(open.end(), origins.begin(), origins.end());
  }
  return false;
}

// Of a tensor with no origin that is known. Arguments of functions are whole: calls with others are
// refused. So are operations on tensors with edge tiles; what may vary is a size they are given.
bool Reader::hasEdgeByOperands(mlir::Value value) const {
  mlir::Operation* const op = value.getDefiningOp();
  if (op == nullptr)
    return !llvm::isa<mlir::func::FuncOp>(
        llvm::cast<mlir::BlockArgument>(value).getOwner()->getParentOp());
  const llvm::StringRef dialect = op->getName().getDialectNamespace();
  if (dialect != "tensor" && dialect != "bufferization") return true;
  return llvm::any_of(op->getOperands(), [&](mlir::Value operand) {
    return operand.getType().isIndex() && isVarying(operand);
  });
}

// A function may be called several times: what holds for the results of a call is kept with them.
void Reader::keepEdges(mlir::Value from, mlir::Value to) {
  const auto type = llvm::dyn_cast<mlir::RankedTensorType>(from.getType());
  if (!type) return;
  std::vector<bool> edges;
  for (std::size_t d = 0; d < static_cast<std::size_t>(type.getRank()); ++d)
    edges.push_back(hasEdge(from, d));
  m_edges[to.getAsOpaquePointer()] = std::move(edges);
}

void Reader::refuseEdgeTiles(mlir::Operation& op) const {
  if (takesOnePart(op)) return;
  auto linalg = llvm::dyn_cast<mlir::linalg::LinalgOp>(op);
  const llvm::StringRef dialect = op.getName().getDialectNamespace();
  // Of memory, other operations take views or elements.
  const bool takesMemory = dialect == "linalg" || dialect == "tm_tensor";
  for (mlir::OpOperand& operand : op.getOpOperands()) {
    const auto type = llvm::dyn_cast<mlir::ShapedType>(operand.get().getType());
    if (!type || !type.hasRank() || type.hasStaticShape()) continue;
    if (!takesMemory && !llvm::isa<mlir::TensorType>(type)) continue;
    for (std::size_t d = 0; d < static_cast<std::size_t>(type.getRank()); ++d) {
      if (linalg && isElementwise(linalg, operand, d)) continue;
      if (!hasEdge(operand.get(), d)) continue;
      refuse(&op,
             fmt::format("`{}` takes all elements of a slice that is smaller in some iterations",
                         op.getName().getStringRef().str()),
             "choose sizes that the blocks divide");
    }
  }
}

}  // namespace gridloom::importer
