// SPDX-License-Identifier: Apache-2.0
#include "kernel/state_merge.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "kernel/interpreter.h"
#include "kernel/tile_nest.h"
#include "unit/kernel/kernel_source.h"

namespace gridloom::kernel {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// `body` around a loop j over scores S[i, j] and values V[j].
std::string running(const std::string& body) {
  return "kernel running(N = 3, J = 12) {\n"
         "  tensor S[N, J]: f32\n  tensor V[J]: f32\n  tensor Y[N]: f32\n" +
         body + "}\n";
}

// The parts that differ between the kernels below: a factor, a term, and the initial values of the
// states.
std::string softmaxLike(const std::string& factor, const std::string& term,
                        const std::string& m0 = "-inf", const std::string& x0 = "0") {
  return running(fmt::format("  local m[N, J]: f32 = {}\n  local x[N, J]: f32 = {}\n"
                             "  m[i, j] = max(m[i, j - 1], S[i, j])\n"
                             "  x[i, j] = x[i, j - 1] * {} + {}\n"
                             "  Y[i] = x[i, J - 1] + m[i, J - 1]\n",
                             m0, x0, factor, term));
}

const std::string kChange = "exp(m[i, j - 1] - m[i, j])";
const std::string kTerm = "exp(S[i, j] - m[i, j]) * V[j]";

std::string mergeOf(const Kernel& kernel) {
  const auto nest = tileNest(kernel);
  if (!nest) return base::render(nest.diagnostics());
  return nest->merge ? describe(kernel, *nest->merge) : "no: " + nest->noMerge;
}

TEST(StateMerge, IsDerivedForShippedAttention) {
  const std::string online = "m by max, l by sum scaled by exp(-m), o by sum scaled by exp(-m)";
  EXPECT_EQ(mergeOf(shipped("flash_attention")), online);
  EXPECT_EQ(mergeOf(shipped("causal_attention")), online);
  EXPECT_EQ(mergeOf(graphOf(shippedText("mha")).kernels[1]), online);
  // Kernels without sequential loops have no loop-carried state.
  for (const char* name : {"gemm", "softmax", "layernorm", "vector_add"}) {
    EXPECT_EQ(mergeOf(shipped(name)), "no: ") << name;
  }
}

TEST(StateMerge, ItsCarriedTilesAreAllThatMoves) {
  for (const char* name : {"flash_attention", "causal_attention"}) {
    const Kernel kernel = shipped(name);
    const auto nest = tileNest(kernel);
    ASSERT_TRUE(nest && nest->merge);
    std::vector<TensorId> carried, states;
    for (const LocalBuffer& local : nest->locals) {
      if (local.carried) carried.push_back(local.tensor);
    }
    for (const StateMerge::State& state : nest->merge->states) states.push_back(state.tensor);
    EXPECT_EQ(carried, states) << name;
  }
}

// One maximum, two factors of it for each side, and l and o scaled by both.
TEST(StateMerge, CountsItsOperations) {
  const Kernel kernel = shipped("flash_attention", {{"H", 2}, {"SQ", 8}, {"SK", 8}, {"D", 4}});
  const auto nest = tileNest(kernel);
  ASSERT_TRUE(nest && nest->merge);
  std::string ops;
  for (const TileOp& op : nest->merge->ops) {
    ops += fmt::format("{} {}| ", nameOf(op.fn), namesOf(kernel, op.loops));
  }
  EXPECT_EQ(ops, "max h i | sub h i | exp h i | mul h i | sub h i | exp h i | mul h i | add h i | "
                 "mul h i d | mul h i d | add h i d | ");
}

struct Running {
  const char* name;
  std::string text;
  const char* merge;
};

const Running kMerged[] = {
    {"Online", softmaxLike(kChange, kTerm), "m by max, x by sum scaled by exp(-m)"},
    {"Plain",
     running("  local n[N, J]: f32 = 0\n  n[i, j] = S[i, j] * V[j] + n[i, j - 1]\n"
             "  Y[i] = n[i, J - 1]\n"),
     "n by sum"},
    {"Rate",
     softmaxLike("exp((m[i, j - 1] - m[i, j]) * 0.5)",
                 "(exp(S[i, j] / 2 - 0.5 * m[i, j]) - 3 * exp(-m[i, j] / 2)) / 2"),
     "m by max, x by sum scaled by exp(-0.5 * m)"},
    {"Product", softmaxLike("(exp(m[i, j - 1]) / exp(m[i, j]))", "V[j] / exp(m[i, j])"),
     "m by max, x by sum scaled by exp(-m)"},
    {"Smallest",
     running("  local m[N, J]: f32 = inf\n  local x[N, J]: f32 = 0\n  local c[N, J]: f32\n"
             "  m[i, j] = min(S[i, j], m[i, j - 1])\n"
             "  c[i, j] = exp(m[i, j] - m[i, j - 1])\n"
             "  x[i, j] = max(V[j], 0) * exp(m[i, j]) + c[i, j] * x[i, j - 1]\n"
             "  Y[i] = x[i, J - 1] + m[i, J - 1]\n"),
     "m by min, x by sum scaled by exp(m)"},
    // The initial value of a maximum is arbitrary: no share makes it smaller.
    {"Floor", softmaxLike(kChange, kTerm, "0.25"), "m by max, x by sum scaled by exp(-m)"},
    {"TwoScales",
     running("  local m[N, J]: f32 = -inf\n  local n[N, J]: f32 = 0\n  local x[N, J]: f32 = 0\n"
             "  m[i, j] = max(m[i, j - 1], S[i, j])\n"
             "  n[i, j] = n[i, j - 1] + V[j] / 8\n"
             "  x[i, j] = x[i, j - 1] * exp(m[i, j - 1] - m[i, j]) * exp(n[i, j] - n[i, j - 1])"
             " + exp(S[i, j] - m[i, j] + n[i, j])\n"
             "  Y[i] = x[i, J - 1] + m[i, J - 1] + n[i, J - 1]\n"),
     "no: `x` is neither"},
    {"TwoScalesAtOnce",
     running("  local m[N, J]: f32 = -inf\n  local n[N, J]: f32 = 0\n  local x[N, J]: f32 = 0\n"
             "  m[i, j] = max(m[i, j - 1], S[i, j])\n"
             "  n[i, j] = n[i, j - 1] + V[j] / 8\n"
             "  x[i, j] = x[i, j - 1] * exp(m[i, j - 1] - m[i, j] + n[i, j] - n[i, j - 1])"
             " + exp(S[i, j] - m[i, j] + n[i, j])\n"
             "  Y[i] = x[i, J - 1] + m[i, J - 1] + n[i, J - 1]\n"),
     "m by max, n by sum, x by sum scaled by exp(-m + n)"},
};

// The states of a kernel after the loop, for the iterations in `share`.
std::vector<double> statesOf(const Running& of, const StateMerge& merge, const TensorValues& inputs,
                             const std::vector<std::int64_t>& share, std::int64_t row) {
  std::vector<double> states;
  if (share.empty()) {
    for (const auto& state : merge.states) {
      states.push_back(neutralOf(state.join));
    }
    return states;
  }
  const auto count = static_cast<std::int64_t>(share.size());
  const Kernel kernel = kernelOf(of.text, {{"J", count}});
  TensorValues taken{{"S", {{3, count}, {}}}, {"V", {{count}, {}}}};
  for (std::int64_t i = 0; i < 3; ++i) {
    for (const std::int64_t j : share) {
      taken["S"].data.push_back(inputs.at("S").data[static_cast<std::size_t>(i * 12 + j)]);
    }
  }
  for (const std::int64_t j : share) {
    taken["V"].data.push_back(inputs.at("V").data[static_cast<std::size_t>(j)]);
  }
  const TensorValues values = valuesOf(kernel, taken);
  for (const auto& state : merge.states) {
    const auto at = static_cast<std::size_t>(row * count + count - 1);
    states.push_back(values.at(kernel.tensor(state.tensor).name).data[at]);
  }
  return states;
}

std::vector<double> joinAll(const StateMerge& merge, const std::vector<double>& a,
                            const std::vector<double>& b) {
  std::vector<double> all;
  for (std::size_t s = 0; s < merge.states.size(); ++s) all.push_back(joined(merge, s, a, b));
  return all;
}

class Merged : public testing::TestWithParam<Running> {};

// Random shares of the iterations, some of them empty, combine to the result of one core for all of
// them.
TEST_P(Merged, SharesJoinToTheWhole) {
  const Running& of = GetParam();
  const Kernel kernel = kernelOf(of.text);
  const std::string merge = mergeOf(kernel);
  ASSERT_EQ(merge.substr(0, std::string(of.merge).size()), of.merge);
  const auto nest = tileNest(kernel);
  if (!nest->merge) return;
  const TensorValues inputs = sampleInputs(kernel, 7);
  std::vector<std::int64_t> all(12);
  for (std::size_t j = 0; j < all.size(); ++j) all[j] = static_cast<std::int64_t>(j);
  std::mt19937 random(3);
  for (int trial = 0; trial < 40; ++trial) {
    const std::int64_t row = trial % 3;
    std::vector<std::vector<std::int64_t>> shares(1 + trial % 5);
    for (const std::int64_t j : all) shares[random() % shares.size()].push_back(j);
    std::vector<double> got = statesOf(of, *nest->merge, inputs, {}, row);
    for (const auto& share : shares) {
      const std::vector<double> theirs = statesOf(of, *nest->merge, inputs, share, row);
      got =
          trial % 2 == 0 ? joinAll(*nest->merge, got, theirs) : joinAll(*nest->merge, theirs, got);
    }
    const std::vector<double> want = statesOf(of, *nest->merge, inputs, all, row);
    for (std::size_t s = 0; s < want.size(); ++s) {
      EXPECT_NEAR(got[s], want[s], 1e-9 * std::max(1.0, std::abs(want[s])))
          << of.name << " state " << s << " trial " << trial;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Merged, testing::ValuesIn(kMerged),
                         [](const auto& chosen) { return std::string(chosen.param.name); });

TEST(StateMerge, NeutralStatesChangeNothing) {
  const Kernel kernel = kernelOf(softmaxLike(kChange, kTerm));
  const auto nest = tileNest(kernel);
  ASSERT_TRUE(nest && nest->merge);
  const std::vector<double> empty{-kInfinity, 0}, some{3, 2};
  EXPECT_EQ(joinAll(*nest->merge, empty, some), some);
  EXPECT_EQ(joinAll(*nest->merge, some, empty), some);
  EXPECT_EQ(joinAll(*nest->merge, empty, empty), empty);
  // All of a share's scores are -inf: its result is NaN and is ignored.
  const std::vector<double> masked{-kInfinity, std::nan("")};
  EXPECT_EQ(joinAll(*nest->merge, masked, some), some);
  EXPECT_EQ(joinAll(*nest->merge, some, masked), some);
}

TEST(StateMerge, SaysWhyThereIsNone) {
  const std::pair<std::string, const char*> cases[] = {
      // The factor is not exp of a change, or depends on something else, too.
      {softmaxLike("0.5", "S[i, j]"), "what older `x` is multiplied by is not exp"},
      {softmaxLike("S[i, j]", kTerm), "what older `x` is multiplied by is not exp"},
      {softmaxLike(kChange + " * 0.9", kTerm), "`x` is neither"},
      {softmaxLike("(" + kChange + " * 0.9)", kTerm), "what older `x` is multiplied by"},
      {softmaxLike("exp(m[i, j - 1] - m[i, j] - 1)", kTerm), "multiplied by is not exp"},
      {softmaxLike("exp(m[i, j - 1] - 2 * m[i, j])", kTerm), "is not exp of a change of state"},
      {softmaxLike("exp(-m[i, j])", kTerm), "is not exp of a change of state"},
      {softmaxLike("relu(m[i, j - 1] - m[i, j])", kTerm), "multiplied by is not exp"},
      // The term has another scale.
      {softmaxLike(kChange, "S[i, j]"), "what is added to `x` does not scale with state"},
      {softmaxLike(kChange, "exp(S[i, j] - 2 * m[i, j])"), "does not scale with state"},
      {softmaxLike(kChange, "(" + kTerm + " + V[j])"), "does not scale with state"},
      {softmaxLike("1", kTerm), "does not scale with state"},
      {softmaxLike(kChange, "exp(S[i, j] - m[i, j - 1])"), "does not scale with state"},
      // Initial values that count once per share.
      {softmaxLike(kChange, kTerm, "-inf", "1"), "every share of j would begin with x = 1"},
      // More than one iteration back.
      {running("  local x[N, J]: f32 = 0\n  x[i, j] = x[i, j - 2] + S[i, j]\n"
               "  Y[i] = x[i, J - 1]\n"),
       "`x` is neither"},
      {running("  local x[N, J]: f32 = 0\n  x[i, j] = x[i, j - 1] + x[i, j - 2] * S[i, j]\n"
               "  Y[i] = x[i, J - 1]\n"),
       "`x` is neither"},
      // State of state.
      {running("  local x[N, J]: f32 = 0\n  local y[N, J]: f32 = 0\n"
               "  x[i, j] = x[i, j - 1] + S[i, j]\n  y[i, j] = y[i, j - 1] + x[i, j]\n"
               "  Y[i] = y[i, J - 1]\n"),
       "what is added to `y` does not scale"},
      {running("  local m[N, J]: f32 = -inf\n  local x[N, J]: f32 = 0\n  local y[N, J]: f32 = 0\n"
               "  m[i, j] = max(m[i, j - 1], S[i, j])\n  x[i, j] = x[i, j - 1] * " +
               kChange + " + " + kTerm +
               "\n  y[i, j] = y[i, j - 1] + x[i, j]\n"
               "  Y[i] = y[i, J - 1]\n"),
       "`y` depends on `x`, whose parts are scaled by other state"},
      // The value that leaves the loop is not the state.
      {running("  local m[N, J]: f32 = -inf\n  local p[N, J]: f32\n"
               "  m[i, j] = max(m[i, j - 1], S[i, j])\n  p[i, j] = S[i, j] - m[i, j]\n"
               "  Y[i] = p[i, J - 1]\n"),
       "`Y` needs `p` of the last iteration"},
      // Values of the previous iteration, which another core may hold.
      {running("  local s[N, J]: f32 = 0\n  local x[N, J]: f32 = 0\n"
               "  s[i, j] = S[i, j] * V[j]\n  x[i, j] = x[i, j - 1] + s[i, j] * s[i, j - 1]\n"
               "  Y[i] = x[i, J - 1]\n"),
       "no loop-carried state"},
  };
  for (const auto& [text, reason] : cases) {
    const std::string merge = mergeOf(kernelOf(text));
    EXPECT_EQ(merge.substr(0, 4), "no: ") << merge << "\n" << text;
    EXPECT_NE(merge.find(reason), std::string::npos) << merge << "\n" << text;
  }
  EXPECT_EQ(mergeOf(kernelOf("kernel scan(N = 8) {\n  tensor A[N]: f32\n  tensor Y[N]: f32\n"
                             "  local m[N]: f32 = -inf\n  m[j] = max(m[j - 1], A[j])\n"
                             "  Y[j] = m[j]\n}\n")),
            "no: `Y` takes the state of every iteration of j");
}

}  // namespace
}  // namespace gridloom::kernel
