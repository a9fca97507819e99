// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace gridloom::exchange {

/// The findings on one file.
struct CheckedFile {
  std::string path;  ///< as the user named it
  base::Diagnostics findings;
};

/// Findings in SARIF 2.1.0 (OASIS, 2020), which code hosts and editors show at their places: one
/// run, one result per finding with its level, message, help, region and source line. Columns count
/// Unicode characters from 1. `version`: of this tool.
std::string sarifText(const std::vector<CheckedFile>& files, const std::string& version);

}  // namespace gridloom::exchange
