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
#include <mlir/Dialect/Math/IR/Math.h>

#include <algorithm>
#include <regex>

#include "importer/mlir_reader.h"
#include "importer/mlir_sizes.h"
#include "importer/parameters.h"

namespace gridloom::importer {

namespace {

// Deeper text would exhaust the parser's stack.
constexpr int kMostNesting = 200;

Finding tooMany(mlir::func::FuncOp first, std::size_t functions, std::size_t most) {
  Finding finding{fmt::format("the file has {} functions, and a text at most {} kernels", functions,
                              most),
                  "split it into several files; functions that others call may be `private`"};
  if (const auto at = first.getLoc()->findInstanceOf<mlir::FileLineColLoc>()) {
    finding.line = static_cast<int>(at.getLine());
    finding.column = static_cast<int>(at.getColumn());
  }
  return finding;
}

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

/// Names of tensors in the functions so far. Functions share nothing: what one writes has a name
/// that no other uses.
class TensorNames {
 public:
  void keepApart(Program& program) {
    std::set<int> written;
    for (const Statement& statement : program.statements) written.insert(statement.target);
    for (std::size_t b = 0; b < program.buffers.size(); ++b) {
      std::string& name = program.buffers[b].name;
      const bool writes = written.contains(static_cast<int>(b));
      if (m_written.contains(name) || (writes && m_all.contains(name))) name += "_" + program.name;
    }
    for (std::size_t b = 0; b < program.buffers.size(); ++b) {
      m_all.insert(program.buffers[b].name);
      if (written.contains(static_cast<int>(b))) m_written.insert(program.buffers[b].name);
    }
  }

 private:
  std::set<std::string> m_all, m_written;
};

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
  context.loadDialect<mlir::func::FuncDialect, mlir::affine::AffineDialect, mlir::scf::SCFDialect,
                      mlir::linalg::LinalgDialect, mlir::tensor::TensorDialect,
                      mlir::memref::MemRefDialect, mlir::bufferization::BufferizationDialect,
                      mlir::arith::ArithDialect, mlir::math::MathDialect,
                      mlir::vector::VectorDialect, mlir::cf::ControlFlowDialect>();
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

/// Reads functions into programs.
class FunctionReader {
 public:
  FunctionReader(const Functions& functions, const ArgumentNames& names, MemoryOrder order)
      : m_functions(functions), m_names(names), m_order(order) {}

  /// By exact dataflow where the known forms do not say what loops leave in memory. Of a function
  /// that is read as a whole then, the analysis says what is not imported, else the known forms.
  Program read(mlir::func::FuncOp function, const Settings& values) {
    if (m_order == MemoryOrder::ExactDataflow) {
      try {
        return byFlow(function, values);
      } catch (const Refusal&) {
        return byForms(function, values);
      }
    }
    try {
      return byForms(function, values);
    } catch (const Refusal& refusal) {
      if (!refusal.needs.empty()) throw;
      try {
        return byFlow(function, values);
      } catch (const Refusal&) {
        if (m_hasRead) throw;
      }
      throw;
    }
  }

  /// The names of values that functions took.
  const std::set<std::string>& taken() const { return m_taken; }

 private:
  Program byForms(mlir::func::FuncOp function, const Settings& values) {
    Reader reader(function, m_functions, values, m_names);
    Program program = reader.read();
    m_taken.insert(reader.taken().begin(), reader.taken().end());
    return program;
  }

  Program byFlow(mlir::func::FuncOp function, const Settings& values) {
    Reader reader(function, m_functions, values, m_names);
    m_hasRead = false;
    try {
      Program program = reader.readByFlow();
      m_taken.insert(reader.taken().begin(), reader.taken().end());
      return program;
    } catch (const Refusal&) {
      m_hasRead = reader.hasRead();
      throw;
    }
  }

  const Functions& m_functions;
  const ArgumentNames& m_names;
  MemoryOrder m_order;
  std::set<std::string> m_taken;
  bool m_hasRead = false;  ///< exact dataflow read the function before it refused
};

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
  return text;
}

Imported importMlir(const std::string& text, const std::string& name,
                    const std::map<std::string, std::int64_t>& settings, MemoryOrder order,
                    std::size_t mostKernels) {
  Imported result;
  const std::string older = olderSpelling(text);
  if (isTooDeep(older, result.finding)) return result;
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
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
  std::vector<mlir::func::FuncOp> functions;
  for (mlir::Operation& op : block) {
    makeUpdatesPlain(op);
    op.walk([&](mlir::func::FuncOp function) {
      if (!function.isExternal()) functions.push_back(function);
    });
  }
  Functions byName;
  for (const mlir::func::FuncOp function : functions)
    byName[mlir::func::FuncOp(function).getName().str()] = function;
  // Functions that are called are read where they are.
  const bool anyPublic = std::ranges::any_of(functions, [](auto of) { return of.isPublic(); });
  if (anyPublic) std::erase_if(functions, [](auto of) { return of.isPrivate(); });
  if (functions.empty()) {
    result.finding = {"there is no func.func with a body", "kernels are functions"};
    return result;
  }
  // Each gives at least one kernel, and reading one may take long.
  if (functions.size() > mostKernels) {
    result.finding = tooMany(functions[mostKernels], functions.size(), mostKernels);
    return result;
  }
  FunctionReader reader(byName, names, order);
  const auto read = [&](const Settings& values) {
    PrintedKernels kernels;
    TensorNames known;
    for (const mlir::func::FuncOp function : functions) {
      Program program = reader.read(function, values);
      known.keepApart(program);
      const PrintedKernels printed = printKernels(program);
      if (!kernels.text.empty()) {
        kernels.text += '\n';
        kernels.places.push_back(program.place);
      }
      kernels.text += printed.text;
      kernels.places.insert(kernels.places.end(), printed.places.begin(), printed.places.end());
    }
    return kernels;
  };
  const TiedSizes tied(functions, names);
  try {
    const Settings firsts = tied.firstOnes(settings);
    PrintedKernels printed = read(tied.all(firsts));
    for (const auto& [setting, value] : settings) {
      if (!reader.taken().contains(setting))
        throw Refusal{fmt::format("no function has an argument `{}` that takes a number", setting),
                      "arguments have the names of the file; grid_x, grid_y and grid_z are the "
                      "numbers of programs of a launch grid"};
    }
    result.places = std::move(printed.places);  // parameters change no lines
    result.kernels = withParameters(printed.text, firsts,
                                    [&](const Values& values) -> std::optional<std::string> {
                                      try {
                                        return read(tied.all(values)).text;
                                      } catch (const Refusal&) {
                                        return std::nullopt;
                                      }
                                    });
  } catch (const Refusal& refusal) {
    result.kernels.clear();
    result.places.clear();
    result.finding = {refusal.message, refusal.hint, refusal.line, refusal.column, refusal.needs};
    const std::vector<std::string> others = tied.others(refusal.needs);
    if (!others.empty())
      result.finding.hint += fmt::format("; it is the size of {}, too", fmt::join(others, ", "));
  }
  return result;
}

}  // namespace gridloom::importer
