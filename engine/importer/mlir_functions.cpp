// SPDX-License-Identifier: Apache-2.0
#include "importer/mlir_functions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "importer/mlir_reader.h"
#include "importer/mlir_sizes.h"
#include "importer/parameters.h"

namespace gridloom::importer {

namespace {

Finding tooMany(mlir::func::FuncOp first, std::size_t functions, std::size_t most) {
  Finding finding{
      fmt::format("the file has {} functions, and a text at most {} kernels", functions, most),
      "split it into several files; functions that others call may be `private`"};
  if (const auto at = first.getLoc()->findInstanceOf<mlir::FileLineColLoc>()) {
    finding.line = static_cast<int>(at.getLine());
    finding.column = static_cast<int>(at.getColumn());
  }
  return finding;
}

std::optional<Finding> notTaken(const Settings& settings, const std::set<std::string>& taken) {
  for (const auto& [setting, value] : settings) {
    if (taken.contains(setting)) continue;
    return Finding{fmt::format("no function has an argument `{}` that takes a number", setting),
                   "arguments have the names of the file; grid_x, grid_y and grid_z are the "
                   "numbers of programs of a launch grid"};
  }
  return std::nullopt;
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

  /// Where a remainder says what wrote an element, once more with loops that are divided.
  Program byFlow(mlir::func::FuncOp function, const Settings& values) {
    try {
      return byFlow(function, values, false);
    } catch (const Refusal& refusal) {
      if (!refusal.isByRemainder) throw;
      try {
        return byFlow(function, values, true);
      } catch (const Refusal&) {
        throw refusal;
      }
    }
  }

  Program byFlow(mlir::func::FuncOp function, const Settings& values, bool dividesLoops) {
    Reader reader(function, m_functions, values, m_names);
    m_hasRead = false;
    try {
      Program program = reader.readByFlow(dividesLoops);
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

// Memory of a function's own has one loop for each index where it is written.
void checkLocals(const Program& program) {
  for (const Statement& statement : program.statements) {
    const Buffer& buffer = program.buffers[static_cast<std::size_t>(statement.target)];
    const bool isPlain = std::ranges::all_of(statement.index, [](const Linear& form) {
      return form.terms.empty() || (form.terms.size() == 1 && form.terms.begin()->second == 1);
    });
    if (buffer.isArgument || isPlain) continue;
    throw Refusal{"memory of the function is written at an index of several loops",
                  "write it by one loop for each index", statement.place.line,
                  statement.place.column};
  }
}

Imported FileReader::read(mlir::Block& block, const ArgumentNames& names) const {
  Imported result;
  std::vector<mlir::func::FuncOp> functions;
  for (mlir::Operation& op : block) {
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
      if (isAnotherForm) checkLocals(program);
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
    if (const auto unknown = notTaken(settings, reader.taken())) {
      result.finding = *unknown;
      return result;
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
    result.isRefused = refusal.needs.empty();
    result.finding = {refusal.message, refusal.hint, refusal.line, refusal.column, refusal.needs};
    const std::vector<std::string> others = tied.others(refusal.needs);
    if (!others.empty())
      result.finding.hint += fmt::format("; it is the size of {}, too", fmt::join(others, ", "));
  }
  return result;
}

}  // namespace gridloom::importer
