// SPDX-License-Identifier: Apache-2.0
#include "service/reproduce_figures.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>
#include <optional>

#include "exchange/csv.h"
#include "service/workspace.h"

namespace gridloom::service {

namespace {

constexpr double kLargest = 1e15;  // integers up to here are exact

std::optional<double> numberIn(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (!std::isfinite(value) || std::abs(value) > kLargest) return std::nullopt;
  return value;
}

}  // namespace

base::Result<FigureFile> FigureFile::read(base::SourceRef text,
                                          std::span<const FigureColumn> columns) {
  auto csv = exchange::readCsv(std::move(text));
  if (!csv) return csv.takeDiagnostics();
  base::Diagnostics errors;
  for (const FigureColumn& column : columns) {
    const auto at = std::ranges::find(csv->columns, column.name);
    if (at == csv->columns.end()) {
      errors.push_back(base::plainError(csv->source->name() + " has no column `" +
                                        std::string(column.name) + "`"));
      continue;
    }
    const auto index = static_cast<std::size_t>(at - csv->columns.begin());
    for (std::size_t row = 0; column.number && row < csv->rows.size(); ++row) {
      if (numberIn(csv->rows[row][index])) continue;
      errors.push_back(base::errorAt(csv->source, csv->spans[row],
                                     "column `" + std::string(column.name) +
                                         "` expects a number, got `" + csv->rows[row][index] +
                                         "`"));
    }
  }
  if (!errors.empty()) return errors;
  FigureFile file;
  file.m_source = std::move(csv->source);
  file.m_columns = std::move(csv->columns);
  file.m_rows = std::move(csv->rows);
  file.m_spans = std::move(csv->spans);
  return file;
}

base::Result<FigureFile> FigureFile::openReference(const std::string& name,
                                                   std::span<const FigureColumn> columns) {
  auto text = loadReferenceText(name);
  if (!text) return text.takeDiagnostics();
  return read(*std::move(text), columns);
}

base::Result<FigureFile> FigureFile::openCases(const std::string& name,
                                               std::span<const FigureColumn> columns) {
  auto text = loadCasesText(name);
  if (!text) return text.takeDiagnostics();
  return read(*std::move(text), columns);
}

std::size_t FigureFile::columnAt(std::string_view name) const {
  const auto at = std::ranges::find(m_columns, name);
  assert(at != m_columns.end());
  return static_cast<std::size_t>(at - m_columns.begin());
}

const std::string& FigureFile::text(std::size_t row, std::string_view column) const {
  return m_rows[row][columnAt(column)];
}

double FigureFile::number(std::size_t row, std::string_view column) const {
  return numberIn(text(row, column)).value_or(0);
}

std::int64_t FigureFile::integer(std::size_t row, std::string_view column) const {
  return std::llround(number(row, column));
}

base::Diagnostic FigureFile::errorIn(std::size_t row, std::string message) const {
  return base::errorAt(m_source, m_spans[row], std::move(message));
}

}  // namespace gridloom::service
