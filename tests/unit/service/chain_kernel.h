// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "service/workspace.h"

namespace gridloom::service {

/// Three products, each of which needs the one before.
inline constexpr const char* kChain = R"(kernel chain(N = 96) {
  tensor A[N, N]: f16
  tensor B[N, N]: f16
  tensor C[N, N]: f16
  tensor D[N, N]: f16
  tensor Y[N, N]: f16
  local t[N, N]: f32
  local u[N, N]: f32

  t[i, j] = sum(k) A[i, k] * B[k, j]
  u[i, l] = sum(j) t[i, j] * C[j, l]
  Y[i, m] = sum(l) u[i, l] * D[l, m]
}
)";

inline KernelRef openedKernel(const std::string& text) {
  auto kernel = openKernel(base::makeSource("k.rec", text), {});
  EXPECT_TRUE(kernel) << base::render(kernel.diagnostics());
  return *kernel;
}

/// What is summed over the paths at their end, in one statement with another sum, and in two.
inline const char* const kPaths = R"(kernel paths(T = 5, P = 12) {
  tensor Z[T, P]: f32  tensor w[P]: f32  tensor mean[1]: f32  tensor best[1]: f32
  local s[T, P]: f32 = 1  local m[T, P]: f32 = 0
  s[t, p] = s[t - 1, p] * exp(Z[t, p])
  m[t, p] = max(m[t - 1, p], s[t, p])
  mean[0] = (sum(p) select(s[T - 1, p] > 1, s[T - 1, p] - 1, 0)) / (sum(p) w[p] * m[T - 1, p])
  best[0] = (max(p) (m[T - 1, p] - s[T - 1, p])) + mean[0]
}
)";

}  // namespace gridloom::service
