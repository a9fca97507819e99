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

}  // namespace gridloom::service
