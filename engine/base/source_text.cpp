// SPDX-License-Identifier: Apache-2.0
#include "base/source_text.h"

#include <algorithm>

namespace gridloom::base {

SourceText::SourceText(std::string name, std::string text, Origin origin)
    : m_name(std::move(name)), m_text(std::move(text)), m_origin(std::move(origin)) {
  m_lineStarts.push_back(0);
  for (std::size_t i = 0; i < m_text.size(); ++i) {
    if (m_text[i] == '\n') m_lineStarts.push_back(static_cast<std::uint32_t>(i + 1));
  }
}

LineColumn SourceText::lineColumn(std::uint32_t offset) const {
  offset = std::min<std::uint32_t>(offset, static_cast<std::uint32_t>(m_text.size()));
  const auto after = std::upper_bound(m_lineStarts.begin(), m_lineStarts.end(), offset);
  const auto line = static_cast<std::uint32_t>(after - m_lineStarts.begin());
  return {line, offset - m_lineStarts[line - 1] + 1};
}

std::string_view SourceText::line(std::uint32_t number) const {
  if (number == 0 || number > m_lineStarts.size()) return {};
  const std::size_t begin = m_lineStarts[number - 1];
  std::size_t end = m_text.find('\n', begin);
  if (end == std::string::npos) end = m_text.size();
  if (end > begin && m_text[end - 1] == '\r') --end;
  return std::string_view(m_text).substr(begin, end - begin);
}

std::uint32_t SourceText::offset(LineColumn at) const {
  if (at.line == 0 || at.line > m_lineStarts.size())
    return static_cast<std::uint32_t>(m_text.size());
  const auto column =
      std::min<std::size_t>(at.column == 0 ? 0 : at.column - 1, line(at.line).size());
  return m_lineStarts[at.line - 1] + static_cast<std::uint32_t>(column);
}

SourceRef makeSource(std::string name, std::string text, Origin origin) {
  return std::make_shared<const SourceText>(std::move(name), std::move(text), std::move(origin));
}

SourcePlace writtenPlace(SourceRef source, Span span) {
  if (!source || !source->origin().source) return {std::move(source), span};
  const Origin& origin = source->origin();
  const std::size_t line = source->lineColumn(span.begin).line;
  if (line > origin.lines.size()) return {std::move(source), span};
  return {origin.source, origin.lines[line - 1]};
}

}  // namespace gridloom::base
