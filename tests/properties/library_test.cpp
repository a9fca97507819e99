// SPDX-License-Identifier: Apache-2.0

// The built-in kernels in folders through the whole line: on random mappings, the cores compute
// what the kernel means, and every transfer, buffer and byte is as the model says.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kernel/interpreter.h"
#include "kernel/parts.h"
#include "service/apart.h"
#include "support/line_check.h"

namespace gridloom::library_property {
namespace {

/// Runs a part of a kernel; what it computes joins `values`.
void runPart(const base::Result<service::KernelRef>& part, kernel::TensorValues& values) {
  kernel::TensorValues inputs;
  for (const kernel::Tensor& tensor : (*part)->kernel.tensors) {
    if (tensor.role == kernel::TensorRole::Input) inputs[tensor.name] = values.at(tensor.name);
  }
  const auto results = kernel::interpret((*part)->kernel, inputs);
  ASSERT_TRUE(results.ok()) << base::render(results.diagnostics());
  for (const auto& [name, value] : *results) values[name] = value;
}

/// The kernel in two parts, at every cut, computes the same outputs.
void checkCuts(const kernel::Kernel& kernel) {
  const kernel::TensorValues inputs = kernel::sampleInputs(kernel, 7);
  const auto whole = kernel::interpret(kernel, inputs);
  ASSERT_TRUE(whole.ok()) << base::render(whole.diagnostics());
  const kernel::KernelParts parts(kernel);
  for (const kernel::Cut& cut : parts.cuts()) {
    SCOPED_TRACE("cut before statement " + std::to_string(cut.before));
    kernel::TensorValues values = inputs;
    const auto first = service::openPart(parts, 0, cut.before);
    // A local tensor may have elements that are never used; an output may not.
    const std::string unused = "is never defined";
    if (!first.ok() && first.diagnostics().front().message.find(unused) != std::string::npos) {
      continue;
    }
    const auto second = service::openPart(parts, cut.before, parts.statements());
    ASSERT_TRUE(first.ok()) << base::render(first.diagnostics());
    ASSERT_TRUE(second.ok()) << base::render(second.diagnostics());
    runPart(first, values);
    runPart(second, values);
    if (testing::Test::HasFailure()) return;
    for (const kernel::Tensor& tensor : kernel.tensors) {
      if (tensor.role != kernel::TensorRole::Output) continue;
      const std::vector<double>& expected = whole->at(tensor.name).data;
      const std::vector<double>& found = values.at(tensor.name).data;
      ASSERT_EQ(found.size(), expected.size());
      for (std::size_t i = 0; i < found.size(); ++i) {
        ASSERT_NEAR(found[i], expected[i], 1e-9 * (1 + std::abs(expected[i]))) << tensor.name;
      }
    }
  }
}

void check(const std::string& name, test::Settings sizes) {
  SCOPED_TRACE(name);
  for (const bool torus : {false, true}) {
    const test::Problem problem =
        test::makeProblem(torus ? test::smallTorus(3, 2) : test::smallMesh(2, 3), name, sizes);
    if (!torus) checkCuts(problem.kernel);
    const test::LineCheck line(problem);
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      line.run(test::randomMapping(problem, seed));
      if (testing::Test::HasFailure()) return;
    }
  }
}

TEST(PolyBench, PbGemm) { check("polybench/pb_gemm", {{"NI", 4}, {"NJ", 5}, {"NK", 6}}); }
TEST(PolyBench, TwoMm) { check("polybench/two_mm", {{"NI", 4}, {"NJ", 5}, {"NK", 6}, {"NL", 3}}); }
TEST(PolyBench, ThreeMm) {
  check("polybench/three_mm", {{"NI", 4}, {"NJ", 5}, {"NK", 6}, {"NL", 3}, {"NM", 2}});
}
TEST(PolyBench, Atax) { check("polybench/atax", {{"M", 4}, {"N", 5}}); }
TEST(PolyBench, Doitgen) { check("polybench/doitgen", {{"NR", 2}, {"NQ", 3}, {"NP", 4}}); }
TEST(PolyBench, Mvt) { check("polybench/mvt", {{"N", 5}}); }
TEST(PolyBench, Gemver) { check("polybench/gemver", {{"N", 5}}); }
TEST(PolyBench, Gesummv) { check("polybench/gesummv", {{"N", 5}}); }
TEST(PolyBench, Symm) { check("polybench/symm", {{"M", 4}, {"N", 5}}); }
TEST(PolyBench, Syrk) { check("polybench/syrk", {{"M", 4}, {"N", 5}}); }
TEST(PolyBench, Syr2k) { check("polybench/syr2k", {{"M", 4}, {"N", 5}}); }
TEST(PolyBench, Trmm) { check("polybench/trmm", {{"M", 4}, {"N", 5}}); }
TEST(PolyBench, Trisolv) { check("polybench/trisolv", {{"N", 6}}); }
TEST(PolyBench, Lu) { check("polybench/lu", {{"N", 6}}); }
TEST(PolyBench, Covariance) { check("polybench/covariance", {{"N", 6}, {"M", 4}}); }
TEST(PolyBench, Correlation) { check("polybench/correlation", {{"N", 6}, {"M", 4}}); }
TEST(PolyBench, Jacobi1d) { check("polybench/jacobi_1d", {{"T", 4}, {"N", 7}}); }
TEST(PolyBench, Heat3d) { check("polybench/heat_3d", {{"N", 3}}); }
TEST(PolyBench, DericheRows) { check("polybench/deriche_rows", {{"H", 5}, {"W", 7}}); }
TEST(PolyBench, Bicg) { check("polybench/bicg", {{"M", 4}, {"N", 5}}); }
TEST(PolyBench, Durbin) { check("polybench/durbin", {{"N", 9}}); }
// At these sizes both its loops run forward.
TEST(PolyBench, DurbinOfFewSteps) {
  for (const int size : {2, 3, 4, 6}) check("polybench/durbin", {{"N", size}});
}
TEST(PolyBench, Gramschmidt) { check("polybench/gramschmidt", {{"M", 6}, {"N", 5}}); }
TEST(PolyBench, Ludcmp) { check("polybench/ludcmp", {{"N", 8}}); }
TEST(PolyBench, FloydWarshall) { check("polybench/floyd_warshall", {{"N", 7}}); }
TEST(PolyBench, Seidel2d) { check("polybench/seidel_2d", {{"N", 8}}); }
TEST(PolyBench, Fdtd2d) { check("polybench/fdtd_2d", {{"T", 5}, {"M", 6}, {"N", 7}}); }
TEST(PolyBench, Nussinov) { check("polybench/nussinov", {{"N", 9}}); }
TEST(PolyBench, Adi) { check("polybench/adi", {{"N", 7}}); }

TEST(Llm, Gru) { check("llm/gru", {{"T", 9}, {"D", 4}, {"H", 5}}); }
TEST(Llm, Rmsnorm) { check("llm/rmsnorm", {{"M", 3}, {"N", 5}}); }
TEST(Llm, ResidualLayernorm) { check("llm/residual_layernorm", {{"M", 3}, {"N", 5}}); }
TEST(Llm, Rope) { check("llm/rope", {{"H", 2}, {"S", 3}, {"E", 4}}); }
TEST(Llm, RopeInterleaved) { check("llm/rope_interleaved", {{"H", 2}, {"S", 3}, {"E", 4}}); }
TEST(Llm, Swiglu) { check("llm/swiglu", {{"M", 3}, {"D", 4}, {"F", 5}}); }
TEST(Llm, LinearGelu) { check("llm/linear_gelu", {{"M", 3}, {"K", 4}, {"N", 5}}); }
TEST(Llm, Gelu) { check("llm/gelu", {{"M", 3}, {"N", 5}}); }
TEST(Llm, MaskedSoftmax) { check("llm/masked_softmax", {{"S", 5}}); }
TEST(Llm, AttentionSoftcap) { check("llm/attention_softcap", {{"H", 2}, {"S", 5}, {"D", 3}}); }
TEST(Llm, AlibiAttention) { check("llm/alibi_attention", {{"H", 2}, {"S", 5}, {"D", 3}}); }
TEST(Llm, SlidingWindowAttention) {
  check("llm/sliding_window_attention", {{"H", 2}, {"S", 7}, {"D", 3}, {"W", 3}});
}
TEST(Llm, GqaDecode) { check("llm/gqa_decode", {{"G", 2}, {"R", 3}, {"S", 5}, {"D", 4}}); }
TEST(Llm, DecodeLinear) { check("llm/decode_linear", {{"K", 4}, {"N", 5}}); }
TEST(Llm, QuantisedLinear) {
  check("llm/quantised_linear", {{"M", 3}, {"B", 2}, {"G", 4}, {"N", 5}});
}
TEST(Llm, QuantiseRows) { check("llm/quantise_rows", {{"M", 3}, {"N", 5}}); }
TEST(Llm, CrossEntropy) { check("llm/cross_entropy", {{"T", 4}, {"V", 6}}); }
TEST(Llm, Embedding) { check("llm/embedding", {{"T", 7}, {"V", 5}, {"D", 4}}); }
TEST(Llm, IndexSelect) { check("llm/index_select", {{"M", 4}, {"N", 6}, {"K", 5}}); }
TEST(Llm, MoeDispatch) {
  check("llm/moe_dispatch", {{"X", 2}, {"C", 3}, {"T", 5}, {"K", 4}, {"N", 3}});
}
TEST(Llm, PagedDecode) {
  check("llm/paged_decode", {{"B", 2}, {"H", 2}, {"R", 2}, {"P", 3}, {"O", 2}, {"D", 4}});
}
TEST(Llm, Logsumexp) { check("llm/logsumexp", {{"M", 3}, {"N", 5}}); }
TEST(Llm, RowArgmax) { check("llm/row_argmax", {{"M", 4}, {"N", 6}}); }
TEST(Llm, LinearAttention) {
  check("llm/linear_attention", {{"H", 2}, {"S", 5}, {"D", 3}, {"E", 4}});
}
TEST(Llm, SelectiveScan) { check("llm/selective_scan", {{"L", 5}, {"D", 3}, {"N", 2}}); }
TEST(Llm, Int4Linear) { check("llm/int4_linear", {{"M", 3}, {"B", 2}, {"G", 4}, {"N", 5}}); }
TEST(Llm, Fp8Linear) { check("llm/fp8_linear", {{"M", 3}, {"K", 4}, {"N", 5}}); }
TEST(Llm, ExpertMixture) { check("llm/expert_mixture", {{"T", 3}, {"X", 2}, {"D", 4}, {"F", 5}}); }
TEST(Llm, OneHotEmbedding) { check("llm/one_hot_embedding", {{"T", 4}, {"V", 6}, {"D", 3}}); }
TEST(Llm, ConcatHeads) { check("llm/concat_heads", {{"H", 3}, {"S", 2}, {"D", 4}}); }

TEST(Vision, DepthwiseConv2d) {
  check("vision/depthwise_conv2d", {{"N", 2}, {"C", 3}, {"H", 6}, {"W", 5}});
}
TEST(Vision, PointwiseConv2d) {
  check("vision/pointwise_conv2d", {{"N", 2}, {"C", 3}, {"F", 4}, {"P", 2}, {"Q", 3}});
}
TEST(Vision, Conv2dSame) {
  check("vision/conv2d_same", {{"N", 2}, {"C", 2}, {"H", 4}, {"W", 5}, {"F", 3}});
}
TEST(Vision, Conv2dStrided) {
  check("vision/conv2d_strided", {{"N", 2}, {"C", 2}, {"F", 3}, {"P", 3}, {"Q", 2}});
}
TEST(Vision, Conv2dDilated) {
  check("vision/conv2d_dilated", {{"N", 2}, {"C", 2}, {"F", 3}, {"P", 3}, {"Q", 2}});
}
TEST(Vision, Conv2dGrouped) {
  check("vision/conv2d_grouped", {{"N", 2}, {"G", 2}, {"C", 2}, {"F", 3}, {"H", 5}, {"W", 4}});
}
TEST(Vision, Conv1dCausal) { check("vision/conv1d_causal", {{"L", 6}, {"D", 3}, {"R", 4}}); }
TEST(Vision, Conv2dTransposed) {
  check("vision/conv2d_transposed", {{"N", 2}, {"C", 3}, {"F", 2}, {"H", 3}, {"W", 2}});
}
TEST(Vision, Conv3d) {
  check("vision/conv3d", {{"N", 1}, {"C", 2}, {"D", 4}, {"H", 4}, {"W", 5}, {"F", 2}});
}
TEST(Vision, MaxPool) { check("vision/max_pool", {{"N", 2}, {"C", 2}, {"P", 3}, {"Q", 2}}); }
TEST(Vision, AvgPool) { check("vision/avg_pool", {{"N", 2}, {"C", 2}, {"P", 3}, {"Q", 2}}); }
TEST(Vision, GlobalPool) { check("vision/global_pool", {{"N", 2}, {"C", 3}, {"H", 4}, {"W", 5}}); }
TEST(Vision, BatchnormRelu) {
  check("vision/batchnorm_relu", {{"N", 2}, {"C", 3}, {"H", 2}, {"W", 4}});
}
TEST(Vision, Groupnorm) { check("vision/groupnorm", {{"N", 2}, {"G", 3}, {"C", 2}, {"P", 4}}); }
TEST(Vision, UpsampleNearest) {
  check("vision/upsample_nearest", {{"N", 2}, {"C", 2}, {"H", 3}, {"W", 2}});
}
TEST(Vision, PixelShuffle) {
  check("vision/pixel_shuffle", {{"N", 2}, {"C", 2}, {"H", 3}, {"W", 2}});
}
TEST(Vision, HorizontalFlip) {
  check("vision/horizontal_flip", {{"N", 2}, {"C", 2}, {"H", 3}, {"W", 5}});
}
TEST(Vision, PatchEmbed) {
  check("vision/patch_embed", {{"N", 2}, {"C", 2}, {"P", 2}, {"Q", 3}, {"F", 4}});
}
TEST(Vision, GaussianBlur) { check("vision/gaussian_blur", {{"H", 4}, {"W", 5}}); }
TEST(Vision, Sobel) { check("vision/sobel", {{"H", 4}, {"W", 5}}); }
TEST(Vision, Grayscale) { check("vision/grayscale", {{"H", 4}, {"W", 5}}); }
TEST(Vision, Histogram) { check("vision/histogram", {{"N", 40}, {"B", 4}}); }

// Every row of every tile is gathered once, in whole requests. Indices are loaded once or more.
TEST(Gathers, TakeWholeRequestsPerRow) {
  test::Problem problem =
      test::makeProblem(test::smallMesh(2, 3), "llm/embedding", {{"T", 7}, {"V", 5}, {"D", 40}});
  for (kernel::Operand& input : problem.nest.inputs) {
    if (input.gather) input.gather->requestBytes = 64;
  }
  const test::LineCheck line(problem);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const mapping::Mapping mapping = test::randomMapping(problem, seed);
    const auto run = line.run(mapping);
    ASSERT_TRUE(run);
    std::int64_t rows = 0;
    for (std::int64_t d = 0; d < 40; d += mapping.tileSize[1]) {
      const std::int64_t bytes = 2 * std::min<std::int64_t>(mapping.tileSize[1], 40 - d);
      rows += (bytes + 63) / 64 * 64;
    }
    const auto indices = run->simulated.traffic.dramRead - static_cast<double>(7 * rows);
    EXPECT_GE(indices, 7 * 4);
    EXPECT_EQ(std::fmod(indices, 7 * 4), 0);
    EXPECT_NEAR(run->predicted.traffic.dramRead, run->simulated.traffic.dramRead, 1e-6);
  }
}

}  // namespace
}  // namespace gridloom::library_property
