// SPDX-License-Identifier: Apache-2.0
#include "report/number_cells.h"

#include <fmt/format.h>

#include <cmath>

#include "report/numbers.h"

namespace gridloom::report {

namespace {

/// Four significant digits for small numbers, whole numbers for large ones.
std::string shownNumber(double value) {
  if (std::abs(value) >= 1000) return cyclesText(value);
  return trimmed(value, std::abs(value) >= 100 ? 1 : (std::abs(value) >= 10 ? 2 : 3));
}

}  // namespace

Number ratioOf(Number a, Number b) {
  if (!a || !b || *a <= 0 || *b <= 0) return std::nullopt;
  return *a / *b;
}

Cell numberCell(Number value) {
  return value ? Cell{shownNumber(*value), exactText(*value)} : Cell{"-", ""};
}

Cell ratioCell(Number value) {
  return value ? Cell{fmt::format("{:.2f}", *value), exactText(*value)} : Cell{"-", ""};
}

Cell shareCell(Number value) {
  return value ? Cell{percentText(*value), exactText(*value)} : Cell{"-", ""};
}

Cell cyclesCell(double cycles) { return {cyclesText(cycles), exactText(cycles)}; }

}  // namespace gridloom::report
