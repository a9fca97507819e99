// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cost/estimate.h"
#include "kernel/interpreter.h"
#include "mapping/constraints.h"
#include "simulate/simulation.h"
#include "support/problem.h"

namespace gridloom::test {

/// A legal mapping under constraints, the same for one seed.
std::optional<mapping::Mapping>
sampled(const Problem& problem, const mapping::Constraints& constraints, std::uint64_t seed);

/// Takes mappings of one problem through the whole line, with values.
class LineCheck {
 public:
  explicit LineCheck(const Problem& problem);

  struct Run {
    cost::Estimate predicted;
    simulate::Simulation simulated;
  };
  /// Expects a legal mapping, a schedule that is sound and takes the local memory it should, the
  /// interpreter's values, and the bytes written to global memory that the model says. Nothing
  /// after a failure.
  std::optional<Run> run(const mapping::Mapping& mapping) const;

 private:
  const Problem& m_problem;
  kernel::TensorValues m_inputs, m_expected;
};

/// How far prediction and simulation are apart over mappings with blocks of at least 16 in the
/// loops of matrix products.
struct Agreement {
  int mappings = 0;
  double error = 0;  ///< geometric mean of the larger over the smaller, minus 1
};
Agreement agreementOf(const Problem& problem, const std::vector<mapping::Mapping>& mappings);

/// Expects the search to find what looking at every point finds.
void expectExactSearch(const Problem& problem, const mapping::Constraints& constraints, int top);

}  // namespace gridloom::test
