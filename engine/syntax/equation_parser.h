// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mapping/equations.h"
#include "syntax/token_cursor.h"

namespace gridloom::syntax {

/// Whether an equation of a dataflow recurrence begins here: `A(i, j, k) = ...`, `tri.L(...)`,
/// `C[i, j] = ...`.
bool atEquation(const TokenCursor& at);

/// Reads equations and maps of iteration spaces; false after a report.
class EquationParser {
 public:
  explicit EquationParser(ReportingCursor& cursor) : m_cursor(cursor) {}

  bool parse(mapping::Equation& out);
  /// Behind the word `map`.
  bool parseMap(mapping::SpaceMap& out);

 private:
  bool name(std::string_view what, mapping::NameInText& out);
  bool operandName(mapping::NameInText& out);
  template <class Parse> bool list(TokenKind open, TokenKind close, const Parse& parse);
  bool value(mapping::PointValue& out);
  bool coordinate(mapping::PointCoordinate& out);
  bool element(mapping::TensorElement& out);
  bool index(mapping::ElementIndex& out);
  bool indexTerm(std::int64_t sign, mapping::ElementIndex& out);
  bool right(mapping::Equation& out);
  bool terms(std::vector<mapping::PointValue>& out);

  ReportingCursor& m_cursor;
};

}  // namespace gridloom::syntax
