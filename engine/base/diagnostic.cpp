// SPDX-License-Identifier: Apache-2.0
#include "base/diagnostic.h"

#include <algorithm>

namespace gridloom::base {

namespace {

const char* severityName(Severity severity) {
  switch (severity) {
  case Severity::Note:
    return "note";
  case Severity::Warning:
    return "warning";
  case Severity::Error:
    return "error";
  }
  return "error";
}

// A very long line is shown as a window around the caret, so that a one-line file of megabytes does
// not flood the terminal.
constexpr std::size_t kWindow = 120;

bool isPrintable(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte != 0x7f;
}

// Limit on a message: it may quote names and texts of the user of any length.
constexpr std::size_t kLongest = 4000;

std::string clipped(const std::string& text) {
  if (text.size() <= kLongest) return text;
  std::size_t end = kLongest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "...";
}

// Replaces tabs and control bytes by one space or '?', so that the caret is under its column.
std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (char c : text) {
    if (c == '\t') {
      out.push_back(' ');
    } else {
      out.push_back(isPrintable(c) && static_cast<unsigned char>(c) < 0x80 ? c : '?');
    }
  }
  return out;
}

void renderSnippet(std::string& out, const Diagnostic& d, LineColumn at) {
  const std::string_view line = d.source->line(at.line);
  const std::size_t column = std::min<std::size_t>(at.column - 1, line.size());
  const std::size_t begin =
      column > kWindow / 2 && line.size() > kWindow ? column - kWindow / 2 : 0;
  const std::string shown = printable(line.substr(begin, kWindow));
  out += "  " + shown + "\n  ";
  out.append(column - begin, ' ');
  const std::size_t length = d.span.end > d.span.begin ? d.span.end - d.span.begin : 1;
  const std::size_t room =
      std::max<std::size_t>(1, shown.size() - std::min(shown.size(), column - begin));
  out += '^';
  out.append(std::min(length, room) - 1, '~');
  out += '\n';
}

// Of a text that was made from another one, the user sees the line that was found wrong in the
// message, and the place that it was made from.
Diagnostic at(Severity severity, SourceRef source, Span span, std::string message,
              std::string hint) {
  const SourcePlace place = writtenPlace(source, span);
  if (place.source != source) {
    std::string_view line = source->line(source->lineColumn(span.begin).line);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    const bool isLong = line.size() > kWindow;
    message += " (in `" + std::string(line.substr(0, kWindow)) + (isLong ? "...`)" : "`)");
  }
  return {severity, std::move(message), place.source, place.span, std::move(hint)};
}

}  // namespace

Diagnostic errorAt(SourceRef source, Span span, std::string message, std::string hint) {
  return at(Severity::Error, std::move(source), span, std::move(message), std::move(hint));
}

Diagnostic warningAt(SourceRef source, Span span, std::string message, std::string hint) {
  return at(Severity::Warning, std::move(source), span, std::move(message), std::move(hint));
}

Diagnostic noteAt(SourceRef source, Span span, std::string message, std::string hint) {
  return at(Severity::Note, std::move(source), span, std::move(message), std::move(hint));
}

Diagnostic plainError(std::string message, std::string hint) {
  return at(Severity::Error, nullptr, {}, std::move(message), std::move(hint));
}

bool hasError(const Diagnostics& diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(),
                     [](const Diagnostic& d) { return d.severity == Severity::Error; });
}

std::string render(const Diagnostic& d) {
  std::string out;
  if (d.source) {
    const LineColumn at = d.source->lineColumn(d.span.begin);
    out +=
        d.source->name() + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": ";
    out += std::string(severityName(d.severity)) + ": " + clipped(d.message) + "\n";
    renderSnippet(out, d, at);
  } else {
    out += "gridloom: " + std::string(severityName(d.severity)) + ": " + clipped(d.message) + "\n";
  }
  if (!d.hint.empty()) out += "  help: " + clipped(d.hint) + "\n";
  return out;
}

std::string render(const Diagnostics& diagnostics) {
  std::string out;
  for (const Diagnostic& d : diagnostics) out += render(d);
  return out;
}

}  // namespace gridloom::base
