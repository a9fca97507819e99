// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "report/table.h"

namespace gridloom::exchange {

/// RFC 4180 with `\n` line ends: the exact values of a table under its columns' file names.
std::string csvText(const report::Table& table);

}  // namespace gridloom::exchange
