// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace gridloom::report {

/// A cell says its value twice: as people read it, and exact for files.
struct Cell {
  std::string shown;
  std::string exact;
};

Cell textCell(std::string text);

enum class Align { Left, Right };

struct Column {
  std::string title;  ///< as people read it
  std::string name;   ///< in files, with the unit: "predicted_cycles"
  Align align = Align::Right;
};

struct Table {
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;  ///< as wide as `columns`
};

/// Aligned columns under a rule; the last column is not padded.
std::string tableText(const Table& table);

/// "name   text" lines with the texts aligned; a text's further lines are indented below the first.
struct Fact {
  std::string name;
  std::string text;
};
std::string factsText(const std::vector<Fact>& facts);

}  // namespace gridloom::report
