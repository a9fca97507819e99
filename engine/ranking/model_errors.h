// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>

#include "ranking/mapping_structure.h"

namespace gridloom::ranking {

/// Learns how far predictions are from simulations, as the logarithm of simulated over predicted
/// cycles (the error). Errors are alike among mappings of one family, less so among those that only
/// share the kinds of movement.
class ModelErrors {
 public:
  void record(const Structure& of, double predicted, double simulated);

  /// The mean error and the typical deviation from it, as far as is known for this structure: of
  /// its family, else of the families with its kinds of movement, else none.
  struct Outlook {
    double error = 0;
    double deviation = 0;
  };
  Outlook outlook(const Structure& of) const;
  /// Root mean square of all errors.
  double typical() const;

 private:
  struct Group {
    double sum = 0;
    int count = 0;
    double mean() const { return sum / count; }
  };
  Outlook ofNewFamily(const Group& kinds) const;

  std::map<std::size_t, Group> m_families;  ///< errors of mappings
  std::map<std::size_t, Group> m_kinds;     ///< errors of the first mapping of each family
  double m_squares = 0;                     ///< sum of the squared errors
  double m_between = 0;                     ///< sum over families of sum^2 / count
  int m_count = 0;
};

}  // namespace gridloom::ranking
