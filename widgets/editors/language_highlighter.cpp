// SPDX-License-Identifier: GPL-3.0-or-later
#include "editors/language_highlighter.h"

#include <string>

#include "kernel/dtype.h"
#include "theme/tokens.h"

namespace gridloom::widgets {

namespace {

// Later rules colour over earlier ones; comments come last.
constexpr const char* kNumber = R"(\b\d+(\.\d+)?([eE][+-]?\d+)?\b)";
constexpr const char* kString = R"("[^"\n]*")";
constexpr const char* kComment = R"(//[^\n]*)";

}  // namespace

LanguageHighlighter::LanguageHighlighter(Language language, QTextDocument* document)
    : QSyntaxHighlighter(document) {
  const auto add = [this](const char* pattern, Kind kind) {
    m_rules.push_back({QRegularExpression(QString::fromLatin1(pattern)), kind});
  };
  add(kNumber, Number);
  switch (language) {
  case Language::Hardware:
    add(R"(\b(?:[KMGT]i?B|B|[kMG]?Hz|cycles?|flop|elem|[GMT]B)(?:/(?:cycle|s))?\b)", Type);
    add(R"(![a-z]+\.[a-z_]+)", Type);
    add(R"(\baffine_(?:map|set)\b|\bmod\b|\bfloordiv\b|\bceildiv\b)", Type);
    add(R"(\bdf\.[a-z_]+|\bmodule\b|\bparam\b)", Keyword);
    add(R"(%[A-Za-z0-9_]+)", Name);
    break;
  case Language::Kernel:
    for (const std::string_view type : kernel::dtypeNames()) {
      add(("\\b" + std::string(type) + "\\b").c_str(), Type);
    }
    add(R"(\b(?:exp2?|log|r?sqrt|tanh|sigmoid|relu|abs|erf|sin|cos|floor|ceil|pow|div|mod)\b)",
        Name);
    add(R"(\b(?:select|max|min|sum|prod)\b)", Name);
    add(R"(\b(?:kernel|tensor|local|where|for|in|and|or|not)\b)", Keyword);
    break;
  case Language::Directives:
    add(R"(\b(?:space|tile|order|direct|multicast|two_stage|stream|all_gather|rotate|shared)\b)",
        Keyword);
    add(R"(\b(?:stationary|forwarded|buffer|prefetch|hoist|double)\b)", Keyword);
    add(R"(\b(?:single|gather|reduce|layout|unit)\b)", Keyword);
    add(R"(\b(?:unroll|forward|scatter|vectorize|isolate|map|last)\b)", Keyword);
    add(R"(\b(?:chain|tree|reduce_scatter|none|matrix|vector)\b)", Type);
    break;
  }
  add(kString, String);
  add(kComment, Comment);
}

void LanguageHighlighter::setTokens(const Tokens& tokens) {
  const QColor colours[Kinds] = {tokens.keyword, tokens.type, tokens.number,
                                 tokens.string,  tokens.name, tokens.comment};
  for (int kind = 0; kind < Kinds; ++kind) {
    m_formats[kind] = QTextCharFormat();
    m_formats[kind].setForeground(colours[kind]);
  }
  m_formats[Comment].setFontItalic(true);
  rehighlight();
}

void LanguageHighlighter::highlightBlock(const QString& text) {
  for (const Rule& rule : m_rules) {
    for (auto it = rule.pattern.globalMatch(text); it.hasNext();) {
      const QRegularExpressionMatch match = it.next();
      setFormat(static_cast<int>(match.capturedStart()), static_cast<int>(match.capturedLength()),
                m_formats[rule.kind]);
    }
  }
}

}  // namespace gridloom::widgets
