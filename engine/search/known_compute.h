// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "cost/evaluator.h"
#include "mapping/space.h"

namespace gridloom::search {

/// Compute time of every choice of tile sizes. It depends on them and on the unrolling alone: the
/// spaces that place the same loops on other dimensions of the same sizes share it.
class KnownCompute {
 public:
  explicit KnownCompute(const cost::Evaluator& evaluator) : m_evaluator(evaluator) {}

  void startSpace(const mapping::SpaceChoice& choice, std::size_t loops, std::uint64_t tileSizes) {
    std::vector<std::int64_t> unroll(loops, 1);
    for (std::size_t d = 0; d < choice.space.size(); ++d) {
      if (choice.space[d].valid())
        unroll[choice.space[d].index()] *= m_evaluator.hardware().dims()[d].size;
    }
    m_cycles = &m_known[std::move(unroll)];
    m_cycles->resize(tileSizes, kUnknown);
  }
  double cycles(std::uint64_t tileSizes, const mapping::Tiling& tiling) {
    double& cycles = (*m_cycles)[tileSizes];
    if (cycles == kUnknown) cycles = m_evaluator.compute(tiling).total();
    return cycles;
  }

 private:
  static constexpr double kUnknown = -1;
  const cost::Evaluator& m_evaluator;
  std::map<std::vector<std::int64_t>, std::vector<double>> m_known;  ///< by unrolling
  std::vector<double>* m_cycles = nullptr;
};

}  // namespace gridloom::search
