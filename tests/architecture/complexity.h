// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gridloom::architecture {

/// A function with a body, and how many ways lead through it: 1, and one more for every `if`,
/// `for`, `while`, `switch`, `catch`, `&&`, `||` and `?` (Thomas McCabe, A Complexity Measure, 1976;
/// a switch counts once, however many cases it has). Lambdas count to the function they stand in.
struct FunctionComplexity {
  std::string name;
  int line = 0;
  int complexity = 1;
};

/// The functions of a file in C++, formatted as the house's. Macros are not expanded.
std::vector<FunctionComplexity> complexitiesOf(std::string_view text);

}  // namespace gridloom::architecture
