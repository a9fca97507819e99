// SPDX-License-Identifier: Apache-2.0
#include "importer/mlir_module.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
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

#include "importer/apart.h"
#include "importer/custom_forms.h"
#include "importer/later_linalg.h"
#include "importer/mlir_functions.h"
#include "importer/mlir_parse.h"

namespace gridloom::importer {

namespace {

void loadDialects(mlir::MLIRContext& context) {
  context
      .loadDialect<mlir::func::FuncDialect, mlir::affine::AffineDialect, mlir::scf::SCFDialect,
                   mlir::linalg::LinalgDialect, mlir::tensor::TensorDialect,
                   mlir::memref::MemRefDialect, mlir::bufferization::BufferizationDialect,
                   mlir::arith::ArithDialect, mlir::math::MathDialect, mlir::vector::VectorDialect,
                   mlir::cf::ControlFlowDialect, mlir::ml_program::MLProgramDialect>();
  context.allowUnregisteredDialects();
}

Imported readInOtherForms(FileForm& file, const FileReader& reader) {
  const auto stored = copyOf(file.block, file.names);
  const bool isStored = bufferize(*stored);
  const auto peeled =
      isStored ? copyOf(stored->block, stored->names) : copyOf(file.block, file.names);
  if (isStored) {
    Imported read = reader.read(stored->block, stored->names);
    if (!read.isRefused) return read;
  }
  Imported refused;
  refused.isRefused = true;
  return peelLastTiles(*peeled) ? reader.read(peeled->block, peeled->names) : refused;
}

}  // namespace

std::string olderSpelling(std::string text) {
  // Puts `by` and blanks in the place of a group, wherever a pattern that begins with `word`
  // matches. To look for the word first takes a hundredth of the time.
  const auto blanked = [&](std::string_view word, const std::regex& pattern, int group,
                           const std::string& by = {}) {
    std::smatch match;
    for (std::size_t at = text.find(word); at != std::string::npos;) {
      const auto from = text.cbegin() + static_cast<std::ptrdiff_t>(at);
      std::size_t end = at + word.size();
      auto how = std::regex_constants::match_continuous;
      if (at > 0) how |= std::regex_constants::match_prev_avail;
      if (std::regex_search(from, text.cend(), match, pattern, how)) {
        const auto first = static_cast<std::size_t>(match[group].first - text.cbegin());
        const auto size = static_cast<std::size_t>(match[group].length());
        std::string to = by;
        to.resize(size, ' ');
        text.replace(first, size, to);
        end = first + size;
      }
      at = text.find(word, end);
    }
  };
  // to_tensor names its result's type since MLIR 20.
  blanked("bufferization.to_tensor",
          std::regex(R"([\w.]+[^\n]*:\s*memref<[^\n]*>(\s+to\s+tensor<[^\n]*>))"), 1);
  // to_buffer was to_memref, and named the memref alone.
  blanked("bufferization.to_buffer",
          std::regex(R"([\w.]+[^\n]*:\s*(tensor<[^\n]*>\s+to\s+)memref<)"), 1);
  blanked("bufferization.to_buffer", std::regex(R"(bufferization\.(to_buffer)[^\n]*memref<)"), 1,
          "to_memref");
  // pack and unpack moved to linalg.
  blanked("linalg.", std::regex(R"rx(\b(linalg)\.(?:un)?pack[\s"])rx"), 1, "tensor");
  // Mappings to devices of other dialects, which say nothing about values.
  blanked("mapping", std::regex(R"(\b(mapping)\s*=\s*\[\s*#)"), 1, "mapped_");
  // A strided layout whose bracket closes before its offset, as in published listings.
  blanked("strided<[", std::regex(R"(strided<\[[^\]\n]*(\]>, offset: \?>))"), 1, "], offset: ?>>");
  // maximumf and minimumf before MLIR 18; operations begin where they began.
  for (const char* word : {"arith.maxf", "arith.minf"}) {
    if (text.find(word) == std::string::npos) continue;
    text = std::regex_replace(text, std::regex(R"(\barith\.(max|min)f\b)"), "arith.$1imumf");
  }
  return withGenericLinalg(withParsedForms(std::move(text)));
}

Imported importMlir(const std::string& text, const std::string& name,
                    const std::map<std::string, std::int64_t>& settings, MemoryOrder order,
                    std::size_t mostKernels) {
  Imported result;
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  mlir::DialectRegistry registry;
  registerBuffers(registry);
  context.appendDialectRegistry(registry);
  loadDialects(context);
  FileForm file;
  result.finding = parseFile(text, name, mostKernels, context, file);
  if (!result.finding.message.empty()) return result;
  const mlir::ScopedDiagnosticHandler quiet(&context,
                                            [](mlir::Diagnostic&) { return mlir::success(); });
  for (mlir::Operation& op : file.block) {
    makeUpdatesPlain(op);
    writeWhilesAsFor(op);
    writeTurnsOut(op);
    writeUnrolledAsOne(op);
  }
  FileReader reader{settings, order, mostKernels};
  const Imported known = reader.read(file.block, file.names);
  if (!known.isRefused) return known;
  // What is refused is read in other forms, too, and refused as it was written. They are made by
  // MLIR's passes, which may fail where its parser does not.
  reader.isAnotherForm = true;
  constexpr unsigned mostSeconds = 30;
  const auto other = readApart([&] { return readInOtherForms(file, reader); }, mostSeconds);
  return other && !other->isRefused ? *other : known;
}

}  // namespace gridloom::importer
