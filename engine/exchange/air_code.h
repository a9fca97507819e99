// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

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

  std::string text() const {
    std::string top;
    for (const auto& [value, name] : m_constants) {
      top += fmt::format("{:{}}{} = arith.constant {} : index\n", "", m_topIndent, name, value);
    }
    return top + m_lines;
  }

 private:
  std::size_t m_indent;
  std::size_t m_topIndent;
  std::string m_lines;
  int m_next = 0;
  std::map<std::int64_t, std::string> m_constants;
};

}  // namespace gridloom::exchange
