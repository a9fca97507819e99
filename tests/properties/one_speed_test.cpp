// SPDX-License-Identifier: Apache-2.0

// One computation in several spellings moves the same bytes and takes the same cycles, within 5 %;
// on random mappings, the cores compute what each spelling means.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "search/search.h"
#include "support/line_check.h"

namespace gridloom::one_speed_property {
namespace {

struct Meaning {
  const char* name;
  std::string head;                    ///< parameters and tensors in global memory
  std::vector<std::string> spellings;  ///< the rest of the kernel
};

const std::string kRows = "M = 24, N = 32) { tensor X[M, N]: f32 tensor Y[M, N]: f32 ";
const std::string kScores = " s[i, j] = sum(d) Q[i, d] * K[j, d]\n m[i] = max(j) s[i, j]\n";
const std::string kLocals =
    "local s[S, S]: f32 local p[S, S]: f32 local w[S, S]: f32 local m[S]: f32 local l[S]: f32\n";

const std::vector<Meaning> kMeanings{
    {"rms_norm",
     kRows,
     {"local q[M]: f32\n q[i] = sum(j) X[i, j] * X[i, j]\n Y[i, j] = X[i, j] / sqrt(q[i] / N + 1)",
      "local q[M]: f32\n q[i] = sum(k) X[i, k] * X[i, k]\n Y[i, j] = X[i, j] / sqrt(q[i] / N + 1)",
      "local q[M]: f32\n q[a] = sum(b) X[a, b] * X[a, b]\n Y[i, j] = X[i, j] / sqrt(q[i] / N + 1)",
      "Y[i, j] = X[i, j] / sqrt((sum(k) X[i, k] * X[i, k]) / N + 1)",
      "Y[i, j] = X[i, j] / sqrt((sum(k) pow(X[i, k], 2)) / N + 1)"}},
    {"softmax",
     kRows,
     {"local m[M]: f32 local l[M]: f32\n m[i] = max(j) X[i, j]\n"
      " l[i] = sum(j) exp(X[i, j] - m[i])\n Y[i, j] = exp(X[i, j] - m[i]) / l[i]",
      "local m[M]: f32 local e[M, N]: f32\n m[i] = max(k) X[i, k]\n"
      " e[a, b] = exp(X[a, b] - m[a])\n Y[i, j] = e[i, j] / (sum(q) e[i, q])",
      "Y[i, j] = exp(X[i, j] - max(k) X[i, k]) / (sum(l) exp(X[i, l] - max(k) X[i, k]))",
      "Y[i, j] = exp(X[i, j] - max(k) X[i, k]) / (sum(l) exp(X[i, l] - max(q) X[i, q]))"}},
    {"attention",
     "S = 24, D = 16) { tensor Q[S, D]: f32 tensor K[S, D]: f32 tensor V[S, D]: f32 "
     "tensor O[S, D]: f32 " +
         kLocals,
     {kScores + " p[i, j] = exp(s[i, j] - m[i])\n l[i] = sum(j) p[i, j]\n"
                " O[i, e] = (sum(j) p[i, j] * V[j, e]) / l[i]",
      kScores + " l[i] = sum(j) exp(s[i, j] - m[i])\n p[i, j] = exp(s[i, j] - m[i]) / l[i]\n"
                " O[i, e] = sum(j) p[i, j] * V[j, e]",
      kScores + " p[i, j] = exp(s[i, j] - m[i]) / (sum(k) exp(s[i, k] - m[i]))\n"
                " O[i, e] = sum(k) p[i, k] * V[k, e]",
      kScores + " p[i, j] = exp(s[i, j] - m[i])\n l[i] = sum(j) p[i, j]\n"
                " w[i, j] = p[i, j] / l[i]\n O[i, e] = sum(j) w[i, j] * V[j, e]",
      kScores + " p[i, j] = exp(s[i, j] - m[i])\n l[i] = sum(j) p[i, j]\n"
                " O[i, e] = sum(j) p[i, j] / l[i] * V[j, e]",
      " s[i, j] = sum(d) Q[i, d] * K[j, d]\n p[i, j] = exp(s[i, j] - max(k) s[i, k]) / (sum(k) "
      "exp(s[i, k] - max(q) s[i, q]))\n O[i, e] = sum(j) p[i, j] * V[j, e]"}},
    {"named_along",
     kRows,
     {"local u[M, N]: f32\n u[i, j] = exp(X[i, j])\n Y[i, j] = u[i, j] * 2",
      "local u[M, N]: f32\n u[a, b] = exp(X[a, b])\n Y[i, j] = u[i, j] * 2"}},
    {"max_pool",
     "P = 12, Q = 15) { tensor I[P + 2, Q + 2]: f32 tensor O[P, Q]: f32\n",
     {"for r in 0..3 for t in 0..3\n O[p, q] = max(r, t) I[p + r, q + t]",
      "O[p, q] = max(max(max(max(I[p, q], I[p, q + 1]), max(I[p, q + 2], I[p + 1, q])), "
      "max(max(I[p + 1, q + 1], I[p + 1, q + 2]), max(I[p + 2, q], I[p + 2, q + 1]))), "
      "I[p + 2, q + 2])"}},
    {"reversed_window",
     "P = 24) { tensor I[2 * P + 4]: f32 tensor w[3]: f32 tensor b[P]: f32 tensor O[P]: f32\n",
     {"for r in 0..3\n O[p] = b[p] + sum(r) I[2 * p + 2 * r] * w[2 - r]",
      "O[p] = b[p] + I[2 * p] * w[2] + I[2 * p + 2] * w[1] + I[2 * p + 4] * w[0]"}},
    {"symmetric_product",
     "M = 24, N = 16) { tensor A[M, M]: f32 tensor B[M, N]: f32 tensor C[M, N]: f32 ",
     {"local t[M, N]: f32\n t[i, j] = sum(k) A[k, i] * B[k, j]  where k > i\n"
      " C[i, j] = (sum(k) A[i, k] * B[k, j]) + t[i, j]  where k <= i",
      "C[i, j] = (sum(k) A[i, k] * B[k, j]) + (sum(l) A[l, i] * B[l, j])  where k <= i, l > i"}},
    {"convolution",
     "C = 4, K = 16, R = 3, P = 6) { tensor I[C, P + 2, P + 2]: f32 tensor F[K, C * R * R]: f32 "
     "tensor O[K, P * P]: f32\n for p in 0..P for q in 0..P for r in 0..R for s in 0..R\n",
     {"O[k, P * p + q] = sum(c, r, s) F[k, R * R * c + R * r + s] * I[c, p + r, q + s]",
      "local w[C * R * R, P * P]: f32\n w[R * R * c + R * r + s, P * p + q] = I[c, p + r, q + s]\n"
      " O[k, x] = sum(y) F[k, y] * w[y, x]"}},
    {"rope_of_halves",
     "S = 12, E = 8) { tensor X[S, 2 * E]: f32 tensor C[S, E]: f32 tensor D[S, E]: f32 "
     "tensor Y[S, 2 * E]: f32\n",
     {"for s in 0..S for d in 0..E\n Y[s, d] = X[s, d] * C[s, d] - X[s, d + E] * D[s, d]\n"
      " Y[s, d + E] = X[s, d + E] * C[s, d] + X[s, d] * D[s, d]",
      "Y[s, d] = X[s, d] * C[s, d] - X[s, d + E] * D[s, d]  where d < E\n"
      " Y[s, d] = X[s, d] * C[s, d - E] + X[s, d - E] * D[s, d - E]  where d >= E",
      "Y[s, d] = X[s, d] * C[s, mod(d, E)] + select(d < E, -X[s, d + E], X[s, d - E]) * "
      "D[s, mod(d, E)]"}},
    {"rope_of_pairs",
     "S = 12, E = 8) { tensor X[S, 2 * E]: f32 tensor C[S, E]: f32 tensor D[S, E]: f32 "
     "tensor Y[S, 2 * E]: f32\n",
     {"Y[s, 2 * d] = X[s, 2 * d] * C[s, d] - X[s, 2 * d + 1] * D[s, d]\n"
      " Y[s, 2 * d + 1] = X[s, 2 * d + 1] * C[s, d] + X[s, 2 * d] * D[s, d]",
      "for r in 0..2\n Y[s, 2 * d + r] = X[s, 2 * d + r] * C[s, d] + "
      "(2 * r - 1) * X[s, 2 * d + 1 - r] * D[s, d]",
      "Y[s, d] = X[s, d] * C[s, d / 2] + select(mod(d, 2) == 0, -X[s, d + 1], X[s, d - 1]) * "
      "D[s, d / 2]",
      "Y[s, d] = select(mod(d, 2) == 0, X[s, d] * C[s, div(d, 2)] - X[s, d + 1] * D[s, div(d, 2)], "
      "X[s, d] * C[s, div(d, 2)] + X[s, d - 1] * D[s, div(d, 2)])"}},
    {"jacobi_sweep",
     "N = 18) { tensor A[N, N]: f32 tensor B[N, N]: f32\n",
     {"B[i, j] = A[i, j - 1] + A[i, j + 1] + A[i - 1, j] + A[i + 1, j]"
      "  where i >= 1, i < N - 1, j >= 1, j < N - 1\n"
      " B[i, j] = A[i, j]  where i < 1\n B[i, j] = A[i, j]  where i >= N - 1\n"
      " B[i, j] = A[i, j]  where i >= 1, i < N - 1, j < 1\n"
      " B[i, j] = A[i, j]  where i >= 1, i < N - 1, j >= N - 1",
      "B[i, j] = select(i >= 1 and i < N - 1 and j >= 1 and j < N - 1, "
      "A[i, j - 1] + A[i, j + 1] + A[i - 1, j] + A[i + 1, j], A[i, j])",
      "B[i, j] = select(i == 0 or i == N - 1 or j == 0 or j == N - 1, A[i, j], "
      "A[i, j - 1] + A[i, j + 1] + A[i - 1, j] + A[i + 1, j])"}},
    {"jacobi_sweeps",
     "T = 4, N = 10) { tensor A[N, N]: f32 tensor U[T, N, N]: f32\n U[0, i, j] = A[i, j]\n",
     {" U[t, i, j] = U[t - 1, i, j - 1] + U[t - 1, i + 1, j]"
      "  where t >= 1, i >= 1, i < N - 1, j >= 1, j < N - 1\n"
      " U[t, i, j] = U[t - 1, i, j]  where t >= 1, i < 1\n"
      " U[t, i, j] = U[t - 1, i, j]  where t >= 1, i >= N - 1\n"
      " U[t, i, j] = U[t - 1, i, j]  where t >= 1, i >= 1, i < N - 1, j < 1\n"
      " U[t, i, j] = U[t - 1, i, j]  where t >= 1, i >= 1, i < N - 1, j >= N - 1",
      " U[t, i, j] = select(i == 0 or i == N - 1 or j == 0 or j == N - 1, U[t - 1, i, j], "
      "U[t - 1, i, j - 1] + U[t - 1, i + 1, j])  where t >= 1"}},
};

struct Best {
  double cycles = 0;
  double bytes = 0;
};

Best bestOf(const test::Problem& problem) {
  base::Progress progress;
  search::Options options;
  options.top = 1;
  const auto found = search::topK(problem.kernel, problem.nest, problem.hw, {}, options, progress);
  EXPECT_TRUE(found.ok() && !found->top.empty());
  if (!found.ok() || found->top.empty()) return {};
  const cost::Estimate& estimate = found->top.front().estimate;
  return {estimate.cycles, estimate.traffic.dramRead + estimate.traffic.dramWrite};
}

class OneSpeed : public testing::TestWithParam<Meaning> {};

TEST_P(OneSpeed, WhateverTheSpelling) {
  std::vector<Best> best;
  for (const std::string& spelling : GetParam().spellings) {
    SCOPED_TRACE(spelling);
    const std::string text = "kernel f(" + GetParam().head + spelling + "\n}\n";
    const test::Problem problem = test::makeProblem(test::smallMesh(2, 3), text);
    best.push_back(bestOf(problem));
    EXPECT_NEAR(best.back().bytes, best.front().bytes, 0.05 * best.front().bytes);
    EXPECT_NEAR(best.back().cycles, best.front().cycles, 0.05 * best.front().cycles);
    const test::LineCheck line(problem);
    for (std::uint64_t seed = 0; seed < 4; ++seed) line.run(test::randomMapping(problem, seed));
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Meanings, OneSpeed, testing::ValuesIn(kMeanings),
                         [](const auto& meaning) { return std::string(meaning.param.name); });

}  // namespace
}  // namespace gridloom::one_speed_property
