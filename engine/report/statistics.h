// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace gridloom::report {

/// Geometric mean of positive numbers; 1 for none.
double geometricMean(std::span<const double> values);

/// Typical factor by which positive ratios miss 1, minus 1: exp(mean |ln ratio|) - 1.
double geometricError(std::span<const double> ratios);

/// Predicted cycles over simulated ones, for errors. 1 where both are below a cycle: on machines
/// whose description gives no cost to what a kernel does.
double predictionRatio(double predicted, double simulated);

/// Kendall's tau-b of two rankings of equal length: 1 for the same order, -1 for the reverse. Ties
/// count as neither. 0 when one of them has only equal values.
double kendallTau(std::span<const double> a, std::span<const double> b);

}  // namespace gridloom::report
