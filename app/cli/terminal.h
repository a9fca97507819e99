// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "base/diagnostic.h"
#include "base/exit_status.h"

namespace gridloom::cli {

using Exit = base::ExitStatus;

/// Whether stderr is a terminal that may be coloured or drawn a bar on.
bool stderrIsTerminal();
void forbidColor();

/// Answers go to stdout; everything else is for stderr. `Machine` when stdout cannot take it, which is said.
[[nodiscard]] Exit printAnswer(std::string_view text);
void printDiagnostics(const base::Diagnostics& diagnostics);
/// Warnings and errors only.
void printWarnings(const base::Diagnostics& diagnostics);
/// How many findings the functions above left out: of all that one run finds, the first `base::kMostMessages` errors
/// are printed, and as many remarks.
void printLeftOut();
/// A note or a warning of the command itself.
void printRemark(base::Severity severity, std::string message, std::string hint = {});
void printError(std::string message, std::string hint = {});

}  // namespace gridloom::cli
