// SPDX-License-Identifier: Apache-2.0
#include "kernel/parts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "kernel/interpreter.h"
#include "service/apart.h"
#include "unit/service/chain_kernel.h"

namespace gridloom::service {
namespace {

TEST(Cuts, AreNotThroughATensorARecurrenceOrState) {
  const auto places = [](const std::string& text) {
    std::vector<std::size_t> before;
    const kernel::KernelParts parts(openedKernel(text)->kernel);
    for (const kernel::Cut& cut : parts.cuts()) {
      before.push_back(cut.before);
    }
    return before;
  };
  EXPECT_EQ(places(kChain), (std::vector<std::size_t>{1, 2}));
  EXPECT_TRUE(places(R"(kernel two(N = 8) {
  tensor X[N]: f32
  tensor Y[2 * N]: f32
  Y[2 * i] = X[i]
  Y[2 * i + 1] = 0 - X[i]
}
)")
                  .empty());
  EXPECT_TRUE(places(R"(kernel state(N = 8, M = 4) {
  tensor X[N, M]: f32
  tensor Y[M]: f32
  local s[N, M]: f32 = 0
  s[i, m] = s[i - 1, m] + X[i, m]
  Y[m] = s[N - 1, m]
}
)")
                  .empty());
}

// The sums of all rows, then those of all columns, each without a wavefront.
TEST(Cuts, AreBehindStateThatIsReadThroughout) {
  const KernelRef image = openedKernel(R"(kernel image(N = 8, M = 4) {
  tensor X[N, M]: f32
  tensor S[N, M]: f32
  local r[N, M]: f32 = 0
  local c[N, M]: f32 = 0
  r[i, j] = r[i, j - 1] + X[i, j]
  c[i, j] = c[i - 1, j] + r[i, j]
  S[i, j] = c[i, j]
}
)");
  EXPECT_EQ(pieceNames(image->kernel), (std::vector<std::string>{"image_r_value", "image_S"}));
  const auto first = openPart(image->kernel, "image_r_value");
  ASSERT_TRUE(first);
  ASSERT_TRUE(*first) << base::render(first->diagnostics());
  EXPECT_TRUE((**first)->nest);
}

// Values on the diagonal of a matrix beside which cores tile, and a solve behind it.
TEST(Cuts, AreBehindRecurrencesOfAMatrix) {
  const KernelRef ldl = openedKernel(R"(kernel ldl(N = 64) {
  tensor A[N, N]: f32  tensor L[N, N]: f32  tensor D[N]: f32  tensor b[N]: f32  tensor y[N]: f32
  D[j] = A[j, j] - sum(k) L[j, k] * L[j, k] * D[k]  where k < j
  L[i, j] = (A[i, j] - sum(k) L[i, k] * L[j, k] * D[k]) / D[j]  where i > j, k < j
  y[i] = b[i] - sum(j) L[i, j] * y[j]  where j < i
}
)");
  EXPECT_TRUE(ldl->nest);
  EXPECT_EQ(pieceNames(ldl->kernel), (std::vector<std::string>{"ldl_L", "ldl_y", "ldl_D"}));
  const auto factors = openPart(ldl->kernel, "ldl_L");
  ASSERT_TRUE(factors);
  ASSERT_TRUE(*factors) << base::render(factors->diagnostics());
  ASSERT_TRUE((**factors)->nest);
  EXPECT_TRUE((**factors)->nest->whole.empty());
  EXPECT_TRUE((**factors)->nest->hasProduced());
}

// A running sum of one row, as sums of blocks that cores share.
TEST(Cuts, AreBetweenTheStepsOfABlockedScan) {
  const auto pieces = [](const std::string& statements) {
    return pieceNames(openedKernel("kernel f(N = 4096) {\n tensor x[N]: f32\n tensor y[N]: f32\n" +
                                   statements + "}\n")
                          ->kernel);
  };
  const std::vector<std::string> blocks{"f_sums_value", "f_before_value", "f_y"};
  EXPECT_EQ(pieces(" y[0] = x[0]\n y[i] = y[i - 1] + x[i] where i >= 1\n"), blocks);
  EXPECT_EQ(pieces(" y[i] = x[i] where i < 1\n y[i] = y[i - 1] + x[i] where i >= 1\n"), blocks);
  EXPECT_EQ(pieces(" y[i] = x[i] * i + select(i >= 1, y[i - 1], 0)\n"), blocks);
  EXPECT_EQ(pieces(" local s[N]: f32 = 0\n s[i] = s[i - 1] + x[i]\n y[i] = s[i]\n"), blocks);
  EXPECT_EQ(pieces(" y[0] = x[0] * x[0] + x[0]\n"
                   " y[i] = x[i] * x[i] + y[i - 1] + x[i]  where i >= 1\n"),
            blocks);
  // The last block of a row of no multiple is shorter.
  EXPECT_EQ(pieceNames(openedKernel("kernel f(N = 4099) {\n tensor x[N]: f32\n tensor y[N]: f32\n"
                                    " local s[N]: f32 = 0\n s[i] = s[i - 1] + x[i]\n y[i] = s[i]\n"
                                    "}\n")
                           ->kernel),
            blocks);
  // Others are no plain sum from 0.
  for (const char* other : {" y[0] = 2 * x[0]\n y[i] = y[i - 1] + x[i] where i >= 1\n",
                            " y[i] = x[i] + select(i >= 1, y[i - 1], 5)\n",
                            " y[i] = x[i] + select(i >= 2, y[i - 2], 0)\n",
                            " local s[N]: f32 = 0\n s[i] = s[i - 1] * x[i]\n y[i] = s[i]\n"}) {
    EXPECT_TRUE(pieces(other).empty()) << other;
  }
}

// State of which the end alone is needed is cut off where cores may share it.
TEST(Cuts, AreBehindAWavefront) {
  const auto pieces = [](const std::string& before) {
    return pieceNames(openedKernel("kernel f(N = 64) {\n tensor x[N, N]: f32\n tensor y[1]: f32\n"
                                   " local s[N, N]: f32 = 0\n s[i, j] = max(s[i, j - 1], " +
                                   before + ") + x[i, j]\n y[0] = s[N - 1, N - 1]\n}\n")
                          ->kernel);
  };
  EXPECT_EQ(pieces("s[i - 1, j]"), (std::vector<std::string>{"f_s_value", "f_y"}));
  EXPECT_TRUE(pieces("0").empty());
}

TEST(Cuts, AreBehindWhatASumTakesOfTheLastStep) {
  EXPECT_EQ(
      pieceNames(openedKernel(kPaths)->kernel),
      (std::vector<std::string>{"paths_s_value", "paths_best_term", "paths_mean", "paths_best"}));
}

TEST(Cuts, AreTheSameForStatementsInAnyOrder) {
  const std::string product = "  P[i, j] = sum(k) t[i, k] * C[k, j]\n";
  const std::string first = "  t[i, j] = sum(k) A[i, k] * B[k, j]\n";
  for (const std::string& statements : {first + product, product + first}) {
    const kernel::KernelParts parts(
        openedKernel("kernel k(N = 16) {\n  tensor A[N, N]: f32\n  tensor B[N, N]: f32\n"
                     "  tensor C[N, N]: f32\n  tensor P[N, N]: f32\n  local t[N, N]: f32\n" +
                     statements + "}\n")
            ->kernel);
    ASSERT_EQ(parts.cuts().size(), 1U) << statements;
    EXPECT_TRUE(parts.cuts()[0].chain) << statements;
  }
}

// What a select does not choose is not read: the index may be negative there.
TEST(Cuts, AreNotMadeBehindASumThatASelectGuards) {
  const auto sums = [](const std::string& value) {
    const auto opened =
        openedKernel("kernel k(M = 8, N = 8, K = 8, R = 8, V = 16) {\n  tensor g[M]: i32\n"
                     "  tensor x[V, K]: f32\n  tensor A[K, R]: f32\n  tensor B[R, N]: f32\n"
                     "  tensor Y[M, N]: f32\n  Y[m, n] = sum(r) " +
                     value + " * B[r, n]\n}\n");
    return opened->kernel.statements.size() + kernel::KernelParts(opened->kernel).cuts().size();
  };
  EXPECT_EQ(sums("(sum(k) x[g[m], k] * A[k, r])"), 3U);
  EXPECT_EQ(sums("select(g[m] >= 0, (sum(k) x[g[m], k] * A[k, r]), 0)"), 1U);
}

TEST(Cuts, OfAChainAreWhereASumFeedsASum) {
  const kernel::KernelParts parts(openedKernel(R"(kernel mlp(M = 8, K = 4, H = 16, N = 6) {
  tensor X[M, K]: f16
  tensor V[K, H]: f16
  tensor W[H, N]: f16
  tensor Y[M, N]: f16
  local t[M, H]: f32
  local h[M, H]: f16
  t[i, f] = sum(k) X[i, k] * V[k, f]
  h[i, f] = max(t[i, f], 0)
  Y[i, n] = sum(f) h[i, f] * W[f, n]
}
)")
                                      ->kernel);
  ASSERT_EQ(parts.cuts().size(), 2U);
  EXPECT_FALSE(parts.cuts()[0].chain);
  EXPECT_TRUE(parts.cuts()[1].chain);
}

TEST(Parts, AreOpenedByName) {
  const auto opened = [](const std::string& name) {
    return openKernel(base::makeSource("k.rec", kChain), {{{"N", 32}}, "", name});
  };
  const auto part = opened("chain_t_u");
  ASSERT_TRUE(part) << base::render(part.diagnostics());
  EXPECT_EQ((*part)->kernel.name, "chain_t_u");
  EXPECT_EQ((*part)->kernel.statements.size(), 2U);
  ASSERT_EQ((*part)->kernel.tensors.size(), 5U);
  EXPECT_EQ((*part)->kernel.tensors[0].shape.front(), 32);
  const auto unknown = opened("chain_v");
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.diagnostics().front().hint.find("chain_t"), std::string::npos)
      << base::render(unknown.diagnostics());
}

constexpr std::size_t kSteps = 5, kStates = 4;

const std::string kBackPointers = R"(kernel viterbi(T = 5, N = 4) {
  tensor Tr[N, N]: f32  tensor Em[T, N]: f32  tensor V[T, N]: f32  tensor B[T, N]: i32
  local v[T, N]: f32 = 0.25
  v[t, s] = (max(q) (v[t - 1, q] + Tr[q, s])) + Em[t, s]
  B[t, s] = argmax(q) (v[t - 1, q] + Tr[q, s])
  V[t, s] = v[t, s]
})";

// Scores and back-pointers, in loops of C++.
std::pair<std::vector<double>, std::vector<double>> bestPaths(const std::vector<double>& moves,
                                                              const std::vector<double>& emits) {
  std::vector<double> before(kStates, 0.25), scores, from;
  for (std::size_t t = 0; t < kSteps; ++t) {
    std::vector<double> now(kStates);
    for (std::size_t s = 0; s < kStates; ++s) {
      std::size_t best = 0;
      const auto by = [&](std::size_t q) { return before[q] + moves[q * kStates + s]; };
      for (std::size_t q = 1; q < kStates; ++q) best = by(q) > by(best) ? q : best;
      now[s] = by(best) + emits[t * kStates + s];
      from.push_back(static_cast<double>(best));
    }
    scores.insert(scores.end(), now.begin(), now.end());
    before = now;
  }
  return {scores, from};
}

TEST(Parts, ReadTheOutputThatCopiesState) {
  const KernelRef kernel = openedKernel(kBackPointers);
  const kernel::KernelParts parts(kernel->kernel);
  ASSERT_FALSE(parts.cuts().empty());
  EXPECT_EQ(parts.cuts().front().before, 2U);
  kernel::TensorValues values = kernel::sampleInputs(kernel->kernel, 7);
  const auto [scores, from] = bestPaths(values.at("Tr").data, values.at("Em").data);
  const std::size_t end = parts.statements();
  for (const auto& [first, last] : {std::pair<std::size_t, std::size_t>(0, 2), {2, end}}) {
    const auto part = openPart(parts, first, last);
    ASSERT_TRUE(part) << base::render(part.diagnostics());
    EXPECT_TRUE((*part)->nest) << base::render((*part)->notMapped);
    const auto results = kernel::interpret((*part)->kernel, values);
    ASSERT_TRUE(results) << base::render(results.diagnostics());
    for (const auto& [name, value] : *results) values[name] = value;
  }
  for (std::size_t e = 0; e < kSteps * kStates; ++e) {
    EXPECT_NEAR(values.at("V").data[e], scores[e], 1e-12);
    EXPECT_EQ(values.at("B").data[e], from[e]);
  }
}

// The parts of a kernel, one after the other, compute what the kernel means.
void expectPartsToGiveTheWhole(const std::string& text) {
  const KernelRef kernel = openedKernel(text);
  const kernel::TensorValues inputs = kernel::sampleInputs(kernel->kernel, 7);
  kernel::TensorValues values = inputs;
  const std::vector<std::string> names = pieceNames(kernel->kernel);
  ASSERT_GE(names.size(), 2U) << text;
  for (const std::string& name : names) {
    const auto part = openPart(kernel->kernel, name);
    ASSERT_TRUE(part && *part) << name;
    EXPECT_TRUE((**part)->nest) << base::render((**part)->notMapped);
    const auto results = kernel::interpret((**part)->kernel, values);
    ASSERT_TRUE(results) << base::render(results.diagnostics());
    for (const auto& [tensor, value] : *results) values[tensor] = value;
  }
  const auto whole = kernel::interpret(kernel->kernel.asWritten(), inputs);
  ASSERT_TRUE(whole) << base::render(whole.diagnostics());
  for (const auto& [tensor, value] : *whole) {
    ASSERT_EQ(values.at(tensor).data.size(), value.data.size());
    for (std::size_t e = 0; e < value.data.size(); ++e) {
      const double scale = std::max(1.0, std::abs(value.data[e]));
      ASSERT_NEAR(values.at(tensor).data[e], value.data[e], 1e-9 * scale) << text << e;
    }
  }
}

TEST(Parts, ComputeWhatTheWholeMeans) {
  expectPartsToGiveTheWhole(R"(kernel sums(N = 4096) {
  tensor x[N]: f32  tensor y[N]: f32
  y[0] = x[0]
  y[i] = y[i - 1] + x[i]  where i >= 1
})");
  expectPartsToGiveTheWhole(R"(kernel sums(N = 2080) {
  tensor x[N + 1]: f32  tensor y[N]: f32
  y[i] = x[i + 1] * i + select(i >= 1, y[i - 1], 0)
})");
  expectPartsToGiveTheWhole(R"(kernel image(N = 8, M = 4) {
  tensor X[N, M]: f32  tensor S[N, M]: f32  local r[N, M]: f32 = 0  local c[N, M]: f32 = 0
  r[i, j] = r[i, j - 1] + X[i, j]
  c[i, j] = c[i - 1, j] + r[i, j]
  S[i, j] = c[i, j]
})");
  expectPartsToGiveTheWhole(kPaths);
  expectPartsToGiveTheWhole(R"(kernel lora(M = 4, N = 5, K = 6, R = 3) {
  tensor x[M, K]: f32  tensor W[K, N]: f32  tensor A[K, R]: f32  tensor B[R, N]: f32
  tensor y[M, N]: f32
  y[m, n] = (sum(k) x[m, k] * W[k, n]) + 2 * (sum(r) (sum(k) x[m, k] * A[k, r]) * B[r, n])
})");
}

}  // namespace
}  // namespace gridloom::service
