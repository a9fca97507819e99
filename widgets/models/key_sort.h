// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace gridloom::widgets {

/// Sorts `rows`, which ascend, by the key of each: `keys[row]`, never NaN. Equal keys keep the
/// order of the rows in either direction. A radix sort: of 10^6 rows, comparisons take longer.
void sortByKey(std::vector<int>& rows, const std::vector<double>& keys, bool down);

}  // namespace gridloom::widgets
