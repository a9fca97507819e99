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

/// A named, immutable text with a line index. Diagnostics share ownership of it.
class SourceText {
 public:
  SourceText(std::string name, std::string text);

  const std::string& name() const { return m_name; }
  std::string_view text() const { return m_text; }
  LineColumn lineColumn(std::uint32_t offset) const;
  /// The text of a line (1-based) without its newline; empty past the end.
  std::string_view line(std::uint32_t number) const;

 private:
  std::string m_name;
  std::string m_text;
  std::vector<std::uint32_t> m_lineStarts;
};

using SourceRef = std::shared_ptr<const SourceText>;

SourceRef makeSource(std::string name, std::string text);

}  // namespace gridloom::base
