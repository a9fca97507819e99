// SPDX-License-Identifier: Apache-2.0
#include "exchange/csv.h"

#include <string_view>

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

}  // namespace gridloom::exchange
