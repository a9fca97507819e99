// SPDX-License-Identifier: Apache-2.0
#include "exchange/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "base/message_limit.h"

namespace gridloom::exchange {

namespace {

void appendField(std::string& out, std::string_view field) {
  if (field.find_first_of(",\"\r\n") == std::string_view::npos) {
    out += field;
    return;
  }
  out += '"';
  for (const char c : field) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

/// None for an unclosed quote.
std::optional<std::vector<std::string>> fieldsOf(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += '"';
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  if (quoted) return std::nullopt;
  return fields;
}

}  // namespace

std::string csvText(const report::Table& table) {
  std::string out;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (c > 0) out += ',';
    appendField(out, table.columns[c].name);
  }
  out += '\n';
  for (const auto& row : table.rows) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c > 0) out += ',';
      appendField(out, row[c].exact);
    }
    out += '\n';
  }
  return out;
}

base::Result<CsvRows> readCsv(base::SourceRef text) {
  CsvRows out;
  base::Diagnostics errors;
  const std::string_view all = text->text();
  for (std::size_t begin = 0; begin < all.size() && !base::isFull(errors);) {
    const std::size_t end = std::min(all.find('\n', begin), all.size());
    std::string_view line = all.substr(begin, end - begin);
    const base::Span span{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
    begin = end + 1;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || line.starts_with('#')) continue;
    auto fields = fieldsOf(line);
    if (!fields) {
      base::report(errors, base::errorAt(text, span, "a quote is opened and not closed"));
    } else if (out.columns.empty()) {
      out.columns = *std::move(fields);
    } else if (fields->size() != out.columns.size()) {
      base::report(errors, base::errorAt(text, span,
                                         fmt::format("expected {} fields, got {}",
                                                     out.columns.size(), fields->size())));
    } else {
      out.rows.push_back(*std::move(fields));
      out.spans.push_back(span);
    }
  }
  if (errors.empty() && out.columns.empty()) {
    errors.push_back(base::errorAt(text, {}, "expected a line of column names"));
  }
  if (!errors.empty()) return errors;
  out.source = std::move(text);
  return out;
}

}  // namespace gridloom::exchange
