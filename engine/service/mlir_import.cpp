// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "base/child_program.h"
#include "service/workspace.h"
#include "syntax/kernel_parser.h"
#include "syntax/limits.h"

namespace gridloom::service {

namespace {

// The word that stands at a place.
base::Span wordAt(const base::SourceText& text, base::LineColumn at) {
  const std::uint32_t begin = text.offset(at);
  std::uint32_t end = begin;
  while (end < text.text().size() && std::strchr(" \t\n(),:", text.text()[end]) == nullptr) ++end;
  return {begin, std::max(end, begin + 1)};
}

// The answer of the program: for each line of the recurrences the place that it comes from, then
// the recurrences.
base::SourceRef recurrencesIn(const base::SourceRef& text, const std::string& answer) {
  std::istringstream in(answer);
  std::size_t lines = 0;
  in >> lines;
  base::Origin origin{text, {}};
  for (std::size_t n = 0; n < lines; ++n) {
    base::LineColumn at;
    in >> at.line >> at.column;
    // What has no place stands behind what has one.
    const base::Span last = origin.lines.empty() ? base::Span{} : origin.lines.back();
    origin.lines.push_back(at.line > 0 ? wordAt(*text, at) : last);
  }
  in.ignore();
  return base::makeSource(text->name() + ".rec", std::string(std::istreambuf_iterator(in), {}),
                          std::move(origin));
}

base::Diagnostic findingAt(const base::SourceRef& text, const std::string& answer) {
  std::istringstream in(answer);
  std::uint32_t line = 0, column = 0;
  std::string message, hint;
  in >> line >> column;
  in.ignore();
  std::getline(in, message);
  std::getline(in, hint);
  if (line == 0) return base::plainError(text->name() + ": " + message, hint);
  return base::errorAt(text, wordAt(*text, {line, column}), message, hint);
}

}  // namespace

bool isMlir(const base::SourceText& text) { return text.name().ends_with(".mlir"); }

bool looksLikeMlir(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n", at);
    if (begin == text.npos) return false;
    const std::string_view rest = text.substr(begin);
    if (!rest.starts_with("//")) {
      return std::ranges::any_of(
          std::initializer_list<std::string_view>{"module", "builtin.module", "func.func", "#"},
          [&](std::string_view word) { return rest.starts_with(word); });
    }
    at = std::min(text.size(), text.find('\n', begin));
  }
  return false;
}

namespace {

using Values = std::vector<std::pair<std::string, std::int64_t>>;

// The last line of an answer names an argument that needs a value.
std::string missingIn(const std::string& answer) {
  std::istringstream in(answer);
  std::string line;
  for (int n = 0; n < 4; ++n) std::getline(in, line);
  return in ? line : std::string();
}

/// `missing`: where not null, the name of an argument without a value.
base::Result<base::SourceRef> importOnce(const base::SourceRef& text, const Values& set,
                                         bool byDataflow, std::string* missing) {
  const std::string program = base::siblingProgram("gridloom-import", GRIDLOOM_IMPORT_PROGRAM);
  if (program.empty())
    return base::plainError(text->name() + ": this Gridloom was built without MLIR",
                            "install libmlir-19-dev, mlir-19-tools and llvm-19-dev, and build it "
                            "again");
  std::vector<std::string> args{text->name(),
                                fmt::format("--most-kernels={}", syntax::kMaxKernels)};
  if (byDataflow) args.push_back("--exact-dataflow");
  for (const auto& [name, value] : set) args.push_back(fmt::format("{}={}", name, value));
  const auto ended = base::runProgram(program, args, text->text());
  if (!ended)
    return base::plainError(fmt::format("{} cannot be run", program),
                            "it needs a temporary file and a process");
  const int status = ended->status;
  const std::string& answer = ended->output;
  if (status == 0) return recurrencesIn(text, answer);
  if (status == 2 && missing != nullptr) *missing = missingIn(answer);
  if (status == 2) return findingAt(text, answer);
  if (status == -SIGXCPU)
    return base::plainError(text->name() + ": reading it takes longer than a minute",
                            "split the file");
  return base::plainError(fmt::format("{}: the reader of MLIR ended by {} {}", text->name(),
                                      status < 0 ? "signal" : "exit status", std::abs(status)),
                          "if `mlir-opt-19` reads the file, the fault is ours: report it");
}

bool isRead(const base::SourceRef& recurrences) {
  return syntax::parseKernels(recurrences, {}, std::nullopt).ok();
}

/// Recurrences that do not check are asked for again: exact dataflow may give others.
base::Result<base::SourceRef> importWith(const base::SourceRef& text, const Values& set,
                                         std::string* missing) {
  auto recurrences = importOnce(text, set, false, missing);
  if (!recurrences || isRead(*recurrences)) return recurrences;
  auto others = importOnce(text, set, true, nullptr);
  return others && isRead(*others) ? std::move(others) : std::move(recurrences);
}

}  // namespace

base::Result<base::SourceRef> importMlir(const base::SourceRef& text, const Values& set) {
  return importWith(text, set, nullptr);
}

base::Result<MlirKernel> openMlirKernel(const base::SourceRef& text, const KernelOptions& options) {
  constexpr std::int64_t assumedValue = 128;
  constexpr std::size_t most = 64;
  MlirKernel opened;
  for (;;) {
    std::string missing;
    auto imported = importWith(text, opened.values, &missing);
    if (imported) {
      auto kernel = openKernel(*imported, {{}, options.dtype, options.name});
      if (!kernel) return kernel.takeDiagnostics();
      opened.kernel = *kernel;
      return opened;
    }
    const bool isKnown = std::ranges::any_of(
        opened.values, [&](const auto& value) { return value.first == missing; });
    if (missing.empty() || isKnown || opened.values.size() == most)
      return imported.takeDiagnostics();
    const auto given = std::ranges::find(options.set, missing, &Values::value_type::first);
    const bool isGiven = given != options.set.end();
    if (!isGiven) opened.assumed.push_back(missing);
    opened.values.emplace_back(missing, isGiven ? given->second : assumedValue);
  }
}

}  // namespace gridloom::service
