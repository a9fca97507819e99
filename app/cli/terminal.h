// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "base/diagnostic.h"
#include "base/exit_status.h"

namespace gridloom::cli {

using Exit = base::ExitStatus;

/// Whether stderr is a terminal with colours and progress bars.
bool stderrIsTerminal();
void forbidColor();

/// Prints an answer to stdout; everything else goes to stderr. Returns `Machine`, with a message,
/// when writing fails.
[[nodiscard]] Exit printAnswer(std::string_view text);
void printDiagnostics(const base::Diagnostics& diagnostics);
/// Warnings and errors only.
void printWarnings(const base::Diagnostics& diagnostics);
/// Prints the number of findings that the functions above omit: a run prints its first
/// `base::kMostMessages` errors and as many remarks.
void printLeftOut();
/// A note or a warning of the command itself.
void printRemark(base::Severity severity, std::string message, std::string hint = {});
void printError(std::string message, std::string hint = {});

}  // namespace gridloom::cli
