// SPDX-License-Identifier: Apache-2.0
//
// Other forms of a file, by MLIR's own passes. Tensors as memory: what loops make of slices is then
// a matter of stores, of which exact dataflow follows more than the known forms of tensors say.
// Loops with their smaller last tile behind them.
#include <mlir/Dialect/Affine/LoopUtils.h>
#include <mlir/Dialect/Arith/Transforms/BufferizableOpInterfaceImpl.h>
#include <mlir/Dialect/Bufferization/IR/Bufferization.h>
#include <mlir/Dialect/Bufferization/Transforms/FuncBufferizableOpInterfaceImpl.h>
#include <mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h>
#include <mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h>
#include <mlir/Dialect/Linalg/Transforms/BufferizableOpInterfaceImpl.h>
#include <mlir/Dialect/SCF/Transforms/BufferizableOpInterfaceImpl.h>
#include <mlir/Dialect/SCF/Transforms/Transforms.h>
#include <mlir/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.h>
#include <mlir/Dialect/Vector/Transforms/BufferizableOpInterfaceImpl.h>
#include <mlir/IR/BuiltinOps.h>
#include <mlir/IR/IRMapping.h>
#include <mlir/Pass/PassManager.h>
#include <mlir/Transforms/Passes.h>

#include <utility>
#include <vector>

#include "importer/mlir_names.h"

namespace gridloom::importer {

namespace {

// Names of arguments, by function and number: their values become others.
using NumberedNames = std::vector<std::pair<std::pair<std::string, unsigned>, std::string>>;

NumberedNames numbered(mlir::ModuleOp module, const ArgumentNames& names) {
  NumberedNames out;
  module.walk([&](mlir::func::FuncOp function) {
    if (function.isExternal()) return;
    for (mlir::BlockArgument argument : function.getArguments()) {
      const auto name = names.find(argument.getAsOpaquePointer());
      if (name == names.end()) continue;
      out.push_back({{function.getName().str(), argument.getArgNumber()}, name->second});
    }
  });
  return out;
}

// All operations of a file in one module.
mlir::ModuleOp moduleOf(mlir::Block& block) {
  if (block.getOperations().size() == 1) {
    if (auto module = llvm::dyn_cast<mlir::ModuleOp>(block.front())) return module;
  }
  mlir::OpBuilder builder(block.front().getContext());
  builder.setInsertionPointToEnd(&block);
  auto module = builder.create<mlir::ModuleOp>(block.front().getLoc());
  while (&block.front() != module.getOperation())
    block.front().moveBefore(module.getBody(), module.getBody()->end());
  return module;
}

// Whether there are tensors, and none of which the memory is taken: what that holds once it is
// written is not defined.
bool hasTensorsAlone(mlir::ModuleOp module) {
  bool has = false, asMemory = false;
  module.walk([&](mlir::Operation* op) {
    has = has || llvm::any_of(op->getResultTypes(), llvm::IsaPred<mlir::TensorType>);
    asMemory = asMemory || llvm::isa<mlir::bufferization::ToMemrefOp>(op);
  });
  return has && !asMemory;
}

// Loops of one iteration are none, and numbers that are known are constants.
bool simplify(mlir::ModuleOp module) {
  mlir::PassManager passes(module.getContext());
  passes.addPass(mlir::createCSEPass());
  passes.addPass(mlir::createCanonicalizerPass());
  return mlir::succeeded(passes.run(module));
}

// Arguments keep their elements: results are memory of their own.
void keepArguments(mlir::ModuleOp module) {
  const auto no = mlir::BoolAttr::get(module.getContext(), false);
  module.walk([&](mlir::func::FuncOp function) {
    for (unsigned n = 0; n < function.getNumArguments(); ++n) {
      if (llvm::isa<mlir::TensorType>(function.getArgumentTypes()[n]))
        function.setArgAttr(n, "bufferization.writable", no);
    }
  });
}

}  // namespace

void registerBuffers(mlir::DialectRegistry& registry) {
  mlir::arith::registerBufferizableOpInterfaceExternalModels(registry);
  mlir::bufferization::func_ext::registerBufferizableOpInterfaceExternalModels(registry);
  mlir::linalg::registerBufferizableOpInterfaceExternalModels(registry);
  mlir::scf::registerBufferizableOpInterfaceExternalModels(registry);
  mlir::tensor::registerBufferizableOpInterfaceExternalModels(registry);
  mlir::vector::registerBufferizableOpInterfaceExternalModels(registry);
}

std::unique_ptr<FileForm> copyOf(mlir::Block& block, const ArgumentNames& names) {
  auto form = std::make_unique<FileForm>();
  mlir::IRMapping copies;
  for (mlir::Operation& op : block) form->block.push_back(op.clone(copies));
  block.walk([&](mlir::Block* of) {
    for (const mlir::BlockArgument argument : of->getArguments()) {
      const auto name = names.find(argument.getAsOpaquePointer());
      if (name == names.end()) continue;
      if (const mlir::Value copy = copies.lookupOrNull(argument))
        form->names[copy.getAsOpaquePointer()] = name->second;
    }
  });
  return form;
}

bool bufferize(FileForm& form) {
  if (form.block.empty()) return false;
  mlir::ModuleOp module = moduleOf(form.block);
  if (!hasTensorsAlone(module)) return false;
  // What cannot be bufferized is refused as it was before.
  const mlir::ScopedDiagnosticHandler quiet(module.getContext(),
                                            [](mlir::Diagnostic&) { return mlir::success(); });
  const NumberedNames arguments = numbered(module, form.names);
  keepArguments(module);
  mlir::bufferization::OneShotBufferizationOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.setFunctionBoundaryTypeConversion(
      mlir::bufferization::LayoutMapOption::IdentityLayoutMap);
  if (mlir::failed(mlir::bufferization::runOneShotModuleBufferize(module, options))) return false;
  if (!simplify(module)) return false;
  form.names.clear();
  for (const auto& [at, name] : arguments) {
    auto function = module.lookupSymbol<mlir::func::FuncOp>(at.first);
    if (function && !function.isExternal() && at.second < function.getNumArguments())
      form.names[function.getArgument(at.second).getAsOpaquePointer()] = name;
  }
  return true;
}

namespace {

/// Loops over all tiles at once, one tile after the other: those are peeled.
void runForallsInOrder(mlir::Block& block) {
  std::vector<mlir::scf::ForallOp> all;
  block.walk([&](mlir::scf::ForallOp op) { all.push_back(op); });
  for (mlir::scf::ForallOp op : all) {
    mlir::IRRewriter rewriter(op.getContext());
    rewriter.setInsertionPoint(op);
    if (op->getNumResults() == 0) (void)mlir::scf::forallToForLoop(rewriter, op);
  }
}

/// The last tile of an affine loop, where it is smaller, after the loop over the others.
bool peelAffine(mlir::affine::AffineForOp loop) {
  if (!loop.hasConstantBounds() || loop->getNumResults() > 0) return false;
  const std::int64_t begin = loop.getConstantLowerBound(), end = loop.getConstantUpperBound();
  const std::int64_t rest = (end - begin) % loop.getStepAsInt();
  if (rest <= 0 || rest == end - begin) return false;
  mlir::OpBuilder builder(loop->getContext());
  builder.setInsertionPointAfter(loop);
  auto last = llvm::cast<mlir::affine::AffineForOp>(builder.clone(*loop.getOperation()));
  loop.setConstantUpperBound(end - rest);
  last.setConstantLowerBound(end - rest);
  (void)mlir::affine::promoteIfSingleIteration(last);
  (void)mlir::affine::promoteIfSingleIteration(loop);
  return true;
}

bool peelAffineLoops(mlir::Block& block) {
  std::vector<mlir::affine::AffineForOp> loops;
  block.walk([&](mlir::affine::AffineForOp loop) { loops.push_back(loop); });
  bool changed = false;
  for (const mlir::affine::AffineForOp loop : loops) changed = peelAffine(loop) || changed;
  return changed;
}

bool peelScfLoops(mlir::Block& block) {
  std::vector<mlir::scf::ForOp> loops;
  block.walk([&](mlir::scf::ForOp loop) { loops.push_back(loop); });
  bool changed = false;
  for (const mlir::scf::ForOp loop : loops) {
    mlir::IRRewriter rewriter(loop->getContext());
    mlir::scf::ForOp last;
    changed =
        mlir::succeeded(mlir::scf::peelForLoopAndSimplifyBounds(rewriter, loop, last)) || changed;
  }
  return changed;
}

}  // namespace

bool peelLastTiles(FileForm& form) {
  if (form.block.empty()) return false;
  const mlir::ScopedDiagnosticHandler quiet(form.block.front().getContext(),
                                            [](mlir::Diagnostic&) { return mlir::success(); });
  runForallsInOrder(form.block);
  bool changed = peelScfLoops(form.block);
  changed = peelAffineLoops(form.block) || changed;
  return changed && simplify(moduleOf(form.block));
}

}  // namespace gridloom::importer
