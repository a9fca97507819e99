// SPDX-License-Identifier: Apache-2.0
#include "syntax/hardware_comments.h"

#include <algorithm>
#include <string>

namespace gridloom::syntax {

namespace {

class CommentAttacher {
 public:
  explicit CommentAttacher(const TokenText& text) : m_text(text) {}

  void before(base::Span op, std::string& comment) {
    while (m_next < m_text.comments.size() && m_text.comments[m_next].span.begin < op.end) {
      const base::Span span = m_text.comments[m_next++].span;
      addLine(span.begin, m_text.textOf(span), comment);
      m_at = span.end;
    }
    if (m_at < op.begin && blankLineBefore(op.begin)) comment += '\n';
    m_at = std::max(m_at, op.end);
  }

  void behind(base::Span op, std::string& trailing) {
    if (m_next >= m_text.comments.size()) return;
    const Comment& comment = m_text.comments[m_next];
    if (comment.ownLine || newlines(op.end, comment.span.begin) != 0) return;
    trailing = m_text.textOf(comment.span);
    m_at = comment.span.end;
    ++m_next;
  }

  void rest(std::string& comment) {
    for (; m_next < m_text.comments.size(); ++m_next) {
      const base::Span span = m_text.comments[m_next].span;
      addLine(span.begin, m_text.textOf(span), comment);
      m_at = span.end;
    }
  }

 private:
  std::ptrdiff_t newlines(std::uint32_t from, std::uint32_t to) const {
    if (from >= to) return 0;
    const std::string_view between = m_text.source->text().substr(from, to - from);
    return std::count(between.begin(), between.end(), '\n');
  }
  bool blankLineBefore(std::uint32_t at) const { return m_at > 0 && newlines(m_at, at) > 1; }

  void addLine(std::uint32_t at, std::string_view line, std::string& comment) const {
    if (blankLineBefore(at)) comment += '\n';
    comment.append(line).append("\n");
  }

  const TokenText& m_text;
  std::size_t m_next = 0;
  std::uint32_t m_at = 0;  ///< end of what has been attached so far
};

}  // namespace

void attachComments(const TokenText& text, std::span<const base::Span> spans,
                    hardware::HardwareSpec& spec) {
  CommentAttacher attacher(text);
  for (std::size_t i = 0; i < spans.size(); ++i) {
    attacher.before(spans[i], spec.order[i].comment);
    attacher.behind(spans[i], spec.order[i].trailing);
  }
  attacher.rest(spec.closingComment);
}

}  // namespace gridloom::syntax
