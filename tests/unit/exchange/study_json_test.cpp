// SPDX-License-Identifier: Apache-2.0
#include "exchange/study_json.h"

#include <gtest/gtest.h>

#include "report/agreement_table.h"
#include "unit/exchange/schema_check.h"

namespace gridloom::exchange {
namespace {

report::Reproduction everything() {
  report::Reproduction table;
  table.study = "tl";
  table.title = "GEMM";
  table.source = "Li et al., 2025, Table 2";
  table.remarks = {"sizes of one chip"};
  table.figures = {{"1024", "TFLOP/s", 10.0, 9.0, 8.0, "i->x j->y"},
                   {"2048", "TFLOP/s", 20.0, 21.0, std::nullopt, ""},
                   {"4096", "TFLOP/s", std::nullopt, 30.0, 29.0, ""}};
  table.claims = {{"c1", "2-D beats 1-D", 0.02, report::Answer::Yes, report::Answer::Tie, "9, 8"},
                  {"c2", "it scales", 0, report::Answer::No, std::nullopt, ""}};
  table.agreements = {report::agreementOf("gemm", {{10, 11, "a", true}, {20, 19, "b", false}})};
  return table;
}

TEST(StudyJson, FollowsItsSchema) {
  const std::vector<report::Reproduction> tables{everything(), {}};
  const auto json = nlohmann::json::parse(studyJson(tables));
  EXPECT_EQ(test::schemaFindings(json, "study.json"), std::vector<std::string>{});
  EXPECT_EQ(json["tables"][0]["claims"][0]["simulated"], "tie");
  EXPECT_TRUE(json["tables"][0]["figures"][1]["simulated"].is_null());
  EXPECT_EQ(json["tables"][0]["means"][0]["figures"], 3);
}

}  // namespace
}  // namespace gridloom::exchange
