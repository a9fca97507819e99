// SPDX-License-Identifier: Apache-2.0
#include "kernel/interpreter.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "kernel/definedness.h"
#include "unit/kernel/kernel_source.h"

namespace gridloom::kernel {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using MatrixView = Eigen::Map<const Matrix>;

/// The last two dimensions as rows and columns, at index `outer` of the dimensions before them.
MatrixView slice(const TensorValue& value, std::int64_t outer = 0) {
  const std::int64_t columns = value.shape.back();
  const std::int64_t rows = value.shape.size() > 1 ? value.shape[value.shape.size() - 2] : 1;
  return {value.data.data() + outer * rows * columns, rows, columns};
}

void expectNear(const Matrix& actual, const Matrix& expected) {
  ASSERT_EQ(actual.rows(), expected.rows());
  ASSERT_EQ(actual.cols(), expected.cols());
  EXPECT_LT((actual - expected).cwiseAbs().maxCoeff(), 1e-10);
}

Matrix softmaxOf(const Matrix& x) {
  Matrix e = (x.colwise() - x.rowwise().maxCoeff()).array().exp();
  return e.array().colwise() / e.rowwise().sum().array();
}

struct Evaluation {
  TensorValues in;
  TensorValues out;
};

Evaluation evaluate(const std::string& name, const Sizes& sizes) {
  const Kernel kernel = shipped(name, sizes);
  Evaluation r;
  r.in = sampleInputs(kernel, 42);
  r.out = valuesOf(kernel, r.in);
  return r;
}

/// The values of `Y[i] = expression` over N = 6, with input X.
std::vector<double> valuesOf(const std::string& expression, std::vector<double> x) {
  const Kernel kernel =
      kernelOf("kernel k(N = 6) { tensor X[N]: f32 tensor Y[N]: f32 Y[i] = " + expression + " }");
  TensorValues inputs;
  inputs["X"] = {{6}, std::move(x)};
  return valuesOf(kernel, inputs)["Y"].data;
}

using Six = std::vector<double>;

TEST(Interpreter, ConditionsAndLoopsAsValues) {
  const Six x{-2, -1, 0, 1, 2, 3};
  EXPECT_EQ(valuesOf("select(X[i] < 0, -X[i], i)", x), (Six{2, 1, 2, 3, 4, 5}));
  EXPECT_EQ(valuesOf("X[i] <= 0", x), (Six{1, 1, 1, 0, 0, 0}));
  EXPECT_EQ(valuesOf("(X[i] > 0) + 2 * (X[i] >= 0)", x), (Six{0, 0, 2, 3, 3, 3}));
  EXPECT_EQ(valuesOf("X[i] == i - 2 and X[i] != 1", x), (Six{1, 1, 1, 0, 1, 1}));
  EXPECT_EQ(valuesOf("not X[i] or i > 4", x), (Six{0, 0, 1, 0, 0, 1}));
  EXPECT_EQ(valuesOf("max(i, N - i) * N", x), (Six{36, 30, 24, 18, 24, 30}));
}

TEST(Interpreter, IntegerArithmeticRoundsDown) {
  EXPECT_EQ(valuesOf("div(X[i], 2)", {-3, -2, -1, 0, 1, 5}), (Six{-2, -1, -1, 0, 0, 2}));
  EXPECT_EQ(valuesOf("mod(X[i], 3)", {-4, -3, -1, 0, 4, 5}), (Six{2, 0, 2, 0, 1, 2}));
  EXPECT_EQ(valuesOf("floor(X[i]) + 10 * ceil(X[i])", {-1.5, -1, 0, 0.5, 1, 2.5}),
            (Six{-12, -11, 0, 10, 11, 32}));
}

TEST(Interpreter, FunctionsAreThoseOfTheLibrary) {
  const Six x{0.1, 0.5, 1, 1.5, 2, 3};
  const std::vector<std::pair<std::string, double (*)(double)>> functions = {
      {"erf(X[i])", [](double v) { return std::erf(v); }},
      {"sin(X[i])", [](double v) { return std::sin(v); }},
      {"cos(X[i])", [](double v) { return std::cos(v); }},
      {"exp2(X[i])", [](double v) { return std::exp2(v); }},
      {"pow(X[i], 1.5)", [](double v) { return std::pow(v, 1.5); }}};
  for (const auto& [text, function] : functions) {
    const Six values = valuesOf(text, x);
    for (std::size_t e = 0; e < x.size(); ++e) EXPECT_EQ(values[e], function(x[e])) << text;
  }
}

TEST(Interpreter, ProductsAndDeclaredRanges) {
  const Kernel kernel = kernelOf(
      "kernel k(N = 4) { tensor X[N, 3]: f32 tensor P[N]: f32 tensor S[N]: f32 for r in 0..5\n"
      "P[i] = prod(k) X[i, k]\nS[i] = sum(r) (i + r) where r >= 2 }");
  TensorValues inputs;
  inputs["X"] = {{4, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2}};
  const TensorValues values = kernel::valuesOf(kernel, inputs);
  EXPECT_EQ(values.at("P").data, (Six{6, 120, 504, 0}));
  EXPECT_EQ(values.at("S").data, (Six{9, 12, 15, 18}));
}

TEST(Interpreter, AffineLeftSides) {
  const Kernel kernel =
      kernelOf("kernel k(N = 3) { tensor X[N, 2]: f32 tensor A[2 * N]: f32 tensor B[2 * N]: f32 "
               "tensor C[N]: f32\n"
               "A[2 * i + r] = X[i, r]\nB[2 * i] = X[i, 0]\nB[2 * i + 1] = -X[i, 1]\n"
               "C[N - 1 - i] = X[i, 0] }");
  TensorValues inputs;
  inputs["X"] = {{3, 2}, {1, 2, 3, 4, 5, 6}};
  const TensorValues values = kernel::valuesOf(kernel, inputs);
  EXPECT_EQ(values.at("A").data, (Six{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(values.at("B").data, (Six{1, -2, 3, -4, 5, -6}));
  EXPECT_EQ(values.at("C").data, (Six{5, 3, 1}));
}

TEST(Interpreter, ElementsAroundAnInnerPartAreZero) {
  const Kernel kernel = kernelOf(R"(kernel inner(N = 5) {
    tensor X[N, N]: f32  tensor O[N, N]: f32
    for y in 0..N - 3
    for x in 0..N - 2
    O[y + 1, x + 2] = 2 * X[y, x + 2] + 10 * y + x
  })");
  EXPECT_EQ(undefinedOutputs(kernel).size(), 1U);
  const TensorValues in = sampleInputs(kernel, 3);
  const MatrixView x = slice(in.at("X"));
  Matrix expected = Matrix::Zero(5, 5);
  for (int row = 0; row < 2; ++row) {
    for (int column = 0; column < 3; ++column) {
      expected(row + 1, column + 2) = 2 * x(row, column + 2) + 10 * row + column;
    }
  }
  const TensorValues out = valuesOf(kernel, in);
  expectNear(slice(out.at("O")), expected);
}

TEST(Interpreter, Gemm) {
  Evaluation r = evaluate("gemm", {{"M", 7}, {"N", 5}, {"K", 9}});
  expectNear(slice(r.out["C"]), slice(r.in["A"]) * slice(r.in["B"]));
}

TEST(Interpreter, BatchedGemm) {
  Evaluation r = evaluate("batched_gemm", {{"B", 3}, {"M", 4}, {"N", 5}, {"K", 6}});
  for (int b = 0; b < 3; ++b) {
    expectNear(slice(r.out["Z"], b), slice(r.in["X"], b) * slice(r.in["Y"], b));
  }
}

TEST(Interpreter, GemmBiasRelu) {
  Evaluation r = evaluate("gemm_bias_relu", {{"M", 6}, {"N", 5}, {"K", 4}});
  const Matrix sum = (slice(r.in["X"]) * slice(r.in["W"])).rowwise() + slice(r.in["bias"]).row(0);
  expectNear(slice(r.out["Y"]), sum.cwiseMax(0));
}

TEST(Interpreter, Gemv) {
  Evaluation r = evaluate("gemv", {{"M", 6}, {"K", 5}});
  expectNear(slice(r.out["y"]).transpose(), slice(r.in["A"]) * slice(r.in["x"]).transpose());
}

TEST(Interpreter, VectorAdd) {
  Evaluation r = evaluate("vector_add", {{"N", 33}});
  expectNear(slice(r.out["c"]), slice(r.in["a"]) + slice(r.in["b"]));
}

TEST(Interpreter, Softmax) {
  Evaluation r = evaluate("softmax", {{"M", 5}, {"N", 8}});
  expectNear(slice(r.out["Y"]), softmaxOf(slice(r.in["X"])));
}

TEST(Interpreter, Layernorm) {
  Evaluation r = evaluate("layernorm", {{"M", 5}, {"N", 8}});
  const Matrix x = slice(r.in["X"]);
  const Matrix centred = x.colwise() - x.rowwise().mean();
  const Eigen::ArrayXd scale = (centred.rowwise().squaredNorm() / 8).array() + 1e-5;
  Matrix expected = centred.array().colwise() / scale.sqrt();
  expected.array().rowwise() *= slice(r.in["gamma"]).row(0).array();
  expected.rowwise() += slice(r.in["beta"]).row(0);
  expectNear(slice(r.out["Y"]), expected);
}

TEST(Interpreter, FlashAttentionIsAttention) {
  Evaluation r = evaluate("flash_attention", {{"H", 2}, {"SQ", 5}, {"SK", 7}, {"D", 4}});
  for (int h = 0; h < 2; ++h) {
    const Matrix scores = slice(r.in["Q"], h) * slice(r.in["K"], h).transpose() / 2.0;
    expectNear(slice(r.out["O"], h), softmaxOf(scores) * slice(r.in["V"], h));
  }
}

TEST(Interpreter, Conv2dAsMatrixProductOfPatches) {
  Evaluation r =
      evaluate("conv2d", {{"N", 2}, {"C", 3}, {"H", 6}, {"W", 5}, {"F", 4}, {"R", 3}, {"S", 2}});
  const int rows = 4;
  const int columns = 4;
  const Eigen::Map<const Matrix> filters(r.in["K"].data.data(), 4, 3 * 3 * 2);
  for (int n = 0; n < 2; ++n) {
    Matrix patches(3 * 3 * 2, rows * columns);
    for (int row = 0; row < patches.rows(); ++row) {
      const int c = row / 6;
      const Matrix image = slice(r.in["I"], n * 3 + c);
      const Matrix patch = image.block(row / 2 % 3, row % 2, rows, columns);
      patches.row(row) = Eigen::Map<const Eigen::RowVectorXd>(patch.data(), patch.size());
    }
    const Eigen::Map<const Matrix> actual(r.out["O"].data.data() + n * 4 * rows * columns, 4,
                                          rows * columns);
    expectNear(actual, filters * patches);
  }
}

TEST(Interpreter, TriangularSolve) {
  Evaluation r = evaluate("trsm", {{"N", 9}, {"R", 4}});
  const Matrix lower = slice(r.in["L"]).triangularView<Eigen::Lower>();
  expectNear(slice(r.out["X"]),
             lower.triangularView<Eigen::Lower>().solve(Matrix(slice(r.in["B"]))));
}

TEST(Interpreter, Cholesky) {
  Evaluation r = evaluate("cholesky", {{"N", 8}});
  const Eigen::LLT<Matrix> factor{Matrix(slice(r.in["A"]))};
  ASSERT_EQ(factor.info(), Eigen::Success);
  expectNear(slice(r.out["L"]), factor.matrixL());
}

TEST(Interpreter, Mttkrp) {
  Evaluation r = evaluate("mttkrp", {{"I", 4}, {"K", 3}, {"L", 5}, {"J", 2}});
  const Eigen::Map<const Matrix> unfolded(r.in["A"].data.data(), 4, 15);
  Matrix product(15, 2);
  for (int k = 0; k < 3; ++k) {
    for (int l = 0; l < 5; ++l) {
      product.row(k * 5 + l) = slice(r.in["B"]).row(k).cwiseProduct(slice(r.in["C"]).row(l));
    }
  }
  expectNear(slice(r.out["D"]), unfolded * product);
}

TEST(Interpreter, TensorTimesMatrixAndChain) {
  Evaluation ttm = evaluate("ttm", {{"I", 3}, {"J", 4}, {"L", 5}, {"K", 2}});
  Evaluation ttmc = evaluate("ttmc", {{"I", 3}, {"L", 4}, {"M", 5}, {"J", 2}, {"K", 6}});
  for (int i = 0; i < 3; ++i) {
    expectNear(slice(ttm.out["C"], i), slice(ttm.in["A"], i) * slice(ttm.in["B"]));
    expectNear(slice(ttmc.out["D"], i),
               slice(ttmc.in["B"]).transpose() * slice(ttmc.in["A"], i) * slice(ttmc.in["C"]));
  }
}

TEST(Interpreter, PrefixSum) {
  Evaluation r = evaluate("prefix_sum", {{"N", 20}});
  double sum = 0;
  for (std::size_t i = 0; i < 20; ++i) {
    sum += r.in["A"].data[i];
    EXPECT_DOUBLE_EQ(r.out["P"].data[i], sum);
  }
}

TEST(Interpreter, GraphOfTwoLayers) {
  const KernelGraph graph = graphOf(shippedText("mlp"), {{"M", 5}, {"D", 4}, {"E", 6}});
  ASSERT_EQ(graph.kernels.size(), 2u);
  TensorValues up = sampleInputs(graph.kernels[0], 1);
  TensorValues down = sampleInputs(graph.kernels[1], 1);
  down["T"] = valuesOf(graph.kernels[0], up).at("T");
  const Matrix hidden = (slice(up["X"]) * slice(up["W1"])).cwiseMax(0);
  const TensorValues out = valuesOf(graph.kernels[1], down);
  expectNear(slice(out.at("Y")), hidden * slice(down["W2"]));
}

TEST(Interpreter, RunsBackwardsAndDeepWithoutRecursion) {
  const Kernel kernel = kernelOf(R"(kernel backwards(N = 200000) {
    tensor A[N]: f64  tensor P[N]: f64  local p[N + 1]: f64
    p[i] = p[i + 1] + A[i]   where i < N
    p[N] = 0
    P[q] = p[q]   where q < N
  })",
                                 {});
  const TensorValues in = sampleInputs(kernel, 3);
  const TensorValues out = valuesOf(kernel, in);
  double sum = 0;
  for (std::size_t i = 200000; i-- > 199000;) sum += in.at("A").data[i];
  EXPECT_NEAR(out.at("P").data[199000], sum, 1e-9);
}

// What the taken branch needs is known only when its condition is computed.
TEST(Interpreter, NeedsMoreOnceAConditionIsKnown) {
  const Kernel kernel = kernelOf(R"(kernel chosen(N = 6) {
    tensor x[N]: f64  tensor y[N]: f64  local t[N]: f64  local u[N]: f64
    t[i] = x[i] + 3
    u[i] = t[i] * 2
    y[i] = select(t[i] > 0, u[i], x[i])
  })",
                                 {});
  const TensorValues in = sampleInputs(kernel, 3);
  const TensorValues out = valuesOf(kernel, in);
  for (std::size_t i = 0; i < 6; ++i) {
    const double x = in.at("x").data[i];
    EXPECT_DOUBLE_EQ(out.at("y").data[i], x + 3 > 0 ? (x + 3) * 2 : x);
  }
}

TEST(Interpreter, ReportsWhatKeepsItFromRunning) {
  const Kernel gemm = shipped("gemm", {{"M", 4}, {"N", 4}, {"K", 4}});
  TensorValues in = sampleInputs(gemm, 1);
  EXPECT_FALSE(interpret(gemm, in, 47).ok());
  EXPECT_TRUE(interpret(gemm, in, 48).ok());
  in["A"].shape = {2, 8};
  in.erase("B");
  const auto failed = interpret(gemm, in);
  ASSERT_EQ(failed.diagnostics().size(), 2u);
  EXPECT_EQ(failed.diagnostics()[0].message,
            "the values of `A` have shape [2, 8], expected [4, 4]");
  EXPECT_EQ(failed.diagnostics()[1].message, "no values for input `B`");
}

TEST(Interpreter, FindsElementsThatNeedThemselves) {
  const Kernel kernel = kernelOf(R"(kernel loop(N = 4) {
    tensor A[N]: f32  tensor B[N]: f32  tensor C[N]: f32
    B[i] = select(A[i] > -100, C[i], A[i])
    C[i] = B[i]
  })");
  const auto failed = interpret(kernel, sampleInputs(kernel, 1));
  ASSERT_FALSE(failed.ok());
  EXPECT_NE(failed.diagnostics()[0].message.find("needs itself"), std::string::npos);
}

class NoReader : public OperandReader {
 public:
  double read(const Access& access, std::span<const std::int64_t> point) override {
    return static_cast<double>(10 * access.indices[0].evaluate(point) +
                               access.indices[1].evaluate(point));
  }
};

TEST(Interpreter, EvaluatesAShareOfAReduction) {
  const Kernel kernel = kernelOf(R"(kernel rows(N = 4) {
    tensor A[N, N]: f32  tensor B[N]: f32
    B[i] = sum(k) A[i, k]   where k < i
  })");
  ASSERT_EQ(rootReduction(kernel.statements[0]), ExprOp::Sum);
  NoReader reader;
  std::vector<std::int64_t> point = {3, 0};
  const std::vector<LoopRange> whole = {{0, 4}, {0, 4}};
  const std::vector<LoopRange> share = {{0, 4}, {1, 4}};
  EXPECT_EQ(evaluateAt(kernel, kernel.statements[0], point, whole, reader), 30 + 31 + 32);
  EXPECT_EQ(evaluateAt(kernel, kernel.statements[0], point, share, reader), 31 + 32);
}

// The kernel `Y[t, d] = E[idx[t], d]` over three rows of two, and its inputs.
const char* const kGather = R"(kernel g(T = 3) {
  tensor E[3, 2]: f32  tensor idx[T]: i32  tensor Y[T, 2]: f32
  Y[t, d] = E[idx[t], d]
})";

TensorValues gatherInputs(std::vector<double> idx) {
  TensorValues inputs;
  inputs["E"] = {{3, 2}, {0, 1, 10, 11, 20, 21}};
  inputs["idx"] = {{3}, std::move(idx)};
  return inputs;
}

TEST(Interpreter, ReadsThroughIndices) {
  EXPECT_EQ(valuesOf(kernelOf(kGather), gatherInputs({2, 0, 2})).at("Y").data,
            (std::vector<double>{20, 21, 0, 1, 20, 21}));
}

TEST(Interpreter, SaysWhichIndexIsOutside) {
  for (const auto& [wrong, text] : {std::pair{3.0, "3"}, {-1.0, "-1"}, {0.5, "0.5"}}) {
    const auto values = interpret(kernelOf(kGather), gatherInputs({0, wrong, 1}));
    ASSERT_FALSE(values);
    const base::Diagnostic& error = values.diagnostics().front();
    EXPECT_EQ(error.message, "`E[idx[t], d]` reads outside `E`: `idx[1]` is " + std::string(text) +
                                 ", but `E` has indices 0 to 2 in dimension 0");
    EXPECT_EQ(error.source->lineColumn(error.span.begin).line, 3);
  }
}

// As labels of padding: what is not chosen is not read.
TEST(Interpreter, ReadsNoIndexThatIsNotChosen) {
  const Kernel kernel = kernelOf(R"(kernel g(T = 3) {
    tensor E[3]: f32  tensor idx[T]: i32  tensor Y[T]: f32
    Y[t] = select(idx[t] >= 0, E[idx[t]], 7)
  })");
  TensorValues inputs = gatherInputs({1, -100, 2});
  inputs["E"] = {{3}, {4, 5, 6}};
  EXPECT_EQ(valuesOf(kernel, inputs).at("Y").data, (std::vector<double>{5, 7, 6}));
}

// At numbers, and behind an element of its own.
TEST(Interpreter, FindsExtremesAtMovedTargets) {
  const Kernel kernel = kernelOf(R"(kernel g(N = 4) {
    tensor X[N]: f32  tensor A[3, N]: f32  tensor F[2]: i32  tensor B[N]: i32
    F[0] = argmax(i) X[i]
    F[1] = argmin(i) X[i]
    B[0] = 9
    B[t + 1] = argmax(i) A[t, i]
  })");
  TensorValues inputs;
  inputs["X"] = {{4}, {2, 5, 1, 5}};
  inputs["A"] = {{3, 4}, {0, 0, 1, 0, 7, 1, 2, 3, 1, 2, 3, 4}};
  const TensorValues values = valuesOf(kernel, inputs);
  EXPECT_EQ(values.at("F").data, (std::vector<double>{1, 2}));
  EXPECT_EQ(values.at("B").data, (std::vector<double>{9, 2, 0, 3}));
}

TEST(SampleInputs, GiveValidIndices) {
  const TensorValues inputs =
      sampleInputs(shipped("llm/embedding", {{"T", 200}, {"V", 5}, {"D", 1}}), 3);
  std::vector<double> found = inputs.at("token").data;
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  EXPECT_EQ(found, (std::vector<double>{0, 1, 2, 3, 4}));
}

TEST(SampleInputs, DependOnTheSeedOnlyAndStayInRange) {
  const Kernel kernel = shipped("gemm", {{"M", 8}, {"N", 8}, {"K", 8}});
  const TensorValues a = sampleInputs(kernel, 1);
  EXPECT_EQ(a.at("A").data, sampleInputs(kernel, 1).at("A").data);
  EXPECT_NE(a.at("A").data, sampleInputs(kernel, 2).at("A").data);
  EXPECT_NE(a.at("A").data, a.at("B").data);
  for (const double x : a.at("A").data) {
    EXPECT_GE(x, -1);
    EXPECT_LT(x, 1);
  }
}

// The values of both are reached from each other, but not at once: the condition tells which.
TEST(Interpreter, WhatAConditionLeavesOutIsNotNeeded) {
  const Kernel kernel = kernelOf(R"(kernel k() {
  tensor x[8]: f32
  tensor a[8]: f32
  tensor c[8]: f32
  local b[8]: f32

  b[i] = x[i] + 5
  a[i] = select(b[i] > 3, 1, c[i])
  c[i] = a[i] + 1
})");
  const auto values = interpret(kernel, {{"x", {{8}, std::vector<double>(8, 0.5)}}});
  ASSERT_TRUE(values) << base::render(values.diagnostics());
  EXPECT_EQ(values->at("c").data, std::vector<double>(8, 2));
}

}  // namespace
}  // namespace gridloom::kernel
