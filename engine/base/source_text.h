// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gridloom::base {

/// Half-open byte range [begin, end) of a SourceText.
struct Span {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

/// A line and column for people: both start at 1, columns count bytes.
struct LineColumn {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

class SourceText;
using SourceRef = std::shared_ptr<const SourceText>;

/// What a text was made from: the user wrote that one and does not see the text itself.
struct Origin {
  SourceRef source;         ///< null: the user wrote the text
  std::vector<Span> lines;  ///< of `source`, per line of the text that was made
};

/// A named, immutable text with a line index. Diagnostics share ownership of it.
class SourceText {
 public:
  SourceText(std::string name, std::string text, Origin origin = {});

  const std::string& name() const { return m_name; }
  std::string_view text() const { return m_text; }
  LineColumn lineColumn(std::uint32_t offset) const;
  /// The text of a line (1-based) without its newline; empty past the end.
  std::string_view line(std::uint32_t number) const;
  /// The place of a line and column; the end of the text past it.
  std::uint32_t offset(LineColumn at) const;
  const Origin& origin() const { return m_origin; }

 private:
  std::string m_name;
  std::string m_text;
  std::vector<std::uint32_t> m_lineStarts;
  Origin m_origin;
};

SourceRef makeSource(std::string name, std::string text, Origin origin = {});

/// A stretch of a text.
struct SourcePlace {
  SourceRef source;
  Span span;
};
/// Where the user finds a stretch of a text: of a text that was made from another one, what its
/// line was made from there.
SourcePlace writtenPlace(SourceRef source, Span span);

}  // namespace gridloom::base
