// SPDX-License-Identifier: Apache-2.0
#include "exchange/csv.h"

#include <gtest/gtest.h>

#include "base/message_limit.h"

namespace gridloom::exchange {
namespace {

base::Result<CsvRows> read(const std::string& text) {
  return readCsv(base::makeSource("t.csv", text));
}

std::string errorsOf(const std::string& text) {
  const auto rows = read(text);
  return rows ? "" : base::render(rows.diagnostics());
}

TEST(ReadCsv, CommentsAndEmptyLinesCountForNothing) {
  const auto rows = read("# source\n\na,b\r\n1,2\n# more\n3,\n");
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->columns, (std::vector<std::string>{"a", "b"}));
  ASSERT_EQ(rows->rows.size(), 2U);
  EXPECT_EQ(rows->rows[1], (std::vector<std::string>{"3", ""}));
  EXPECT_EQ(rows->source->lineColumn(rows->spans[1].begin).line, 6U);
}

TEST(ReadCsv, TakesBackWhatIsWritten) {
  report::Table table;
  table.columns = {{"A", "a"}, {"B", "b, c"}};
  table.rows = {{report::textCell("x \"y\", z"), report::textCell("")}};
  const auto rows = read(csvText(table));
  ASSERT_TRUE(rows) << base::render(rows.diagnostics());
  EXPECT_EQ(rows->columns, (std::vector<std::string>{"a", "b, c"}));
  EXPECT_EQ(rows->rows[0], (std::vector<std::string>{"x \"y\", z", ""}));
}

TEST(ReadCsv, AllErrorsAreFoundWithTheirLines) {
  const std::string errors = errorsOf("a,b\n1\n1,\"2\n1,2,3\n");
  EXPECT_NE(errors.find("t.csv:2:1: error: expected 2 fields, got 1"), std::string::npos) << errors;
  EXPECT_NE(errors.find("t.csv:3:1: error: a quote"), std::string::npos) << errors;
  EXPECT_NE(errors.find("t.csv:4:1: error: expected 2 fields, got 3"), std::string::npos) << errors;
}

TEST(ReadCsv, ATextWithoutNamesIsAnError) {
  EXPECT_NE(errorsOf("").find("column names"), std::string::npos);
  EXPECT_NE(errorsOf("# only\n").find("column names"), std::string::npos);
}

TEST(Csv, ErrorsOfManyRowsAreLimited) {
  std::string text = "a,b\n";
  for (int row = 0; row < 10'000; ++row) text += row % 2 == 0 ? "1\n" : "\"1,2\n";
  const auto rows = readCsv(base::makeSource("rows.csv", text));
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.diagnostics().size(), base::kMostMessages);
}

}  // namespace
}  // namespace gridloom::exchange
