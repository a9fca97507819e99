// SPDX-License-Identifier: Apache-2.0
#include "study/statements.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "syntax/spelling.h"

namespace gridloom::study {

namespace {

using syntax::TokenKind;

std::optional<double> known(double value) {
  return std::isnan(value) ? std::nullopt : std::optional(value);
}

std::optional<report::Answer> answerOf(double value) {
  if (std::isnan(value)) return std::nullopt;
  return value > 0 ? report::Answer::Yes : value < 0 ? report::Answer::No : report::Answer::Tie;
}

class Worker {
 public:
  Worker(const StudyFile& file, const Kind& kind, Runner& runner, bool rehearsal,
         base::Diagnostics& errors)
      : m_file(file),
        m_kind(kind),
        m_runner(runner),
        m_rehearsal(rehearsal),
        m_errors(errors),
        m_scope(file.columns()),
        m_cases(m_scope.rows, "") {}

  report::Reproduction work() {
    const std::string name = std::filesystem::path(m_file.source->name()).stem().string();
    m_table.study = name;
    m_table.title = m_file.bodyOf("title", name);
    m_table.source = m_file.bodyOf("source");
    for (std::string_view column : {"kernel", "sizes", "hardware"}) describeBy(column);
    for (const Statement& statement : m_file.statements) {
      if (stopped()) break;
      work(statement);
    }
    return std::move(m_table);
  }

 private:
  bool stopped() const {
    return m_runner.progress().cancelled() || (!m_rehearsal && !m_errors.empty());
  }

  /// What rows are called unless `case` says it: by their kernel, sizes and hardware.
  void describeBy(std::string_view column) {
    const auto cells = m_scope.texts.find(column);
    if (cells == m_scope.texts.end()) return;
    for (std::size_t row = 0; row < m_scope.rows; ++row) {
      m_cases[row] += (m_cases[row].empty() ? "" : column == "hardware" ? " on " : " ");
      m_cases[row] += cells->second[row];
    }
  }

  void work(const Statement& statement) {
    if (statement.word == "note") {
      m_table.remarks.push_back(textOnce(m_file.source, statement.body, m_scope, m_errors));
      return;
    }
    const auto known = std::ranges::find(kWork, statement.word, &Work::first);
    if (known == kWork.end()) return;
    const syntax::TokenText tokens = tokensOf(m_file.source, statement.body);
    syntax::ReportingCursor in(tokens);
    m_in = &in;
    (this->*known->second)();
    if (in.errors().empty() && !in.at(TokenKind::End)) in.expected("the next statement");
    std::ranges::move(in.errors(), std::back_inserter(m_errors));
  }

  base::Span text(std::string_view what) {
    const base::Span span = m_in->peek().span;
    if (m_in->at(TokenKind::String)) {
      m_in->take();
      return {span.begin + 1, span.end - 1};
    }
    if (m_in->errors().empty()) m_in->expected("`\"...\"` for " + std::string(what));
    return {};
  }
  std::vector<std::string> perRow(base::Span span) {
    return textPerRow(m_file.source, span, m_scope, m_in->errors());
  }
  std::string once(base::Span span) {
    return textOnce(m_file.source, span, m_scope, m_in->errors());
  }
  Quantity value(double margin = 0) {
    if (m_in->errors().empty()) m_in->expect(TokenKind::Equal, "", m_in->errors());
    return evaluate(*m_in, m_scope, margin);
  }
  std::string name() {
    if (m_in->at(TokenKind::Ident)) return std::string(m_in->textOf(m_in->take()));
    m_in->expected("a name");
    return "";
  }

  void caseNames() { m_cases = perRow(text("what a row is called")); }

  void let() {
    const std::string named = name();
    m_scope.quantities[named] = value();
  }

  void figure() {
    const std::vector<std::string> quantity = perRow(text("the quantity"));
    const Quantity ours = value();
    Quantity published = Quantity::of(kNone), when = Quantity::of(1);
    std::vector<std::string> subject = m_cases, detail(m_scope.rows);
    while (m_in->errors().empty() && m_in->at(TokenKind::Ident)) {
      if (m_in->acceptWord("published"))
        published = evaluate(*m_in, m_scope);
      else if (m_in->acceptWord("when"))
        when = evaluate(*m_in, m_scope);
      else if (m_in->acceptWord("of"))
        subject = perRow(text("the case"));
      else if (m_in->acceptWord("detail"))
        detail = perRow(text("the detail"));
      else
        m_in->expected("published, of, detail or when");
    }
    if (!m_in->errors().empty()) return;
    const auto used = m_scope.texts.find("used");
    for (std::size_t row = 0; row < m_scope.rows; ++row) {
      if (!(when.at(1, row) > 0)) continue;
      const bool taken = used != m_scope.texts.end() && used->second[row] == "1";
      const std::string mark = taken ? ", used for constants" : "";
      addFigure(subject[row], quantity[row] + mark, published, ours, row, detail[row]);
      m_table.figures.back().row = row;
    }
  }

  void addFigure(const std::string& subject, const std::string& quantity, const Quantity& published,
                 const Quantity& ours, std::size_t row, const std::string& detail) {
    m_table.figures.push_back({subject, quantity, known(published.at(1, row)),
                               known(ours.at(0, row)), known(ours.at(1, row)), detail});
  }

  void summary() {
    const std::string subject = once(text("the case")), quantity = once(text("the quantity"));
    const Quantity ours = value();
    Quantity published = Quantity::of(kNone);
    if (m_in->acceptWord("published")) published = evaluate(*m_in, m_scope);
    if (!m_in->errors().empty()) return;
    addFigure(subject, quantity, published, ours, 0, "");
  }

  void claim() {
    const std::string id = once(text("the name of the claim")), what = once(text("the claim"));
    double margin = kNone;
    if (m_in->acceptWord("margin") && (m_in->at(TokenKind::Float) || m_in->at(TokenKind::Integer)))
      margin = m_in->take().number;
    if (std::isnan(margin) && m_in->errors().empty()) m_in->expected("`margin` and a number");
    const Quantity answer = value(margin);
    std::string evidence;
    if (m_in->acceptWord("evidence")) evidence = once(text("the evidence"));
    if (!m_in->errors().empty()) return;
    m_table.claims.push_back(
        {id, what, margin, answerOf(answer.at(0, 0)), answerOf(answer.at(1, 0)), evidence});
  }

  /// Settings of every row: what the statement says, or a column of that name. Columns in capitals
  /// are sizes.
  std::vector<Settings> settingsPerRow() {
    std::vector<Settings> out(m_scope.rows);
    for (const auto& [column, cells] : m_scope.texts) {
      const bool isSetting = std::ranges::find(m_kind.settings, column) != m_kind.settings.end();
      const bool isSize = column >= "A" && column < "[";  // from A to Z
      for (std::size_t row = 0; row < m_scope.rows; ++row) {
        if (isSetting) out[row][column] = cells[row];
        if (isSize) out[row]["sizes"] += column + "=" + cells[row] + " ";
      }
    }
    while (m_in->errors().empty() && m_in->at(TokenKind::Ident)) {
      const base::Span span = m_in->peek().span;
      const std::string key = name();
      if (std::ranges::find(m_kind.settings, key) == m_kind.settings.end()) {
        m_in->fail(span, "runs of this kind have no setting `" + key + "`",
                   syntax::spellingHint(key, m_kind.settings));
      }
      const std::vector<std::string> texts = perRow(text("the setting"));
      for (std::size_t row = 0; row < m_scope.rows; ++row) out[row][key] = texts[row];
    }
    return out;
  }

  void run() {
    const std::string named = name() + ".";
    const std::vector<Settings> settings = settingsPerRow();
    if (m_table.settings.empty()) m_table.settings = settings;
    const auto& onRow = m_runner.options().onRow;
    for (const std::string_view quantity : m_kind.quantities) {
      std::vector<double> none(m_scope.rows, kNone);
      m_scope.quantities[named + std::string(quantity)] = {{none, none}};
    }
    for (const std::string_view of : m_kind.texts) {
      m_scope.texts[named + std::string(of)].resize(m_scope.rows);
    }
    for (std::size_t row = 0; row < m_scope.rows && !m_rehearsal && m_in->errors().empty(); ++row) {
      if (m_runner.progress().cancelled()) return;
      if (onRow) onRow(row, m_scope.rows);
      auto result = m_runner.run(m_kind, settings[row]);
      if (!result) {
        std::ranges::move(result.takeDiagnostics(), std::back_inserter(m_in->errors()));
        m_in->errors().push_back(
            base::noteAt(m_file.source, m_file.rows.spans[row], "this row cannot run"));
        return;
      }
      for (const auto& [quantity, sides] : result->numbers) {
        for (const std::size_t side : {0U, 1U}) {
          m_scope.quantities[named + quantity].sides[side][row] = sides[side];
        }
      }
      for (const auto& [of, what] : result->texts) m_scope.texts[named + of][row] = what;
      std::ranges::move(result->agreements, std::back_inserter(m_table.agreements));
    }
  }

  /// The statements that are worked through; `title`, `source` and `kind` are read elsewhere.
  using Work = std::pair<std::string_view, void (Worker::*)()>;
  static constexpr std::array<Work, 6> kWork{{{"run", &Worker::run},
                                              {"let", &Worker::let},
                                              {"case", &Worker::caseNames},
                                              {"figure", &Worker::figure},
                                              {"summary", &Worker::summary},
                                              {"claim", &Worker::claim}}};

  const StudyFile& m_file;
  const Kind& m_kind;
  Runner& m_runner;
  bool m_rehearsal;
  base::Diagnostics& m_errors;
  Scope m_scope;
  std::vector<std::string> m_cases;
  syntax::ReportingCursor* m_in = nullptr;
  report::Reproduction m_table;
};

}  // namespace

report::Reproduction workThrough(const StudyFile& file, const Kind& kind, Runner& runner,
                                 bool rehearsal, base::Diagnostics& errors) {
  return Worker(file, kind, runner, rehearsal, errors).work();
}

}  // namespace gridloom::study
