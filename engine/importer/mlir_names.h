// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mlir/Dialect/Affine/IR/AffineOps.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/Dialect/SCF/IR/SCF.h>

#include <map>
#include <memory>
#include <string>

#include "importer/mlir_module.h"

namespace gridloom::importer {

/// Names of block arguments as written, without the %.
using ArgumentNames = std::map<void*, std::string>;

/// The memory that a view lies in.
mlir::Value memoryOf(mlir::Value value);
/// Memory that an operation may write: of one that is not known, all that it gets.
llvm::SmallVector<mlir::Value> writtenBy(mlir::Operation& op);
/// The name of an argument, number `number` of its function, as the kernel language spells it.
std::string argumentName(const ArgumentNames& names, mlir::BlockArgument argument,
                         std::size_t number);
/// Atomic updates, whose results nothing uses, as loads and stores.
void makeUpdatesPlain(mlir::Operation& within);
/// What `bufferized` needs to know of the dialects.
void registerBuffers(mlir::DialectRegistry& registry);
/// The operations of a file in one form, and the names of their arguments.
struct FileForm {
  mlir::Block block;
  ArgumentNames names;
};
/// The same operations once more: a form that is tried may change them and then fail.
std::unique_ptr<FileForm> copyOf(mlir::Block& block, const ArgumentNames& names);
/// Makes memory of the tensors of a file's functions. False where there are none, or where that is
/// not possible; then the form is of no use.
bool bufferize(FileForm& form);
/// `scf.while` that compares a number and adds to it in each iteration, as `scf.for`.
void writeWhilesAsFor(mlir::Operation& within);
/// Loops over numbers that exchange memories, as those of a sweep from one into the other and back,
/// in rounds that do not.
void writeTurnsOut(mlir::Operation& within);
/// `affine.for` that was unrolled, in two loops around a quotient of another loop's index, as one.
void writeUnrolledAsOne(mlir::Operation& within);
/// Loops whose last tile is smaller, with that tile behind them; whether there are any.
bool peelLastTiles(FileForm& form);
/// Whether a block's type stands for a piece of the argument, as in TileLoom's programs.
bool isAddressed(mlir::Value memory);
Place placeOf(mlir::Location location);
Place placeOf(mlir::Operation* op);
/// What the kernel language calls a comparison.
const char* comparisonName(mlir::arith::CmpIPredicate predicate);

}  // namespace gridloom::importer
