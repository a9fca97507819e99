// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace gridloom::base {

/// Numbers as people read them.

std::string grouped(std::int64_t value);  ///< 1,234,567
std::string bytesText(double bytes);      ///< 96 MiB, 1,464 KiB, 12.5 KiB
/// At most `decimals` of them, none when the number is whole.
std::string trimmed(double value, int decimals);

}  // namespace gridloom::base
