// SPDX-License-Identifier: Apache-2.0
#include "report/statistics.h"

#include <cassert>
#include <cmath>
#include <cstddef>

namespace gridloom::report {

double geometricMean(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return values.empty() ? 1 : std::exp(sum / static_cast<double>(values.size()));
}

double geometricError(std::span<const double> ratios) {
  double sum = 0;
  for (const double ratio : ratios) sum += std::abs(std::log(ratio));
  return ratios.empty() ? 0 : std::exp(sum / static_cast<double>(ratios.size())) - 1;
}

double predictionRatio(double predicted, double simulated) {
  return predicted < 1 && simulated < 1 ? 1 : predicted / simulated;
}

double kendallTau(std::span<const double> a, std::span<const double> b) {
  assert(a.size() == b.size());
  double agreeing = 0, pairsOfA = 0, pairsOfB = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = i + 1; j < a.size(); ++j) {
      const int inA = (a[i] < a[j]) - (a[j] < a[i]);
      const int inB = (b[i] < b[j]) - (b[j] < b[i]);
      agreeing += inA * inB;
      pairsOfA += inA != 0;
      pairsOfB += inB != 0;
    }
  }
  return pairsOfA > 0 && pairsOfB > 0 ? agreeing / std::sqrt(pairsOfA * pairsOfB) : 0;
}

}  // namespace gridloom::report
