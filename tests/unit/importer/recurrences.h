// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "original.h"

namespace gridloom::test {

/// The values that a call gives to arguments that are numbers, and to the grid.
std::map<std::string, std::int64_t> settingsOf(const Call& call);
/// Elements of the call's result when the imported kernels are interpreted on the sample values;
/// nothing, and a failure of the test, where they cannot be.
std::vector<double> computed(const Call& call, const std::string& kernels);

}  // namespace gridloom::test
