// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "report/table.h"

namespace gridloom::report {

using Number = std::optional<double>;

/// Cells with a rounded text for the screen and the exact value for files; "-" and nothing where
/// there is no number.
Cell numberCell(Number value);   ///< four significant digits, whole numbers from 1000 on
Cell ratioCell(Number value);    ///< two digits behind the point
Cell shareCell(Number value);    ///< per cent
Cell cyclesCell(double cycles);  ///< as cyclesText rounds

/// None unless both are there and positive.
Number ratioOf(Number a, Number b);

}  // namespace gridloom::report
