// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "base/output_file.h"
#include "terminal.h"

namespace gridloom::cli {

/// To a file, whole or not at all, or to stdout for "" and "-".
Exit writeOutput(const std::string& path, const base::WriteFunction& write);
Exit writeOutput(const std::string& path, const std::string& text);

/// The answer as JSON and as text, as --json asks: `-` takes stdout for JSON alone.
Exit writeAnswer(const std::string& json, const std::function<std::string()>& jsonText,
                 const std::function<std::string()>& text);

/// The graver of two: an interruption, then higher numbers.
Exit worse(Exit a, Exit b);

}  // namespace gridloom::cli
