// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace gridloom::fuzz {

/// Numbers that are the same on every machine for the same seed (SplitMix64).
class Random {
 public:
  explicit Random(std::uint64_t seed) : m_state(seed) {}

  std::uint64_t next() {
    m_state += 0x9E3779B97F4A7C15U;
    std::uint64_t z = m_state;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
  }
  /// From 0 to `count` - 1; 0 of none.
  std::size_t below(std::size_t count) { return count == 0 ? 0 : next() % count; }
  bool oneIn(std::size_t count) { return below(count) == 0; }
  template <class T> const T& of(std::span<const T> values) { return values[below(values.size())]; }

 private:
  std::uint64_t m_state;
};

}  // namespace gridloom::fuzz
