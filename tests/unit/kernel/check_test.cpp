// SPDX-License-Identifier: Apache-2.0
#include "kernel/check.h"

#include <gtest/gtest.h>

#include <cmath>

#include "unit/kernel/kernel_source.h"

namespace gridloom::kernel {
namespace {

LoopKind kindOf(const Kernel& kernel, const std::string& loop) {
  return kernel.loop(loopNamed(kernel, loop)).kind;
}

TEST(Check, DerivesExtentsRolesAndKinds) {
  const Kernel kernel = shipped("flash_attention", {{"SQ", 64}, {"SK", 32}});
  EXPECT_EQ(kernel.loop(loopNamed(kernel, "i")).extent, 64);
  EXPECT_EQ(kernel.loop(loopNamed(kernel, "j")).extent, 32);
  EXPECT_EQ(kindOf(kernel, "i"), LoopKind::Parallel);
  EXPECT_EQ(kindOf(kernel, "j"), LoopKind::Sequential);
  EXPECT_EQ(kindOf(kernel, "d"), LoopKind::Parallel);
  EXPECT_EQ(kernel.tensors[0].role, TensorRole::Input);
  EXPECT_EQ(kernel.tensors[3].role, TensorRole::Output);
  EXPECT_EQ(kernel.tensors[4].role, TensorRole::Local);
}

TEST(Check, KindsOfSolversAndReductions) {
  const Kernel trsm = shipped("trsm");
  EXPECT_EQ(kindOf(trsm, "i"), LoopKind::Sequential);
  EXPECT_EQ(kindOf(trsm, "r"), LoopKind::Parallel);
  EXPECT_EQ(kindOf(trsm, "j"), LoopKind::Reduction);
  EXPECT_EQ(kindOf(shipped("softmax"), "j"), LoopKind::Parallel);
  EXPECT_EQ(kindOf(shipped("gemm"), "k"), LoopKind::Reduction);
}

TEST(Check, ListsTargetLoopsFirst) {
  const Kernel kernel = shipped("gemm");
  EXPECT_EQ(namesOf(kernel, kernel.statements[0].loops), "i j k ");
  EXPECT_EQ(namesOf(kernel, kernel.statements[0].reductions), "k ");
}

TEST(Check, DomainsOfTriangles) {
  const Kernel kernel = shipped("trsm", {{"N", 10}, {"R", 3}});
  const Statement& statement = kernel.statements[0];
  EXPECT_EQ(affine::cardinality(domainOf(kernel, statement)), 10 * 9 / 2 * 3);
  EXPECT_EQ(affine::cardinality(targetDomainOf(kernel, statement)), 10 * 3);
}

TEST(Check, ASelectGuardsItsReads) {
  const Kernel kernel = kernelOf(R"(kernel pad(N = 8) {
    tensor A[N]: f32  tensor Y[N + 2]: f32
    Y[i] = select(i >= 1 and not (i > N), A[i - 1], 0)
  })");
  EXPECT_EQ(compulsoryBytes(kernel).value, 4 * (8 + 10));
  const Kernel otherwise = kernelOf(R"(kernel shift(N = 8) {
    tensor A[N]: f32  tensor B[N]: f32  tensor Y[N]: f32
    Y[i] = select(2 * i < 4 or i > 6, B[i], A[i - 2] + A[i + 1])
  })");
  // Either read of A takes 5 elements, one of B 2; the bytes are a bound, so they are not joined.
  EXPECT_EQ(compulsoryBytes(otherwise).value, 4 * (8 + 5 + 2));
  const Kernel halves = kernelOf(R"(kernel halves(N = 8) {
    tensor A[N]: f32  tensor Y[N]: f32
    Y[i] = select(i < N / 2, -A[i + N / 2], A[i - N / 2])
  })");
  EXPECT_EQ(compulsoryBytes(halves).value, 4 * (4 + 8));
}

TEST(Check, ASelectGuardsWhereALoopIsNotAtItsBorder) {
  const auto readOf = [](const std::string& value) {
    const Kernel kernel =
        kernelOf("kernel k(T = 8, N = 6) { tensor a[N]: f32  tensor X[T, N]: f32\n"
                 "tensor Y[T, N]: f32  Y[t, i] = " +
                 value + " }");
    return compulsoryBytes(kernel).value / 4 - 6 - 8 * 6;  // elements of X
  };
  EXPECT_EQ(readOf("select(t == 0, a[i], X[t - 1, i])"), 7 * 6);
  EXPECT_EQ(readOf("select(t != 0, X[t - 1, i], a[i])"), 7 * 6);
  EXPECT_EQ(readOf("select(not (0 == t), X[t - 1, i], a[i])"), 7 * 6);
  EXPECT_EQ(readOf("select(t == T - 1, a[i], X[t + 1, i])"), 7 * 6);
  EXPECT_EQ(readOf("select(t == 1 or t == 0, a[i], X[t - 2, i])"), 6 * 6);
  EXPECT_EQ(readOf("select(t == 0 or i == 0 or i == N - 1, a[i], X[t - 1, i - 1])"), 7 * 4);
  // Inside its range, those behind it, and the one before.
  EXPECT_EQ(readOf("select(t == 1, a[i], X[t, i])"), 6 * 6);
}

// Of `or`, one side is left where the choices around it exclude the others.
TEST(Check, AChoiceWithinAChoiceGuardsItsReads) {
  const Kernel kernel = kernelOf(R"(kernel warp(N = 4, M = 5) {
    tensor x[N]: f32  tensor y[M]: f32  tensor D[N, M]: f32
    D[i, j] = abs(x[i] - y[j]) + select(i == 0 and j == 0, 0,
      select(i == 0, D[i, j - 1], select(j == 0, D[i - 1, j],
        min(D[i - 1, j - 1], min(D[i - 1, j], D[i, j - 1])))))
  })");
  const TensorValues values =
      valuesOf(kernel, {{"x", {{4}, {1, 3, 4, 9}}}, {"y", {{5}, {1, 3, 7, 8, 9}}}});
  EXPECT_EQ(values.at("D").data.back(), 4);
  // All but the last cannot hold, at any depth.
  const Kernel last = kernelOf(R"(kernel last(N = 8) {
    tensor A[N]: f32  tensor Y[N]: f32
    Y[i] = select(i < 0 or (i >= 0 and (i > N or (i >= 1 and (i == N or i >= 6)))), A[i - 6], 0)
  })");
  EXPECT_EQ(compulsoryBytes(last).value, 4 * (2 + 8));
}

// Each `or` asks whether the ones inside of it can hold, which must not double with every depth.
TEST(Check, ChoicesWithinChoicesAreAskedABoundedNumberOfTimes) {
  std::string condition = "j >= 2";
  for (int depth = 0; depth < 40; ++depth)
    condition = "(j >= 1 or (" + condition + " and (i < 0 or i >= 1)))";
  const Kernel kernel =
      kernelOf("kernel deep(N = 8) {\n  tensor A[N, N]: f32\n  tensor Y[N, N]: f32\n"
               "  Y[i, j] = select(" +
               condition + ", A[i, j], 0)\n}\n");
  EXPECT_EQ(kernel.statements.size(), 1);
}

TEST(Check, ABorderThatIsReadIsNoExtent) {
  const Kernel kernel = kernelOf(R"(kernel gradient(H = 8, W = 6) {
    tensor I[H + 2, W + 2]: f32  tensor G[H, W]: f32
    for r in 0..3
    G[y, x] = I[y, x + 1] - I[y + 2, x + 1] + I[y + 1, x] - (sum(r) I[y, x + r])
  })");
  EXPECT_EQ(kernel.loop(kernel.statements[0].loops[0]).extent, 8);
  EXPECT_EQ(kernel.loop(kernel.statements[0].loops[1]).extent, 6);
}

TEST(Check, ABoundOfAllStatementsEndsTheLoop) {
  const Kernel kernel = kernelOf(R"(kernel halves(D = 4) {
    tensor X[2 * D]: f32  tensor Y[2 * D]: f32
    Y[d] = X[d] - X[d + D]  where d < D
    Y[d + D] = X[d + D] + X[d]  where d <= D - 1
  })");
  EXPECT_EQ(kernel.loops[0].extent, 4);
  for (const Statement& statement : kernel.statements) {
    EXPECT_TRUE(statement.constraints.empty());
  }
  EXPECT_EQ(spellingsOf(kernel, kernel.statements[1]), std::vector<std::string>{"d <= D - 1"});
  // The wider of two bounds ends the loop; the other stays.
  const Kernel parts = kernelOf(R"(kernel parts(A = 3, B = 5) {
    tensor X[A]: f32  tensor Z[B]: f32  tensor Y[A + B]: f32
    Y[i] = X[i]  where i < A
    Y[i + A] = Z[i]  where i < B
  })");
  EXPECT_EQ(parts.loops[0].extent, 5);
  EXPECT_EQ(parts.statements[0].constraints.size(), 1U);
  EXPECT_TRUE(parts.statements[1].constraints.empty());
  // What no statement defines is 0, in a statement over the whole loop.
  const Kernel undefined = kernelOf(R"(kernel front(N = 8) {
    tensor X[N]: f32  tensor Y[N]: f32
    Y[i] = X[i]  where i < 3
  })");
  EXPECT_EQ(undefined.loops[0].extent, 8);
  EXPECT_EQ(undefined.statements.size(), 2U);
}

std::string attentionWith(const std::string& rest) {
  return R"(kernel attention(S = 8, D = 4) {
    tensor Q[S, D]: f32  tensor K[S, D]: f32  tensor V[S, D]: f32  tensor O[S, D]: f32
    local s[S, S]: f32  local m[S]: f32  local p[S, S]: f32
    s[i, j] = sum(d) Q[i, d] * K[j, d]
    m[i] = max(j) s[i, j]
    p[i, j] = exp(s[i, j] - m[i])
  )" + rest +
         "}";
}

TEST(Check, SumsOfSoftmaxWeightsRunAlongTheirLoop) {
  const Kernel kernel =
      kernelOf(attentionWith("O[i, e] = (sum(j) p[i, j] * V[j, e]) / (sum(j) p[i, j])\n"));
  ASSERT_TRUE(kernel.written);
  EXPECT_EQ(kernel.written->statements.size(), 4U);
  EXPECT_EQ(kernel.statements.size(), 7U);
  EXPECT_EQ(kernel.loop(kernel.statements[1].loops[1]).kind, LoopKind::Sequential);
  EXPECT_DOUBLE_EQ(flopCount(kernel), flopCount(*kernel.written));
  // A constant factor of all weights is no matter.
  EXPECT_TRUE(kernelOf(attentionWith("O[i, e] = -(sum(j) V[j, e] * 2 * p[i, j])\n")).written);
}

TEST(Check, WeightsThatAreNeededLaterKeepTheirRows) {
  for (const char* rest : {
           "O[i, e] = (sum(j) p[i, j] * V[j, e] + 1)\n",
           "O[i, e] = sum(j) (p[i, j] + V[j, e])\n",
           "O[i, e] = sum(j) p[i, j] * p[i, j] * V[j, e]\n",
           "O[i, e] = (sum(j) p[i, j] * V[j, e]) * p[i, 0]\n",
           "O[i, e] = (sum(j) p[i, j] * V[j, e]) where i >= 1\nO[0, e] = m[0] * V[0, e]\n",
           "O[i, e] = max(j) p[i, j] * V[j, e]\n",
       }) {
    const Kernel kernel = kernelOf(attentionWith(rest));
    const bool hasState = kernel.tensors.size() > kernel.asWritten().tensors.size();
    EXPECT_EQ(hasState, std::string_view(rest).find("+ 1)") != std::string::npos) << rest;
  }
}

// Sixteen statements, each for every other element along four dimensions.
TEST(Check, InterleavedOutputsAreWhole) {
  const auto interleaved = []() {
    std::string text = "kernel f(N = 4) {\n  tensor X[N, N, N, N]: f32\n"
                       "  tensor Y[2 * N, 2 * N, 2 * N, 2 * N]: f32\n";
    for (int part = 0; part < 16; ++part) {
      text += "  Y[";
      for (const char* loop : {"a", "b", "c", "d"}) {
        const int bit = *loop - 'a';
        text += std::string(bit > 0 ? ", " : "") + "2 * " + loop +
                ((part >> bit) % 2 > 0 ? " + 1" : "");
      }
      text += "] = X[a, b, c, d]\n";
    }
    return syntax::parseKernels(base::makeSource("test.rec", text + "}\n"), {});
  };
  EXPECT_TRUE(interleaved()) << base::render(interleaved().diagnostics());
}

TEST(Check, RefusesDraftsMadeInCode) {
  Kernel draft;
  draft.name = "empty";
  const auto failed = check(draft);
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.diagnostics()[0].message, "kernel `empty` has no statements");
}

TEST(Counts, FlopsOfKnownKernels) {
  EXPECT_EQ(flopCount(shipped("gemm", {{"M", 3}, {"N", 5}, {"K", 7}})), 2 * 3 * 5 * 7);
  EXPECT_EQ(flopCount(shipped("gemm_bias_relu", {{"M", 3}, {"N", 5}, {"K", 7}})),
            2 * 3 * 5 * 7 + 2 * 3 * 5);
  EXPECT_EQ(flopCount(shipped("vector_add", {{"N", 9}})), 9);
  const std::int64_t n = std::int64_t{1} << 22;
  EXPECT_EQ(flopCount(shipped("gemm", {{"M", n}, {"N", n}, {"K", n}})), std::ldexp(1, 67))
      << "more than 64 bits hold";
  EXPECT_EQ(flopCount(shipped("softmax", {{"M", 3}, {"N", 5}})), 5 * 3 * 5);
  EXPECT_EQ(flopCount(shipped("prefix_sum", {{"N", 9}})), 8);
  EXPECT_EQ(flopCount(shipped("mttkrp", {{"I", 2}, {"K", 3}, {"L", 5}, {"J", 7}})),
            2 * 2 * 3 * 5 * 7 + 3 * 5 * 7);
}

TEST(Counts, FlashAttentionLeavesRescalingOut) {
  // Two products, and per score: scale, maximum, subtraction, exponential, sum; one division per
  // output.
  EXPECT_EQ(flopCount(shipped("flash_attention", {{"H", 2}, {"SQ", 8}, {"SK", 16}, {"D", 4}})),
            2 * (4 * 8 * 16 * 4 + 5 * 8 * 16 + 8 * 4));
}

TEST(Counts, TrianglesCountTheirPoints) {
  const int n = 10;
  EXPECT_EQ(flopCount(shipped("trsm", {{"N", n}, {"R", 3}})), 3 * (n * (n - 1) + 2 * n));
}

TEST(Counts, CompulsoryBytes) {
  EXPECT_EQ(compulsoryBytes(shipped("gemm", {{"M", 3}, {"N", 5}, {"K", 7}})).value,
            2 * (3 * 7 + 7 * 5 + 3 * 5));
  // Local tensors move no bytes.
  EXPECT_EQ(compulsoryBytes(shipped("softmax", {{"M", 3}, {"N", 5}})).value, 2 * 2 * 15);
  // Only the part of L below its diagonal is read.
  EXPECT_EQ(compulsoryBytes(shipped("trsm", {{"N", 10}, {"R", 3}})).value, 4 * (45 + 30 + 30));
  EXPECT_EQ(compulsoryBytes(kernelOf(R"(kernel trace(N = 8) {
    tensor A[N, N]: f32  tensor t[1]: f32
    t[0] = sum(i) A[i, i]
  })"))
                .value,
            4 * 8 + 4);
  // A stride of two with two taps of a window reads everything, with one tap every second element.
  EXPECT_EQ(compulsoryBytes(kernelOf(R"(kernel stride(N = 8, R = 2) {
    tensor A[2 * N]: f32  tensor w[R]: f32  tensor B[N]: f32
    B[i] = sum(r) A[2 * i + r] * w[r]
  })"))
                .value,
            4 * (16 + 2 + 8));
  EXPECT_EQ(compulsoryBytes(kernelOf(R"(kernel stride(N = 8) {
    tensor A[2 * N]: f32  tensor B[N]: f32
    B[i] = A[2 * i]
  })"))
                .value,
            4 * (8 + 8));
}

TEST(Counts, BytesOfDTypes) {
  EXPECT_EQ(bytesOf(DType::F16, 3), 6);
  EXPECT_EQ(bytesOf(DType::BFP8, 16), 17);
  EXPECT_EQ(bytesOf(DType::BFP8, 1), 2);
  EXPECT_EQ(bytesOf(DType::BFP8, 1024), 1088);
  EXPECT_EQ(bitsOf(DType::BFP8), 8.5);
  EXPECT_EQ(bytesOf(DType::BFP4, 16), 9);
  EXPECT_EQ(bytesOf(DType::BFP4, 1), 1);
  EXPECT_EQ(bytesOf(DType::BFP4, 1024), 576);
  EXPECT_EQ(bitsOf(DType::BFP4), 4.5);
  EXPECT_EQ(bytesOf(DType::MXFP4, 32), 17);
  EXPECT_EQ(bytesOf(DType::MXFP6, 64), 50);
  EXPECT_EQ(bytesOf(DType::MXFP8, 33), 35);
  EXPECT_EQ(bitsOf(DType::MXINT8), 8.25);
  EXPECT_EQ(bytesOf(DType::I4, 3), 2);
  EXPECT_EQ(bytesOf(DType::F8E5M2, 3), 3);
  for (const std::string_view name : dtypeNames()) EXPECT_EQ(nameOf(*dtypeNamed(name)), name);
  EXPECT_EQ(dtypeNamed("bfp4"), DType::BFP4);
  EXPECT_EQ(dtypeNamed("bf16"), DType::BF16);
  EXPECT_FALSE(dtypeNamed("float").has_value());
}

}  // namespace
}  // namespace gridloom::kernel
