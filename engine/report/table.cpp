// SPDX-License-Identifier: Apache-2.0
#include "report/table.h"

#include <algorithm>
#include <cassert>
#include <sstream>

namespace gridloom::report {

namespace {

/// Columns that a text takes on a terminal: UTF-8 continuation bytes take none.
std::size_t widthOf(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

void append(std::string& out, const std::string& text, std::size_t width, Align align, bool last) {
  const std::string gap(width - std::min(width, widthOf(text)), ' ');
  if (align == Align::Right) out += gap;
  out += text;
  if (align == Align::Left && !last) out += gap;
  out += last ? "\n" : "  ";
}

}  // namespace

Cell textCell(std::string text) { return {text, text}; }

std::string tableText(const Table& table) {
  const std::size_t count = table.columns.size();
  std::vector<std::size_t> widths;
  for (const Column& column : table.columns) widths.push_back(widthOf(column.title));
  for (const auto& row : table.rows) {
    assert(row.size() == count);
    for (std::size_t c = 0; c < count; ++c) widths[c] = std::max(widths[c], widthOf(row[c].shown));
  }
  std::string out;
  for (std::size_t c = 0; c < count; ++c) {
    append(out, table.columns[c].title, widths[c], table.columns[c].align, c + 1 == count);
  }
  for (std::size_t c = 0; c < count; ++c) {
    append(out, std::string(widths[c], '-'), widths[c], Align::Left, c + 1 == count);
  }
  for (const auto& row : table.rows) {
    for (std::size_t c = 0; c < count; ++c) {
      append(out, row[c].shown, widths[c], table.columns[c].align, c + 1 == count);
    }
  }
  return out;
}

std::string factsText(const std::vector<Fact>& facts) {
  std::size_t width = 0;
  for (const Fact& fact : facts) width = std::max(width, widthOf(fact.name));
  std::string out;
  for (const Fact& fact : facts) {
    std::istringstream lines(fact.text);
    std::string name = fact.name;
    for (std::string line; std::getline(lines, line);) {
      out += name + std::string(width - widthOf(name) + 2, ' ') + line + "\n";
      name.clear();
    }
  }
  return out;
}

}  // namespace gridloom::report
