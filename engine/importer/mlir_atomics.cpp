// SPDX-License-Identifier: Apache-2.0
//
// Atomic updates of memory. A kernel says what elements hold in the end: the order of updates that
// add, multiply or take the greatest does not matter, and they are loads and stores.
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/IR/IRMapping.h>

#include "importer/mlir_names.h"

namespace gridloom::importer {

namespace {

void rewrite(mlir::memref::AtomicRMWOp op) {
  mlir::OpBuilder to(op);
  const mlir::Location at = op.getLoc();
  mlir::Value value = op.getValue();
  if (op.getKind() != mlir::arith::AtomicRMWKind::assign) {
    const mlir::Value old = to.create<mlir::memref::LoadOp>(at, op.getMemref(), op.getIndices());
    value = mlir::arith::getReductionOp(op.getKind(), to, at, old, value);
  }
  if (!value) return;  // what the dialect cannot say stays, and is refused
  to.create<mlir::memref::StoreOp>(at, value, op.getMemref(), op.getIndices());
  op.erase();
}

void rewrite(mlir::memref::GenericAtomicRMWOp op) {
  mlir::OpBuilder to(op);
  mlir::Block& body = op.getRegion().front();
  mlir::IRMapping values;
  values.map(op.getCurrentValue(),
             to.create<mlir::memref::LoadOp>(op.getLoc(), op.getMemref(), op.getIndices()));
  for (mlir::Operation& inner : body.without_terminator()) to.clone(inner, values);
  const mlir::Value result = values.lookupOrDefault(body.getTerminator()->getOperand(0));
  to.create<mlir::memref::StoreOp>(op.getLoc(), result, op.getMemref(), op.getIndices());
  op.erase();
}

}  // namespace

void makeUpdatesPlain(mlir::Operation& within) {
  within.walk([](mlir::Operation* op) {
    if (!op->use_empty()) return;  // the value between two updates depends on their order
    if (auto update = llvm::dyn_cast<mlir::memref::AtomicRMWOp>(op)) {
      rewrite(update);
    } else if (auto any = llvm::dyn_cast<mlir::memref::GenericAtomicRMWOp>(op)) {
      rewrite(any);
    }
  });
}

}  // namespace gridloom::importer
