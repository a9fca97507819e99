// SPDX-License-Identifier: Apache-2.0

// Kernels as people write them through the whole line: on random mappings, the cores compute what
// the kernel means.

#include <gtest/gtest.h>

#include "support/line_check.h"

namespace gridloom::kernel_forms_property {
namespace {

struct Form {
  const char* name;
  const char* text;
};

constexpr Form kForms[] = {
    {"dft_one_sum",
     R"(kernel dft(B = 6, N = 8) { tensor xr[B, N]: f32 tensor xi[B, N]: f32 tensor c[N, N]: f32
 tensor s[N, N]: f32 tensor yr[B, N]: f32 tensor yi[B, N]: f32
 yr[b, k] = sum(n) (xr[b, n] * c[n, k] + xi[b, n] * s[n, k])
 yi[b, k] = sum(n) (xi[b, n] * c[n, k] - xr[b, n] * s[n, k]) }
)"},
    {"syr2k_one_sum",
     R"(kernel syr2k(N = 7, M = 6) { tensor A[N, M]: f32 tensor B[N, M]: f32 tensor C[N, N]: f32
 tensor D[N, N]: f32
 D[i, j] = 1.2 * C[i, j] + 1.5 * (sum(k) (A[j, k] * B[i, k] + B[j, k] * A[i, k]))  where j <= i
 D[i, j] = C[i, j]  where j > i }
)"},
    {"syr2k_two_names",
     R"(kernel syr2k(N = 7, M = 6) { tensor A[N, M]: f32 tensor B[N, M]: f32 tensor C[N, N]: f32
 local u[N, N]: f32
 u[i, j] = sum(q) A[i, q] * B[i, q] * A[j, q]
 C[i, j] = (sum(l) A[i, l] * B[j, l]) * u[i, j] + (sum(k) A[j, k] * B[i, k]) }
)"},
    {"gather_two",
     R"(kernel gather_two(N = 7, M = 5, K = 6) { tensor E[M, 3, K]: f32 tensor a[N]: i32
 tensor b[N, 2]: i8 tensor Y[N, 2]: f32
 Y[i, j] = sum(k) E[a[i], b[i, j], k] * E[0, 1, k] where k <= i }
)"},
    {"gather_masked",
     R"(kernel gather_masked(N = 9, M = 5) { tensor E[M]: f32 tensor a[N]: i32 tensor Y[N]: f32
 Y[i] = E[a[i]] where i < 6
 Y[i] = select(a[i] > 2, E[a[i - 1]], 1) where i >= 6 }
)"},
    {"time_warping",
     R"(kernel dtw(M = 7, N = 9) { tensor a[M]: f32 tensor b[N]: f32 tensor D[M, N]: f32
 D[i, j] = abs(a[i] - b[j])  where i < 1, j < 1
 D[i, j] = abs(a[i] - b[j]) + D[i - 1, j]  where i >= 1, j < 1
 D[i, j] = abs(a[i] - b[j]) + D[i, j - 1]  where i < 1, j >= 1
 D[i, j] = abs(a[i] - b[j]) + min(min(D[i - 1, j], D[i, j - 1]), D[i - 1, j - 1])
   where i >= 1, j >= 1 }
)"},
    {"sweep_in_place",
     R"(kernel sweep(N = 9) { tensor A[N, N]: f32 tensor X[N, N]: f32
 X[0, j] = A[0, j]
 X[N - 1, j] = A[N - 1, j]
 X[i, 0] = A[i, 0]  where i >= 1, i <= N - 2
 X[i, N - 1] = A[i, N - 1]  where i >= 1, i <= N - 2
 X[i, j] = X[i - 1, j - 1] + X[i - 1, j] + X[i - 1, j + 1] + X[i, j - 1] + A[i, j] + A[i, j + 1]
   where i >= 1, i <= N - 2, j >= 1, j <= N - 2 }
)"},
    {"lu_in_one_matrix",
     R"(kernel lu(N = 9) { tensor A[N, N]: f32 tensor F[N, N]: f32
 F[i, j] = A[i, j] - sum(k) F[i, k] * F[k, j]  where i <= j, k < i
 F[p, q] = (A[p, q] - sum(k) F[p, k] * F[k, q]) / (3 + F[q, q])  where q < p, k < q }
)"},
    {"lu_with_a_diagonal_and_a_reader",
     R"(kernel lu(N = 8) { tensor A[N, N]: f32 tensor F[N, N]: f32 tensor Y[N, N]: f32
 F[i, i] = 3 + A[i, i] - sum(k) F[i, k] * F[k, i]  where k < i
 F[i, j] = A[i, j] - sum(k) F[i, k] * F[k, j]  where i < j, k < i
 F[i, j] = (A[i, j] - sum(k) F[i, k] * F[k, j]) / F[j, j]  where j < i, k < j
 Y[i, j] = 2 * F[i, j] }
)"},
    {"lu_with_a_sum_named_like_a_loop",
     R"(kernel lu(N = 8) { tensor A[N, N]: f32 tensor L[N, N]: f32 tensor U[N, N]: f32
 L[p, r] = (A[p, r] - sum(j) L[p, j] * U[j, r]) / (2 + U[r, r] * U[r, r])  where r < p, j < r
 U[q, s] = A[q, s] - sum(r) L[q, r] * U[r, s]  where q <= s, r < q }
)"},
    {"lu_with_a_diagonal_under_other_names",
     R"(kernel lu(N = 8) { tensor A[N, N]: f32 tensor L[N, N]: f32 tensor U[N, N]: f32
 U[p, k] = A[p, k] - sum(r) L[p, r] * U[r, k]  where p < k, r < p
 L[p, r] = (A[p, r] - sum(j) L[p, j] * U[j, r]) / (2 + U[r, r] * U[r, r])  where r < p, j < r
 L[p, p] = A[p, p]
 U[p, p] = A[p, p] - sum(r) L[p, r] * U[r, p]  where r < p }
)"},
    {"lu_with_a_local_factor",
     R"(kernel lu(N = 8) { tensor A[N, N]: f32 tensor L[N, N]: f32 local U[N, N]: f32
 U[i, j] = A[i, j] - sum(k) L[i, k] * U[k, j]  where i <= j, k < i
 L[i, j] = (A[i, j] - sum(k) L[i, k] * U[k, j]) / (3 + U[j, j])  where j < i, k < j }
)"},
    {"tridiagonal",
     R"(kernel tridiagonal(B = 3, N = 8) { tensor a[B, N]: f32 tensor x[B, N]: f32
 local d[B, N]: f32 = 0 local z[B, N]: f32 = 0
 d[s, i] = a[s, i] * d[s, i - 1] + 1
 z[s, u] = d[s, N - 1 - u] + 0.5 * z[s, u - 1]
 x[s, i] = z[s, N - 1 - i] }
)"},
    {"fields_of_two_lengths",
     R"(kernel fields(T = 3, N = 8) { tensor A[N]: f32 tensor B[N - 1]: f32
 tensor e[T + 1, N]: f32 tensor h[T + 1, N - 1]: f32
 for t in 0..T
 e[0, i] = A[i]
 h[0, j] = B[j]
 e[t + 1, i] = e[t, i] - 0.5 * (h[t, i] - h[t, i - 1])  where i >= 1, i < N - 1
 e[t + 1, 0] = 1
 e[t + 1, N - 1] = 2
 h[t + 1, j] = h[t, j] - 0.5 * (e[t + 1, j + 1] - e[t + 1, j]) }
)"},
    {"fields_with_several_borders",
     R"(kernel fields(T = 4, N = 9) { tensor A[N]: f32 tensor e[T, N]: f32 tensor h[T, N]: f32
 e[0, i] = A[i]
 h[0, i] = 0
 e[t, i] = e[t - 1, i] - 0.5 * (h[t - 1, i] - h[t - 1, i - 1])  where t >= 1, i >= 1, i < N - 1
 e[t, 0] = 1  where t >= 1
 e[t, N - 1] = t * e[t - 1, N - 1]  where t >= 1
 h[t, i] = h[t - 1, i] - 0.5 * (e[t, i + 1] - e[t, i])  where t >= 1, i < N - 1
 h[t, N - 1] = h[t - 1, N - 1]  where t >= 1 }
)"},
    {"fields_with_choices",
     R"(kernel fields(T = 4, N = 9) { tensor A[N]: f32 tensor e[T, N]: f32 tensor h[T, N]: f32
 e[0, i] = A[i]
 h[0, i] = 0
 e[t, i] = e[t - 1, i] - select(i >= 1, 0.5 * (h[t - 1, i] - h[t - 1, i - 1]), 0.1 * i)  where t >= 1
 h[t, i] = h[t - 1, i] - select(i < N - 1, 0.5 * (e[t, i + 1] - e[t, i]), 0)  where t >= 1 }
)"},
    {"gates_that_need_each_other",
     R"(kernel cell(T = 4, N = 6) { tensor x[T, N]: f32 tensor U[2, N, N]: f32 tensor Y[T, N]: f32
 local h[T, N]: f32 = 0 local g[T, N, 2]: f32
 g[t, n, q] = x[t, n] + (sum(m) U[q, n, m] * h[t - 1, m]) + select(t >= 1, g[t - 1, n, 0], 0)
 h[t, n] = g[t, n, 0] * h[t - 1, n] + tanh(g[t, n, 1])
 Y[t, n] = h[t, n] }
)"},
    {"factors_apart",
     R"(kernel lu(N = 7) { tensor A[N, N]: f32 tensor L[N, N]: f32 tensor U[N, N]: f32
 L[i, j] = (A[i, j] - sum(q) L[i, q] * U[q, j]) / U[j, j]  where j < i, q < j
 L[i, i] = 1
 U[i, j] = A[i, j] - sum(q) L[i, q] * U[q, j]  where i <= j, q < i }
)"},
    {"factors_apart_by_choices",
     R"(kernel lu(N = 7) { tensor A[N, N]: f32 tensor L[N, N]: f32 tensor U[N, N]: f32
 L[i, j] = select(j < i, (A[i, j] - sum(k) L[i, k] * U[k, j]) / U[j, j], select(i == j, 1, 0))
   where k < j
 U[p, q] = A[p, q] - sum(k) L[p, k] * U[k, q]  where p <= q, k < p }
)"},
    {"factors_apart_by_other_names",
     R"(kernel lu(N = 7) { tensor A[N, N]: f32 tensor L[N, N]: f32 tensor U[N, N]: f32
 U[a, b] = A[a, b] - sum(c) L[a, c] * U[c, b]  where a <= b, c < a
 L[x, y] = (A[x, y] - sum(z) L[x, z] * U[z, y]) / U[y, y]  where x > y, z < y
 L[d, d] = 1 }
)"},
    {"roots_of_the_diagonal_in_a_local",
     R"(kernel factor(N = 9) { tensor A[N, N]: f32 tensor L[N, N]: f32 local p[N]: f32
 p[j] = 1 / sqrt(9 + A[j, j] - sum(k) L[j, k] * L[j, k])  where k < j
 L[i, j] = (A[i, j] - sum(k) L[i, k] * L[j, k]) * p[j]  where i >= j, k < j }
)"},
    {"diagonal_in_an_output",
     R"(kernel ldl(N = 7) { tensor A[N, N]: f32 tensor L[N, N]: f32 tensor D[N]: f32
 D[i] = 9 + A[i, i] - sum(k) L[i, k] * L[i, k] * D[k]  where k < i
 L[i, j] = (A[i, j] - sum(k) L[i, k] * L[j, k] * D[k]) / D[j]  where j < i, k < j
 L[i, i] = 1 }
)"},
    {"diagonal_of_another_name",
     R"(kernel ldl(N = 7) { tensor S[N, N]: f32 tensor L[N, N]: f32 local d[N]: f32
 L[a, b] = (S[a, b] - sum(c) L[a, c] * d[c] * L[b, c]) / d[b]  where b < a, c < b
 d[e] = 9 + S[e, e] - sum(f) L[e, f] * L[e, f] * d[f]  where f < e }
)"},
    {"an_input_longer_than_its_loop",
     R"(kernel spans(N = 7) { tensor p[N + 1]: f32 tensor Y[N, N]: f32
 Y[i, i] = 0
 Y[i, j] = p[j + 1] - p[i]  where j > i
 Y[i, j] = 0  where j < i }
)"},
    {"factors_and_a_solve",
     R"(kernel solve(N = 7) { tensor A[N, N]: f32 tensor L[N, N]: f32 tensor b[N]: f32
 tensor y[N]: f32
 L[j, j] = sqrt(9 + A[j, j] - sum(k) L[j, k] * L[j, k])  where k < j
 L[i, j] = (A[i, j] - sum(k) L[i, k] * L[j, k]) / L[j, j]  where i > j, k < j
 y[i] = (b[i] - sum(j) L[i, j] * y[j]) / L[i, i]  where j < i }
)"},
    {"factors_and_two_solves",
     R"(kernel solve(N = 7) { tensor A[N, N]: f32 tensor b[N]: f32 tensor x[N]: f32
 local L[N, N]: f32 local U[N, N]: f32 tensor y[N]: f32
 U[i, j] = A[i, j] - sum(k) L[i, k] * U[k, j]  where i <= j, k < i
 L[i, j] = (A[i, j] - sum(k) L[i, k] * U[k, j]) / (9 + U[j, j])  where j < i, k < j
 y[i] = b[i] - sum(j) L[i, j] * y[j]  where j < i
 x[N - 1 - i] = (y[N - 1 - i] - sum(j) U[N - 1 - i, N - 1 - j] * x[N - 1 - j])
   / (9 + U[N - 1 - i, N - 1 - i])  where j < i }
)"},
    {"upper_factor_of_products_as_state",
     R"(kernel cqr(M = 6, N = 5) { tensor A[M, N]: f32 tensor R[N, N]: f32 tensor Q[M, N]: f32
 local G[N, N]: f32
 G[a, b] = sum(m) A[m, a] * A[m, b]
 R[c, c] = sqrt(9 + G[c, c] - sum(p) R[p, c] * R[p, c])  where p < c
 R[r, c] = (G[r, c] - sum(p) R[p, r] * R[p, c]) / R[r, r]  where r < c, p < r
 Q[i, j] = (A[i, j] - sum(k) Q[i, k] * R[k, j]) / R[j, j]  where k < j }
)"},
    {"from_the_end_alone",
     R"(kernel back(N = 7, R = 4) { tensor U[N, N]: f32 tensor B[N, R]: f32 tensor X[N, R]: f32
 X[N - 1 - p, q] = (B[N - 1 - p, q] - sum(s) U[N - 1 - p, N - 1 - s] * X[N - 1 - s, q])
   / (9 + U[N - 1 - p, N - 1 - p])  where s < p }
)"},
    {"columns_made_orthogonal_to_all_before",
     R"(kernel qr(M = 8, N = 5) { tensor a[M, N]: f32 tensor q[M, N]: f32 tensor u[N, N]: f32
 q[x, y] = (a[x, y] - sum(z) q[x, z] * u[z, y]) / u[y, y]  where z < y
 u[z, y] = sum(x) q[x, z] * a[x, y]  where z < y
 u[y, y] = sqrt((sum(x) a[x, y] * a[x, y]) - sum(z) u[z, y] * u[z, y])  where z < y }
)"},
    {"orthogonal_columns",
     R"(kernel gramschmidt(M = 6, N = 5) { tensor A[M, N]: f32 tensor Q[M, N]: f32 tensor R[N, N]: f32
 local a[N, M, N]: f32
 a[0, i, j] = A[i, j]
 R[p, p] = sqrt(sum(i) a[p, i, p] * a[p, i, p])
 Q[i, p] = a[p, i, p] / R[p, p]
 R[p, j] = sum(i) Q[i, p] * a[p, i, j]  where j > p
 a[p, i, j] = a[p - 1, i, j] - Q[i, p - 1] * R[p - 1, j]  where p >= 1, j >= p }
)"},
    {"halves_by_where",
     R"(kernel rope(S = 5, E = 8) { tensor X[S, E]: f32 tensor c[S, E / 2]: f32
 tensor z[S, E / 2]: f32 tensor Y[S, E]: f32
 Y[s, d] = X[s, d] * c[s, d] - d * X[s, d + E / 2] * z[s, d]  where d < E / 2
 Y[s, d] = X[s, d] * c[s, d - E / 2] + d * X[s, d - E / 2] * z[s, d - E / 2]  where d >= E / 2 }
)"},
    {"halves_by_choice",
     R"(kernel rope(S = 5, E = 8) { tensor X[S, E]: f32 tensor c[S, E]: f32 tensor z[S, E]: f32
 tensor Y[S, E]: f32 tensor W[S, E]: f32
 Y[s, d] = X[s, d] * c[s, d] + select(d < E / 2, -X[s, d + E / 2], X[s, d - E / 2]) * z[s, d]
 W[s, d] = select(d >= 6, X[s, d], d * z[s, d]) }
)"},
    {"scaled_groups",
     R"(kernel scaled(M = 6, N = 5, G = 3, R = 4) { tensor X[M, G * R]: f32 tensor W[G * R, N]: f32
 tensor c[G, N]: f32 tensor Y[M, N]: f32 tensor Z[M, N]: f32 for g in 0..G for r in 0..R
 Y[m, n] = sum(g) c[g, n] * (sum(r) X[m, 4 * g + r] * W[4 * g + r, n])  where r <= g
 Z[m, n] = 2 + sum(g) (sum(r) W[4 * g + r, n] * X[m, 4 * g + r]) * (c[g, n] + 1) }
)"},
    {"loops_of_other_names",
     R"(kernel solve(N = 7) { tensor L[N, N]: f32 tensor b[N]: f32 tensor x[N]: f32
 local r[N, N]: f32
 r[0, i] = b[i]
 r[j, i] = r[j - 1, i] - L[i, j - 1] * x[j - 1]  where j >= 1
 x[i] = r[i, i] / (L[i, i] + 8) }
)"},
    {"steps_in_other_indices",
     R"(kernel fields(T = 4, N = 7) { tensor A[N]: f32 tensor Y[N]: f32
 local s[N, T + 1]: f32 local t[T, N]: f32
 t[k, l + 1] = s[l + 1, k] - 0.5 * s[l, k]  where l <= N - 2, k < T
 s[i, 0] = A[i]
 s[i, n] = select(i >= 1, t[n - 1, i], s[i, n - 1])  where n >= 1
 Y[i] = s[i, T] }
)"},
    {"next_steps",
     R"(kernel next(T = 3, N = 6) { tensor A[N]: f32 tensor f[T]: f32 tensor e[T + 1, N]: f32
 tensor h[T + 1, N]: f32 for t in 0..T
 e[0, i] = A[i]
 h[0, i] = 2 * A[i]
 e[t + 1, i] = select(i == 0, f[t] + t, e[t, i] - 0.5 * (h[t, i] - h[t, i - 1]))
 h[t + 1, i] = select(i < N - 1, h[t, i] - 0.7 * (e[t + 1, i + 1] - e[t + 1, i]), h[t, i]) }
)"},
    {"cases_as_a_choice",
     R"(kernel factor(N = 8) { tensor A[N, N]: f32 tensor L[N, N]: f32
 L[i, j] = select(i == j, 3 + abs(A[i, i] - sum(k) L[i, k] * L[i, k]),
   (A[i, j] - sum(k) L[i, k] * L[j, k]) / L[j, j])  where j <= i, k < j }
)"},
    {"quotients_of_a_recurrence",
     R"(kernel lu(N = 6) { tensor A[N, N]: f32 tensor Y[N, N]: f32 local L[N, N]: f32
 local U[N, N]: f32
 L[i, j] = (A[i, j] - sum(k) L[i, k] * U[k, j]) / U[j, j]  where j < i, k < j
 U[i, j] = A[i, j] + 9 * select(i == j, 1, 0) - sum(k) L[i, k] * U[k, j]  where j >= i, k < i
 Y[i, j] = L[i, j]  where j < i
 Y[i, j] = U[i, j]  where j >= i }
)"},
    {"masked_sum",
     R"(kernel solve(N = 9) { tensor L[N, N]: f32 tensor b[N]: f32 tensor x[N]: f32
 x[i] = (b[i] - sum(j) select(j < i, L[i, j] * x[j], 0)) / (3 + L[i, i]) }
)"},
    {"turns",
     R"(kernel turns(T = 3, N = 9) { tensor A[N]: f32 tensor B[N]: f32 local a[T + 1, N]: f32
 local b[T + 1, N]: f32
 a[0, i] = A[i]
 b[t, i] = select(i >= 1 and i <= N - 2, a[t, i - 1] + a[t, i + 1], a[t, i])
 a[t + 1, i] = select(i >= 1 and i <= N - 2, b[t, i - 1] + b[t, i + 1], b[t, i])  where t < T
 B[i] = a[T, i] }
)"},
    {"stencil_as_a_sum",
     R"(kernel life(T = 4, N = 7) { tensor A[N, N]: f32 tensor g[T, N, N]: f32
 local c[T, N, N]: f32 for r in 0..3 for s in 0..3
 g[0, i, j] = A[i, j]
 c[t, i, j] = sum(r, s) (r + 0.5 * s) * g[t - 1, i + r - 1, j + s - 1]
   where t >= 1, i >= 1, i <= N - 2, j >= 1, j <= N - 2
 g[t, i, j] = select(c[t, i, j] > 3, g[t - 1, i, j], 0.2 * c[t, i, j])
   where t >= 1, i >= 1, i <= N - 2, j >= 1, j <= N - 2
 g[t, 0, j] = 0  where t >= 1
 g[t, N - 1, j] = 1  where t >= 1
 g[t, i, 0] = 2  where t >= 1, i >= 1, i <= N - 2
 g[t, i, N - 1] = 3  where t >= 1, i >= 1, i <= N - 2 }
)"},
    {"fields_of_later_neighbours",
     R"(kernel fields(T = 4, N = 6, M = 5) { tensor A[N, M]: f32 tensor B[N, M]: f32
 tensor e[T, N, M]: f32 tensor h[T, N, M]: f32
 e[0, i, j] = A[i, j]
 h[0, i, j] = B[i, j]
 e[t, i, j] = e[t - 1, i, j] - 0.5 * h[t - 1, i, j]  where t >= 1, i < 1
 e[t, i, j] = e[t - 1, i, j] - 0.5 * (h[t - 1, i, j] - h[t - 1, i - 1, j])  where t >= 1, i >= 1
 h[t, i, j] = h[t - 1, i, j] - 0.7 * (e[t, i + 1, j] - e[t, i, j]) where t >= 1, i < N - 1
 h[t, i, j] = h[t - 1, i, j]  where t >= 1, i >= N - 1 }
)"},
    {"state_read_before_its_border",
     R"(kernel between(N = 8, M = 6) { tensor X[N, M]: f32 tensor Y[N, M]: f32 tensor Z[3]: f32
 Y[i, j] = X[i, j] + 0.5 * Y[i - 1, j]  where i >= 1
 Z[u] = Y[u + 1, 2]
 Y[0, j] = X[0, j] }
)"},
    {"state_read_before_it",
     R"(kernel first(N = 8, M = 8) { tensor X[N, M]: f32 tensor O[N, M]: f32 tensor Z[N]: f32
 Z[i] = select(i >= 1, O[i - 1, 1], 5) + X[i, 0]
 O[i, j] = X[i, j] + 0.5 * select(j >= 1, O[i, j - 1], 0) + 0.5 * select(i >= 1, O[i - 1, j], 0) }
)"},
    {"sums_with_limits_of_their_own",
     R"(kernel symm(M = 7, N = 5) { tensor A[M, M]: f32 tensor B[M, N]: f32 tensor C[M, N]: f32
 C[i, j] = 2 * (A[i, i] * B[i, j] + (sum(k) A[i, k] * B[k, j]) + sum(l) A[l, i] * B[l, j])
   where k < i, l > i }
)"},
    {"three_sums_one_without_a_limit",
     R"(kernel three(M = 6, N = 5) { tensor A[M, M]: f32 tensor Y[M, N]: f32 for j in 0..N
 Y[i, j] = (sum(k) A[i, k]) - (max(l) A[l, i] * j) / (2 + sum(q) A[q, q] * A[q, q])
   where k < i, l >= i, j < 4
 Y[i, j] = i  where j >= 4 }
)"},
    {"upsampled_in_a_local",
     R"(kernel upsample(H = 5, W = 4) { tensor X[H, W]: f32 tensor Y[2 * H, 2 * W]: f32
 local V[2 * H, W]: f32
 V[2 * y, x] = X[y, x] + select(y >= 1, X[y - 1, x], 0)
 V[2 * y + 1, x] = X[y, x] + select(y < H - 1, X[y + 1, x], 0)
 Y[v, 2 * x] = V[v, x]
 Y[v, 2 * x + 1] = V[v, x] + select(x < W - 1, V[v, x + 1], v) }
)"},
    {"khatri_rao_product_in_a_local",
     R"(kernel mttkrp(I = 3, J = 4, R = 5, N = 6) { tensor A[I, R]: f32 tensor B[J, R]: f32
 tensor T[I * J, N]: f32 tensor M[N, R]: f32 local kr[I * J, R]: f32 for j in 0..J
 kr[J * i + j, r] = A[i, r] * B[j, r]
 M[n, r] = sum(p) T[p, n] * kr[p, r] }
)"},
    {"windows_in_a_local",
     R"(kernel im2col(C = 3, H = 7, K = 4, R = 2, P = H - R + 1) { tensor I[C, H, H]: f32
 tensor F[K, C * R * R]: f32 tensor O[K, P * P]: f32 local col[C * R * R, P * P]: f32
 for p in 0..P for q in 0..P for r in 0..R for s in 0..R
 col[R * R * c + R * r + s, P * p + q] = I[c, p + r, q + s]
 O[k, x] = sum(y) F[k, y] * col[y, x] }
)"},
    {"neighbours_in_joined_indices",
     R"(kernel pairs(N = 6) { tensor X[N]: f32 tensor Y[N]: f32 local V[2 * N]: f32
 V[2 * i] = X[i]
 V[2 * i + 1] = i * X[i]
 Y[i] = V[2 * i] + V[2 * i + 1] + select(i >= 1, V[2 * i - 1], 0) + V[3] }
)"},
    {"sum_of_a_constant_inside_a_sum",
     R"(kernel constants(N = 5, M = 6, K = 7) { tensor v[N]: f32 tensor w[M]: f32 tensor Y[N]: f32
 local t[M]: f32 for j in 0..M for k in 0..K
 t[j] = 2 * w[j]
 Y[i] = sum(k) select(k < 3, v[i], sum(j) 2) }
)"},
    {"maximum_of_sums_of_a_constant",
     R"(kernel constants(N = 5, M = 6, K = 7) { tensor Y[N]: f32 for i in 0..N for j in 0..M
 for k in 0..K
 Y[i] = max(k) (sum(j) 2)  where j <= k }
)"},
    {"constants_behind_a_sum",
     R"(kernel constants(N = 5, M = 6) { tensor Y[N]: f32 for i in 0..N for j in 0..M
 Y[i] = (sum(j) 0.5) + 3 }
)"},
    {"one_window_in_a_sum_and_behind_it",
     R"(kernel again(N = 5, M = 8) { tensor w[M]: f32 tensor u[N]: f32 tensor Y[N, M]: f32
 for b in 0..M
 Y[i, j] = w[j] * u[i] + (max(b) w[j]) }
)"},
    {"local_behind_a_sum_that_another_sum_follows",
     R"(kernel behind(N = 8, M = 4) { tensor u[N]: f32 tensor Y[M]: f32 tensor Z[1]: f32
 local t[M]: f32 local s[M]: f32
 t[j] = sum(k) u[k]
 s[i] = exp(0.1 * t[i])
 Y[i] = (sum(k) 2 * u[k]) - s[i]
 Z[0] = sum(k) u[k] * u[k] }
)"},
    {"sum_beside_state_of_more_loops",
     R"(kernel beside(N = 5, M = 5, K = 8) { tensor B[M, K]: f32 tensor u[K]: f32 tensor Y[K]: f32
 tensor Z[N]: f32 local t[M, K]: f32 = 0
 t[j, k] = 0.5 * t[j, k - 1] + u[k]
 Y[k] = u[k] + (sum(j) B[j, k])
 Z[i] = i }
)"},
    {"sum_inside_and_beside_a_sum",
     R"(kernel lora(M = 5, N = 6, K = 8, R = 3) { tensor x[M, K]: f32 tensor W[K, N]: f32
 tensor A[K, R]: f32 tensor B[R, N]: f32 tensor y[M, N]: f32
 y[m, n] = (sum(k) x[m, k] * W[k, n]) + 2 * (sum(r) (sum(k) x[m, k] * A[k, r]) * B[r, n]) }
)"},
    {"norm_of_each_step",
     R"(kernel power(T = 4, N = 9) { tensor A[N, N]: f32 tensor b[N]: f32 tensor x[T + 1, N]: f32
 local y[T, N]: f32 local n[T]: f32
 x[0, i] = b[i]
 y[t, i] = sum(j) A[i, j] * x[t, j]
 n[t] = sqrt(sum(i) y[t, i] * y[t, i])
 x[t + 1, i] = y[t, i] / (1 + n[t]) }
)"},
    {"conjugate_gradient",
     R"(kernel cg(T = 3, N = 9) { tensor A[N, N]: f32 tensor b[N]: f32 tensor x[T + 1, N]: f32
 local r[T + 1, N]: f32 local d[T + 1, N]: f32 local q[T, N]: f32 local rr[T + 1]: f32
 local al[T]: f32
 x[0, i] = 0
 r[0, i] = b[i]
 d[0, i] = b[i]
 rr[0] = sum(i) b[i] * b[i]
 q[t, i] = sum(j) A[i, j] * d[t, j]
 al[t] = rr[t] / (1 + sum(i) d[t, i] * q[t, i] * q[t, i])
 x[t + 1, i] = x[t, i] + al[t] * d[t, i]
 r[t + 1, i] = r[t, i] - al[t] * q[t, i]
 rr[t + 1] = sum(i) r[t + 1, i] * r[t + 1, i]
 d[t + 1, i] = r[t + 1, i] + rr[t + 1] / (1 + rr[t]) * d[t, i] }
)"},
    {"sum_of_the_output_inside_a_sum",
     R"(kernel nested(M = 5, N = 6, K = 8, R = 3) { tensor x[M, K]: f32 tensor A[K, R, N]: f32
 tensor y[M, N]: f32
 y[m, n] = (sum(k) x[m, k]) * (sum(r) exp(0.1 * (sum(k) x[m, k] * A[k, r, n]))) }
)"},
    {"retention_of_sums",
     R"(kernel retention(T = 8, D = 4, E = 3) { tensor q[T, D]: f32 tensor k[T, D]: f32
 tensor v[T, E]: f32 tensor o[T, E]: f32
 o[i, e] = sum(j) (sum(d) q[i, d] * k[j, d]) * pow(0.9, i - j) * v[j, e]  where j <= i }
)"},
    {"each_needs_the_other",
     R"(kernel pq(N = 7, M = 5) { tensor A[N, M]: f32 tensor P[N, M]: f32 tensor Q[N, M]: f32
 Q[i, m] = P[i, m] * 0.5 + A[i, m]
 P[0, m] = A[0, m]
 P[i, m] = Q[i - 1, m] + 1 where i >= 1 }
)"},
    {"each_needs_all_of_the_other",
     R"(kernel pq(N = 7, M = 5) { tensor A[N, M]: f32 tensor P[N, M]: f32 tensor Q[N]: f32
 Q[i] = max(m) P[i, m]
 P[0, m] = A[0, m]
 P[i, m] = Q[i - 1] + A[i, m] where i >= 1 }
)"},
    {"states_that_need_each_other",
     R"(kernel pq(N = 7, M = 5) { tensor A[N, M]: f32 tensor Q[N, M]: f32
 local p[N, M]: f32 = 1 local q[N, M]: f32 = 2
 Q[i, m] = q[i, m]
 q[i, m] = p[i, m] * 0.5 + A[i, m]
 p[i, m] = q[i - 1, m] + 1 }
)"},
    {"shifted_table_with_borders",
     R"(kernel lcs(M = 6, N = 7) { tensor a[M]: i8 tensor b[N]: i8 tensor L[M + 1, N + 1]: f32
 for i in 0..M
 for j in 0..N
 for k in 0..N + 1
 for l in 0..M
 L[0, k] = 0
 L[l + 1, 0] = 0
 L[i + 1, j + 1] = select(a[i] == b[j], L[i, j] + 1, max(L[i, j + 1], L[i + 1, j])) }
)"},
    {"summed_area",
     R"(kernel summed(H = 7, W = 8) { tensor X[H, W]: f32 tensor S[H, W]: f32
 S[y, x] = X[y, x] + select(y >= 1, S[y - 1, x], 0) + select(x >= 1, S[y, x - 1], 0)
   - select(y >= 1 and x >= 1, S[y - 1, x - 1], 0) }
)"},
    {"first_step_chosen",
     R"(kernel chosen(T = 6, N = 7) { tensor a[N]: f32 tensor X[T, N]: f32 tensor D[T, N]: f32
 D[t, i] = select(t == 0, a[i], X[t, i] - 0.5 * D[t - 1, i]) }
)"},
    {"border_chosen",
     R"(kernel chosen(T = 5, N = 7) { tensor a[N]: f32 tensor D[T, N]: f32
 D[t, i] = select(t != 0 and i != 0 and i != N - 1, D[t - 1, i - 1] + D[t - 1, i + 1], a[i]) }
)"},
    {"alignment",
     R"(kernel alignment(M = 7, N = 8) { tensor a[M]: i8 tensor b[N]: i8 tensor H[M, N]: f32
 tensor E[N]: f32
 local h[M, N]: f32 = 0
 h[i, j] = max(0, max(h[i - 1, j - 1] + select(a[i] == b[j], 2, -1),
   max(h[i - 1, j] - 1, h[i, j - 1] - 1)))
 H[i, j] = h[i, j]
 E[j] = h[M - 1, j] }
)"},
    {"two_wavefronts",
     R"(kernel two(N = 6) { tensor s[N, N]: f32 tensor u[N, N]: f32 tensor H[N, N]: f32
 tensor G[N, N]: f32
 local h[N, N]: f32 = 0 local g[N, N]: f32 = 1
 h[i, j] = max(h[i - 1, j], h[i, j - 1]) + s[i, j]
 g[i, j] = g[i - 1, j] + g[i, j - 1] * u[i, j]
 H[i, j] = h[i, j]
 G[i, j] = g[i, j] }
)"},
    {"affine_gaps",
     R"(kernel gaps(M = 6, N = 7) { tensor s[M, N]: f32 tensor H[M, N]: f32 tensor E[M, N]: f32
 local h[M, N]: f32 = 0 local e[M, N]: f32 = 0
 e[i, j] = max(e[i, j - 1], h[i, j - 1] - 2) - 1
 h[i, j] = max(h[i - 1, j - 1] + s[i, j], e[i, j])
 H[i, j] = h[i, j]
 E[i, j] = e[i, j] }
)"},
    {"weights_divided_inside_a_sum",
     R"(kernel attend(S = 7, D = 4) { tensor Q[S, D]: f32 tensor K[S, D]: f32 tensor V[S, D]: f32
 tensor O[S, D]: f32 local s[S, S]: f32 local m[S]: f32 local l[S]: f32
 s[i, j] = sum(d) Q[i, d] * K[j, d]
 m[i] = max(j) s[i, j]
 l[i] = sum(j) exp(s[i, j] - m[i])
 O[i, e] = sum(j) exp(s[i, j] - m[i]) / l[i] * V[j, e] }
)"},
    {"sums_that_end_at_other_loops",
     R"(kernel lu(N = 7) { tensor A[N, N]: f32 tensor L[N, N]: f32 tensor U[N, N]: f32
 U[i, j] = A[i, j] - sum(k) L[i, k] * U[k, j] where i <= j, k < i
 L[i, j] = (A[i, j] - sum(k) L[i, k] * U[k, j]) / (U[j, j] + 9) where i > j, k < j
 L[i, j] = 1 where i == j }
)"},
    {"fields_beside_an_output",
     R"(kernel fields(T = 4, N = 7) { tensor F[N]: f32 tensor H[T, N]: f32 local e[T, N]: f32
 e[0, i] = F[i]
 H[0, i] = 2 * F[i]
 e[t, i] = e[t - 1, i] - 0.5 * (H[t - 1, i] - H[t - 1, i - 1])  where t >= 1, i >= 1
 e[t, 0] = 1  where t >= 1
 H[t, i] = H[t - 1, i] - 0.7 * (e[t, i + 1] - e[t, i])  where t >= 1, i < N - 1
 H[t, N - 1] = H[t - 1, N - 1]  where t >= 1 }
)"},
    {"edit_distance",
     R"(kernel edit(M = 6, N = 7) { tensor a[M]: i8 tensor b[N]: i8 tensor D[M, N]: f32
 D[0, 0] = a[0] != b[0]
 D[i, 0] = D[i - 1, 0] + 1 where i >= 1
 D[0, j] = D[0, j - 1] + 1 where j >= 1
 D[i, j] = min(min(D[i - 1, j] + 1, D[i, j - 1] + 1), D[i - 1, j - 1] + (a[i] != b[j]))
   where i >= 1, j >= 1 }
)"},
    {"gaps_that_are_not_copied",
     R"(kernel gotoh(M = 6, N = 7) { tensor s[M, N]: f32 tensor H[M, N]: f32
 local h[M, N]: f32 = 0 local e[M, N]: f32 = -1000 local f[M, N]: f32 = -1000
 e[i, j] = max(e[i, j - 1] - 1, h[i, j - 1] - 3)
 f[i, j] = max(f[i - 1, j] - 1, h[i - 1, j] - 3)
 h[i, j] = max(max(0, h[i - 1, j - 1] + s[i, j]), max(e[i, j], f[i, j]))
 H[i, j] = h[i, j] }
)"},
    {"costs_beside_a_recurrence",
     R"(kernel dtw(M = 6, N = 7) { tensor a[M]: f32 tensor b[N]: f32 tensor D[M, N]: f32
 local c[M, N]: f32 local d[M, N]: f32 = 1000
 c[i, j] = abs(a[i] - b[j])
 d[i, j] = c[i, j]
   + select(i == 0 and j == 0, 0, min(d[i - 1, j], min(d[i, j - 1], d[i - 1, j - 1])))
 D[i, j] = d[i, j] }
)"},
    {"gates_of_a_cell",
     R"(kernel cell(T = 5, B = 2, H = 6) { tensor x[T, B, H]: f32 tensor U[2, H, H]: f32
 tensor Y[T, B, H]: f32
 local i[T, B, H]: f32 local c[T, B, H]: f32 = 0.5 local h[T, B, H]: f32 = 0
 i[t, b, n] = sigmoid(x[t, b, n] + sum(m) U[0, n, m] * h[t - 1, b, m])
 c[t, b, n] = i[t, b, n] * c[t - 1, b, n] + sum(m) U[1, n, m] * h[t - 1, b, m]
 h[t, b, n] = i[t, b, n] * tanh(c[t, b, n])
 Y[t, b, n] = h[t, b, n] }
)"},
    {"lattice_paths",
     R"(kernel paths(N = 6) { tensor W[N, N]: f32 tensor P[N, N]: f32
 local p[N, N]: f32 = 1
 p[i, j] = W[i, j] * (p[i - 1, j] + p[i, j - 1])
 P[i, j] = p[i, j] }
)"},
    {"intermediate_output",
     R"(kernel step(M = 5, N = 6) { tensor X[M, N]: f32 tensor A[M, M]: f32 tensor Y[M, N]: f32
 local B[M, M]: f32
 A[i, k] = sum(j) X[i, j] * X[k, j]
 B[i, k] = 2 * (sum(l) A[i, l] * A[l, k]) - 3 * A[i, k]
 Y[i, j] = X[i, j] + sum(k) B[i, k] * X[k, j] }
)"},
    {"masked_intermediate",
     R"(kernel masked(M = 6, N = 5) { tensor X[M, N]: f32 tensor A[M, M]: f32 tensor Y[M, N]: f32
 A[i, k] = sum(j) X[i, j] * X[k, j]  where k <= i
 Y[i, j] = sum(k) A[i, k] * X[k, j] }
)"},
    {"masked_intermediate_squared",
     R"(kernel step(M = 5, N = 6) { tensor X[M, N]: f32 tensor A[M, M]: f32 tensor Y[M, N]: f32
 local B[M, M]: f32
 A[i, k] = sum(j) X[i, j] * X[k, j]  where k <= i
 B[i, k] = 2 * (sum(l) A[i, l] * A[l, k]) - 3 * A[i, k]
 Y[i, j] = X[i, j] + sum(k) B[i, k] * X[k, j] }
)"},
    {"backward_output",
     R"(kernel back(N = 6, R = 5) { tensor U[N, N]: f32 tensor b[N, R]: f32 tensor x[N, R]: f32
 for i in 0..N
 for j in 0..N
 x[N - 1 - i, r] = b[N - 1 - i, r] - sum(j) U[N - 1 - i, N - 1 - j] * x[N - 1 - j, r]
   where j < i }
)"},
    {"two_backward_outputs",
     R"(kernel back(N = 6, R = 5) { tensor U[N, N]: f32 tensor V[N, N]: f32 tensor b[N, R]: f32
 tensor x[N, R]: f32 tensor y[N, R]: f32
 for i in 0..N
 for j in 0..N
 x[N - 1 - i, r] = b[N - 1 - i, r] - sum(j) U[N - 1 - i, N - 1 - j] * x[N - 1 - j, r]
   where j < i
 y[N - 1 - i, r] = x[N - 1 - i, r] - sum(j) V[N - 1 - i, N - 1 - j] * y[N - 1 - j, r]
   where j < i }
)"},
    {"forward_and_backward_solve",
     R"(kernel solve(N = 7) { tensor L[N, N]: f32 tensor U[N, N]: f32 tensor b[N]: f32
 tensor y[N]: f32 tensor x[N]: f32
 y[i] = b[i] - sum(j) L[i, j] * y[j]  where j < i
 x[N - 1 - i] = y[N - 1 - i] - sum(j) U[N - 1 - i, N - 1 - j] * x[N - 1 - j]  where j < i }
)"},
    {"outputs_of_other_loops",
     R"(kernel centred(T = 8, N = 6) { tensor A[T, N]: f32 tensor Y[T, N]: f32 tensor m[T]: f32
 tensor Z[N]: f32
 Y[0, i] = A[0, i]
 Y[t, i] = A[t, i] - 0.25 * m[t - 1]  where t >= 1
 m[t] = sum(j) Y[t, j]
 Z[i] = sum(l) A[l, i] }
)"},
    {"first_rows_beside_sums",
     R"(kernel beside(N = 9, M = 5) { tensor X[N, M]: f32 tensor O[N, M]: f32 tensor Z[3]: f32
 for u in 0..3
 for t in 0..N - 3
 O[u, j] = 2 * X[u, j] - u
 Z[u] = sum(m) X[u, m]
 O[t + 3, k] = 0.5 * O[t, k] + X[t, k] + k }
)"},
    {"two_first_rows",
     R"(kernel two(N = 9, M = 5) { tensor X[N, M]: f32 tensor O[N, M]: f32
 for u in 0..2
 for t in 0..N - 2
 O[u, j] = u + j
 O[t + 2, j] = 0.5 * O[t + 1, j] - 0.25 * O[t, j] + X[t, j] }
)"},
    {"two_halves",
     R"(kernel halves(N = 9) { tensor X[N]: f32 tensor Y[2 * N]: f32
 for a in 0..N
 for b in 0..N
 Y[a] = X[a]
 Y[b + N] = 3 * X[b] + b }
)"},
    {"inner_part",
     R"(kernel laplace(N = 8) { tensor X[N, N]: f32 tensor O[N, N]: f32
 for y in 0..N - 2
 for x in 0..N - 2
 O[y + 1, x + 1] = X[y, x + 1] + X[y + 2, x + 1] + X[y + 1, x] + X[y + 1, x + 2]
   - 4 * X[y + 1, x + 1] }
)"},
    {"first_part",
     R"(kernel first(N = 9) { tensor X[N, N]: f32 tensor O[N, N]: f32
 for y in 0..N - 2
 O[y, x] = X[y, x] - X[y + 2, x] + y }
)"},
    {"written_border",
     R"(kernel border(N = 9) { tensor X[N]: f32 tensor O[N]: f32
 for y in 0..N - 2
 O[0] = X[1]
 O[y + 1] = X[y] + X[y + 2]
 O[N - 1] = 3 }
)"},
    {"first_element_written",
     R"(kernel running(N = 9, M = 5) { tensor X[N, M]: f32 tensor O[N, M]: f32
 for t in 0..N - 1
 O[0, j] = j
 O[t + 1, j] = 0.5 * O[t, j] + X[t, j] }
)"},
    {"rank_steps",
     R"(kernel steps(N = 7, T = 5) { tensor A[N, N]: f32 tensor R[T + 1, N]: f32
 R[0, i] = 1 / N
 R[t, i] = 0.1 + 0.8 * (sum(j) A[i, j] * R[t - 1, j])  where t >= 1 }
)"},
    {"closure",
     R"(kernel closure(N = 6) { tensor A[N, N]: f32 tensor r[N + 1, N, N]: f32
 r[0, i, j] = A[i, j]
 r[k, i, j] = max(r[k - 1, i, j], min(r[k - 1, i, k - 1], r[k - 1, k - 1, j]))  where k >= 1 }
)"},
    {"best_paths",
     R"(kernel viterbi(B = 3, T = 4, S = 5) { tensor A[S, S]: f32 tensor E[B, T, S]: f32
 tensor v[B, T, S]: f32
 v[b, 0, s] = E[b, 0, s]
 v[b, t, s] = E[b, t, s] + max(r) (v[b, t - 1, r] + A[r, s])  where t >= 1 }
)"},
    {"two_steps_back",
     R"(kernel iir(B = 7, T = 11) { tensor x[B, T]: f32 tensor y[B, T]: f32
 local s[B, T]: f32 = 0
 s[b, t] = 0.5 * x[b, t] + 0.3 * s[b, t - 1]
 y[b, t] = s[b, t] - 0.1 * s[b, t - 2] }
)"},
    {"retention",
     R"(kernel retention(H = 3, S = 9, D = 4, E = 5) { tensor Q[H, S, D]: f32 tensor K[H, S, D]: f32
 tensor V[H, S, E]: f32 tensor g[H]: f32 tensor O[H, S, E]: f32
 local st[H, S, D, E]: f32 = 0
 st[h, t, d, e] = g[h] * st[h, t - 1, d, e] + K[h, t, d] * V[h, t, e]
 O[h, t, e] = sum(d) Q[h, t, d] * st[h, t, d, e] }
)"},
    {"scan_and_end",
     R"(kernel scan_and_end(T = 8, D = 6) { tensor x[T, D]: f32 tensor y[T, D]: f32
 tensor last[D]: f32
 local h[T, D]: f32 = 1
 h[t, d] = 0.5 * h[t - 1, d] + x[t, d]
 y[t, d] = h[t, d] * x[t, d]
 last[d] = h[T - 1, d] }
)"},
    {"lower_triangle",
     R"(kernel lower(N = 9) { tensor A[N, N]: f32 tensor Y[N, N]: f32
 Y[i, j] = A[i, j] * A[j, i] where j <= i }
)"},
    {"band",
     R"(kernel band(N = 12) { tensor A[N, N]: f32 tensor Y[N, N]: f32
 Y[i, j] = sum(k) A[i, k] where j <= i + 2 and i <= j + 1 }
)"},
    {"plain_attention",
     R"(kernel plain(H = 2, S = 11, T = 9, D = 3) { tensor Q[H, S, D]: f32 tensor K[H, T, D]: f32
 tensor V[H, T, D]: f32 tensor O[H, S, D]: f32 tensor L[H, S]: f32
 local s[H, S, T]: f32 local m[H, S]: f32 local p[H, S, T]: f32 local l[H, S]: f32
 s[h, i, j] = sum(d) Q[h, i, d] * K[h, j, d]
 m[h, i] = max(j) s[h, i, j]
 p[h, i, j] = exp(s[h, i, j] - m[h, i])
 l[h, i] = sum(j) p[h, i, j]
 O[h, i, e] = (sum(j) p[h, i, j] * V[h, j, e]) / l[h, i]
 L[h, i] = m[h, i] + log(l[h, i]) }
)"},
    {"plain_statistics",
     R"(kernel statistics(M = 7, N = 13) { tensor X[M, N]: f32 tensor top[M]: f32 tensor Z[M]: f32
 tensor mean[M]: f32
 top[i] = max(j) X[i, j]
 Z[i] = sum(j) exp(X[i, j] - top[i])
 mean[i] = (sum(j) exp(X[i, j] - top[i]) * X[i, j]) / Z[i] }
)"},
    {"low_rank",
     R"(kernel low_rank(M = 5, K = 24, N = 6, R = 3) { tensor X[M, K]: f32 tensor W[K, N]: f32
 tensor A[K, R]: f32 tensor B[R, N]: f32 tensor Y[M, N]: f32
 local t[M, R]: f32
 t[i, r] = sum(k) X[i, k] * A[k, r]
 Y[i, o] = (sum(k) X[i, k] * W[k, o]) + (sum(r) t[i, r] * B[r, o]) }
)"},
    {"short_second_layer",
     R"(kernel second(M = 5, K = 32, H = 4, N = 6) { tensor X[M, K]: f32 tensor V[K, H]: f32
 tensor W[H, N]: f32 tensor Y[M, N]: f32
 local t[M, H]: f32 local h[M, H]: f32
 t[i, f] = sum(k) X[i, k] * V[k, f]
 h[i, f] = max(t[i, f], 0)
 Y[i, n] = sum(f) h[i, f] * W[f, n] }
)"},
    {"plain_window",
     R"(kernel plain_window(S = 13, D = 3, W = 4) { tensor Q[S, D]: f32 tensor K[S, D]: f32
 tensor V[S, D]: f32 tensor O[S, D]: f32
 local s[S, S]: f32 local m[S]: f32
 s[i, j] = sum(d) Q[i, d] * K[j, d] where j <= i, j > i - W
 m[i] = max(j) s[i, j] where j <= i, j > i - W
 O[i, e] = (sum(j) exp2(s[i, j] - m[i]) * V[j, e]) / (sum(j) exp2(s[i, j] - m[i]))
   where j <= i, j > i - W }
)"},
    {"plain_mask",
     R"(kernel plain_mask(S = 12, D = 3) { tensor Q[S, D]: f32 tensor K[S, D]: f32
 tensor V[S, D]: f32 tensor O[S, D]: f32
 local s[S, S]: f32 local m[S]: f32 local p[S, S]: f32
 s[i, j] = select(j >= i, sum(d) Q[i, d] * K[j, d], -inf)
 m[i] = max(j) s[i, j]
 p[i, j] = exp(s[i, j] - m[i])
 O[i, e] = (sum(j) V[j, e] * p[i, j]) / (sum(j) p[i, j]) }
)"},
    {"band_attention",
     R"(kernel windowed(H = 2, S = 13, D = 3, W = 4) { tensor Q[H, S, D]: f32 tensor K[H, S, D]: f32
 tensor V[H, S, D]: f32 tensor O[H, S, D]: f32
 local s[H, S, S]: f32 local m[H, S, S]: f32 = -inf local p[H, S, S]: f32 local c[H, S, S]: f32
 local l[H, S, S]: f32 = 0 local o[H, S, S, D]: f32 = 0
 s[h, i, j] = sum(d) Q[h, i, d] * K[h, j, d] where j <= i, j > i - W
 m[h, i, j] = max(m[h, i, j - 1], s[h, i, j]) where j <= i, j > i - W
 p[h, i, j] = exp(s[h, i, j] - m[h, i, j]) where j <= i, j > i - W
 c[h, i, j] = exp(m[h, i, j - 1] - m[h, i, j]) where j <= i, j > i - W
 l[h, i, j] = l[h, i, j - 1] * c[h, i, j] + p[h, i, j] where j <= i, j > i - W
 o[h, i, j, d] = o[h, i, j - 1, d] * c[h, i, j] + p[h, i, j] * V[h, j, d] where j <= i, j > i - W
 O[h, i, d] = o[h, i, i, d] / l[h, i, i] }
)"},
    {"lower_cholesky",
     R"(kernel chol(B = 3, N = 8) { tensor A[B, N, N]: f32 tensor L[B, N, N]: f32
 L[b, i, j] = A[b, i, j] - sum(k) L[b, i, k] * L[b, j, k] where k < j and j < i
 L[b, i, j] = A[b, i, j] - sum(k) L[b, i, k] * L[b, i, k] where k < j and i == j }
)"},
    {"argmax",
     R"(kernel am(B = 5, N = 9) { tensor X[B, N]: bf16 tensor w[N]: f32 tensor Y[B]: i32
 tensor Z[B]: i32
 Y[b] = argmax(n) X[b, n]
 Z[b] = argmin(n) X[b, n] * w[n] where n >= 2 }
)"},
    {"grouped_heads",
     R"(kernel gqa(H = 6, G = 3, S = 8, D = 4) { tensor Q[H, S, D]: f32 tensor K[H / G, S, D]: f32
 tensor V[H / G, S, D]: f32 tensor O[H, S, D]: f32
 local P[H, S, S]: f32 local m[H, S]: f32 local l[H, S]: f32
 P[h, i, j] = sum(d) Q[h, i, d] * K[h / G, j, d]
 m[h, i] = max(j) P[h, i, j]
 l[h, i] = sum(j) exp(P[h, i, j] - m[h, i])
 O[h, i, e] = (sum(j) exp(P[h, i, j] - m[h, i]) * V[h / G, j, e]) / l[h, i] }
)"},
    {"upsampling",
     R"(kernel up(C = 3, H = 8, W = 12) { tensor X[C, H / 2, W / 4]: f32 tensor Y[C, H, W]: f32
 Y[c, i, j] = X[c, i / 2, div(j, 4)] }
)"},
    {"pixel_shuffle",
     R"(kernel shuffle(C = 2, H = 6, W = 8) { tensor X[4 * C, H / 2, W / 2]: f32
 tensor Y[C, H, W]: f32
 Y[c, i, j] = X[4 * c + 2 * mod(i, 2) + mod(j, 2), i / 2, j / 2] }
)"},
    {"quotient_at_an_odd_end",
     R"(kernel odd(N = 13) { tensor X[7]: f32 tensor Y[N]: f32
 for i in 0..14
 Y[i] = X[i / 2] * i where i < N }
)"},
    {"two_divisors",
     R"(kernel both(N = 24) { tensor X[N / 6]: f32 tensor Z[N / 2]: f32 tensor Y[N]: f32
 Y[i] = X[i / 6] * Z[i / 2] + i }
)"},
    {"group_norm",
     R"(kernel group_norm(B = 3, C = 6, G = 2, S = 5) { tensor X[B, C, S]: f32
 tensor Y[B, C, S]: f32 local m[B, C / G]: f32
 for r in 0..G
 m[b, k] = (sum(r, s) X[b, G * k + r, s]) / (G * S)
 Y[b, c, s] = X[b, c, s] - m[b, c / G] }
)"},
    {"select_guards",
     R"(kernel pad(M = 7, N = 5) { tensor A[M, N]: f32 tensor Y[M + 2, N + 1]: f32
 Y[i, j] = select(i >= 1 and i <= M and not (j >= N), A[i - 1, j], 0.25) }
)"},
    {"antidiag",
     R"(kernel conv_full(N = 20, M = 6) { tensor A[N]: f32 tensor B[M]: f32 tensor Y[N + M - 1]: f32
 Y[i] = sum(k) A[i - k] * B[k] where k <= i, i - k <= N - 1 }
)"},
    {"attention3",
     R"(kernel attention3(S = 9, D = 8) { tensor Q[S, D]: f32 tensor K[S, D]: f32
  tensor V[S, D]: f32 tensor O[S, D]: f32
 local s[S, S]: f32 local m[S]: f32 local p[S, S]: f32 local l[S]: f32
 s[i, j] = sum(d) Q[i, d] * K[j, d]
 m[i] = max(j) s[i, j]
 p[i, j] = exp(s[i, j] - m[i])
 l[i] = sum(j) p[i, j]
 O[i, d] = (sum(j) p[i, j] * V[j, d]) / l[i] }
)"},
    {"avgpool_same", R"(kernel pool_same(H = 12, W = 12) { tensor I[H, W]: f32 tensor O[H, W]: f32
 for r in 0..3, s in 0..3
 O[p, q] = max(r, s) I[p + r - 1, q + s - 1] where p + r >= 1, p + r <= H, q + s >= 1, q + s <= W }
)"},
    {"bilinear",
     R"(kernel bilinear2x(H = 10, W = 8) { tensor I[H + 1, W + 1]: f32 tensor O[2 * H, 2 * W]: f32
 for p in 0..H, q in 0..W
 O[2 * p, 2 * q] = I[p, q]
 O[2 * p + 1, 2 * q] = 0.5 * (I[p, q] + I[p + 1, q])
 O[2 * p, 2 * q + 1] = 0.5 * (I[p, q] + I[p, q + 1])
 O[2 * p + 1, 2 * q + 1] = 0.25 * (I[p, q] + I[p, q + 1] + I[p + 1, q] + I[p + 1, q + 1]) }
)"},
    {"bn_train",
     R"(kernel bn(N = 8, C = 6, P = 20) { tensor X[N, C, P]: f32 tensor Y[N, C, P]: f32
  local m[C]: f32 local v[C]: f32
 m[c] = (sum(n, p) X[n, c, p]) / (N * P)
 v[c] = (sum(n, p) (X[n, c, p] - m[c]) * (X[n, c, p] - m[c])) / (N * P)
 Y[n, c, p] = (X[n, c, p] - m[c]) * rsqrt(v[c] + 0.001) }
)"},
    {"causal_conv_sum",
     R"(kernel tri(N = 12, M = 8) { tensor A[N, N]: f32 tensor B[N, M]: f32 tensor Y[N, M]: f32
 Y[i, j] = sum(k) A[i, k] * B[k, j] where k <= i }
)"},
    {"concat",
     R"(kernel concat(N = 11, M = 9, D = 8) { tensor A[N, D]: f32 tensor B[M, D]: f32
  tensor Y[N + M, D]: f32
 Y[i, d] = A[i, d] where i < N
 Y[j + N, d] = B[j, d] where j < M }
)"},
    {"cosine",
     R"(kernel cosine(N = 11, D = 16) { tensor A[N, D]: f32 tensor B[N, D]: f32 tensor Y[N]: f32
 Y[i] = (sum(d) A[i, d] * B[i, d]) / sqrt((sum(d) A[i, d] * A[i, d]) * (sum(d) B[i, d] * B[i, d])) }
)"},
    {"cumprod", R"(kernel cumprod(T = 20, N = 8) { tensor X[T, N]: f32 tensor Y[T, N]: f32
 Y[t, i] = Y[t - 1, i] * X[t, i] where t >= 1
 Y[0, i] = X[0, i] }
)"},
    {"cumsum2", R"(kernel cumsum2(N = 12, M = 10) { tensor X[N, M]: f32 tensor Y[N, M]: f32
 local r[N, M]: f32 = 0
 r[i, j] = r[i, j - 1] + X[i, j]
 local c[N, M]: f32 = 0
 c[i, j] = c[i - 1, j] + r[i, j]
 Y[i, j] = c[i, j] }
)"},
    {"dft", R"(kernel dft(N = 16) { tensor X[N]: f32 tensor A[N]: f32 tensor B[N]: f32
 A[k] = sum(n) X[n] * cos(6.283185307 * k * n / N)
 B[k] = sum(n) X[n] * sin(6.283185307 * k * n / N) }
)"},
    {"ema", R"(kernel ema(T = 13, N = 20) { tensor X[T, N]: f32 tensor Y[T, N]: f32
 local e[T, N]: f32 = 0
 e[t, i] = 0.9 * e[t - 1, i] + 0.1 * X[t, i]
 Y[t, i] = e[t, i] }
)"},
    {"gqa_split",
     R"(kernel gqa(A = 2, B = 4, S = 10, D = 8) { tensor Q[A * B, S, D]: f32 tensor K[A, S, D]: f32
  tensor Y[A * B, S, S]: f32
 for b in 0..B
 Y[B * a + b, i, j] = sum(d) Q[B * a + b, i, d] * K[a, j, d] }
)"},
    {"gru",
     R"(kernel gru(T = 12, H = 16, D = 8) { tensor X[T, D]: f32 tensor W[D, H]: f32
  tensor U[H, H]: f32 tensor Y[T, H]: f32
 local h[T, H]: f32 = 0
 local z[T, H]: f32
 z[t, j] = sigmoid(sum(d) X[t, d] * W[d, j] + sum(k) h[t - 1, k] * U[k, j])
 h[t, j] = (1 - z[t, j]) * h[t - 1, j] + z[t, j] * tanh(sum(d) X[t, d] * W[d, j])
 Y[t, j] = h[t, j] }
)"},
    {"haar", R"(kernel haar(N = 16) { tensor X[2 * N]: f32 tensor Y[2 * N]: f32
 for i in 0..N
 Y[i] = (X[2 * i] + X[2 * i + 1]) / 2
 Y[i + N] = (X[2 * i] - X[2 * i + 1]) / 2 }
)"},
    {"im2col",
     R"(kernel im2col(C = 3, H = 10, W = 10, R = 3, P = H - R + 1, Q = W - R + 1) {
  tensor I[C, H, W]: f32 tensor Y[P * Q, C * R * R]: f32
 for p in 0..P, q in 0..Q, r in 0..R, s in 0..R
 Y[Q * p + q, R * R * c + R * r + s] = I[c, p + r, q + s] }
)"},
    {"interout",
     R"(kernel interout(N = 20, M = 10, K = 10) { tensor X[N, M]: f32 tensor W[M, K]: f32
  tensor H[N, K]: f32 tensor Y[N, K]: f32
 H[i, k] = sum(j) X[i, j] * W[j, k]
 Y[i, k] = relu(H[i, k]) }
)"},
    {"kron",
     R"(kernel kron(A = 4, B = 3, C = 5, D = 2) { tensor X[A, B]: f32 tensor Y[C, D]: f32
  tensor Z[A * C, B * D]: f32
 Z[C * i + k, D * j + l] = X[i, j] * Y[k, l] }
)"},
    {"maxargfilter", R"(kernel relu6(N = 10) { tensor X[N]: f32 tensor Y[N]: f32
 Y[i] = min(max(X[i], 0), 6) }
)"},
    {"mse", R"(kernel mse(N = 33) { tensor A[N]: f32 tensor B[N]: f32 tensor L[1]: f32
 L[0] = (sum(i) (A[i] - B[i]) * (A[i] - B[i])) / N }
)"},
    {"nms",
     R"(kernel topgate(T = 12, X = 8) { tensor G[T, X]: f32 tensor Y[T, X]: f32 local m[T]: f32
 m[t] = max(x) G[t, x]
 Y[t, x] = select(G[t, x] == m[t], 1, 0) }
)"},
    {"outerbias",
     R"(kernel outerbias(N = 10, M = 20) { tensor a[N]: f32 tensor b[M]: f32 tensor Y[N, M]: f32
 Y[i, j] = a[i] * b[j] + 1 }
)"},
    {"pad", R"(kernel pad(N = 20, P = 2) { tensor X[N]: f32 tensor Y[N + 2 * P]: f32
 for i in 0..N + 2 * P
 Y[i] = X[i - P] where i >= P, i < N + P
 Y[i] = 0 where i < P
 Y[i] = 0 where i >= N + P }
)"},
    {"interleaved",
     R"(kernel interleaved(L = 11) { tensor X[L]: f32 tensor Z[L]: f32 tensor Y[2 * L]: f32
 Y[2 * a + 1] = X[a] + a * Z[a]  where a < L
 Y[2 * b] = X[b] - b + (sum(k) Z[k])  where b < L, k <= b }
)"},
    {"interleaved_squares",
     R"(kernel squares(H = 5, W = 6) { tensor X[H, W]: f32 tensor Y[2 * H, 2 * W]: f32
 Y[2 * a, 2 * b] = X[a, b]
 Y[2 * c + 1, 2 * d] = X[c, d] - c
 Y[2 * e, 2 * f + 1] = 2 * X[e, f]
 Y[2 * g + 1, 2 * h + 1] = X[g, h] + h }
)"},
    {"pairdist",
     R"(kernel pairdist(N = 11, M = 10, D = 12) { tensor A[N, D]: f32 tensor B[M, D]: f32
  tensor Y[N, M]: f32
 Y[i, j] = sqrt(sum(d) (A[i, d] - B[j, d]) * (A[i, d] - B[j, d])) }
)"},
    {"polyval",
     R"(kernel polyval(N = 10, K = 6) { tensor x[N]: f32 tensor c[K]: f32 tensor Y[N]: f32
 Y[i] = sum(k) c[k] * pow(x[i], k) }
)"},
    {"rank", R"(kernel rank(N = 16) { tensor X[N]: f32 tensor Y[N]: i32
 Y[i] = sum(j) (X[j] < X[i] or X[j] == X[i] and j < i) }
)"},
    {"reverse_scan", R"(kernel reverse_scan(T = 20, N = 6) { tensor X[T, N]: f32 tensor Y[T, N]: f32
 local s[T, N]: f32 = 0
 s[u, i] = s[u - 1, i] + X[T - 1 - u, i]
 Y[T - 1 - u, i] = s[u, i] }
)"},
    {"roll", R"(kernel roll(N = 20) { tensor X[N]: f32 tensor Y[N]: f32
 Y[i] = X[i - 3] where i >= 3
 Y[i] = X[i + N - 3] where i < 3 }
)"},
    {"softmax0",
     R"(kernel softmax0(N = 11, M = 10) { tensor X[N, M]: f32 tensor Y[N, M]: f32 local m[M]: f32
  local s[M]: f32
 m[j] = max(i) X[i, j]
 s[j] = sum(i) exp(X[i, j] - m[j])
 Y[i, j] = exp(X[i, j] - m[j]) / s[j] }
)"},
    {"spmm_block",
     R"(kernel bandmm(N = 12, W = 4, M = 8) { tensor A[N, N]: f32 tensor B[N, M]: f32
  tensor Y[N, M]: f32
 Y[i, j] = sum(k) A[i, k] * B[k, j] where k - i <= W, i - k <= W }
)"},
    {"toeplitz",
     R"(kernel toeplitz(N = 20) { tensor c[2 * N - 1]: f32 tensor x[N]: f32 tensor Y[N]: f32
 Y[i] = sum(j) c[i - j + N - 1] * x[j] }
)"},
    {"trace", R"(kernel trace(N = 10) { tensor X[N, N]: f32 tensor Y[1]: f32
 Y[0] = sum(i) X[i, i] }
)"},
    {"tril", R"(kernel tril(N = 10) { tensor X[N, N]: f32 tensor Y[N, N]: f32
 Y[i, j] = select(j <= i, X[i, j], 0) }
)"},
    {"twoout",
     R"(kernel minmax(N = 20, M = 10) { tensor X[N, M]: f32 tensor A[N]: f32 tensor B[N]: f32
 A[i] = max(j) X[i, j]
 B[i] = min(j) X[i, j] }
)"},
    {"vandermonde", R"(kernel vandermonde(N = 10, K = 6) { tensor x[N]: f32 tensor Y[N, K]: f32
 Y[i, k] = pow(x[i], k) }
)"},
    {"lstm",
     R"(kernel lstm_cell(B = 8, H = 16, D = 12) { tensor X[B, D]: f32 tensor Hp[B, H]: f32
  tensor Cp[B, H]: f32 tensor W[D, 4 * H]: f32 tensor U[H, 4 * H]: f32 tensor C[B, H]: f32
  tensor Y[B, H]: f32
 for h in 0..H
 local g[B, 4 * H]: f32 local c[B, H]: f32
 g[b, j] = sum(d) X[b, d] * W[d, j] + sum(k) Hp[b, k] * U[k, j]

 c[b, h] = sigmoid(g[b, h + H]) * Cp[b, h] + sigmoid(g[b, h]) * tanh(g[b, h + 2 * H])
 C[b, h] = c[b, h]
 Y[b, h] = sigmoid(g[b, h + 3 * H]) * tanh(c[b, h]) }
)"},
};

class Forms : public testing::TestWithParam<Form> {};

TEST_P(Forms, ComputeWhatTheyMean) {
  for (const bool torus : {false, true}) {
    const test::Problem problem =
        test::makeProblem(torus ? test::smallTorus(3, 2) : test::smallMesh(2, 3), GetParam().text);
    const test::LineCheck line(problem);
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      line.run(test::randomMapping(problem, seed));
      if (HasFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Forms, testing::ValuesIn(kForms),
                         [](const auto& form) { return std::string(form.param.name); });

}  // namespace
}  // namespace gridloom::kernel_forms_property
