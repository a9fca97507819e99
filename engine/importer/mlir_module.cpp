// SPDX-License-Identifier: Apache-2.0
#include "importer/mlir_module.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <llvm/Support/SourceMgr.h>
#include <mlir/AsmParser/AsmParser.h>
#include <mlir/AsmParser/AsmParserState.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Bufferization/IR/Bufferization.h>
#include <mlir/Dialect/ControlFlow/IR/ControlFlowOps.h>
#include <mlir/Dialect/Linalg/IR/Linalg.h>
#include <mlir/Dialect/MLProgram/IR/MLProgram.h>
#include <mlir/Dialect/Math/IR/Math.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/Dialect/Tensor/IR/Tensor.h>
#include <mlir/Dialect/Vector/IR/VectorOps.h>

#include <algorithm>
#include <regex>

#include "importer/custom_forms.h"
#include "importer/later_linalg.h"
#include "importer/mlir_functions.h"

namespace gridloom::importer {

namespace {

// Deeper text would exhaust the parser's stack.
constexpr int kMostNesting = 200;

bool isTooDeep(const std::string& text, Finding& finding) {
  int depth = 0, line = 1, column = 0;
  for (const char c : text) {
    ++column;
    if (c == '\n') {
      ++line;
      column = 0;
    }
    if (c == '{' || c == '(' || c == '[' || c == '<') ++depth;
    if (c == '}' || c == ')' || c == ']') depth = std::max(0, depth - 1);
    if (c == '>') depth = std::max(0, depth - 1);
    if (depth <= kMostNesting) continue;
    finding = {fmt::format("brackets are nested more than {} deep", kMostNesting),
               "split the function", line, column};
    return true;
  }
  return false;
}

ArgumentNames argumentNames(const mlir::AsmParserState& state) {
  ArgumentNames names;
  for (const auto& block : state.getBlockDefs()) {
    for (std::size_t n = 0; n < block.arguments.size(); ++n) {
      const llvm::SMRange at = block.arguments[n].loc;
      if (!at.isValid() || n >= block.block->getNumArguments()) continue;
      std::string name(at.Start.getPointer(), at.End.getPointer());
      if (name.starts_with('%')) name.erase(0, 1);
      names[block.block->getArgument(static_cast<unsigned>(n)).getAsOpaquePointer()] = name;
    }
  }
  return names;
}

void loadDialects(mlir::MLIRContext& context) {
  context
      .loadDialect<mlir::func::FuncDialect, mlir::affine::AffineDialect, mlir::scf::SCFDialect,
                   mlir::linalg::LinalgDialect, mlir::tensor::TensorDialect,
                   mlir::memref::MemRefDialect, mlir::bufferization::BufferizationDialect,
                   mlir::arith::ArithDialect, mlir::math::MathDialect, mlir::vector::VectorDialect,
                   mlir::cf::ControlFlowDialect, mlir::ml_program::MLProgramDialect>();
  context.allowUnregisteredDialects();
}

// A file may say that its operations are those of other files' lines, or of none. Messages point
// into the file itself.
void locate(const mlir::AsmParserState& state, const llvm::SourceMgr& sources,
            const std::string& name) {
  for (const mlir::AsmParserState::OperationDefinition& definition : state.getOpDefs()) {
    const auto own = llvm::dyn_cast<mlir::FileLineColLoc>(definition.op->getLoc());
    if (own && own.getFilename() == name) continue;
    const auto [line, column] = sources.getLineAndColumn(definition.loc.Start);
    definition.op->setLoc(
        mlir::FileLineColLoc::get(definition.op->getContext(), name, line, column));
  }
}

}  // namespace

std::string olderSpelling(std::string text) {
  const auto blanked = [&](const std::regex& pattern, int group, const std::string& by = {}) {
    std::smatch match;
    for (auto from = text.cbegin(); std::regex_search(from, text.cend(), match, pattern);) {
      const auto at = static_cast<std::size_t>(match[group].first - text.cbegin());
      const auto size = static_cast<std::size_t>(match[group].length());
      std::string to = by;
      to.resize(size, ' ');
      text.replace(at, size, to);
      from = text.cbegin() + static_cast<std::ptrdiff_t>(at + size);
    }
  };
  // to_tensor names its result's type since MLIR 20.
  blanked(std::regex(R"(bufferization\.to_tensor[^\n]*:\s*memref<[^\n]*>(\s+to\s+tensor<[^\n]*>))"),
          1);
  // to_buffer was to_memref, and named the memref alone.
  blanked(std::regex(R"(bufferization\.to_buffer[^\n]*:\s*(tensor<[^\n]*>\s+to\s+)memref<)"), 1);
  blanked(std::regex(R"(bufferization\.(to_buffer)[^\n]*memref<)"), 1, "to_memref");
  // pack and unpack moved to linalg.
  blanked(std::regex(R"rx(\b(linalg)\.(?:un)?pack[\s"])rx"), 1, "tensor");
  // Mappings to devices of other dialects, which say nothing about values.
  blanked(std::regex(R"(\b(mapping)\s*=\s*\[\s*#)"), 1, "mapped_");
  // A strided layout whose bracket closes before its offset, as in published listings.
  blanked(std::regex(R"(strided<\[[^\]\n]*(\]>, offset: \?>))"), 1, "], offset: ?>>");
  // maximumf and minimumf before MLIR 18; operations begin where they began.
  text = std::regex_replace(text, std::regex(R"(\barith\.(max|min)f\b)"), "arith.$1imumf");
  return withGenericLinalg(withParsedForms(std::move(text)));
}

Imported importMlir(const std::string& text, const std::string& name,
                    const std::map<std::string, std::int64_t>& settings, MemoryOrder order,
                    std::size_t mostKernels) {
  Imported result;
  const std::string older = olderSpelling(text);
  if (isTooDeep(older, result.finding)) return result;
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  mlir::DialectRegistry registry;
  registerBuffers(registry);
  context.appendDialectRegistry(registry);
  loadDialects(context);
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic& diagnostic) {
    if (!result.finding.message.empty()) return mlir::success();
    result.finding.message = diagnostic.str();
    if (const auto loc = diagnostic.getLocation()->findInstanceOf<mlir::FileLineColLoc>()) {
      result.finding.line = static_cast<int>(loc.getLine());
      result.finding.column = static_cast<int>(loc.getColumn());
    }
    return mlir::success();
  });
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(older, name), llvm::SMLoc());
  mlir::Block block;
  mlir::AsmParserState state;
  const mlir::ParserConfig config(&context);
  if (mlir::failed(mlir::parseAsmSourceFile(sources, &block, config, &state))) {
    if (result.finding.message.empty()) result.finding.message = "this is no MLIR";
    if (result.finding.message.find("not found for custom op") != std::string::npos)
      result.finding.hint =
          "operations of other dialects are read in the generic form, `\"air.herd\"(...)`: print "
          "the file with --mlir-print-op-generic";
    return result;
  }
  locate(state, sources, name);
  const ArgumentNames names = argumentNames(state);
  for (mlir::Operation& op : block) {
    makeUpdatesPlain(op);
    writeTurnsOut(op);
  }
  FileReader reader{settings, order, mostKernels};
  const Imported known = reader.read(block, names);
  if (!known.isRefused) return known;
  // What is refused is read in other forms, too, and refused as it was written.
  reader.isAnotherForm = true;
  const auto stored = copyOf(block, names);
  const bool isStored = bufferize(*stored);
  const auto peeled = isStored ? copyOf(stored->block, stored->names) : copyOf(block, names);
  if (isStored) {
    Imported read = reader.read(stored->block, stored->names);
    if (!read.isRefused) return read;
  }
  if (!peelLastTiles(*peeled)) return known;
  Imported read = reader.read(peeled->block, peeled->names);
  return read.isRefused ? known : read;
}

}  // namespace gridloom::importer
