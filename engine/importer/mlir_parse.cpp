// SPDX-License-Identifier: Apache-2.0
#include "importer/mlir_parse.h"

#include <fmt/format.h>
#include <llvm/Support/SourceMgr.h>
#include <mlir/AsmParser/AsmParser.h>
#include <mlir/AsmParser/AsmParserState.h>
#include <mlir/IR/BuiltinOps.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace gridloom::importer {

namespace {

// Deeper text would exhaust the parser's stack.
constexpr int kMostNesting = 200;
constexpr std::string_view kBetweenParts = "// -----";

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

// Of "Dialect `hal' not found for custom op ...".
std::string unknownDialect(const std::string& message) {
  constexpr std::string_view before = "Dialect `", behind = "' not found for custom op";
  const std::size_t from = message.find(before), to = message.find(behind);
  if (from == std::string::npos || to == std::string::npos || to < from) return {};
  return message.substr(from + before.size(), to - from - before.size());
}

// How what is written in a dialect becomes what is read.
std::string stepBefore(const std::string& dialect) {
  struct Step {
    const char* dialect;
    const char* hint;
  };
  constexpr const char* dispatched =
      "write what is dispatched as a func.func, with the bindings as arguments that are tensors";
  constexpr Step steps[] = {
      {"air", "operations of air are read in the generic form, `\"air.herd\"(...)`: print the file "
              "with --mlir-print-op-generic"},
      {"tosa", "lower it first: mlir-opt --pass-pipeline='builtin.module(func.func("
               "tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor))'"},
      {"tt", "lower it first to linalg, as triton-shared does"},
      {"tts", "lower it first to memref, as triton-shared does"},
      {"torch", "take what torch-mlir writes for linalg on tensors"},
      {"hal", dispatched},
      {"flow", dispatched},
      {"util", "write util.func as func.func, and util.return as return"},
      {"iree_tensor_ext", dispatched}};
  for (const Step& step : steps)
    if (dialect == step.dialect) return step.hint;
  return "lower it first to what is read: func, affine, scf, linalg, tensor, vector, memref, "
         "arith, math";
}

Finding parseText(const std::string& text, const std::string& name, mlir::MLIRContext& context,
                  FileForm& form) {
  Finding finding;
  const std::string older = olderSpelling(text);
  if (isTooDeep(older, finding)) return finding;
  const mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic& diagnostic) {
    if (!finding.message.empty()) return mlir::success();
    finding.message = diagnostic.str();
    if (const auto loc = diagnostic.getLocation()->findInstanceOf<mlir::FileLineColLoc>()) {
      finding.line = static_cast<int>(loc.getLine());
      finding.column = static_cast<int>(loc.getColumn());
    }
    return mlir::success();
  });
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(older, name), llvm::SMLoc());
  mlir::AsmParserState state;
  const mlir::ParserConfig config(&context);
  if (mlir::failed(mlir::parseAsmSourceFile(sources, &form.block, config, &state))) {
    if (finding.message.empty()) finding.message = "this is no MLIR";
    if (const std::string dialect = unknownDialect(finding.message); !dialect.empty())
      finding.hint = stepBefore(dialect);
    return finding;
  }
  locate(state, sources, name);
  form.names = argumentNames(state);
  return {};
}

bool isBetweenParts(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return line.starts_with(kBetweenParts) &&
         line.find_first_not_of("- \t\r", kBetweenParts.size()) == std::string_view::npos;
}

bool saysNothing(std::string_view line) {
  const std::size_t at = line.find_first_not_of(" \t\r");
  return at == std::string_view::npos || line.substr(at).starts_with("//");
}

// The parts that say something, each behind as many empty lines as stand before it in the file.
std::vector<std::string> partsOf(const std::string& text, std::size_t most) {
  std::vector<std::string> parts;
  std::string part;
  bool isEmpty = true;
  std::size_t lines = 0;
  const auto end = [&] {
    if (!isEmpty) parts.push_back(std::move(part));
    part.assign(parts.size() > most ? 0 : lines, '\n');
    isEmpty = true;
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string_view line = std::string_view(text).substr(at, next - at);
    ++lines;
    at = next;
    if (isBetweenParts(line.substr(0, line.find('\n')))) {
      end();
      continue;
    }
    isEmpty = isEmpty && saysNothing(line.substr(0, line.find('\n')));
    part += line;
  }
  end();
  return parts;
}

// A name of an earlier part becomes one that neither those nor this part have.
void nameApart(mlir::ModuleOp part, std::set<std::string>& known) {
  std::vector<mlir::SymbolOpInterface> symbols;
  std::set<std::string> own;
  for (mlir::Operation& op : part.getBody()->getOperations()) {
    const auto symbol = llvm::dyn_cast<mlir::SymbolOpInterface>(op);
    if (symbol) symbols.push_back(symbol);
  }
  for (mlir::SymbolOpInterface symbol : symbols) own.insert(symbol.getName().str());
  for (mlir::SymbolOpInterface symbol : symbols) {
    const std::string before = symbol.getName().str();
    if (!known.contains(before)) continue;
    std::string name = before;
    for (int n = 2; known.contains(name) || own.contains(name); ++n)
      name = fmt::format("{}_{}", before, n);
    const auto renamed = mlir::StringAttr::get(part.getContext(), name);
    if (mlir::succeeded(mlir::SymbolTable::replaceAllSymbolUses(symbol, renamed, part)))
      symbol.setName(renamed);
    own.insert(name);
  }
  known.insert(own.begin(), own.end());
}

// The operations of a part, without the module around them.
void moveInto(mlir::ModuleOp module, FileForm& part) {
  while (!part.block.empty()) {
    mlir::Operation& op = part.block.front();
    if (auto inner = llvm::dyn_cast<mlir::ModuleOp>(op)) {
      module.getBody()->getOperations().splice(module.getBody()->end(),
                                               inner.getBody()->getOperations());
      op.erase();
    } else {
      op.moveBefore(module.getBody(), module.getBody()->end());
    }
  }
}

// Whether a part lacks what only another part can define: the line is there for its looks.
bool needsAnotherPart(const Finding& finding) {
  const auto says = [&](std::string_view what) {
    return finding.message.find(what) != std::string::npos;
  };
  return says("undefined symbol alias") || says("does not reference a valid function");
}

}  // namespace

Finding parseFile(const std::string& text, const std::string& name, std::size_t mostParts,
                  mlir::MLIRContext& context, FileForm& form) {
  Finding whole = parseText(text, name, context, form);
  if (whole.message.empty()) return {};
  const std::vector<std::string> parts = partsOf(text, mostParts);
  if (parts.size() < 2) return whole;
  if (parts.size() > mostParts) {
    return {fmt::format("the file has {} parts between lines `{}`, and a text at most {} kernels",
                        parts.size(), kBetweenParts, mostParts),
            "split it into several files"};
  }
  form.block.clear();
  const auto file = mlir::FileLineColLoc::get(&context, name, 1, 1);
  mlir::ModuleOp all = mlir::ModuleOp::create(file);
  form.block.push_back(all);
  std::set<std::string> known;
  for (const std::string& own : parts) {
    FileForm part;
    Finding finding = parseText(own, name, context, part);
    if (!finding.message.empty()) return needsAnotherPart(finding) ? whole : finding;
    form.names.insert(part.names.begin(), part.names.end());
    mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(file);
    moveInto(*module, part);
    nameApart(*module, known);
    all.getBody()->getOperations().splice(all.getBody()->end(), module->getBody()->getOperations());
  }
  return {};
}

}  // namespace gridloom::importer
