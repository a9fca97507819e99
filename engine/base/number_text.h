// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace gridloom::base {

/// Numbers formatted for people.

std::string grouped(std::int64_t value);  ///< 1,234,567
std::string bytesText(double bytes);      ///< 96 MiB, 1,464 KiB, 12.5 KiB
/// At most `decimals` decimals; none for a whole number.
std::string trimmed(double value, int decimals);

}  // namespace gridloom::base
