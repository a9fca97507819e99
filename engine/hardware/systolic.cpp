// SPDX-License-Identifier: Apache-2.0
#include "hardware/systolic.h"

#include <algorithm>
#include <cmath>

#include "base/units.h"

namespace gridloom::hardware {

SystolicShape::Work SystolicShape::workOf(std::int64_t m, std::int64_t n, std::int64_t k) const {
  switch (stationary) {
  case Stationary::Output:
    return {base::ceilDiv(m, rows) * base::ceilDiv(n, columns), k};
  case Stationary::Weight:
    return {base::ceilDiv(k, rows) * base::ceilDiv(n, columns), m};
  case Stationary::Input:
    return {base::ceilDiv(k, rows) * base::ceilDiv(m, columns), n};
  case Stationary::None:
    break;
  }
  return {};
}

SystolicShape systolicShape(const MatrixUnit& unit, double peak) {
  SystolicShape out;
  out.stationary = unit.systolic;
  switch (unit.systolic) {
  case Stationary::None:
    return out;
  case Stationary::Output:
    out.rows = unit.shape[0];
    out.columns = unit.shape[1];
    break;
  case Stationary::Weight:
    out.rows = unit.shape[2];
    out.columns = unit.shape[1];
    break;
  case Stationary::Input:
    out.rows = unit.shape[2];
    out.columns = unit.shape[0];
    break;
  }
  const double each = 2 * static_cast<double>(out.rows) * static_cast<double>(out.columns);
  out.arrays = std::max<std::int64_t>(1, std::llround(peak / each));
  return out;
}

std::string_view nameOf(Stationary stationary) {
  switch (stationary) {
  case Stationary::Output:
    return "output";
  case Stationary::Weight:
    return "weight";
  case Stationary::Input:
    return "input";
  case Stationary::None:
    break;
  }
  return "none";
}

}  // namespace gridloom::hardware
