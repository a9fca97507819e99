// SPDX-License-Identifier: Apache-2.0
#include "syntax/kernel_parser.h"

#include <gtest/gtest.h>

#include <array>

#include "syntax/kernel_printer.h"
#include "unit/kernel/kernel_source.h"

namespace gridloom::syntax {
namespace {

using kernel::Kernel;
using kernel::kernelOf;

std::string printed(const std::string& text) {
  const auto graph = parseKernels(base::makeSource("test.rec", text), {});
  EXPECT_TRUE(graph.ok()) << base::render(graph.diagnostics());
  return graph ? printKernels(*graph) : "";
}

TEST(KernelParser, ReadsDeclarationsOnOneLine) {
  const Kernel kernel = kernelOf(R"(kernel gemm(M = 4096, N = 4096, K = 4096) {
    tensor A[M, K]: f16   tensor B[K, N]: f16   tensor C[M, N]: f16
    C[i, j] = sum(k) A[i, k] * B[k, j]
  })");
  ASSERT_EQ(kernel.tensors.size(), 3u);
  EXPECT_EQ(kernel.tensors[1].name, "B");
  EXPECT_EQ(kernel.tensors[2].dtype, kernel::DType::F16);
  EXPECT_EQ(kernel.loops.size(), 3u);
  EXPECT_EQ(kernel.parameters[2].value, 4096);
}

TEST(KernelParser, OverridesReachEveryKernelAndLaterParameters) {
  const std::array<ParameterOverride, 1> half = {ParameterOverride{"H", 32}};
  const auto graph = parseKernels(base::makeSource("t", R"(
kernel a(H = 64, R = 3, OH = H - R + 1) { tensor X[OH]: f32  tensor Y[OH]: f32  Y[i] = X[i] }
kernel b(H = 64) { tensor Z[H]: f32  tensor W[H]: f32  W[i] = Z[i] })"),
                                  half, kernel::DType::BF16);
  ASSERT_TRUE(graph.ok()) << base::render(graph.diagnostics());
  EXPECT_EQ(graph->kernels[0].tensors[0].shape[0], 30);
  EXPECT_EQ(graph->kernels[1].tensors[0].shape[0], 32);
  EXPECT_EQ(graph->kernels[1].tensors[0].dtype, kernel::DType::BF16);
}

TEST(KernelParser, DTypeOverrideLeavesLocalsAlone) {
  const auto graph =
      parseKernels(base::makeSource("t", kernel::shippedText("softmax")), {}, kernel::DType::BFP8);
  ASSERT_TRUE(graph.ok());
  EXPECT_EQ(graph->kernels[0].tensors[0].dtype, kernel::DType::BFP8);
  EXPECT_EQ(graph->kernels[0].tensors[2].dtype, kernel::DType::F32);
}

TEST(KernelParser, ReductionsReachOverProductsOnly) {
  EXPECT_EQ(printed(R"(kernel k(N = 4) { tensor A[N, N]: f32 tensor b[N]: f32 tensor y[N]: f32
    y[i] = b[i] + sum(k) A[i,k]*2*A[k,i] - (max(k) A[i,k]) * (sum(k) (A[i,k] + 1)) / N - -(3)
  })"),
            R"(kernel k(N = 4) {
  tensor A[N, N]: f32
  tensor b[N]: f32
  tensor y[N]: f32

  y[i] = b[i] + sum(k) A[i, k] * 2 * A[k, i] - (max(k) A[i, k]) * (sum(k) (A[i, k] + 1)) / N - -3
}
)");
}

// Both ways to write what was meant are right without a warning.
TEST(KernelParser, AComparedReductionIsWarnedOfUnlessInParentheses) {
  const auto warningsOf = [](const std::string& value) {
    const auto graph = parseKernels(
        base::makeSource(
            "t", "kernel k(N = 4) { tensor x[N]: f32 tensor y[1]: f32\ny[0] = " + value + "\n}"),
        {});
    EXPECT_TRUE(graph.ok()) << base::render(graph.diagnostics());
    return base::render(graph.diagnostics());
  };
  const std::string warning = warningsOf("2 * sum(n) x[n] * x[n] > 0.5 + 1");
  EXPECT_NE(warning.find("warning: the result of `sum(n)` is compared"), std::string::npos)
      << warning;
  EXPECT_NE(warning.find("write `(sum(n) x[n] * x[n]) > 0.5 + 1` where that is meant, or "
                         "`sum(n) (x[n] * x[n] > 0.5 + 1)`"),
            std::string::npos)
      << warning;
  EXPECT_EQ(warningsOf("2 * (sum(n) x[n] * x[n]) > 0.5 + 1"), "");
  EXPECT_NE(printed("kernel k(N = 4) { tensor x[N]: f32 tensor y[1]: f32\n"
                    "y[0] = 1 + sum(n) x[n] > 1 }")
                .find("y[0] = (1 + sum(n) x[n]) > 1"),
            std::string::npos);
  EXPECT_EQ(warningsOf("2 * sum(n) (x[n] * x[n] > 0.5 + 1)"), "");
  EXPECT_EQ(warningsOf("0.5 < sum(n) x[n]"), "");
  EXPECT_EQ(warningsOf("sum(n) x[n] + 1 > 0.5"), "");
  EXPECT_EQ(warningsOf("max(1, max(n) x[n]) > 0.5"), "");
}

// As the choice that it stands for, whatever multiple of the size keeps the sum positive.
TEST(KernelParser, IndicesOfReadsWrapAround) {
  const auto statement = [](const std::string& value) {
    const std::string text = printed("kernel k(N = 8) { tensor g[N]: f32 tensor o[N]: f32 for a in "
                                     "0..3\no[i] = " +
                                     value + " }");
    const std::size_t at = text.find("o[i]");
    return at == std::string::npos ? text : text.substr(at, text.find('\n', at) - at);
  };
  EXPECT_EQ(statement("g[mod(i + 1, N)]"), "o[i] = select(i >= 7, g[i - 7], g[i + 1])");
  EXPECT_EQ(statement("g[mod(i - 1 + 2 * N, N)]"), "o[i] = select(i < 1, g[i + 7], g[i - 1])");
  EXPECT_EQ(statement("sum(a) g[mod(i + a - 1, N)]"),
            "o[i] = sum(a) select(a + i < 1, g[a + i + 7], select(a + i >= 9, "
            "g[a + i - 9], g[a + i - 1]))");
  const auto refused = [](const std::string& line) {
    const auto graph = parseKernels(
        base::makeSource("t", "kernel k(N = 8) { tensor g[N]: f32 tensor o[N]: f32\n" + line + "}"),
        {});
    return graph ? std::string() : graph.diagnostics().front().message;
  };
  EXPECT_EQ(refused("o[mod(i + 1, N)] = g[i]"),
            "only the index of an element that is read wraps around");
  EXPECT_EQ(refused("o[i] = g[i] where 3 == mod(i + 1, 4)"), "a remainder of a sum is not affine");
  EXPECT_EQ(refused("o[i] = g[mod(i - 1, 4)]"),
            "a remainder by 4 wraps around in a dimension of 8");
  EXPECT_EQ(refused("o[i] = g[mod(i + 6000000000000000000, 9000000000000000000)]"),
            "this value is too large");
}

TEST(KernelParser, ChoicesAreNotReductions) {
  EXPECT_EQ(printed(R"(kernel k(M = 4, N = 4) { tensor A[N, N]: f32 tensor y[N]: f32
    y[i] = max(M, N, min(inf, A[i, i])) - (min(j) A[i, j]) })"),
            R"(kernel k(M = 4, N = 4) {
  tensor A[N, N]: f32
  tensor y[N]: f32

  y[i] = max(max(M, N), min(inf, A[i, i])) - min(j) A[i, j]
}
)");
}

TEST(KernelParser, KeepsCommentsWithWhatTheyStandBefore) {
  const std::string text = R"(// The file.
// Two lines.
kernel k(N = 4) {
  // An input.
  tensor A[N]: f32
  // The result.
  tensor B[N]: f32

  // Copies.
  B[i] = A[i]
  // Nothing else.
}
// The end.
)";
  EXPECT_EQ(printed(text), text);
  const std::string once = printed(R"(kernel k(N = 4) { // opens
  tensor A[N]: f32  // an input
  tensor B[N]: f32
  B[i] = A[i]       // copies
  // last
})");
  EXPECT_EQ(once, R"(// opens
kernel k(N = 4) {
  // an input
  tensor A[N]: f32
  tensor B[N]: f32

  // copies
  B[i] = A[i]
  // last
}
)");
}

TEST(KernelParser, InitialValuesAndConstraints) {
  const std::string text = R"(kernel k(N = 8) {
  tensor A[N]: f32
  tensor B[N]: f32
  local m[N]: f32 = -inf
  local s[N]: f32 = 1.5

  m[i] = max(m[i - 1], A[i])
  s[i] = s[i - 1] + m[i]
  B[i] = s[i]  where i >= 2
  B[i] = m[i]  where i < 2, i == 2 * i - i
}
)";
  EXPECT_EQ(printed(text), text);
  const Kernel kernel = kernelOf(text);
  EXPECT_EQ(kernel.statements[3].constraints.size(), 2u);
  EXPECT_EQ(kernel.tensors[3].initial, 1.5);
}

TEST(KernelPrinter, PrintsKernelsMadeInCode) {
  Kernel draft;
  draft.name = "copy";
  draft.loops.resize(1);
  draft.loops[0].name = "i";
  draft.tensors.resize(2);
  draft.tensors[0].name = "A";
  draft.tensors[1].name = "B";
  kernel::Statement statement;
  statement.reads.resize(1);
  statement.reads[0].tensor = kernel::TensorId(0);
  statement.target.tensor = kernel::TensorId(1);
  for (std::size_t t = 0; t < 2; ++t) {
    draft.tensors[t].shape = {8};
    (t == 0 ? statement.reads[0] : statement.target).indices = {affine::LinearExpr::dim(0)};
  }
  kernel::ExprNode read;
  read.op = kernel::ExprOp::Read;
  read.read = 0;
  statement.expr = {read};
  draft.statements = {statement};
  EXPECT_EQ(printKernels({{draft}, {}}),
            "kernel copy() {\n  tensor A[8]: f32\n  tensor B[8]: f32\n\n  B[i] = A[i]\n}\n");
}

TEST(KernelParser, QuotientsSplitTheirLoop) {
  const std::string text = R"(kernel norm(B = 3, C = 6, G = 2, S = 5) {
  tensor X[B, C, S]: f32
  tensor Y[B, C, S]: f32
  local m[B, C / G]: f32
  m[b, k] = k
  Y[b, c, s] = X[b, c, s] * c - m[b, c / G]  where c < 5
})";
  const std::string once = printed(text);
  EXPECT_NE(once.find("Y[b, 2 * c_outer + c_inner, s]"), std::string::npos) << once;
  EXPECT_NE(once.find("for c_outer in 0..3\n  for c_inner in 0..2"), std::string::npos) << once;
  EXPECT_EQ(printed(printed(once)), printed(once));
}

}  // namespace
}  // namespace gridloom::syntax
