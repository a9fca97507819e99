// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRegularExpression>
#include <QSyntaxHighlighter>
#include <QTextCharFormat>
#include <vector>

namespace gridloom::widgets {

struct Tokens;

enum class Language { Hardware, Kernel, Directives };

/// Colours for the .hw, .rec and .sched languages.
class LanguageHighlighter : public QSyntaxHighlighter {
 public:
  LanguageHighlighter(Language language, QTextDocument* document);
  void setTokens(const Tokens& tokens);

 protected:
  void highlightBlock(const QString& text) override;

 private:
  enum Kind { Keyword, Type, Number, String, Name, Comment, Kinds };
  struct Rule {
    QRegularExpression pattern;
    Kind kind;
  };
  std::vector<Rule> m_rules;
  QTextCharFormat m_formats[Kinds];
};

}  // namespace gridloom::widgets
