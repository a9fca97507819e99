// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace gridloom::service {

/// A column that a study needs, and whether it holds numbers.
struct FigureColumn {
  std::string_view name;
  bool number = true;
};

/// A file of published figures or of cases, checked when it is read: the columns that were asked for are
/// there, and hold numbers where they should.
class FigureFile {
 public:
  /// `name` without its ending, in bench/reference.
  static base::Result<FigureFile> openReference(const std::string& name,
                                                std::span<const FigureColumn> columns);
  /// The same in bench/cases.
  static base::Result<FigureFile> openCases(const std::string& name,
                                            std::span<const FigureColumn> columns);
  static base::Result<FigureFile> read(base::SourceRef text, std::span<const FigureColumn> columns);

  std::size_t rows() const { return m_rows.size(); }
  const std::string& text(std::size_t row, std::string_view column) const;
  double number(std::size_t row, std::string_view column) const;
  std::int64_t integer(std::size_t row, std::string_view column) const;
  base::Diagnostic errorIn(std::size_t row, std::string message) const;

 private:
  std::size_t columnAt(std::string_view name) const;

  base::SourceRef m_source;
  std::vector<std::string> m_columns;
  std::vector<std::vector<std::string>> m_rows;
  std::vector<base::Span> m_spans;
};

}  // namespace gridloom::service
