// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "base/output_file.h"
#include "terminal.h"

namespace gridloom::cli {

/// Writes to a file, completely or not at all, or to stdout for "" and "-".
Exit writeOutput(const std::string& path, const base::WriteFunction& write);
Exit writeOutput(const std::string& path, const std::string& text);

/// Writes the answer as JSON and as text, as --json requests: with `-`, stdout gets JSON only.
Exit writeAnswer(const std::string& json, const std::function<std::string()>& jsonText,
                 const std::function<std::string()>& text);

/// The graver of two exit codes: an interruption, then the higher number.
Exit worse(Exit a, Exit b);

}  // namespace gridloom::cli
