// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "simulate/simulation.h"

namespace gridloom::widgets {

/// How many of some cores are in each state over time. Answers for any interval exactly, in a time
/// that depends neither on the number of cores nor on the length of the interval.
class StateSteps {
 public:
  /// One core changes its state.
  struct Step {
    double cycle = 0;
    simulate::State before = simulate::State::Idle, after = simulate::State::Idle;
    friend bool operator==(const Step&, const Step&) = default;
  };
  /// Cores per state.
  using Counts = std::array<std::int32_t, simulate::kStates>;
  /// Cycles per state, summed over the cores.
  using Times = std::array<double, simulate::kStates>;

  StateSteps() = default;
  /// `steps` by cycle. All cores are idle before them.
  StateSteps(std::vector<Step> steps, std::int32_t cores);

  std::int32_t cores() const { return m_cores; }
  const std::vector<Step>& steps() const { return m_steps; }
  friend bool operator==(const StateSteps& a, const StateSteps& b) {
    return a.m_cores == b.m_cores && a.m_steps == b.m_steps;
  }
  Counts at(double cycle) const;
  /// Shares of the cores' time in each state between the edges of columns: `shares[i]` is that from
  /// `begin + i * width` on, over `width` cycles; each sums to 1.
  void shares(double begin, double width, std::vector<std::array<float, simulate::kStates>>& shares,
              std::size_t columns) const;

 private:
  struct Sum {
    Counts counts{};
    Times times{};  ///< until the cycle of the step
  };
  /// Steps before or at `cycle`; `from` is a lower bound.
  std::size_t indexAt(double cycle, std::size_t from) const;
  /// The state after `index` steps.
  Sum sumAfter(std::size_t index) const;

  std::int32_t m_cores = 0;
  std::vector<Step> m_steps;
  std::vector<Sum> m_sums;  ///< after every kStride-th step, 0 included
};

}  // namespace gridloom::widgets
