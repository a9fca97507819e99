// SPDX-License-Identifier: Apache-2.0
// Functions in the styles of several front ends, each on its own: they compute what MLIR's own
// tools compute. A line `// CALL name argument=type:shape ... -> result` in front of a function says
// how to call it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "importer/mlir_module.h"
#include "original.h"
#include "recurrences.h"

namespace gridloom {
namespace {

using test::Argument;
using test::Call;

constexpr const char* kFiles[] = {"triton_shared", "tile_loom", "buddy",       "tpp",
                                  "iree_amd_aie",  "mlir_air",  "torch",       "more_forms",
                                  "later_forms",   "tables",    "fresh_forms", "newer_forms",
                                  "rare_forms",    "turns",     "block_forms", "further_forms"};

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, at);) parts.push_back(part);
  return parts;
}

// `4x8:i32<10`: the shape, the element type, and what integers are less than.
void readShape(const std::string& text, std::vector<std::int64_t>& shape, std::string& element,
               std::int64_t& below) {
  const auto parts = split(text, ':');
  if (parts[0] != "scalar") {
    for (const std::string& size : split(parts[0], 'x')) shape.push_back(std::stoll(size));
  }
  if (parts.size() < 2) return;
  const auto typeAndLimit = split(parts[1], '<');
  element = typeAndLimit[0];
  if (typeAndLimit.size() > 1) below = std::stoll(typeAndLimit[1]);
}

// `name=tensor:4x8`, or a number, `name=i32=16`.
Argument argumentOf(const std::string& text) {
  const auto parts = split(text, '=');
  Argument argument{parts[0], parts[1], {}};
  if (parts.size() > 2) {
    argument.value = std::stod(parts[2]);
    return argument;
  }
  const auto colon = parts[1].find(':');
  argument.type = parts[1].substr(0, colon);
  readShape(parts[1].substr(colon + 1), argument.shape, argument.element, argument.below);
  return argument;
}

Call callOf(const std::string& file, const std::string& line) {
  std::istringstream words(line);
  Call call;
  call.file = file;
  words >> call.function;
  bool isResult = false;
  for (std::string word; words >> word;) {
    std::int64_t none = 0;
    if (word == "none") {
      call.runs = false;
    } else if (word == "->") {
      isResult = true;
    } else if (isResult && std::isdigit(static_cast<unsigned char>(word[0])) == 0 &&
               word != "scalar") {
      call.result = split(word, ':')[0];
      readShape(word.substr(word.find(':') + 1), call.resultShape, call.resultElement, none);
      const auto of = std::ranges::find(call.arguments, call.result, &Argument::name);
      if (of != call.arguments.end()) call.resultElement = of->element;
    } else if (isResult) {
      readShape(word, call.resultShape, call.resultElement, none);
    } else if (word.starts_with("grid=")) {
      for (const std::string& size : split(word.substr(5), ',')) {
        call.grid.push_back(std::stoll(size));
      }
    } else if (const auto at = word.find("=set="); at != std::string::npos) {
      call.settings[word.substr(0, at)] = std::stoll(word.substr(at + 5));
    } else {
      call.arguments.push_back(argumentOf(word));
    }
  }
  return call;
}

// The function, with the aliases of its file.
std::string functionText(const std::string& text, const std::string& name) {
  std::string aliases, body, indent;
  bool inside = false;
  for (const std::string& line : split(text, '\n')) {
    if (line.starts_with('#')) aliases += line + "\n";
    const auto at = line.find("func.func @" + name + "(");
    if (at != std::string::npos) {
      inside = true;
      indent = line.substr(0, at);
    }
    if (inside) body += line + "\n";
    if (inside && line == indent + "}") break;
  }
  return aliases + body;
}

std::vector<Call> allCalls() {
  std::vector<Call> calls;
  for (const char* const name : kFiles) {
    const std::string file =
        fmt::format("{}/unit/importer/front_ends/{}.mlir", GRIDLOOM_TEST_DATA_DIR, name);
    std::ifstream in(file);
    const std::string text((std::istreambuf_iterator<char>(in)), {});
    for (const std::string& line : split(text, '\n')) {
      const auto at = line.find("// CALL ");
      if (at == std::string::npos) continue;
      calls.push_back(callOf(name, line.substr(at + 8)));
      calls.back().text = functionText(text, calls.back().function);
    }
  }
  return calls;
}

class FrontEnds : public testing::TestWithParam<Call> {};

TEST_P(FrontEnds, ComputeWhatTheOriginalComputes) {
  const Call& call = GetParam();
  const auto imported = importer::importMlir(call.text, call.file, test::settingsOf(call));
  ASSERT_EQ(imported.finding.message, "") << imported.finding.line << "\n" << call.text;
  const std::vector<double> got = test::computed(call, imported.kernels);
  ASSERT_FALSE(got.empty()) << imported.kernels;
  if (!call.runs) return;
  const auto expected = test::runOriginal(call);
  if (!expected) GTEST_SKIP() << "mlir-opt and mlir-cpu-runner (mlir-19-tools) are not installed";
  ASSERT_EQ(got.size(), expected->size()) << imported.kernels;
  for (std::size_t n = 0; n < got.size(); ++n) {
    ASSERT_NEAR(got[n], (*expected)[n], 1e-4 * std::max(1.0, std::abs((*expected)[n])))
        << n << "\n"
        << imported.kernels;
  }
}

INSTANTIATE_TEST_SUITE_P(, FrontEnds, testing::ValuesIn(allCalls()), [](const auto& which) {
  std::string name = which.param.file + which.param.function;
  std::erase(name, '_');
  return name;
});

}  // namespace
}  // namespace gridloom
