// SPDX-License-Identifier: Apache-2.0
#include "same_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <regex>
#include <sstream>

#include "importer/mlir_module.h"
#include "original.h"
#include "recurrences.h"

namespace gridloom::test {

namespace {

// `%a: memref<4x8xf32>` in the function's head.
Call callOf(const std::string& function) {
  Call call;
  call.file = "f.mlir";
  call.text = function;
  const std::regex name(R"(func\.func @(\w+)\()"), argument(R"(%(\w+): memref<([0-9x]+)x(f\d\d)>)");
  std::smatch found;
  if (std::regex_search(function, found, name)) call.function = found[1];
  const std::string head = function.substr(0, function.find(") {"));
  for (std::sregex_iterator at(head.begin(), head.end(), argument), end; at != end; ++at) {
    Argument of{(*at)[1], "memref", {}, 0, (*at)[3]};
    std::istringstream sizes((*at)[2]);
    for (std::string size; std::getline(sizes, size, 'x');) of.shape.push_back(std::stoll(size));
    call.arguments.push_back(std::move(of));
  }
  return call;
}

void expectSame(const Call& call, const std::string& kernels) {
  const auto expected = runOriginal(call);
  if (!expected) GTEST_SKIP() << "mlir-opt and mlir-cpu-runner (mlir-19-tools) are not installed";
  const std::vector<double> got = computed(call, kernels);
  ASSERT_EQ(got.size(), expected->size()) << kernels;
  for (std::size_t n = 0; n < got.size(); ++n) {
    ASSERT_NEAR(got[n], (*expected)[n], 1e-4 * std::max(1.0, std::abs((*expected)[n])))
        << call.result << " at " << n << "\n"
        << call.text << kernels;
  }
}

}  // namespace

void expectSameValues(const std::string& function) {
  Call call = callOf(function);
  const auto imported = importer::importMlir(function, "f.mlir", {});
  ASSERT_EQ(imported.finding.message, "") << imported.finding.line << "\n" << function;
  int results = 0;
  for (const Argument& argument : call.arguments) {
    if (imported.kernels.find("\n  " + argument.name + "[") == std::string::npos) continue;
    ++results;
    call.result = argument.name;
    call.resultShape = argument.shape;
    call.resultElement = argument.element;
    expectSame(call, imported.kernels);
  }
  EXPECT_GT(results, 0) << imported.kernels;
}

}  // namespace gridloom::test
