// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>

#include "importer/program.h"

namespace gridloom::importer {

/// Expressions and indices in the language of resources/docs/kernel.md, with names for the loops
/// of a statement.
class ExprText {
 public:
  ExprText(const Program& program, const std::map<Loop, std::string>& names)
      : m_program(program), m_names(names) {}

  /// `level`: how strongly what stands around binds: 0 nothing, 1 sums, 2 products, 3 their right
  /// sides.
  std::string text(const Expr& expr, int level = 0) const;
  /// `i, 2 * j + 1`
  std::string indices(const std::vector<Linear>& index) const;
  /// A form that is at least 0; of one loop, as a bound of it.
  std::string condition(const Linear& form) const;
  static std::string numberText(double value);

 private:
  std::string text(const Linear& form) const;
  std::string accessText(const Expr& load) const;
  std::optional<std::string> boundText(const Expr& expr) const;
  std::string atLeastText(const Linear& form) const;
  std::string callText(const Expr& expr, int level) const;
  const std::string& nameOf(const Expr& load) const {
    return m_program.buffers[static_cast<std::size_t>(load.buffer)].name;
  }

  const Program& m_program;
  const std::map<Loop, std::string>& m_names;
};

}  // namespace gridloom::importer
