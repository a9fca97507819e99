// SPDX-License-Identifier: Apache-2.0

// Kernels of language models against loops written from their definitions.

#include <gtest/gtest.h>

#include "unit/kernel/library_check.h"

namespace gridloom::kernel {
namespace {

using Index = Evaluated::Index;

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

TEST(LlmKernels, RmsNorm) {
  const Evaluated e("llm/rmsnorm", {{"M", 3}, {"N", 5}});
  e.expect("Y", [&](const Index& x) {
    const double q = sumOf(5, [&](auto j) { return std::pow(e("X", x[0], j), 2); }) / 5;
    return e("X", x[0], x[1]) / std::sqrt(q + 1e-5) * e("W", x[1]);
  });
}

TEST(LlmKernels, ResidualLayerNorm) {
  const Evaluated e("llm/residual_layernorm", {{"M", 3}, {"N", 5}});
  e.expect("Y", [&](const Index& x) {
    const auto r = [&](auto j) { return e("X", x[0], j) + e("D", x[0], j); };
    const double mean = sumOf(5, r) / 5;
    const double var = sumOf(5, [&](auto j) { return std::pow(r(j) - mean, 2); }) / 5;
    return (r(x[1]) - mean) / std::sqrt(var + 1e-5) * e("G", x[1]) + e("B", x[1]);
  });
}

TEST(LlmKernels, Rope) {
  const Evaluated e("llm/rope", {{"H", 2}, {"S", 3}, {"E", 4}});
  e.expect("Y", [&](const Index& x) {
    const bool low = x[2] < 4;
    const double angle =
        static_cast<double>(x[1]) * std::pow(1e4, -static_cast<double>(x[2] % 4) / 4);
    const double partner = e("X", x[0], x[1], low ? x[2] + 4 : x[2] - 4);
    return e("X", x[0], x[1], x[2]) * std::cos(angle) +
           (low ? -partner : partner) * std::sin(angle);
  });
}

TEST(LlmKernels, RopeInterleaved) {
  const Evaluated e("llm/rope_interleaved", {{"H", 2}, {"S", 3}, {"E", 4}});
  e.expect("Y", [&](const Index& x) {
    const auto d = x[2] / 2;
    const bool even = x[2] % 2 == 0;
    const double partner = e("X", x[0], x[1], even ? x[2] + 1 : x[2] - 1);
    return e("X", x[0], x[1], x[2]) * e("C", x[1], d) +
           (even ? -partner : partner) * e("D", x[1], d);
  });
}

TEST(LlmKernels, Swiglu) {
  const Evaluated e("llm/swiglu", {{"M", 3}, {"D", 4}, {"F", 5}});
  e.expect("Y", [&](const Index& x) {
    const auto product = [&](const char* w) {
      return sumOf(4, [&](auto d) { return e("X", x[0], d) * e(w, d, x[1]); });
    };
    return product("G") * logistic(product("G")) * product("U");
  });
}

TEST(LlmKernels, LinearGelu) {
  const Evaluated e("llm/linear_gelu", {{"M", 3}, {"K", 4}, {"N", 5}});
  e.expect("Y", [&](const Index& x) {
    const double a =
        e("b", x[1]) + sumOf(4, [&](auto k) { return e("X", x[0], k) * e("W", k, x[1]); });
    return a / 2 * (1 + std::erf(a / std::sqrt(2)));
  });
}

TEST(LlmKernels, Gelu) {
  const Evaluated e("llm/gelu", {{"M", 3}, {"N", 5}});
  e.expect("Y", [&](const Index& at) {
    const double x = e("X", at[0], at[1]);
    return x / 2 * (1 + std::tanh(0.7978845608 * (x + 0.044715 * x * x * x)));
  });
}

TEST(LlmKernels, MaskedSoftmax) {
  const Evaluated e("llm/masked_softmax", {{"S", 5}});
  e.expect("Y", [&](const Index& x) {
    if (x[1] > x[0]) return 0.0;
    return std::exp(e("X", x[0], x[1])) /
           sumOf(x[0] + 1, [&](auto j) { return std::exp(e("X", x[0], j)); });
  });
}

/// Attention of query i to all keys, with a score per key that may be -inf.
double attention(std::int64_t keys, const std::function<double(std::int64_t)>& score,
                 const std::function<double(std::int64_t)>& value) {
  return sumOf(keys, [&](auto j) { return std::exp(score(j)) * value(j); }) /
         sumOf(keys, [&](auto j) { return std::exp(score(j)); });
}

double scoreOf(const Evaluated& e, std::int64_t h, std::int64_t i, std::int64_t j,
               std::int64_t depth) {
  return sumOf(depth, [&](auto d) { return e("Q", h, i, d) * e("K", h, j, d); }) /
         std::sqrt(static_cast<double>(depth));
}

TEST(LlmKernels, AttentionSoftcap) {
  const Evaluated e("llm/attention_softcap", {{"H", 2}, {"S", 5}, {"D", 3}});
  e.expect("O", [&](const Index& x) {
    return attention(
        5, [&](auto j) { return 50 * std::tanh(scoreOf(e, x[0], x[1], j, 3) / 50); },
        [&](auto j) { return e("V", x[0], j, x[2]); });
  });
}

TEST(LlmKernels, AlibiAttention) {
  const Evaluated e("llm/alibi_attention", {{"H", 2}, {"S", 5}, {"D", 3}});
  e.expect("O", [&](const Index& x) {
    const double slope = std::exp2(-8.0 * static_cast<double>(x[0] + 1) / 2);
    return attention(
        5,
        [&](auto j) {
          return scoreOf(e, x[0], x[1], j, 3) - slope * static_cast<double>(std::abs(x[1] - j));
        },
        [&](auto j) { return e("V", x[0], j, x[2]); });
  });
}

TEST(LlmKernels, SlidingWindowAttention) {
  const Evaluated e("llm/sliding_window_attention", {{"H", 2}, {"S", 7}, {"D", 3}, {"W", 3}});
  e.expect("O", [&](const Index& x) {
    return attention(
        x[1] + 1, [&](auto j) { return x[1] - j < 3 ? scoreOf(e, x[0], x[1], j, 3) : -INFINITY; },
        [&](auto j) { return e("V", x[0], j, x[2]); });
  });
}

TEST(LlmKernels, GqaDecode) {
  const Evaluated e("llm/gqa_decode", {{"G", 2}, {"R", 3}, {"S", 5}, {"D", 4}});
  e.expect("O", [&](const Index& x) {
    return attention(
        5, [&](auto j) { return scoreOf(e, x[0], x[1], j, 4); },
        [&](auto j) { return e("V", x[0], j, x[2]); });
  });
}

TEST(LlmKernels, DecodeLinear) {
  const Evaluated e("llm/decode_linear", {{"K", 4}, {"N", 5}});
  e.expect("y", [&](const Index& x) {
    return sumOf(4, [&](auto k) { return e("x", k) * e("W", k, x[0]); });
  });
}

TEST(LlmKernels, QuantisedLinear) {
  const Evaluated e("llm/quantised_linear", {{"M", 3}, {"B", 2}, {"G", 4}, {"N", 5}});
  e.expect("Y", [&](const Index& x) {
    return sumOf(8, [&](auto k) {
      return e("X", x[0], k / 4, k % 4) * e("W", k / 4, k % 4, x[1]) * e("scale", k / 4, x[1]);
    });
  });
}

TEST(LlmKernels, Int4Linear) {
  const Evaluated e("llm/int4_linear", {{"M", 3}, {"B", 2}, {"G", 4}, {"N", 5}});
  e.expect("Y", [&](const Index& x) {
    return sumOf(8, [&](auto k) {
      const double weight = e("W", k / 4, k % 4, x[1]) - e("zero", k / 4, x[1]);
      return e("X", x[0], k / 4, k % 4) * weight * e("scale", k / 4, x[1]);
    });
  });
}

TEST(LlmKernels, Fp8Linear) {
  const Evaluated e("llm/fp8_linear", {{"M", 3}, {"K", 4}, {"N", 5}});
  e.expect("Y", [&](const Index& x) {
    const double sum = sumOf(4, [&](auto k) { return e("X", x[0], k) * e("W", k, x[1]); });
    return sum * e("row", x[0]) * e("column", x[1]);
  });
}

TEST(LlmKernels, QuantiseRows) {
  const Evaluated e("llm/quantise_rows", {{"M", 3}, {"N", 5}});
  e.expect("Q", [&](const Index& x) {
    const double most = maxOf(5, [&](auto j) { return std::abs(e("X", x[0], j)); });
    return std::floor(e("X", x[0], x[1]) * 127 / (most + 1e-6) + 0.5);
  });
}

TEST(LlmKernels, CrossEntropy) {
  const Evaluated e("llm/cross_entropy", {{"T", 4}, {"V", 6}});
  e.expect("L", [&](const Index& x) {
    return std::log(sumOf(6, [&](auto v) { return std::exp(e("X", x[0], v)); })) -
           e("X", x[0], e("label", x[0]));
  });
}

TEST(LlmKernels, LogSumExp) {
  const Evaluated e("llm/logsumexp", {{"M", 3}, {"N", 5}});
  e.expect("Y", [&](const Index& x) {
    return std::log(sumOf(5, [&](auto j) { return std::exp(e("X", x[0], j)); }));
  });
}

TEST(LlmKernels, RowArgmax) {
  const Evaluated e("llm/row_argmax", {{"M", 4}, {"N", 6}},
                    {{"X", [](double v) { return std::floor(4 * v); }}});
  e.expect("Y", [&](const Index& x) {
    std::int64_t best = 0;
    for (std::int64_t j = 1; j < 6; ++j) {
      if (e("X", x[0], j) > e("X", x[0], best)) best = j;
    }
    return static_cast<double>(best);
  });
}

TEST(LlmKernels, LinearAttention) {
  const Evaluated e("llm/linear_attention", {{"H", 2}, {"S", 5}, {"D", 3}, {"E", 4}});
  e.expect("O", [&](const Index& x) {
    return sumOf(x[1] + 1, [&](auto t) {
      const double score =
          sumOf(3, [&](auto d) { return e("Q", x[0], x[1], d) * e("K", x[0], t, d); });
      return std::pow(0.9, static_cast<double>(x[1] - t)) * score * e("V", x[0], t, x[2]);
    });
  });
}

TEST(LlmKernels, SelectiveScan) {
  const Evaluated e("llm/selective_scan", {{"L", 5}, {"D", 3}, {"N", 2}});
  e.expect("y", [&](const Index& x) {
    return sumOf(2, [&](auto n) {
      double state = 0;
      for (std::int64_t t = 0; t <= x[0]; ++t) {
        state = std::exp(e("dt", t, x[1]) * e("A", x[1], n)) * state +
                e("dt", t, x[1]) * e("B", t, n) * e("x", t, x[1]);
      }
      return e("C", x[0], n) * state;
    });
  });
}

TEST(LlmKernels, ExpertMixture) {
  const Evaluated e("llm/expert_mixture", {{"T", 3}, {"X", 2}, {"D", 4}, {"F", 5}});
  e.expect("Y", [&](const Index& at) {
    return sumOf(2, [&](auto x) {
      return e("G", at[0], x) *
             sumOf(4, [&](auto d) { return e("A", at[0], d) * e("W", x, d, at[1]); });
    });
  });
}

TEST(LlmKernels, OneHotEmbedding) {
  const Evaluated e("llm/one_hot_embedding", {{"T", 4}, {"V", 6}, {"D", 3}},
                    {{"token", [](double v) { return std::floor(3 + 3 * v); }}});
  e.expect("Y", [&](const Index& x) { return e("W", e("token", x[0]), x[1]); });
}

TEST(LlmKernels, Embedding) {
  const Evaluated e("llm/embedding", {{"T", 5}, {"V", 7}, {"D", 3}});
  e.expect("Y", [&](const Index& x) { return e("W", e("token", x[0]), x[1]); });
}

TEST(LlmKernels, IndexSelect) {
  const Evaluated e("llm/index_select", {{"M", 3}, {"N", 7}, {"K", 5}});
  e.expect("Y", [&](const Index& x) { return e("X", x[0], e("column", x[1])); });
}

TEST(LlmKernels, MoeDispatch) {
  const Evaluated e("llm/moe_dispatch", {{"X", 2}, {"C", 3}, {"T", 5}, {"K", 4}, {"N", 3}});
  e.expect("Y", [&](const Index& x) {
    return sumOf(4,
                 [&](auto k) { return e("A", e("token", x[0], x[1]), k) * e("W", x[0], k, x[2]); });
  });
}

TEST(LlmKernels, PagedDecode) {
  const Evaluated e("llm/paged_decode",
                    {{"B", 2}, {"H", 2}, {"R", 2}, {"P", 3}, {"O", 2}, {"D", 4}});
  e.expect("Y", [&](const Index& x) {
    const auto keyed = [&](const char* cache, std::int64_t j, std::int64_t d) {
      return e(cache, e("table", x[0], j / 2), x[1], j % 2, d);
    };
    const auto weight = [&](std::int64_t j) {
      const double s =
          sumOf(4, [&](auto d) { return e("Q", x[0], x[1], x[2], d) * keyed("K", j, d); });
      return std::exp(s / 2);
    };
    return sumOf(6, [&](auto j) { return weight(j) * keyed("V", j, x[3]); }) / sumOf(6, weight);
  });
}

TEST(LlmKernels, ConcatHeads) {
  const Evaluated e("llm/concat_heads", {{"H", 3}, {"S", 2}, {"D", 4}});
  e.expect("Y", [&](const Index& x) { return e("X", x[1] / 4, x[0], x[1] % 4); });
}

TEST(LlmKernels, Gru) {
  const Evaluated e("llm/gru", {{"T", 4}, {"D", 3}, {"H", 5}});
  std::vector<double> h(5, 0);
  for (std::int64_t t = 0; t < 4; ++t) {
    const auto gate = [&](std::int64_t g, std::int64_t j, const std::vector<double>& state) {
      return sumOf(3, [&](auto d) { return e("X", t, d) * e("W", d, g, j); }) +
             sumOf(5, [&](auto k) { return state[static_cast<std::size_t>(k)] * e("U", k, g, j); });
    };
    std::vector<double> z(5), r(5), next(5);
    for (std::size_t j = 0; j < 5; ++j) {
      const auto at = static_cast<std::int64_t>(j);
      z[j] = logistic(gate(0, at, h));
      r[j] = h[j] * logistic(gate(1, at, h));
    }
    for (std::size_t j = 0; j < 5; ++j) {
      const double fresh = std::tanh(gate(2, static_cast<std::int64_t>(j), r));
      next[j] = (1 - z[j]) * h[j] + z[j] * fresh;
      EXPECT_NEAR(e("Y", t, j), next[j], 1e-12);
    }
    h = next;
  }
}

}  // namespace
}  // namespace gridloom::kernel
