// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <array>

#include "syntax/kernel_parser.h"

namespace gridloom::syntax {
namespace {

/// `line:column: message` of every error, one per line.
std::string errorsOf(const std::string& text,
                     const std::vector<ParameterOverride>& overrides = {}) {
  const auto graph = parseKernels(base::makeSource("test.rec", text), overrides);
  if (graph) return "accepted\n";
  std::string lines;
  for (const base::Diagnostic& d : graph.diagnostics()) {
    EXPECT_FALSE(d.message.empty());
    if (!d.source) {
      lines += d.message + " | " + d.hint + "\n";
      continue;
    }
    const auto at = d.source->lineColumn(d.span.begin);
    lines += fmt::format("{}:{}: {}\n", at.line, at.column, d.message);
  }
  return lines;
}

/// Three tensors over N = 8, and the statements given.
std::string withTensors(const std::string& statements) {
  return "kernel k(N = 8) {\n"
         "tensor A[N, N]: f32 tensor B[N]: f32 tensor C[N]: f32 local t[N]: f32\n" +
         statements + "\n}";
}

std::string hintOf(const std::string& text) {
  const auto graph = parseKernels(base::makeSource("test.rec", text), {});
  return graph ? "accepted" : graph.diagnostics()[0].hint;
}

std::string lastHintOf(const std::string& text) {
  const auto graph = parseKernels(base::makeSource("test.rec", text), {});
  return graph ? "accepted" : graph.diagnostics().back().hint;
}

TEST(KernelErrors, Names) {
  EXPECT_EQ(errorsOf(withTensors("C[i] = AA[i, i]")), "3:8: unknown tensor `AA`\n");
  EXPECT_EQ(hintOf(withTensors("C[i] = AA[i, i]")), "did you mean `A`?");
  EXPECT_EQ(errorsOf(withTensors("C[i] = B[i] + x")), "3:15: unknown name `x`\n");
  EXPECT_EQ(errorsOf(withTensors("C[i] = B")), "3:8: tensor `B` needs its indices\n");
  EXPECT_EQ(errorsOf(withTensors("C[i] = B[A]")), "3:10: tensor `A` cannot be part of an index\n");
  EXPECT_EQ(errorsOf(withTensors("C[i] = sech(B[i])")), "3:8: unknown function `sech`\n");
  EXPECT_EQ(errorsOf(withTensors("C[i] = sum(N) A[i, N]")),
            "3:12: `N` is already a parameter, so it cannot name a loop\n");
  EXPECT_EQ(errorsOf(withTensors("C[i] = sum(sum) A[i, sum]")),
            "3:12: `sum` is already a word of the language, so it cannot name a loop\n");
  EXPECT_EQ(errorsOf("kernel k(N = 8) { tensor N[N]: f32 }"),
            "1:26: `N` is already a parameter, so it cannot name a tensor\n");
  EXPECT_EQ(errorsOf("kernel k(N = 8) { tensor A[N]: f33 tensor B[M]: f32 }"),
            "1:32: unknown dtype `f33`\n1:45: unknown parameter `M`\n");
  EXPECT_EQ(hintOf("kernel k(N = 8) { tensor A[N]: int4 }"), "did you mean `i4`?");
  EXPECT_EQ(hintOf("kernel k(N = 8) { tensor A[N]: float8_e4m3 }"), "did you mean `f8e4m3`?");
  EXPECT_EQ(hintOf("kernel k(N = 8) { tensor A[N]: mxfp5 }"), "did you mean `mxfp8`?");
}

/// A table, indices into it, and the statements given.
std::string withTable(const std::string& statements) {
  return "kernel k(N = 8) {\n"
         "tensor E[N, 4]: f32 tensor x[N]: i32 tensor f[N]: f32 tensor Y[N, 4]: f32\n" +
         statements + "\n}";
}

TEST(KernelErrors, Gathers) {
  EXPECT_EQ(errorsOf(withTable("Y[t, d] = E[x[t], d]")), "accepted\n");
  EXPECT_EQ(errorsOf(withTable("Y[t, d] = E[f[t], d]")),
            "3:13: `f` of type f32 cannot be an index\n");
  EXPECT_EQ(hintOf(withTable("Y[t, d] = E[f[t], d]")), "declare `f` as i32 or i64");
  EXPECT_EQ(errorsOf(withTable("Y[t, d] = E[x[t] + 1, d]")),
            "3:13: `x[t]` is only part of an index\n");
  EXPECT_EQ(hintOf(withTable("Y[t, d] = E[x[t] + 1, d]")),
            "an index is affine in loops, or one element of an integer tensor: put the rest into "
            "that tensor, or choose among all elements, as in `sum(q) select(q == x[t] + ..., "
            "A[q], 0)`");
  EXPECT_EQ(errorsOf(withTable("Y[t, d] = sum(q) select(q == x[t] + 1, E[q, d], 0)")),
            "accepted\n");
  EXPECT_EQ(hintOf(withTable("Y[t, d] = E[t - x[t], d]")),
            "an index is a sum of loops times constants, plus a constant, or one element of an "
            "integer tensor alone, as in `E[idx[t], d]`: choose among all elements, as in `sum(q) "
            "select(q == i - x[j], A[q], 0)`");
  EXPECT_EQ(errorsOf(withTable("Y[t, d] = E[1 + x[t], d]")),
            "3:17: tensor `x` cannot be part of an index\n");
  EXPECT_EQ(errorsOf(withTable("Y[t, d] = E[x[x[t]], d]")),
            "3:13: the index `x[x[t]]` has an index itself\n");
  EXPECT_EQ(errorsOf(withTable("Y[t, d] = E[x[t]]")),
            "3:11: `E` has 2 dimensions, but 1 index is given\n");
  EXPECT_EQ(errorsOf(withTable("Y[t, d] = E[x[t + 1], d]")),
            "3:13: index 0 of `x[t + 1]` reaches 8, outside its dimension of 8\n");
  EXPECT_EQ(errorsOf(withTable("Y[t, d] = select(t >= 1, E[x[t - 1], d], 0)")), "accepted\n");
  EXPECT_EQ(errorsOf(withTable("Y[t, d] = select(t >= 1, E[x[t - 2], d], 0)")),
            "3:28: index 0 of `x[t - 2]` reaches -1, outside its dimension of 8\n");
  EXPECT_EQ(errorsOf(withTable("Y[x[t], d] = E[t, d]")),
            "3:1: `Y[x[t], d]` scatters: which element it defines is known only when `x[t]` is "
            "read\n");
  EXPECT_EQ(hintOf(withTable("Y[x[t], d] = E[t, d]")),
            "let a loop run over the elements instead, and add up those that belong to it: "
            "`sum(t) select(x[t] == v, ..., 0)`");
  EXPECT_EQ(errorsOf(withTable("Y[v, d] = sum(t) select(x[t] == v, E[t, d], 0)")), "accepted\n");
  EXPECT_EQ(errorsOf("kernel k(N = 8) {\n"
                     "tensor A[N]: f32 local B[N]: f32 tensor x[N]: i32 tensor Y[N]: f32\n"
                     "B[i] = A[i]\nY[i] = B[x[i]]\n}"),
            "4:8: `B[x[i]]` reads through an index, but the kernel computes `B`\n");
}

TEST(KernelErrors, RanksAndScopes) {
  EXPECT_EQ(errorsOf(withTensors("C[i] = A[i]")),
            "3:8: `A` has 2 dimensions, but 1 index is given\n");
  EXPECT_EQ(errorsOf(withTensors("C[i, j] = A[i, j]")),
            "3:1: `C` has 1 dimension, but 2 indices are given\n");
  EXPECT_EQ(errorsOf(withTensors("C[i] = A[i, k]")),
            "3:8: `k` in `A[i, k]` is neither a loop of `C[i]` nor reduced here\n");
  EXPECT_EQ(errorsOf(withTensors("C[i] = sum(k) A[i, k] + B[k]")),
            "3:25: `k` in `B[k]` is neither a loop of `C[i]` nor reduced here\n");
  EXPECT_EQ(hintOf(withTensors("C[i] = max(k) A[i, k] + B[k]")),
            "what `max(k)` reduces ends before the next `+`, `-`, comparison or `,`: write it in "
            "parentheses, `max(k) (...)`");
  EXPECT_EQ(errorsOf(withTensors("C[i] = sum(i) B[i]")),
            "3:1: `i` is reduced, but `C[i]` is addressed by it\n");
  EXPECT_EQ(errorsOf(withTensors("C[i] = sum(k) (sum(k) A[i, k])")),
            "3:1: `k` is reduced twice, one inside the other\n");
  EXPECT_EQ(errorsOf(withTensors("C[i] = B[i] where j < i")),
            "3:1: `j` is named in `where` only\n");
  EXPECT_EQ(errorsOf(withTensors("C[i] = sum(k, k) A[i, k]")), "3:15: `k` is listed twice\n");
}

TEST(KernelErrors, Extents) {
  EXPECT_EQ(
      errorsOf("kernel k(N = 8, M = 9) {\ntensor A[M]: f32 tensor C[N]: f32\nC[i] = A[i]\n}"),
      "3:8: loop `i` would have two extents: 8 from dimension 0 of `C[i]` (line 3), and 9 from "
      "dimension 0 of `A[i]` (line 3)\n");
  // A shorter range would change the sum of another statement.
  const auto columns = [](const std::string& loop) {
    return "kernel k(N = 8, M = 9) {\ntensor A[M, N]: f32 tensor C[N]: f32 tensor D[N, N]: f32\n"
           "C[j] = sum(i) A[i, j]\nD[" +
           loop + ", j] = C[" + loop + "] * C[j]\n}";
  };
  EXPECT_EQ(hintOf(columns("i")),
            "a name is one loop in all statements: give it another name in one of them, such as "
            "`i2`");
  EXPECT_EQ(errorsOf(columns("i2")), "accepted\n");
  // What half of a tensor is made of says nothing about a sum over all of it.
  const auto halves = [](const std::string& loop) {
    return "kernel k(N = 8) {\ntensor X[2 * N]: f32 tensor w[N]: f32 tensor Y[2 * N]: f32\n"
           "local n[1]: f32\nn[0] = sum(" +
           loop + ") X[" + loop + "] * X[" + loop +
           "]\nY[i] = X[i] * w[i] - X[i + N] * n[0]\nY[i + N] = X[i + N] * w[i]\n}";
  };
  EXPECT_EQ(errorsOf(halves("i")),
            "5:15: loop `i` would have two extents: 16 from dimension 0 of `X[i]` (line 4), and 8 "
            "from dimension 0 of `w[i]` (line 5)\n");
  EXPECT_EQ(errorsOf(halves("j")), "accepted\n");
  EXPECT_EQ(errorsOf(withTensors("t[0] = B[0]\nt[i + 1] = 2 * t[i]\nC[0] = sum(i) t[i]")),
            "4:1: index 0 of `t[i + 1]` reaches 8, outside its dimension of 8\n");
  EXPECT_EQ(
      errorsOf(withTensors("C[i] = sum(r) B[i + r]")),
      "3:12: the extent of loop `r` is unknown: no tensor dimension is indexed by `r` alone\n");
  EXPECT_EQ(errorsOf(withTensors("C[i] = B[i] * (sum(r) 1)")),
            "3:20: loop `r` indexes no tensor\n");
  EXPECT_EQ(errorsOf(withTensors("C[7 - i] = B[7 - i]")), "accepted\n");
  EXPECT_EQ(
      errorsOf(withTensors("C[6 - i] = B[6 - i]")),
      "3:7: the extent of loop `i` is unknown: no tensor dimension is indexed by `i` alone\n");
  EXPECT_EQ(errorsOf(withTensors("C[i] = B[i + 1]")),
            "3:8: index 0 of `B[i + 1]` reaches 8, outside its dimension of 8\n");
  EXPECT_EQ(errorsOf(withTensors("C[i] = t[i]\nt[i] = t[i - 1] + B[i]")),
            "4:8: index 0 of `t[i - 1]` reaches -1, outside its dimension of 8\n");
  EXPECT_EQ(errorsOf(withTensors("C[i] = select(i == 0, 0, B[i - 1])")), "accepted\n");
  EXPECT_EQ(errorsOf(withTensors("C[i] = select(i == 1, 0, B[i - 1])")),
            "3:26: index 0 of `B[i - 1]` reaches -1, outside its dimension of 8\n");
  EXPECT_EQ(hintOf(withTensors("C[i] = t[i]\nt[i] = t[i - 1] + B[i]")),
            "give `t` an initial value: `local t[...]: f32 = 0`");
  // Only a read finds an initial value before the first element.
  const std::string state =
      "kernel k(N = 8) {\n tensor A[N]: f32 tensor C[N]: f32 local t[N]: f32 = 5\n ";
  EXPECT_EQ(errorsOf(state + "t[i] = A[i]\n C[i] = t[i - 1]\n}"), "accepted\n");
  EXPECT_EQ(errorsOf(state + "t[i - 1] = A[i]\n C[i] = t[i - 1]\n}"),
            "3:2: index 0 of `t[i - 1]` reaches -1, outside its dimension of 8\n");
  EXPECT_EQ(hintOf(state + "t[i - 1] = A[i]\n C[i] = t[i - 1]\n}"), "add `where i - 1 >= 0`");
}

TEST(KernelErrors, Definedness) {
  EXPECT_EQ(errorsOf(withTensors("for r in 0..4 C[2 * r] = B[r]")),
            "2:45: output element `C[1]` is never defined\n");
  EXPECT_EQ(errorsOf(withTensors("C[i] = B[i]\nC[0] = 1")),
            "4:1: `C[0]` is defined twice: `C[i]` has defined it before\n");
  EXPECT_EQ(errorsOf(withTensors("C[i] = t[i]\nt[0] = 1")),
            "3:8: `t[i]` reads `t[1]`, which nothing defines\n");
  // State before the first index of a band is its initial value, but only in the same domain.
  const std::string band =
      "kernel k(N = 4) {\ntensor A[N, N]: f32 tensor C[N, N]: f32 local t[N, N]: f32 = 0\n"
      "t[i, j] = t[i, j - 1] + A[i, j]  where j >= i\n";
  EXPECT_EQ(errorsOf(band + "C[i, j] = t[i, j - 1]  where j >= i\n}"), "accepted\n");
  EXPECT_EQ(errorsOf(band + "C[i, j] = t[i, j - 1]\n}"),
            "4:11: `t[i, j - 1]` reads `t[1, 0]`, which nothing defines\n");
  EXPECT_EQ(errorsOf(withTensors("C[i] = C[i] + 1")), "3:8: `C[i]` needs itself\n");
  EXPECT_EQ(errorsOf(withTensors("t[i] = B[i]")), "1:8: kernel `k` has no output\n");
  EXPECT_EQ(errorsOf(withTensors("C[i] = B[i] where i < 0, i >= 0")),
            "3:1: no iteration satisfies this `where`\n");
  EXPECT_EQ(errorsOf(withTensors("")), "1:8: kernel `k` has no statements\n");
}

// What needs itself through others has no value; the change that is named gives it one.
TEST(KernelErrors, Circles) {
  const auto circle = [](const std::string& role, const std::string& read) {
    return "kernel k(N = 4) {\n tensor A[N]: f32\n tensor Y[N]: f32\n local p[N]: f32\n " + role +
           "\n p[i] = q[" + read + "] + A[i]\n q[j] = 2 * p[j]\n Y[i] = q[i]\n}";
  };
  const std::string local = "local q[N]: f32";
  EXPECT_EQ(errorsOf(circle(local, "i")),
            "6:2: `p[i]` needs itself: `p[i]` needs `q[i]`, `q[j]` needs `p[j]`\n");
  EXPECT_EQ(hintOf(circle(local, "i")),
            "one of them must read an earlier index, as in `q[i - 1]`; give `q` an initial value: "
            "`local q[...]: f32 = 0`");
  EXPECT_EQ(errorsOf(circle(local + " = 0", "i - 1")), "accepted\n");
  EXPECT_EQ(errorsOf("kernel k(N = 4) {\n tensor A[N]: f32\n tensor Y[N]: f32\n tensor Z[N]: f32\n"
                     " Y[i] = Z[i] + A[i]  where i < 3\n Z[i] = Y[i]  where i < 3\n}"),
            "5:2: `Y[i]` needs itself: `Y[i]` needs `Z[i]`, `Z[i]` needs `Y[i]`\n");
  EXPECT_EQ(
      errorsOf("kernel k(N = 4) {\n tensor A[N]: f32\n tensor Y[N]: f32\n local p[N]: f32\n"
               " local q[N]: f32\n p[i] = q[i] + A[i]  where i < 2\n p[i] = A[i]  where i >= 2\n"
               " q[i] = p[i]  where i >= 2\n q[i] = A[i]  where i < 2\n Y[i] = p[i] + q[i]\n}"),
      "accepted\n");
}

TEST(KernelErrors, NobodyWroteTheFirstElement) {
  const auto running = [](const std::string& statements) {
    return "kernel k(N = 8, M = 4) {\ntensor X[N, M]: f32 tensor O[N, M]: f32\n" + statements +
           "\n}";
  };
  const std::string shifted = "for t in 0..N - 1\nO[t + 1, j] = O[t, j] + X[t, j]";
  EXPECT_EQ(errorsOf(running(shifted)), "4:15: `O[t, j]` reads `O[0, 0]`, which nothing defines\n");
  EXPECT_EQ(hintOf(running(shifted)), "define it in a statement of its own, such as `O[0, j] = 0`");
  EXPECT_EQ(errorsOf(running(shifted + "\nO[0, j] = 0")), "accepted\n");
  const std::string limited = "O[t, j] = O[t - 1, j] + X[t, j]  where t >= 1";
  EXPECT_EQ(errorsOf(running(limited)),
            "3:11: `O[t - 1, j]` reads `O[0, 0]`, which nothing defines\n");
  EXPECT_EQ(errorsOf(running(limited + "\nO[0, j] = 0")), "accepted\n");
  // Also through another output.
  EXPECT_EQ(errorsOf("kernel k(N = 8) {\ntensor X[N]: f32 tensor O[N]: f32 tensor P[N]: f32\n"
                     "P[t] = O[t] + X[t]\nO[t] = P[t - 1]  where t >= 1\n}"),
            "3:8: `O[t]` reads `O[0]`, which nothing defines\n");
  const std::string diagonal =
      "for t in 0..N - 1\nfor j in 0..M - 1\nO[t + 1, j + 1] = O[t, j] + X[t, j]";
  EXPECT_EQ(hintOf(running(diagonal)),
            "index `O` by loops alone, with a `where`, and define the rest in statements of their "
            "own");
  // Of several parts, the one of which an element is read.
  const std::string pascal =
      "kernel pascal(N = 8) {\ntensor C[N, N]: f32\n"
      "C[n, k] = C[n - 1, k - 1] + C[n - 1, k]  where n >= 1, k >= 1, k <= n\n";
  EXPECT_EQ(hintOf(pascal + "C[0, 0] = 1\n}"),
            "define it in a statement of its own, such as `C[n, 0] = 0  where n >= 1`");
  EXPECT_EQ(hintOf(pascal + "C[n, 0] = 1\n}"),
            "define it in a statement of its own, such as `C[n, k] = 0  where k > n`");
  EXPECT_EQ(errorsOf(pascal + "C[n, 0] = 1\nC[n, k] = 0  where k > n\n}"), "accepted\n");
  // Zeros that no element of the output needs are implied.
  EXPECT_EQ(errorsOf(running("O[t, j] = X[t, j] + select(j >= 1, O[t, j - 1], 0)  where j <= t")),
            "accepted\n");
}

// Refused where an undefined element is read, and where a condition on elements might let it be.
TEST(KernelErrors, ConditionsDecideWhatIsRead) {
  struct Case {
    const char* condition;
    bool (*mayHold)(int t);
  };
  const auto modulo = [](int a, int b) { return ((a % b) + b) % b; };
  static const auto mod = modulo;
  const std::array cases{
      Case{"mod(t, 2) == 0", [](int t) { return t % 2 == 0; }},
      Case{"t > 6 or t == 1", [](int t) { return t > 6; }},
      Case{"t > 6 or t == 4", [](int t) { return t > 6 || t == 4; }},
      Case{"not (t <= 5)", [](int t) { return t > 5; }},
      Case{"not (t <= 5 and t > 3)", [](int t) { return t > 5 || t == 3; }},
      Case{"t != 3 and t != 4 and t != 5", [](int t) { return t > 5; }},
      Case{"t != 4 and t != 3", [](int t) { return t > 4; }},
      Case{"div(t, 3) != 1", [](int t) { return t / 3 != 1; }},
      Case{"div(t, 3) != 2", [](int t) { return t / 3 != 2; }},
      Case{"mod(t - 9, 4) >= 2 and mod(t, 7) > 4",
           [](int t) { return mod(t - 9, 4) >= 2 && t % 7 > 4; }},
      Case{"mod(2 * t - 20, 9) == 0", [](int t) { return mod(2 * t - 20, 9) == 0; }},
      Case{"mod(div(t, 2), 3) == 0", [](int t) { return t / 2 % 3 == 0; }},
      Case{"X[t] > 0 and t > 5", [](int t) { return t > 5; }},
      Case{"X[t] > 0 or t > 5", [](int) { return true; }},
  };
  for (const Case& each : cases) {
    bool reads = false;
    for (int t = 3; t < 6; ++t) reads = reads || each.mayHold(t);
    const std::string errors =
        errorsOf("kernel k(N = 16) {\ntensor X[N]: f32 tensor O[N]: f32\nO[t] = select(" +
                 std::string(each.condition) + ", O[t - 3], X[t])  where t >= 3\n}");
    EXPECT_EQ(errors == "accepted\n", !reads) << each.condition << ": " << errors;
  }
}

TEST(KernelErrors, OnlyARecurrenceNeedsItsFirstElements) {
  const auto two = [](const std::string& q) {
    return "kernel k(N = 8) {\ntensor X[N]: f32 tensor P[N]: f32 tensor Q[N]: f32\n"
           "P[t] = Q[t] + X[t]  where t < 4\nQ[t] = " +
           q + "\n}";
  };
  EXPECT_EQ(errorsOf(two("X[t] + P[7 - t]")), "accepted\n");
  EXPECT_EQ(errorsOf(two("X[t] + select(t >= 1, P[t - 1], 0)")),
            "4:30: `P[t - 1]` reads `P[4]`, which nothing defines\n");
}

/// The first error with the fix that it suggests.
std::string habit(const std::string& statements) {
  const auto graph = parseKernels(base::makeSource("test.rec", withTensors(statements)), {});
  if (graph) return "accepted";
  const base::Diagnostic& first = graph.diagnostics()[0];
  return first.message + " | " + first.hint;
}

TEST(KernelErrors, HabitsOfOtherLanguages) {
  EXPECT_EQ(habit("C[i] = B[i] > 0 ? B[i] : 0"),
            "`?` is not an operator here | write `select(condition, a, b)`");
  EXPECT_EQ(habit("C[i] = B[i] if B[i] > 0 else 0"),
            "`if` is not an operator here | write `select(condition, a, b)`");
  EXPECT_EQ(habit("C[i] = B[i] ** 2"), "`**` is not an operator here | write `pow(a, b)`");
  EXPECT_EQ(habit("C[i] = B[i] ^ 2"), "`^` is not an operator here | a power is `pow(a, b)`");
  EXPECT_EQ(habit("C[i] = i % 2"), "`%` is not an operator here | the remainder is `mod(a, b)`");
  EXPECT_EQ(habit("C[i] = i%2"), "`%` is not an operator here | the remainder is `mod(a, b)`");
  EXPECT_EQ(habit("C[i] = select(i > 0 && i < 4, 1, 0)"),
            "`&&` is not an operator here | write `a and b`");
  EXPECT_EQ(habit("C[i] = select(i < 1 || i > 4, 1, 0)"),
            "`||` is not an operator here | write `a or b`");
  EXPECT_EQ(habit("C[i] = select(!B[i], 1, 0)"), "`!` is not an operator here | write `not a`");
  EXPECT_EQ(habit("C[i] = select(i = 1, 1, 0)"),
            "`=` is not an operator here | a comparison is `a == b`");
  EXPECT_EQ(habit("C[i] = select(0 < i < 4, 1, 0)"),
            "comparisons do not chain | compare twice: `0 <= i and i < n`");
  EXPECT_EQ(habit("C[i] += A[i, k] * B[k]"),
            "`+=` updates, but an element is defined once | write the whole value: `C[i] = sum(k) "
            "...` over the loop k of the update");
  EXPECT_EQ(habit("C[i] == B[i]"), "`==` compares | write `C[i] = ...`");
  EXPECT_EQ(habit("C[i] = gelu(B[i])"),
            "unknown function `gelu` | write `0.5 * x * (1 + erf(x / sqrt(2)))`");
  EXPECT_EQ(habit("C[i] = sum(k in 0..N) B[k]"),
            "a reduction lists its loops | declare the range before the statements, on a line of "
            "its own: `for k in 0..K`");
}

TEST(KernelErrors, HabitsOfDeclarations) {
  const std::string begin = "kernel k(N = 8) {\ntensor B[N]: f32\n";
  EXPECT_EQ(hintOf(begin + "tensor s: f32 }"),
            "one number is a tensor of one element: `s[1]: f32`, read as `s[0]`");
  EXPECT_EQ(hintOf(begin + "tensor f32 C[N] }"),
            "the type stands behind the shape: `tensor A[N]: f32`");
  EXPECT_EQ(hintOf(begin + "tensor C[N]\nC[i] = B[i] }"), "such as `tensor A[M, K]: f16`");
  EXPECT_EQ(hintOf("kernel k(N = 8) { tensor A[N]: f32, C[N]: f32 }"),
            "each declaration begins with its word");
  EXPECT_EQ(hintOf("kernel k(N) { }"), "such as `N = 1024`");
  EXPECT_EQ(hintOf("kernel k(N = 0.5) { }").substr(0, 42),
            "write other numbers in the statements, or ");
  EXPECT_EQ(hintOf(begin + "for i in range(N)\nB[i] = 1 }"), "write `for i in 0..N`");
  EXPECT_EQ(hintOf(begin + "for i in 0..N step 2\nB[i] = 1 }").substr(0, 19),
            "loops advance by 1:");
  EXPECT_EQ(hintOf(begin + "for i in 0..N { B[i] = 1 } }").substr(0, 30),
            "write the statements below it,");
  EXPECT_EQ(hintOf(begin + "# text\n}"), "comments begin with `//`");
  EXPECT_EQ(hintOf(begin + "u[i] = B[i] }").substr(0, 38),
            "declare it before: `tensor u[...]: f16");
}

TEST(KernelErrors, HabitsOfStatements) {
  EXPECT_EQ(habit("if i > 0: C[i] = B[i]"),
            "expected `[` after `if`, got `i` | a condition is `select(condition, a, b)` in the "
            "expression, or a `where` behind it");
  EXPECT_EQ(habit("let x = 2").substr(36), "declare a `local`, `local t[N]: f32`, and write `t[i] "
                                           "= expression`");
  EXPECT_EQ(habit("C = B[0]").substr(34), "a statement names elements: `C[i] = expression`");
  EXPECT_EQ(habit("A = B[0]").substr(34), "a statement names elements: `A[i, j] = expression`");
  EXPECT_EQ(habit("C[i] = sum(j = 0) A[i, j]"),
            "a reduction lists its loops | limit it behind the statement, as in `sum(j) A[i, j]  "
            "where j <= i`");
  EXPECT_EQ(habit("C[i] = sum_j A[i, j]"),
            "unknown name `sum_j` | a reduction names its loops in brackets: `sum(j)`");
  EXPECT_EQ(habit("C[i] = if B[i] > 0 then 1 else 0"),
            "unknown name `if` | write `select(condition, a, b)`");
  EXPECT_EQ(habit("C[i] = 0.5f * B[i]"), "a number has no suffix `f` | write `0.5`; a product is "
                                         "`a * b`");
  EXPECT_EQ(habit("C[i] = sum(j) A.T[i, j]").substr(0, 33), "tensor `A` needs its indices | a ");
  EXPECT_EQ(habit("C[i] = A[i, :]").substr(0, 53),
            "expected an index, got `:` | a statement names elemen");
  EXPECT_EQ(habit("C[i] = B[i] /* all */"),
            "a comment goes to the end of its line | begin each line with `//`");
  EXPECT_EQ(habit("C[i] = 2 B[i]"),
            "expected an operator or the end of the line, got `B` | a product has its sign: "
            "`a * b`");
  EXPECT_EQ(errorsOf(withTensors("C[i] = 2 B[i]\nt[i] = B[i]")),
            "3:10: expected an operator or the end of the line, got `B`\n");
  EXPECT_EQ(errorsOf(withTensors("C[i] = 2 N\nt[i] = B[i]")),
            "3:10: expected an operator or the end of the line, got `N`\n");
  EXPECT_EQ(habit("C[i] = B[i]; t[i]"),
            "expected `=` and the expression, got `}` | a statement is `tensor[indices] = "
            "expression`");
  EXPECT_EQ(habit("C[i] := B[i]"), "`:=` does not define | write `C[i] = ...`");
  EXPECT_EQ(habit("C[i] <- B[i]"), "`<-` does not define | write `C[i] = ...`");
  EXPECT_EQ(habit("C[i] = |B[i]|"), "`|` does not begin a value | write `abs(x)`");
  EXPECT_EQ(habit("C[i] = B[i]\u00b2\n"),
            "only ASCII text may stand outside comments and strings | signs have names: `sum(k)`, "
            "`<=`, `pow(x, 2)`");
  for (const char* sign : {"\u2211", "\u03a3", "\u2082", "\u00d7 2"}) {
    EXPECT_EQ(hintOf(withTensors("C[i] = B[i] " + std::string(sign))),
              "signs have names: `sum(k)`, `<=`, `pow(x, 2)`");
  }
  for (const char* letter : {"\u00f6", "\u03b1", "\u2192"}) {
    EXPECT_EQ(hintOf(withTensors("C[i] = " + std::string(letter))),
              "names have letters a to z, digits and `_`");
  }
  EXPECT_EQ(habit("C[i] = B[i] for i in range(N)").substr(44),
            "| leave it out: the loops of a statement are its indices");
  EXPECT_EQ(habit("f32 u[N]").substr(36), "the type stands behind the shape: `tensor A[N]: f32`");
  EXPECT_EQ(hintOf("kernel k(N = 8) { tensor A: f32[N] }"),
            "the shape stands before the type: `tensor A[N]: f32`");
  EXPECT_EQ(hintOf("kernel k(N = 8):"),
            "statements stand between braces: `kernel name(N = 8) { ... }`");
  EXPECT_EQ(hintOf("def k(N = 8):"), "a kernel is `kernel name(N = 8) { ... }`");
  EXPECT_EQ(hintOf("# text\nkernel k(N = 8) { }"), "comments begin with `//`");
  EXPECT_EQ(habit("C[i] = A[i][0]"), "all indices stand in one pair of brackets | write `A[i, j]`");
  EXPECT_EQ(habit("C[i] = sum(j <= i) A[i, j]"),
            "a reduction lists its loops | limit it behind the statement, as in `sum(j) A[i, j]  "
            "where j <= i`");
  EXPECT_EQ(habit("C[i] = sum(j, A[i, j])"),
            "a reduction lists its loops | its operand stands behind them, as in `sum(j) A[i, j]`");
  EXPECT_EQ(habit("C[i] = sin(pi * B[i])"), "unknown name `pi` | write 3.141592653589793");
  EXPECT_EQ(errorsOf(withTensors("C[i] = B[i] ** 2")), "3:13: `**` is not an operator here\n");
  EXPECT_EQ(habit("C[i] = softmax(B[i])").substr(0, 54),
            "unknown function `softmax` | write `m[i] = max(j) s[i,");
}

/// What stands between the nth pair of backquotes of a help.
std::string quoted(const std::string& hint, int n) {
  std::size_t at = std::string::npos;
  for (int mark = 0; mark <= 2 * n; ++mark) at = hint.find('`', at + 1);
  return hint.substr(at + 1, hint.find('`', at + 1) - at - 1);
}

TEST(KernelErrors, TheHelpForIndicesOutsideWorks) {
  const std::string ahead = hintOf(withTensors("C[i] = B[i + 1]"));
  EXPECT_EQ(ahead, "leave it out with `where i + 1 < 8`, or choose: `select(i + 1 < 8, B[i + 1], "
                   "0)`");
  EXPECT_EQ(errorsOf(withTensors("C[i] = B[i + 1]  " + quoted(ahead, 0))), "accepted\n");
  EXPECT_EQ(errorsOf(withTensors("C[i] = " + quoted(ahead, 1))), "accepted\n");
  const std::string around = hintOf(withTensors("for r in 0..3\nC[i] = sum(r) B[i + r - 1]"));
  EXPECT_EQ(
      errorsOf(withTensors("for r in 0..3\nC[i] = sum(r) B[i + r - 1]  " + quoted(around, 0))),
      "accepted\n")
      << around;
  EXPECT_EQ(errorsOf(withTensors("for r in 0..3\nC[i] = sum(r) " + quoted(around, 1))),
            "accepted\n");
  EXPECT_EQ(hintOf(withTensors("C[i] = B[N - i]")),
            "an index counts from 0; from the end, it is `7 - i`");
  const std::string reversed = hintOf(withTensors("C[i] = B[-i]"));
  EXPECT_EQ(reversed, "an index counts from 0; from the end, it is `7 - i`");
  EXPECT_EQ(errorsOf(withTensors("C[i] = B[" + quoted(reversed, 0) + "]")), "accepted\n");
  // A recurrence whose loop has the extent of what it reads besides.
  const std::string start = "t[0] = B[0]\n", step = "t[i + 1] = t[i] + B[i]", end = "\nC[j] = t[j]";
  const std::string next = hintOf(withTensors(start + step + end));
  EXPECT_EQ(next, "add `where i + 1 < 8`, or declare the range of the loop before the statements: "
                  "`for i in 0..7`");
  EXPECT_EQ(errorsOf(withTensors(start + step + "  " + quoted(next, 0).substr(0) + end)),
            "accepted\n");
  EXPECT_EQ(errorsOf(withTensors(quoted(next, 1) + "\n" + start + step + end)), "accepted\n");
  // Beside a target of the same index, it is the loop that is too long.
  const std::string both =
      "kernel k(T = 5) {\ntensor F[T + 1]: f32 tensor R[1]: f32 local u[T + 1]: f32 "
      "local b[T + 1]: f32\n";
  const std::string turns =
      "u[0] = 1\nb[t + 1] = u[t] + F[t]\nu[t + 1] = 2 * b[t + 1]\nR[0] = u[T]\n}";
  EXPECT_EQ(hintOf(both + turns), "add `where t + 1 < 6`, or declare the range of the loop before "
                                  "the statements: `for t in 0..T`");
  EXPECT_EQ(lastHintOf(both + turns), hintOf(both + turns));
  EXPECT_EQ(errorsOf(both + "for t in 0..T\n" + turns), "accepted\n");
  // A loop has one range.
  const std::string wide = hintOf(withTensors("for i in 0..N\n" + start + step + end));
  EXPECT_EQ(wide, "add `where i + 1 < 8`, or change the range of `i` to `0..7`");
  EXPECT_EQ(errorsOf(withTensors("for i in " + quoted(wide, 2) + "\n" + start + step + end)),
            "accepted\n");
}

// Whether a tensor needs what is computed from it, not its role, says what an index outside means.
TEST(KernelErrors, TheHelpForIndicesOutsideOfComputedTensors) {
  const auto computed = [](const std::string& statements) {
    return "kernel k(N = 8) {\ntensor A[N]: f32 tensor O[N]: f32 tensor P[N]: f32\n" + statements +
           "\n}";
  };
  const std::string finished = "P[i] = A[i]\n";
  const std::string before = hintOf(computed(finished + "O[i] = P[i - 1]"));
  EXPECT_EQ(before,
            "leave it out with `where i - 1 >= 0`, or choose: `select(i - 1 >= 0, P[i - 1], 0)`");
  EXPECT_EQ(errorsOf(computed(finished + "O[i] = P[i - 1]  " + quoted(before, 0))), "accepted\n");
  EXPECT_EQ(errorsOf(computed(finished + "O[i] = " + quoted(before, 1))), "accepted\n");
  const std::string carried =
      "narrow the loops with `where`, or keep loop-carried state in a `local` with an initial "
      "value";
  EXPECT_EQ(hintOf(computed(finished + "O[i] = O[i - 1] + A[i]")), carried);
  EXPECT_EQ(hintOf(computed("P[i] = O[i] + A[i]\nO[i] = P[i - 1]")), carried);
  const std::string backwards =
      "a recurrence that runs backwards counts from the end, in a `local` with an initial value: "
      "`x[u] = x[u - 1] + A[N - 1 - u]`";
  EXPECT_EQ(hintOf(computed(finished + "O[i] = O[i + 1] + A[i]")), backwards);
  EXPECT_EQ(
      hintOf(computed("local x[N]: f32 = 0\nx[i] = x[i + 1] + A[i]\nO[i] = x[i]\n" + finished)),
      backwards);
  EXPECT_EQ(errorsOf(computed("local x[N]: f32 = 0\n" + quoted(backwards, 1) +
                              "\nO[i] = x[N - 1 - i]\n" + finished)),
            "accepted\n");
  EXPECT_EQ(hintOf(computed("local x[N]: f32 = 0\nx[i] = A[i]\nO[i] = x[i + 1]\n" + finished)),
            "leave it out with `where i + 1 < 8`, or choose: `select(i + 1 < 8, x[i + 1], 0)`");
}

TEST(KernelErrors, AnIndexWrapsAroundOnceAtEitherEnd) {
  EXPECT_EQ(hintOf("kernel k(N = 8) { tensor g[N]: f32 tensor o[4 * N]: f32\n"
                   "o[i] = g[mod(i + 1, N)] }"),
            "`mod` of a sum wraps around once: the sum may be from -N to 2 * N - 1");
}

TEST(KernelErrors, PartsOfALoopHaveItsName) {
  const auto errorOf = [](const std::string& statement) {
    const auto graph = parseKernels(
        base::makeSource("t", "kernel k(H = 8) { tensor X[H]: f32 tensor K[H / 4]: f32\n" +
                                  statement + " }"),
        {});
    return graph ? std::string("accepted") : base::render(graph.diagnostics());
  };
  const std::string group = errorOf("tensor Y[H / 4]: f32\nY[h / 4] = X[h] * K[h / 4]");
  EXPECT_NE(group.find("`h` in `X[h]` is neither a loop of `Y[h / 4]` nor reduced here"),
            std::string::npos)
      << group;
  EXPECT_NE(group.find("write two loops for `h`"), std::string::npos) << group;
  const std::string beyond = errorOf("tensor Y[H]: f32\nY[h] = X[h] * K[h / 4 + 1]");
  EXPECT_NE(beyond.find("`select(div(h, 4) + 1 < 2, K[h / 4 + 1], 0)`"), std::string::npos)
      << beyond;
  EXPECT_EQ(errorOf("tensor Y[H]: f32\nY[h] = X[h] * select(div(h, 4) + 1 < 2, K[h / 4 + 1], 0)"),
            "accepted");
}

// One error each, and none of the local that holds the extremes.
TEST(KernelErrors, OfAnExtremeAreOfWhatIsWritten) {
  const auto errorsOf = [](const std::string& statement) {
    const auto graph = parseKernels(
        base::makeSource("t", "kernel k(M = 4, N = 8) { tensor X[M, N]: f32\n" + statement + " }"),
        {});
    std::string errors;
    for (const base::Diagnostic& error : graph.diagnostics()) errors += error.message + "\n";
    return errors;
  };
  EXPECT_EQ(errorsOf("tensor b[M]: i32\nb[j] = argmax(j) X[i, j]"),
            "`j` is reduced, but `b[j]` is addressed by it\n");
  EXPECT_EQ(errorsOf("tensor b[1]: i32\nb[0] = argmax(j) X[i, j]"),
            "`i` in `X[i, j]` is neither a loop of `b[0]` nor reduced here\n");
  EXPECT_EQ(errorsOf("tensor b[2 * M]: i32\nb[i] = argmax(j) X[i, j]\n"
                     "b[i + M] = argmin(k) X[i, k]"),
            "");
  EXPECT_EQ(errorsOf("tensor b[2 * M]: i32\nfor a in 0..M\nb[2 * a] = argmax(j) X[a, j]\n"
                     "b[2 * a + 1] = argmin(j) X[a, j]"),
            "");
}

TEST(KernelErrors, HabitsInIndicesAndConstraints) {
  EXPECT_EQ(habit("C[i] = B[min(i + 1, N - 1)]"),
            "an index cannot apply `min` | choose between elements instead, as in `select(i >= 1, "
            "A[i - 1], A[0])`");
  EXPECT_EQ(habit("C[i] = B[floor(i * 2)]"),
            "an index cannot apply `floor` | an index is a sum of loops times constants, plus a "
            "constant");
  EXPECT_EQ(habit("C[i] = B[mod(i + 1, N)]"), "accepted");
  EXPECT_EQ(habit("C[i] = B[2 * mod(i + 1, N)]"),
            "a remainder of a sum is not affine | what wraps around is a choice: `select(i + 1 < "
            "N, A[i + 1], A[i + 1 - N])`");
  EXPECT_EQ(habit("C[i] = select(i + 1 < N, B[i + 1], B[i + 1 - N])"), "accepted");
  EXPECT_EQ(habit("C[i] = B[i // 2]\n").substr(42),
            "`//` begins a comment: a quotient is `i / 2`, or `div(i, 2)`");
  EXPECT_EQ(habit("C[i] = sum(j) B[j]  where B[j] == i"),
            "a `where` compares loops, not elements | compare elements in the expression: "
            "`select(condition, a, b)`");
  EXPECT_EQ(habit("C[i] = B[i - 1]").substr(61),
            "| leave it out with `where i - 1 >= 0`, or choose: `select(i - 1 >= 0, B[i - 1], 0)`");
  EXPECT_EQ(habit("C[i] = B[i % 2]"), "`%` is not an operator here | the remainder is `mod(a, b)`");
  EXPECT_EQ(habit("C[i] = B[div(i + 1, 2)]").substr(0, 46),
            "a quotient of this kind is not affine | use tw");
  EXPECT_EQ(habit("C[i] = B[i] where 0 <= i < 4"),
            "comparisons do not chain | compare twice: `where 0 <= i, i < n`");
  EXPECT_EQ(habit("C[i] = B[i] where i < 2 or i > 4"),
            "all constraints of a `where` hold together | write one statement for each side of "
            "`or`, or use `select(a or b, x, y)`");
  EXPECT_EQ(habit("C[i] = B[i] where i != 2"),
            "`where` has no `!=` | write two statements, one with `<` and one with `>`, or use "
            "`select`");
}

TEST(KernelErrors, Ranges) {
  const std::string before = "kernel k(N = 8) { tensor B[N]: f32 tensor C[N]: f32 ";
  EXPECT_EQ(errorsOf(before + "for r in 1..4 C[i] = sum(r) B[i] * r }"),
            "1:62: loop `r` would begin at 1\n");
  EXPECT_EQ(errorsOf(before + "for r in 0..4, r in 0..2 C[i] = sum(r) B[i] * r }"),
            "1:68: the range of `r` is declared twice\n");
  EXPECT_EQ(errorsOf(before + "C[i] = sum(r) B[i] * r for r in 0..4 }"),
            "1:76: ranges of loops stand before the statements\n");
  EXPECT_EQ(errorsOf(before + "C[i] = B[i] * r }"), "1:67: unknown name `r`\n");
  EXPECT_EQ(
      errorsOf(before + "for r in 0..4 C[i] = B[i] * r }"),
      "1:67: the value of `r` is used, which is neither a loop of `C[i]` nor reduced there\n");
}

TEST(KernelErrors, Indices) {
  EXPECT_EQ(errorsOf(withTensors("C[i] = A[i * i, i]")),
            "3:10: a product of loops is not affine\n");
  EXPECT_EQ(errorsOf(withTensors("C[i] = B[2 / i]")), "3:10: a quotient of loops is not affine\n");
  EXPECT_EQ(errorsOf(withTensors("C[i] = 1 + argmax(j) A[i, j]")),
            "3:12: an index of an extreme is a statement of its own, over one loop\n");
  EXPECT_EQ(errorsOf(withTensors("C[i] = argmax(j, k) A[j, k] * B[i]")),
            "3:8: an index of an extreme is a statement of its own, over one loop\n");
  EXPECT_EQ(errorsOf(withTensors("for i in 0..4 C[2 * i] = argmin(j) A[i, j]")),
            "2:45: output element `C[1]` is never defined\n");
  EXPECT_EQ(errorsOf(withTensors("C[i] = B[i / 0]")), "3:10: division by 0\n");
  EXPECT_EQ(errorsOf(withTensors("C[i] = B[i / 70000]")), "3:10: division by 70000\n");
  EXPECT_EQ(errorsOf(withTensors("C[i] = A[i, 65536 * mod(i, 4)]")),
            "3:13: this value is too large\n");
  EXPECT_EQ(errorsOf(withTensors("C[i] = B[i / 2 / 2]")), "accepted\n");
  EXPECT_EQ(errorsOf(withTensors("C[i] = B[i / 3]")),
            "3:10: `i` runs to 8, which is no multiple of 3\n");
  EXPECT_EQ(hintOf(withTensors("C[i] = B[i / 3]")),
            "declare a longer range and narrow it: `for i in 0..9`, and `where i < 8` behind the "
            "statement");
  EXPECT_EQ(errorsOf(withTensors("C[i] = B[i / 2] + B[i / 3]")),
            "3:10: `i` is divided by 2 and by 3\n");
  EXPECT_EQ(errorsOf(withTensors("C[i] = A[i, mod(k, 2)]")),
            "3:13: the extent of loop `k` is unknown\n");
  EXPECT_EQ(errorsOf(withTensors("t[i] = t[i - 1] + B[i]\nC[i] = t[i] * B[i / 2]")),
            "3:8: `t` needs another iteration of a loop that is divided elsewhere\n");
  EXPECT_EQ(errorsOf(withTensors("C[i] = B[7 / 2]")), "3:10: 7 / 2 is not a whole number\n");
  // A loop that is divided elsewhere is named as it is written.
  EXPECT_EQ(errorsOf(withTensors("C[i] = B[i / 2] + B[2 * i]")),
            "3:19: index 0 of `B[2 * i]` reaches 14, outside its dimension of 8\n");
  EXPECT_EQ(hintOf(withTensors("C[i] = B[i / 2] + B[2 * i]")),
            "leave it out with `where 2 * i < 8`, or choose: `select(2 * i < 8, B[2 * i], 0)`");
  EXPECT_EQ(errorsOf(withTensors("C[2 * i] = B[i]")),
            "3:1: index 0 of `C[2 * i]` reaches 14, outside its dimension of 8\n");
  EXPECT_EQ(errorsOf(withTensors("C[i] = B[i]\nt[2 * i] = B[i]")),
            "4:1: index 0 of `t[2 * i]` reaches 14, outside its dimension of 8\n");
  EXPECT_EQ(errorsOf("kernel k(N = 8) { tensor B[N]: f32 tensor C[N]: f32 for a in 0..3, b in 0..3 "
                     "C[2 * a + b] = B[a] }"),
            "1:78: `C[2 * a + b]` names an element several times\n");
  EXPECT_EQ(errorsOf(withTensors("C[i] = B[i * 65537]")), "3:10: this value is too large\n");
  EXPECT_EQ(errorsOf(withTensors("C[i] = B[9223372036854775807 * 2]")),
            "3:10: this value does not fit into 64 bits\n");
  EXPECT_EQ(errorsOf(withTensors("C[i] = B[]")), "3:10: expected an index, got `]`\n");
}

TEST(KernelErrors, LocalsOfSeveralLoopsInOneIndex) {
  // How far a loop goes must be known, and the local must be large enough.
  std::string text = "kernel k { tensor X[5]: f64 tensor O[5]: f64 local t[9]: f64\n"
                     "t[2 * y + a] = X[y] * a\nO[i] = t[2 * i] }";
  EXPECT_EQ(errorsOf(text),
            "2:11: the extent of loop `a` is unknown: no tensor dimension is indexed by `a` "
            "alone\n");
  text.insert(text.find('\n'), " for a in 0..2");
  EXPECT_EQ(errorsOf(text),
            "2:1: index 0 of `t[2 * y + a]` reaches 9, outside its dimension of 9\n");
  EXPECT_EQ(hintOf(text), "declare `t` with 10 in dimension 0");
  text.replace(text.find("t[9]"), 4, "t[10]");
  EXPECT_EQ(errorsOf(text), "accepted\n");
  text.replace(text.find("t[2 * i]"), 8, "t[9 - i]");
  EXPECT_EQ(errorsOf(text),
            "2:1: an element of a `local` must be addressed by loops, not by `a + 2 * y`\n");
  EXPECT_EQ(hintOf(text),
            "read all of `t` in this form, by one loop over all of its elements, or at numbers; or "
            "compute `t` in a kernel of its own");
}

// The form of an index is wrong whatever its bounds are, so that is said first, and the help works.
TEST(KernelErrors, LocalsWhoseIndicesAreNoLoops) {
  const std::string addressed = "an element of a `local` must be addressed by loops, not by ";
  const auto reversed = [](const std::string& statement) {
    return "kernel k { tensor X[8]: f64 tensor O[8]: f64 local t[8]: f64\n" + statement +
           "\nO[i] = t[i] }";
  };
  EXPECT_EQ(errorsOf(reversed("t[7 - i] = X[i]")), "2:1: " + addressed + "`-i + 7`\n");
  EXPECT_EQ(hintOf(reversed("t[7 - i] = X[i]")),
            "count `i` from the other end: write `t[i]`, and `7 - i` for `i` in the rest of the "
            "statement; or compute `t` in a kernel of its own");
  EXPECT_EQ(errorsOf(reversed("t[i] = X[7 - i]")), "accepted\n");

  const auto joined = [](int size, const std::string& statement) {
    return fmt::format("kernel k {{ tensor X[5]: f64 tensor O[5]: f64 local t[{}]: f64\n"
                       "for a in 0..2 {}\nO[i] = t[2 * i] }}",
                       size, statement);
  };
  EXPECT_EQ(errorsOf(joined(9, "t[2 * y - a + 1] = X[y] * a")),
            "2:15: " + addressed + "`-a + 2 * y + 1`\n");
  EXPECT_EQ(hintOf(joined(9, "t[2 * y - a + 1] = X[y] * a")),
            "count `a` from the other end: write `t[a + 2 * y]`, and `1 - a` for `a` in the rest "
            "of the statement, and declare `t` with 10 in dimension 0; or compute `t` in a kernel "
            "of its own");
  EXPECT_EQ(errorsOf(joined(10, "t[a + 2 * y] = X[y] * (1 - a)")), "accepted\n");
  const std::string shifted = "t[2 * y - a + 2] = X[y] * a";
  EXPECT_EQ(errorsOf(joined(10, shifted)), "2:15: " + addressed + "`-a + 2 * y + 2`\n");
  EXPECT_EQ(hintOf(joined(10, shifted)), "compute `t` in a kernel of its own");
  EXPECT_EQ(errorsOf("kernel k { tensor X[5]: f64 tensor t[11]: f64\nfor a in 0..2 " + shifted +
                     "\nt[0] = 0 }"),
            "accepted\n");
}

TEST(KernelErrors, LocalsThatCountBackIntoALargerDimension) {
  const auto reversed = [](const std::string& range, const std::string& statement) {
    return "kernel k { tensor X[4]: f64 tensor O[8]: f64 local t[8]: f64 = 0 " + range + "\n" +
           statement + "\nO[j] = t[j] where j < 4\nO[j] = 0 where j >= 4 }";
  };
  const std::string range = "for i in 0..4";
  EXPECT_EQ(hintOf(reversed("", "t[3 - i] = X[i]")),
            "count `i` from the other end: declare `for i in 0..4` before the statements, write "
            "`t[i]`, and `3 - i` for `i` in the rest of the statement; or compute `t` in a kernel "
            "of its own");
  EXPECT_EQ(hintOf(reversed(range, "t[3 - i] = X[i]")),
            "count `i` from the other end: write `t[i]`, and `3 - i` for `i` in the rest of the "
            "statement; or compute `t` in a kernel of its own");
  EXPECT_EQ(errorsOf(reversed(range, "t[i] = X[3 - i]")), "accepted\n");
}

TEST(KernelErrors, LocalsThatCountBackAndAreOutside) {
  const auto negative = [](const std::string& index) {
    return "kernel k { tensor X[8]: f64 tensor O[8]: f64 local t[8]: f64 = 0\n" + index +
           " = X[i]\nO[j] = t[j] }";
  };
  const std::string range = "for i in 0..1099511627776 ";
  const std::string apart = "compute `t` in a kernel of its own, with index 0 from 0 to 7";
  EXPECT_EQ(hintOf(negative("t[-i]")), apart);
  EXPECT_EQ(hintOf("kernel k { tensor X[8]: f64 tensor O[8]: f64 local t[8]: f64 = 0\n" + range +
                   "t[0 - 65536 * i] = X[0]\nO[j] = t[0] }"),
            apart);
  EXPECT_EQ(errorsOf("kernel a { tensor X[8]: f64 tensor t[8]: f64\nt[7 - i] = X[i] }\n"
                     "kernel k { tensor t[8]: f64 tensor O[8]: f64\nO[j] = t[j] }"),
            "accepted\n");
}

TEST(KernelErrors, LocalsThatCountBackInSeveralDimensions) {
  const auto reversed = [](const std::string& statement) {
    return "kernel k { tensor X[8, 8]: f64 tensor O[8, 8]: f64 local t[8, 8]: f64\n" + statement +
           "\nO[i, j] = t[i, j] }";
  };
  EXPECT_EQ(hintOf(reversed("t[7 - i, 7 - j] = X[i, j]")),
            "count `i` and `j` from the other end: write `t[i, j]`, and `7 - i` for `i` and "
            "`7 - j` for `j` in the rest of the statement; or compute `t` in a kernel of its own");
  EXPECT_EQ(errorsOf(reversed("t[i, j] = X[7 - i, 7 - j]")), "accepted\n");
}

// Counted from the other end, these would need later elements: the local itself is turned.
TEST(KernelErrors, LocalsThatCountBackAndNeedThemselves) {
  const auto carried = [](const std::string& statements, const std::string& read) {
    return "kernel k { tensor X[8]: f64 tensor O[8]: f64 local t[8]: f64 = 0\n" + statements +
           "\nO[j] = " + read + " }";
  };
  const std::string backwards =
      "a recurrence that runs backwards counts from the end, in a `local` with an initial value: "
      "`x[u] = x[u - 1] + A[N - 1 - u]`";
  EXPECT_EQ(hintOf(carried("t[7 - i] = t[8 - i] + X[i]", "t[j]")), backwards);
  EXPECT_EQ(hintOf(carried("t[7 - i] = t[8 - i] + X[i] where i >= 1\n"
                           "t[7 - i] = X[i] where i == 0",
                           "t[j]")),
            backwards);
  EXPECT_EQ(errorsOf(carried("t[u] = t[u - 1] + X[u]", "t[7 - j]")), "accepted\n");

  // Earlier elements stay earlier.
  EXPECT_EQ(hintOf(carried("t[7 - i] = t[6 - i] + X[i]", "t[j]")),
            "count `i` from the other end: write `t[i]`, and `7 - i` for `i` in the rest of the "
            "statement; or compute `t` in a kernel of its own");
  EXPECT_EQ(errorsOf(carried("t[i] = t[6 - (7 - i)] + X[7 - i]", "t[j]")), "accepted\n");
}

TEST(KernelErrors, LocalsWouldNeedMoreElementsThanThereAre) {
  const auto stepped = [](const std::string& size, const std::string& range,
                          const std::string& index) {
    return "kernel k { tensor X[8]: f64 tensor O[8]: f64 local t[" + size +
           "]: f64 = 0\nfor i in 0.." + range + " t[" + index + "] = X[0]\nO[j] = t[0] }";
  };
  const std::string apart =
      "compute `t` in a kernel of its own, with index 0 from 0 to 1099511627775";
  EXPECT_EQ(hintOf(stepped("8", "1099511627776", "65536 * i + 2199023255551")), apart);
  EXPECT_EQ(hintOf(stepped("8", "16777217", "65536 * i")), apart);
  EXPECT_EQ(hintOf(stepped("8", "16777216", "65536 * i")),
            "declare `t` with 1099511562241 in dimension 0");
  EXPECT_EQ(errorsOf(stepped("1099511562241", "16777216", "65536 * i")), "accepted\n");
  EXPECT_EQ(errorsOf("kernel a { tensor X[8]: f64 tensor t[1099511562241]: f64\n"
                     "for i in 0..1099511562241 t[i] = X[0] }\n"
                     "kernel k { tensor t[1099511562241]: f64 tensor O[8]: f64\nO[j] = t[0] }"),
            "accepted\n");
}

TEST(KernelErrors, LocalsThatAreTooSmallForAFactor) {
  const auto stepped = [](int size, const std::string& index, const std::string& where) {
    return fmt::format("kernel k {{ tensor X[8]: f64 tensor O[8]: f64 local t[{0}]: f64 = 0\n"
                       "t[{1}] = X[i]{2}\nO[i] = t[{1}]{2}{3} }}",
                       size, index, where, where.empty() ? "" : "\nO[i] = 0 where i == 0");
  };
  EXPECT_EQ(errorsOf(stepped(8, "2 * i", "")),
            "2:1: index 0 of `t[2 * i]` reaches 14, outside its dimension of 8\n"
            "3:8: index 0 of `t[2 * i]` reaches 14, outside its dimension of 8\n");
  EXPECT_EQ(hintOf(stepped(8, "2 * i", "")), "declare `t` with 15 in dimension 0");
  EXPECT_EQ(errorsOf(stepped(15, "2 * i", "")), "accepted\n");
  EXPECT_EQ(hintOf(stepped(8, "2 * i - 1", "")),
            "declare `t` with 14 in dimension 0, and add `where 2 * i - 1 >= 0`");
  EXPECT_EQ(errorsOf(stepped(14, "2 * i - 1", " where 2 * i - 1 >= 0")), "accepted\n");

  // Where bounds keep an index in a local that is too small for its loops.
  std::string text = "kernel k { tensor X[8]: f64 tensor O[8]: f64 local t[8]: f64 = 0\n"
                     "t[2 * i] = X[i] where 2 * i < 8\nO[i] = select(i < 4, t[2 * i], 0) }";
  EXPECT_EQ(errorsOf(text),
            "2:1: an element of a `local` must be addressed by loops, not by `2 * i`\n");
  EXPECT_EQ(hintOf(text), "declare `t` with 15 in dimension 0");
  text.replace(text.find("t[8]"), 4, "t[15]");
  EXPECT_EQ(errorsOf(text), "accepted\n");
}

TEST(KernelErrors, Sizes) {
  EXPECT_EQ(errorsOf("kernel k(N = 0) { tensor A[N]: f32 tensor B[N]: f32 B[i] = A[i] }"),
            "1:14: parameter `N` is 0\n");
  EXPECT_EQ(
      errorsOf("kernel k(N = 4, M = N - 9) { tensor A[N]: f32 tensor B[N]: f32 B[i] = A[i] }"),
      "1:21: parameter `M` is -5\n");
  EXPECT_EQ(errorsOf("kernel k(N = 4) { tensor A[N - 4]: f32 tensor B[N]: f32 B[i] = 1 }"),
            "1:28: dimension 0 of `A` is 0\n");
  const std::string large = "kernel k(N = 1000000, M = 1000000) { tensor A[N, M]: f32 tensor "
                            "B[N, M]: f32 B[i, j] = A[i, j] }";
  EXPECT_EQ(errorsOf(large), "accepted\n");
  EXPECT_EQ(errorsOf(large, {{"N", 1'000'000'000'000}, {"M", 10'000'000}}),
            "1:45: tensor `A` is larger than 2^62 bytes\n1:65: tensor `B` is larger than 2^62 "
            "bytes\n");
}

TEST(KernelErrors, Overrides) {
  const std::string text = withTensors("C[i] = B[i]");
  EXPECT_EQ(errorsOf(text, {{"N", 16}}), "accepted\n");
  EXPECT_EQ(errorsOf(text, {{"M", 16}}),
            "no kernel here has a parameter `M` | the parameters are `N`\n");
  EXPECT_EQ(errorsOf(text, {{"N", 0}}),
            "parameter `N` cannot be 0 | sizes are from 1 to 1099511627776\n");
  EXPECT_EQ(errorsOf(text, {{"N", -4}}),
            "parameter `N` cannot be -4 | sizes are from 1 to 1099511627776\n");
}

TEST(KernelErrors, Literals) {
  EXPECT_EQ(errorsOf(withTensors("C[i] = nan")), "3:8: NaN is not a value here\n");
  EXPECT_EQ(errorsOf("kernel k(N = 8) { local t[N]: f32 = nan }"),
            "1:37: expected a number, got `nan`\n");
  EXPECT_EQ(errorsOf("kernel k(N = 8) { tensor t[N]: f32 = 0 }"),
            "1:36: only a `local` tensor has an initial value\n");
  EXPECT_EQ(errorsOf(withTensors("C[i] = 1e999")),
            "3:8: this number is outside the range of 64-bit floating point\n");
}

TEST(KernelErrors, Texts) {
  EXPECT_EQ(errorsOf(""), "1:1: there is no kernel in this text\n");
  EXPECT_EQ(errorsOf("// nothing\n"), "2:1: there is no kernel in this text\n");
  EXPECT_EQ(errorsOf("\xff\xfe\x01"), "1:1: these bytes are not text\n");
  EXPECT_EQ(errorsOf("gemm"), "1:1: expected `kernel`, got `gemm`\n");
  EXPECT_EQ(errorsOf("kernel k(N = 8) {"),
            "1:18: expected `}` to end the kernel, got the end of the text\n");
}

TEST(KernelErrors, SeveralAreReportedAtOnce) {
  EXPECT_EQ(errorsOf("kernel a(N = 8) {\n"
                     "tensor A[N]: f31\n"
                     "tensor B[N]: f32\n"
                     "B[i] = +\n"
                     "B[i] = Z[i]\n"
                     "}\n"
                     "kernel b( {\n"
                     "}\n"
                     "kernel c(N = -1) { }\n"),
            "2:14: unknown dtype `f31`\n"
            "4:8: expected a value, got `+`\n"
            "5:8: unknown tensor `Z`\n"
            "7:11: expected a name for a parameter, got `{`\n"
            "9:14: parameter `N` is -1\n");
}

TEST(KernelErrors, NestingAndLengthAreBounded) {
  const auto nested = [](int depth) {
    return withTensors("C[i] = " + std::string(static_cast<std::size_t>(depth), '(') + "B[i]" +
                       std::string(static_cast<std::size_t>(depth), ')'));
  };
  EXPECT_EQ(errorsOf(nested(190)), "accepted\n");
  EXPECT_EQ(errorsOf(nested(100000)), "3:208: this expression is nested too deeply\n");
  EXPECT_EQ(errorsOf(withTensors("C[i] = " + std::string(100000, '-') + "1")),
            "3:208: this expression is nested too deeply\n");
  EXPECT_EQ(errorsOf(withTensors("C[i] = B[" + std::string(100000, '(') + "i]")),
            "3:210: this is nested too deeply\n");
  std::string sum = "C[i] = B[i]";
  for (int term = 0; term < 2000; ++term) sum += " + 1";
  EXPECT_NE(errorsOf(withTensors(sum)).find("more than 1000 operations"), std::string::npos);
}

TEST(KernelErrors, CountsAreBounded) {
  std::string many;
  for (int element = 0; element < 201; ++element) many += fmt::format("C[{}] = B[0]\n", element);
  EXPECT_EQ(errorsOf(withTensors(many)), "203:1: kernel `k` has more than 200 statements\n");
  std::string where = "C[i] = B[i] where i >= 0";
  for (int more = 0; more < 20; ++more) where += ", i >= 0";
  EXPECT_EQ(errorsOf(withTensors(where)), "3:179: more than 20 constraints\n");
}

TEST(KernelErrors, GraphsMustAgreeOnTheirEdges) {
  const std::string maker = "kernel a(N = 8) { tensor A[N]: f32 tensor T[N]: f32 T[i] = A[i] }\n";
  EXPECT_EQ(errorsOf(maker + "kernel b(N = 9) { tensor T[N]: f32 tensor C[N]: f32 C[i] = T[i] }"),
            "2:26: `T` is [8] f32 in `a` but [9] f32 in `b`\n");
  EXPECT_EQ(errorsOf(maker + "kernel b(N = 8) { tensor T[N]: f16 tensor C[N]: f32 C[i] = T[i] }"),
            "2:26: `T` is [8] f32 in `a` but [8] f16 in `b`\n");
  EXPECT_EQ(errorsOf(maker + maker),
            "2:8: kernel `a` is defined twice\n2:43: `T` is an output of `a` and of `a`\n");
}

TEST(KernelErrors, HugeCoupledDomainsAreRefused) {
  EXPECT_EQ(errorsOf("kernel k(N = 1000000000) { tensor A[N, N]: i8 tensor C[N]: i8\n"
                     "C[i] = sum(j) A[i, j] where j < i }"),
            "2:1: the domain of `C[i]` is too large for its `where`\n");
}

// The range that is proposed is the one that fits, so that writing it is all there is to do.
TEST(KernelErrors, AnUnknownRangeIsProposed) {
  const auto kernel = [](const std::string& range, const std::string& statements) {
    return "kernel k(H = 8) {\ntensor X[2 * H]: f32 tensor Y[2 * H]: f32 tensor Z[H]: f32\n" +
           range + statements + "\n}";
  };
  const std::vector<std::array<std::string, 3>> cases{
      {"Y[2 * i] = X[2 * i + 1]\nY[2 * i + 1] = X[2 * i]", "i", "H"},
      {"Z[p] = max(r) X[2 * p + r]", "r", "2"},
      {"Z[p] = max(r) X[p + r]", "r", "9"}};
  for (const auto& [statements, loop, range] : cases) {
    const std::string line = "for " + loop + " in 0.." + range;
    EXPECT_EQ(hintOf(kernel("", statements)),
              "declare its range on a line of its own, such as `" + line + "`");
    EXPECT_EQ(errorsOf(kernel(line + "\n", statements)), "accepted\n") << statements;
  }
}

// A shorter range would leave out a term.
TEST(KernelErrors, ALoopThatIsSummedOverIsNotShortened) {
  const auto kernel = [](const std::string& t) {
    return "kernel k(T = 5) {\ntensor w[T + 1]: f32 tensor R[1]: f32 tensor Q[1]: f32\n"
           "local u[T + 1]: f32\nu[0] = 1\nu[" +
           t + " + 1] = 2 * u[" + t + "]\nR[0] = sum(t) w[T - t]\nQ[0] = u[T]\n}";
  };
  EXPECT_EQ(hintOf(kernel("t")),
            "add `where t + 1 < 6`, or give `t` another name in this statement, such as `t2`: "
            "another one reduces over all of `t`");
  EXPECT_EQ(errorsOf(kernel("t2")), "accepted\n");
}

}  // namespace
}  // namespace gridloom::syntax
