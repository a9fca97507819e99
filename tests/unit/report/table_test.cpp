// SPDX-License-Identifier: Apache-2.0
#include "report/table.h"

#include <gtest/gtest.h>

namespace gridloom::report {
namespace {

TEST(Table, NumbersStandRightAndTextLeft) {
  Table table;
  table.columns = {{"n", "n"}, {"name", "name", Align::Left}, {"last", "last", Align::Left}};
  table.rows = {{textCell("7"), textCell("x"), textCell("a")},
                {textCell("1,000"), textCell("longer"), textCell("")}};
  EXPECT_EQ(tableText(table), "    n  name    last\n"
                              "-----  ------  ----\n"
                              "    7  x       a\n"
                              "1,000  longer  \n");
}

TEST(Table, WidthCountsCharactersNotBytes) {
  Table table;
  table.columns = {{"a", "a", Align::Left}, {"b", "b", Align::Left}};
  table.rows = {{textCell("\u00b5"), textCell("x")}};
  EXPECT_EQ(tableText(table), "a  b\n-  -\n\u00b5  x\n");
}

TEST(Facts, FurtherLinesStandBelowTheFirst) {
  EXPECT_EQ(factsText({{"one", "a\nb"}, {"three", "c"}}), "one    a\n       b\nthree  c\n");
}

}  // namespace
}  // namespace gridloom::report
