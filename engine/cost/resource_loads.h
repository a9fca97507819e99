// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cstddef>
#include <span>

#include "cost/movement_cost.h"

/// Sums of resource loads: the cycles for which each resource that can dominate is busy.
namespace gridloom::cost {

/// Four entries at a time, so that no addition waits for the one before.
using FourRows = Eigen::Map<Eigen::Array4d>;
using ConstFourRows = Eigen::Map<const Eigen::Array4d>;

/// Adds `weight` bytes per core of an option's transfers.
inline void accumulate(double* rows, const FlatCost& o, double weight, std::size_t count) {
  const double* pattern = o.pattern->resourceLoads.data();
  for (std::size_t r = 0; r < count; ++r) rows[r] += weight * pattern[r];
  if (o.partial == 1) return;
  const double* stored = o.pattern->transferLoads.data();
  const double more = weight * (o.partial - 1);
  for (std::size_t r = 0; r < count; ++r) rows[r] += more * (pattern[r] - stored[r]);
}

/// The same for its load alone.
inline void accumulateLoad(double* rows, const FlatCost& o, double weight, std::size_t count) {
  const double* load = o.pattern->load().data();
  for (std::size_t r = 0; r < count; ++r) rows[r] += weight * load[r];
}

/// The largest of the waits at resources that a transfer uses.
inline double largestAt(std::span<const double> waits, std::span<const double> uses) {
  double most = 0;
  for (std::size_t r = 0; r < waits.size(); ++r) {
    if (uses[r] > 0) most = std::max(most, waits[r]);
  }
  return most;
}

inline double maximum(const double* rows, std::size_t count) {
  Eigen::Array4d most = Eigen::Array4d::Zero();
  std::size_t r = 0;
  for (; r + 4 <= count; r += 4) most = most.max(ConstFourRows(rows + r));
  for (; r < count; ++r) most[0] = std::max(most[0], rows[r]);
  return most.maxCoeff();
}

/// The largest entry of the sum of two load vectors; `count` is a multiple of four.
inline double largestSum(const double* a, const double* b, std::size_t count) {
  Eigen::Array4d most = Eigen::Array4d::Zero();
  for (std::size_t r = 0; r < count; r += 4) {
    most = most.max(ConstFourRows(a + r) + ConstFourRows(b + r));
  }
  return most.maxCoeff();
}

/// The same over the entries to which `b` adds.
inline double largestSumWhere(const double* a, const double* b, std::size_t count) {
  Eigen::Array4d most = Eigen::Array4d::Zero();
  for (std::size_t r = 0; r < count; r += 4) {
    const ConstFourRows added(b + r);
    most = most.max((added > 0).select(ConstFourRows(a + r) + added, 0.0));
  }
  return most.maxCoeff();
}

/// The sum of two load vectors.
inline void add(const double* a, const double* b, double* sum, std::size_t count) {
  for (std::size_t r = 0; r < count; r += 4) {
    FourRows(sum + r) = ConstFourRows(a + r) + ConstFourRows(b + r);
  }
}

}  // namespace gridloom::cost
