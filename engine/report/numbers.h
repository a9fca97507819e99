// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/number_text.h"

namespace gridloom::report {

/// Numbers formatted for people.

using base::bytesText;
using base::grouped;
using base::trimmed;

std::string cyclesText(double cycles);           ///< 1,234,567 (rounded to whole cycles)
std::string countText(double value);             ///< 137.4 G, 1.2 k
std::string flopRateText(double flopPerSecond);  ///< 65.5 TFLOP/s
std::string secondsText(double seconds);         ///< 2.93 ms
std::string clockText(double hertz);             ///< 1 GHz
std::string percentText(double fraction);        ///< 71.6%
std::string changeText(double fraction);         ///< +3.2%, -0.7%, 0.0%
/// Shortest decimal text that reads back as the same number.
std::string exactText(double value);

}  // namespace gridloom::report
