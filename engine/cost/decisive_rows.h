// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "base/progress.h"

namespace gridloom::cost {

/// Resources that can be the most loaded one of a sum of loads, each weighed as may be: one that another
/// resource covers in every load never is. The heavier of two equal ones stands for both. Once `progress` is
/// cancelled, the list is cut short.
std::vector<std::size_t> decisiveRows(const std::vector<const std::vector<double>*>& loads,
                                      std::size_t resources, const base::Progress* progress);

}  // namespace gridloom::cost
