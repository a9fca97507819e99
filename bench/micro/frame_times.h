// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <vector>

/// Runs `frame(number)` as often as the benchmark says; counters p50, p95 and max are of single
/// frames, in ms.
template <class Frame> void measureFrames(benchmark::State& state, const Frame& frame) {
  std::vector<double> milliseconds;
  int number = 0;
  for (auto _ : state) {
    const auto begin = std::chrono::steady_clock::now();
    frame(number++);
    milliseconds.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
            .count());
  }
  std::ranges::sort(milliseconds);
  const auto last = static_cast<double>(milliseconds.size() - 1);
  state.counters["p50"] = milliseconds[static_cast<std::size_t>(0.5 * last)];
  state.counters["p95"] = milliseconds[static_cast<std::size_t>(0.95 * last)];
  state.counters["max"] = milliseconds.back();
}
