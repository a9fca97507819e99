// SPDX-License-Identifier: Apache-2.0
#include "exchange/mapping_json.h"

#include <gtest/gtest.h>

#include "exchange/json_text.h"
#include "report/recording.h"
#include "support/problem.h"

namespace gridloom::exchange {
namespace {

std::string jsonOf(const test::Problem& p, const mapping::Mapping& mapping) {
  return mappingJson(report::HardwareRecord{}, report::recordOf(p.kernel),
                     report::recordOf(p.kernel, p.nest, p.hw, mapping, p.compute));
}

base::Result<mapping::Mapping> read(const test::Problem& p, const std::string& text) {
  return mappingFromJson(base::makeSource("m.json", text), p.kernel, p.nest, p.hw);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(MappingJson, EveryLegalMappingComesBackEqual) {
  const std::vector<test::Problem> problems{
      test::makeProblem(test::smallMesh(2, 3), "gemm", {{"M", 96}, {"N", 80}, {"K", 64}}),
      test::makeProblem(test::smallMesh(2, 2), "gemm_bias_relu", {{"M", 64}, {"N", 64}, {"K", 64}}),
      test::makeProblem(test::smallMesh(4, 1), "softmax", {{"M", 64}, {"N", 32}})};
  int compared = 0;
  for (const test::Problem& p : problems) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      const mapping::Mapping mapping = test::randomOrRing(p, seed);
      if (mapping.inputs.empty()) continue;
      const auto back = read(p, jsonOf(p, mapping));
      ASSERT_TRUE(back) << base::render(back.diagnostics()) << jsonOf(p, mapping);
      EXPECT_EQ(*back, mapping) << jsonOf(p, mapping);
      ++compared;
    }
  }
  EXPECT_GT(compared, 100);
}

struct OneMapping : testing::Test {
  test::Problem p =
      test::makeProblem(test::smallMesh(2, 2), "gemm", {{"M", 64}, {"N", 64}, {"K", 64}});
  mapping::Mapping mapping = test::randomMapping(p, 1);
  std::string json = jsonOf(p, mapping);

  void expectError(const std::string& text, const std::string& message) {
    const auto result = read(p, text);
    ASSERT_FALSE(result) << text;
    const std::string rendered = base::render(result.diagnostics());
    EXPECT_NE(rendered.find(message), std::string::npos) << rendered;
    EXPECT_TRUE(rendered.starts_with("m.json:")) << rendered;
  }
};

TEST_F(OneMapping, UnknownNamesAreLocated) {
  expectError(replaced(json, "\"A\": {\n", "\"Z\": {\n"), "there is no input `Z` here");
  expectError(replaced(json, "\"i\":", "\"w\":"), "there is no loop `w` here");
}

TEST_F(OneMapping, WrongTypesAndChoicesAreLocated) {
  expectError(replaced(json, "\"reduction\": \"", "\"reduction\": \"un"),
              "is not one of the choices");
  expectError(replaced(json, "\"level\": ", "\"level\": 25600"), "expected a number from 0 to 255");
  expectError(replaced(json, "\"i\": ", "\"i\": 0.5e"), "expected a whole number");
}

TEST_F(OneMapping, TheFirstVersionIsRead) {
  const std::pair<const char*, const char*> former[] = {
      {"gridloom.mapping/2", "gridloom.mapping/1"},
      {"\"tile_sizes\"", "\"block\""},
      {"\"movement\"", "\"spread\""},
      {"\"layout\"", "\"place\""},
      {"\"reduction\"", "\"combine\""},
      {"\"two_stage\"", "\"staged\""}};
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const mapping::Mapping one = test::randomMapping(p, seed);
    if (one.inputs.empty()) continue;
    std::string text = jsonOf(p, one);
    for (const auto& [present, old] : former) {
      for (auto at = text.find(present); at != std::string::npos; at = text.find(present, at + 1)) {
        text.replace(at, std::string(present).size(), old);
      }
    }
    const auto back = read(p, text);
    ASSERT_TRUE(back) << base::render(back.diagnostics()) << text;
    EXPECT_EQ(*back, one) << text;
  }
}

TEST_F(OneMapping, AnIllegalMappingIsRefused) {
  expectError(replaced(json, "\"i\": ", "\"i\": 9000"), "tile size");
  expectError(replaced(json, "\"buffers\": ", "\"buffers\": 7"), "not possible");
}

TEST_F(OneMapping, AnotherFormIsRefusedAtItsPlace) {
  expectError(replaced(json, "gridloom.mapping/2", "gridloom.mapping/9"),
              "m.json:2:13: error: `gridloom.mapping/9` is not a form of mapping");
  expectError(replaced(json, "\"schema\"", "\"scheme\""), "`schema` is missing");
  expectError(replaced(json, "\"gridloom.mapping/2\"", "7"), "expected a text");
  const auto form = [this](const std::string& from, const std::string& to) {
    return base::render(checkMappingForm(base::makeSource("m.json", replaced(json, from, to))));
  };
  EXPECT_EQ(form("gridloom.mapping/2", "gridloom.mapping/1"), "");
  EXPECT_TRUE(form("mapping/2", "mapping/9").starts_with("m.json:2:13: error:"));
}

TEST_F(OneMapping, TruncationAnywhereIsAnErrorAndNoCrash) {
  for (std::size_t length = 0; length + 2 < json.size(); length += 7) {
    EXPECT_FALSE(read(p, json.substr(0, length))) << length;
  }
}

}  // namespace
}  // namespace gridloom::exchange
