// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "report/table.h"

namespace gridloom::exchange {

/// RFC 4180 with `\n` line ends: a table's exact values under its columns' file names.
std::string csvText(const report::Table& table);

/// A text of comma-separated rows under a line of column names.
struct CsvRows {
  base::SourceRef source;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  ///< as wide as `columns`
  std::vector<base::Span> spans;               ///< of the rows
};
/// Reads comma-separated rows. Lines that start with `#` are comments; empty lines are skipped.
/// Fields may be quoted but not span lines. Errors: no column names, a row of another width, an
/// unclosed quote.
base::Result<CsvRows> readCsv(base::SourceRef text);

}  // namespace gridloom::exchange
