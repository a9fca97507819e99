// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace gridloom::exchange {

/// One check as a test case.
struct JunitCase {
  std::string name;
  std::string group;    ///< shown as the class of the case
  std::string failure;  ///< one line; empty: it passed
  std::string details;  ///< lines behind the failure, or the output of a case that passed
};

/// A test suite as JUnit XML, as continuous integration reads it. Characters that XML does not
/// allow are replaced.
std::string junitText(const std::string& suite, const std::vector<JunitCase>& cases);

}  // namespace gridloom::exchange
