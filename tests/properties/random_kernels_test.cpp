// SPDX-License-Identifier: Apache-2.0

// Random kernels: each is refused with a place, or all of its forms mean what is written, and
// random mappings compute it.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "support/line_check.h"
#include "support/random_kernel.h"
#include "syntax/kernel_parser.h"

namespace gridloom::random_kernels_property {
namespace {

constexpr std::uint64_t kKernels = 1500;
constexpr std::uint64_t kMappings = 3;

enum class Fate { Refused, NotCompared, NotMapped, Mapped };

bool areFinite(const kernel::TensorValues& values) {
  return std::ranges::all_of(values, [](const auto& entry) {
    return std::ranges::all_of(entry.second.data, [](double x) { return std::isfinite(x); });
  });
}

// Interprets a form by itself.
void expectMeans(kernel::Kernel form, const kernel::TensorValues& inputs,
                 const kernel::TensorValues& expected) {
  form.written = nullptr;
  const auto values = kernel::interpret(form, inputs);
  ASSERT_TRUE(values) << base::render(values.diagnostics());
  for (const kernel::Tensor& tensor : form.tensors) {
    if (tensor.role != kernel::TensorRole::Output || !expected.contains(tensor.name)) continue;
    const auto &got = values->at(tensor.name).data, &want = expected.at(tensor.name).data;
    for (std::size_t e = 0; e < want.size(); ++e) {
      ASSERT_NEAR(got[e], want[e], 1e-9 * std::max(1.0, std::abs(want[e])))
          << tensor.name << " element " << e;
    }
  }
}

Fate fateOf(const std::string& text) {
  const auto graph = syntax::parseKernels(base::makeSource("random.rec", text), {});
  if (!graph) {
    for (const base::Diagnostic& error : graph.diagnostics()) EXPECT_TRUE(error.source);
    return Fate::Refused;
  }
  const kernel::Kernel& kernel = graph->kernels.front();
  const kernel::TensorValues inputs = kernel::sampleInputs(kernel, 5);
  const auto expected = kernel::interpret(kernel, inputs);
  EXPECT_TRUE(expected) << base::render(expected.diagnostics());
  // An empty maximum is infinite.
  if (!expected || !areFinite(*expected)) return Fate::NotCompared;
  expectMeans(kernel, inputs, *expected);
  if (kernel.alternative) expectMeans(*kernel.alternative, inputs, *expected);
  if (!kernel::tileNest(kernel)) return Fate::NotMapped;
  const test::Problem problem = test::makeProblem(test::smallMesh(2, 3), text);
  const test::LineCheck line(problem);
  for (std::uint64_t seed = 0; seed < kMappings && !testing::Test::HasFailure(); ++seed)
    line.run(test::randomMapping(problem, seed));
  return Fate::Mapped;
}

TEST(RandomKernels, ComputeWhatTheyMean) {
  std::array<std::uint64_t, 4> count{};
  for (std::uint64_t seed = 0; seed < kKernels && !HasFailure(); ++seed) {
    const std::string text = test::randomKernel(seed);
    SCOPED_TRACE(text);
    ++count[static_cast<std::size_t>(fateOf(text))];
  }
  if (HasFailure()) return;
  EXPECT_GT(count[static_cast<std::size_t>(Fate::Mapped)], kKernels * 3 / 4);
}

}  // namespace
}  // namespace gridloom::random_kernels_property
