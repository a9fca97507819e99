// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace gridloom::report {

/// A value in two forms: formatted for people, and exact for files.
struct Cell {
  std::string shown;
  std::string exact;
};

Cell textCell(std::string text);

enum class Align { Left, Right };

struct Column {
  std::string title;  ///< for people
  std::string name;   ///< in files, with the unit: "predicted_cycles"
  Align align = Align::Right;
};

struct Table {
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;  ///< each as wide as `columns`
};

/// Aligned columns under a rule; the last column is not padded.
std::string tableText(const Table& table);

/// "name   text" lines with aligned texts; continuation lines are indented.
struct Fact {
  std::string name;
  std::string text;
};
std::string factsText(const std::vector<Fact>& facts);

}  // namespace gridloom::report
