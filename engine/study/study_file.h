// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "exchange/csv.h"
#include "study/quantity.h"

namespace gridloom::study {

/// One line of the head of a study, with the indented lines that continue it.
struct Statement {
  std::string_view word;  ///< title, source, note, kind, run, let, case, figure, summary or claim
  base::Span body;        ///< what stands behind the word, without blanks around it
};

/// A study: statements, and rows of comma-separated values under a line of column names
/// (resources/docs/studies.md).
struct StudyFile {
  base::SourceRef source;
  std::vector<Statement> statements;
  exchange::CsvRows rows;

  std::string_view textOf(base::Span span) const {
    return source->text().substr(span.begin, span.end - span.begin);
  }
  /// The body of the first statement of that word; `otherwise` when there is none.
  std::string_view bodyOf(std::string_view word, std::string_view otherwise = {}) const;
  /// Columns as texts, and as numbers where every cell is one or empty.
  Scope columns() const;
};

/// Errors: no column names, no rows, rows of another width, a word that begins no statement. A file
/// without `figure` gets a run of every row and one figure per measured quantity that is a column.
base::Result<StudyFile> readStudy(base::SourceRef source);

}  // namespace gridloom::study
