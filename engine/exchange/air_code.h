// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exchange/air_transfers.h"

namespace gridloom::exchange {

inline constexpr const char* kAirToken = "!air.async.token";

/// Lines of MLIR inside one region, with names for its values. Constants are defined at the top of
/// the region, once each.
class AirCode {
 public:
  explicit AirCode(std::size_t indent) : m_indent(indent), m_topIndent(indent) {}

  template <class... Args> void line(fmt::format_string<Args...> format, Args&&... args) {
    m_lines += std::string(m_indent, ' ') + fmt::format(format, std::forward<Args>(args)...) + "\n";
  }
  /// A line at the top of the region, behind the constants.
  template <class... Args> void top(fmt::format_string<Args...> format, Args&&... args) {
    m_top +=
        std::string(m_topIndent, ' ') + fmt::format(format, std::forward<Args>(args)...) + "\n";
  }
  void open() { m_indent += 2; }
  void close() { m_indent -= 2; }

  std::string fresh(std::string_view hint) {
    return fmt::format("%{}_{}", mlirName(hint), m_next++);
  }
  std::string constant(std::int64_t value) {
    const auto [at, isNew] = m_constants.try_emplace(value);
    if (isNew)
      at->second = fmt::format("%{}{}", value < 0 ? "cm" : "c", value < 0 ? -value : value);
    return at->second;
  }

  /// `affine.apply` and `affine.min` over d0, d1, ...
  std::string affine(std::string_view hint, const std::string& expr,
                     const std::vector<std::string>& dims) {
    return mapped("affine.apply", hint, expr, dims);
  }
  std::string least(std::string_view hint, const std::vector<std::string>& exprs,
                    const std::vector<std::string>& dims) {
    return mapped("affine.min", hint, fmt::format("{}", fmt::join(exprs, ", ")), dims);
  }
  std::string most(std::string_view hint, const std::vector<std::string>& exprs,
                   const std::vector<std::string>& dims) {
    return mapped("affine.max", hint, fmt::format("{}", fmt::join(exprs, ", ")), dims);
  }
  /// Whether an expression over d0, d1, ... is at least 0, or is 0: a value of type i1.
  std::string holds(const std::string& expr, const std::vector<std::string>& dims,
                    std::string_view predicate = "sge") {
    const std::string value = affine("by", expr, dims), name = fresh("if");
    line("{} = arith.cmpi {}, {}, {} : index", name, predicate, value, constant(0));
    return name;
  }
  /// Two conditions; "" always holds.
  std::string both(const std::string& a, const std::string& b) { return joined("andi", a, b); }
  /// One of two conditions, neither of them "".
  std::string either(const std::string& a, const std::string& b) { return joined("ori", a, b); }

  /// The first of some numbers.
  std::vector<std::string> constants(const std::vector<std::int64_t>& values, std::size_t count) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < count; ++i) names.push_back(constant(values[i]));
    return names;
  }

  std::string text() const {
    std::string top;
    for (const auto& [value, name] : m_constants) {
      top += fmt::format("{:{}}{} = arith.constant {} : index\n", "", m_topIndent, name, value);
    }
    return top + m_top + m_lines;
  }

 private:
  std::string mapped(std::string_view op, std::string_view hint, const std::string& exprs,
                     const std::vector<std::string>& dims) {
    std::vector<std::string> names;
    for (std::size_t d = 0; d < dims.size(); ++d) names.push_back(fmt::format("d{}", d));
    const std::string name = fresh(hint);
    line("{} = {} affine_map<({}) -> ({})>({})", name, op, fmt::join(names, ", "), exprs,
         fmt::join(dims, ", "));
    return name;
  }
  std::string joined(std::string_view op, const std::string& a, const std::string& b) {
    if (a.empty() || b.empty()) return a + b;
    const std::string name = fresh("if");
    line("{} = arith.{} {}, {} : i1", name, op, a, b);
    return name;
  }

  std::size_t m_indent;
  std::size_t m_topIndent;
  std::string m_top, m_lines;
  int m_next = 0;
  std::map<std::int64_t, std::string> m_constants;
};

}  // namespace gridloom::exchange
