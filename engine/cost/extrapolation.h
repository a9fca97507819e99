// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace gridloom::cost {

/// Waiting in all tiles of a kernel from that in a part of them, along one loop after the other:
/// the further tiles of a loop wait as those between the half of the part and the part do. Along
/// two loops, this is exact where waiting is the sum of a constant, a term for each loop and one
/// for their product, as of a wavefront.
class LinearExtrapolation {
 public:
  /// `fewer`: what the loops before give where this loop has half of the part; `repeats`: how often
  /// the other half follows the part.
  void add(double fewer, double repeats) { m_loops.push_back({fewer, repeats}); }

  /// At least `waiting`, with which it grows.
  double of(double waiting) const;

 private:
  struct Loop {
    double fewer = 0, repeats = 0;
  };
  std::vector<Loop> m_loops;
};

/// The same where loops are tied, as in a factorisation, and share the tiles that are cut: a power
/// law through the part and its half, between a constant and a square.
class PowerExtrapolation {
 public:
  /// `before`: waiting in half of the part; `growth`: tiles of the part per tile of the half;
  /// `left`: tiles of the kernel per tile of the part.
  PowerExtrapolation(double before, double left, double growth);

  double of(double waiting) const;

 private:
  static constexpr double kSteepest = 2;
  double power(double waiting) const;

  double m_before, m_left, m_growth;
};

}  // namespace gridloom::cost
