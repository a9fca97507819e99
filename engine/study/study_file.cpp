// SPDX-License-Identifier: Apache-2.0
#include "study/study_file.h"

#include <algorithm>
#include <array>

#include "base/assignments.h"
#include "study/runs.h"
#include "syntax/spelling.h"

namespace gridloom::study {

namespace {

constexpr std::array<std::string_view, 10> kWords{"title", "source", "note",   "kind",    "run",
                                                  "let",   "case",   "figure", "summary", "claim"};
constexpr std::string_view kBlank = " \t\r\n";

base::Span trimmed(std::string_view text, std::size_t begin, std::size_t end) {
  while (begin < end && kBlank.find(text[begin]) != std::string_view::npos) ++begin;
  while (end > begin && kBlank.find(text[end - 1]) != std::string_view::npos) --end;
  return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
}

/// Takes the statements from `begin` on, and gives the place where the rows begin.
std::size_t readHead(std::string_view text, std::size_t begin, std::vector<Statement>& out) {
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    const std::string_view word = line.substr(0, line.find_first_of(kBlank));
    const bool blank = line.find_first_not_of(kBlank) == std::string_view::npos;
    if (!blank && !line.starts_with('#')) {
      const bool known = std::ranges::find(kWords, word) != kWords.end();
      if (word.empty() && !out.empty()) {
        out.back().body.end = trimmed(text, begin, end).end;
      } else if (known && line[std::min(word.size(), line.size() - 1)] == ' ') {
        out.push_back({word, trimmed(text, begin + word.size(), end)});
      } else {
        break;
      }
    }
    begin = end + 1;
  }
  return std::min(begin, text.size());
}

/// What a list of measurements without statements of its own asks for.
std::string usualStatements(const exchange::CsvRows& rows) {
  const auto has = [&](std::string_view column) {
    return std::ranges::find(rows.columns, column) != rows.columns.end();
  };
  std::string out = "\nrun ours\n";
  const std::string group = has("group") ? ", {group}" : "";
  for (const std::string_view name : kindOf("cases")->quantities) {
    const std::string quantity(name);
    if (!has(name)) continue;
    out += "figure \"" + quantity + group + "\" = ours." + quantity + " published " + quantity +
           " detail \"{ours.mapping}\"\n";
  }
  const bool measured = out.find("figure") != std::string::npos;
  return measured ? out : out + "figure \"cycles" + group + "\" = ours.cycles\n";
}

/// The first line that is neither a statement nor a row: none, or its first word.
base::Diagnostics checkColumns(const base::SourceRef& source, std::size_t begin) {
  const std::size_t end = std::min(source->text().find('\n', begin), source->text().size());
  const std::string_view line = source->text().substr(begin, end - begin);
  const std::size_t blank = line.find(' ');
  if (line.find(',') != std::string_view::npos || blank == std::string_view::npos) return {};
  const std::string_view word = line.substr(0, blank);
  return {base::errorAt(source, trimmed(source->text(), begin, begin + blank),
                        "no statement begins with `" + std::string(word) + "`",
                        syntax::spellingHint(word, kWords))};
}

}  // namespace

std::string_view StudyFile::bodyOf(std::string_view word, std::string_view otherwise) const {
  const auto found = std::ranges::find(statements, word, &Statement::word);
  return found == statements.end() ? otherwise : textOf(found->body);
}

Scope StudyFile::columns() const {
  Scope scope;
  scope.rows = rows.rows.size();
  for (std::size_t column = 0; column < rows.columns.size(); ++column) {
    std::vector<std::string> cells;
    std::vector<double> numbers;
    bool numeric = true;
    for (const auto& row : rows.rows) {
      const base::Span cell = trimmed(row[column], 0, row[column].size());
      cells.push_back(row[column].substr(cell.begin, cell.end - cell.begin));
      const auto number = base::numberIn(cells.back());
      numeric = numeric && (number || cells.back().empty());
      numbers.push_back(number.value_or(kNone));
    }
    if (numeric) scope.quantities[rows.columns[column]] = {{numbers, numbers}};
    scope.texts[rows.columns[column]] = std::move(cells);
  }
  return scope;
}

base::Result<StudyFile> readStudy(base::SourceRef source) {
  StudyFile out;
  const std::size_t begin = readHead(source->text(), 0, out.statements);
  if (auto errors = checkColumns(source, begin); !errors.empty()) return errors;
  std::string body(source->text());
  std::fill_n(body.begin(), begin, '#');
  for (std::size_t at = 0; at < begin; ++at) {
    if (source->text()[at] == '\n') body[at] = '\n';
  }
  auto rows = exchange::readCsv(base::makeSource(source->name(), std::move(body)));
  if (!rows) return rows.takeDiagnostics();
  if (rows->rows.empty()) return base::errorAt(source, {}, "the study has no rows");
  out.rows = *std::move(rows);
  out.source = source;
  const bool bare = out.bodyOf("run").empty() && out.bodyOf("kind", "cases") == "cases";
  if (!bare) return out;
  std::string text(source->text());
  const std::size_t end = text.size();
  out.source = base::makeSource(source->name(), text + usualStatements(out.rows));
  out.statements.clear();
  readHead(out.source->text().substr(0, begin), 0, out.statements);
  readHead(out.source->text(), end, out.statements);
  return out;
}

}  // namespace gridloom::study
