// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/source_text.h"

namespace gridloom::base {

enum class Severity { Note, Warning, Error };

/// One finding about a user's input: what is wrong, where, and a suggested fix.
struct Diagnostic {
  Severity severity = Severity::Error;
  std::string message;
  SourceRef source;  ///< null when the finding has no location in a text
  Span span;
  std::string hint;  ///< suggested fix, printed after `help:`; may be empty
};

using Diagnostics = std::vector<Diagnostic>;

/// Findings in a text that was made from another one are located in that one (`writtenPlace`), and
/// name the line that was made.
Diagnostic errorAt(SourceRef source, Span span, std::string message, std::string hint = {});
Diagnostic warningAt(SourceRef source, Span span, std::string message, std::string hint = {});
Diagnostic noteAt(SourceRef source, Span span, std::string message, std::string hint = {});
/// An error without a location in a text (a missing file, an option).
Diagnostic plainError(std::string message, std::string hint = {});

bool hasError(const Diagnostics& diagnostics);

/// `file:line:col: error: message`, the source line, a caret under the span, and the hint.
std::string render(const Diagnostic& diagnostic);
std::string render(const Diagnostics& diagnostics);

}  // namespace gridloom::base
