// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gridloom::importer {

/// The number of a loop in `Loops`. All loops start at 0 and have step 1.
using Loop = int;

/// An affine form over loops: a constant and a coefficient per loop. No coefficient is 0.
struct Linear {
  std::int64_t constant = 0;
  std::map<Loop, std::int64_t> terms;

  static Linear of(std::int64_t value) { return {value, {}}; }
  static Linear loop(Loop number) { return {0, {{number, 1}}}; }
  bool isConstant() const { return terms.empty(); }
  std::int64_t coefficient(Loop loop) const;
  /// The loop where the form is a loop and nothing else.
  std::optional<Loop> asLoop() const;
  friend bool operator==(const Linear&, const Linear&) = default;
};

Linear operator+(const Linear& a, const Linear& b);
Linear operator-(const Linear& a, const Linear& b);
Linear operator*(const Linear& a, std::int64_t factor);

/// The loops of an imported program, with their extents. A loop may be divided into two: forms
/// that name it are then rewritten by `normal`.
class Loops {
 public:
  Loop add(std::int64_t extent);
  std::int64_t extent(Loop loop) const { return m_loops[static_cast<std::size_t>(loop)].extent; }
  void setExtent(Loop loop, std::int64_t extent) {
    m_loops[static_cast<std::size_t>(loop)].extent = extent;
  }

  /// The form with divided loops replaced by their parts.
  Linear normal(const Linear& form) const;
  /// Least and greatest value of a normal form.
  std::pair<std::int64_t, std::int64_t> range(const Linear& form) const;
  /// floor(form / divisor) and the remainder, as forms; a loop that runs over several multiples is
  /// divided where its extent allows it. Nothing where they are no affine forms.
  std::optional<std::pair<Linear, Linear>> divide(const Linear& form, std::int64_t divisor);

 private:
  struct Entry {
    std::int64_t extent = 1;
    std::optional<Linear> parts;  ///< what it was divided into
  };
  bool divideOneLoop(const Linear& form, std::int64_t divisor);
  std::vector<Entry> m_loops;
};

}  // namespace gridloom::importer
