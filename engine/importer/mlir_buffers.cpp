// SPDX-License-Identifier: Apache-2.0
//
// Other forms of a file, by MLIR's own passes. Tensors as memory: what loops make of slices is then
// a matter of stores, of which exact dataflow follows more than the known forms of tensors say.
// Loops with their smaller last tile behind them.
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

std::optional<ArgumentNames> bufferized(mlir::Block& block, const ArgumentNames& names) {
  if (block.empty()) return std::nullopt;
  mlir::ModuleOp module = moduleOf(block);
  if (!hasTensorsAlone(module)) return std::nullopt;
  // What cannot be bufferized is refused as it was before.
  const mlir::ScopedDiagnosticHandler quiet(module.getContext(),
                                            [](mlir::Diagnostic&) { return mlir::success(); });
  const NumberedNames arguments = numbered(module, names);
  keepArguments(module);
  mlir::bufferization::OneShotBufferizationOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.setFunctionBoundaryTypeConversion(
      mlir::bufferization::LayoutMapOption::IdentityLayoutMap);
  if (mlir::failed(mlir::bufferization::runOneShotModuleBufferize(module, options)))
    return std::nullopt;
  if (!simplify(module)) return std::nullopt;
  ArgumentNames out;
  for (const auto& [at, name] : arguments) {
    auto function = module.lookupSymbol<mlir::func::FuncOp>(at.first);
    if (function && !function.isExternal() && at.second < function.getNumArguments())
      out[function.getArgument(at.second).getAsOpaquePointer()] = name;
  }
  return out;
}

bool peelLastTiles(mlir::Block& file) {
  std::vector<mlir::scf::ForOp> loops;
  file.walk([&](mlir::scf::ForOp loop) { loops.push_back(loop); });
  if (loops.empty()) return false;
  mlir::IRRewriter rewriter(loops.front().getContext());
  bool changed = false;
  for (const mlir::scf::ForOp loop : loops) {
    mlir::scf::ForOp last;
    changed =
        mlir::succeeded(mlir::scf::peelForLoopAndSimplifyBounds(rewriter, loop, last)) || changed;
  }
  const mlir::ScopedDiagnosticHandler quiet(rewriter.getContext(),
                                            [](mlir::Diagnostic&) { return mlir::success(); });
  return changed && simplify(moduleOf(file));
}

}  // namespace gridloom::importer
