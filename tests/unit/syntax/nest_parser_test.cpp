// SPDX-License-Identifier: Apache-2.0
#include "syntax/nest_parser.h"

#include <gtest/gtest.h>

#include <random>

namespace gridloom::syntax {
namespace {

using Kind = access::NestDirective::Kind;

base::Result<access::NestDirectives> parse(const std::string& text) {
  return parseNest(base::makeSource("t.nest", text));
}

std::string errorsOf(const std::string& text) {
  const auto result = parse(text);
  return result ? "" : base::render(result.diagnostics());
}

TEST(Nests, EveryFormIsRead) {
  const auto result = parse("level(Main)  // outermost\nloop(k, 16); loop(p)\nbypass(W, O)\n"
                            "level(Buffer)\nspread(k->y, 4) spread(c, 2) spread(r)\n");
  ASSERT_TRUE(result) << base::render(result.diagnostics());
  const auto& list = result->list;
  ASSERT_EQ(list.size(), 8U);
  EXPECT_EQ(list[0].kind, Kind::Level);
  EXPECT_EQ(list[0].names.front().text, "Main");
  EXPECT_EQ(list[1].count, 16);
  EXPECT_FALSE(list[2].count);
  EXPECT_EQ(list[3].names.size(), 2U);
  EXPECT_EQ(list[5].names.back().text, "y");
  EXPECT_EQ(list[5].count, 4);
  EXPECT_EQ(list[6].count, 2);
  EXPECT_FALSE(list[7].count);
}

TEST(Nests, ErrorsStandAtTheirPlaceAndSayHow) {
  const std::string errors =
      errorsOf("levl(Main)\nloop(k, 0)\nspread(k->z, 4)\nloop(k 4)\nloop(k, 2");
  EXPECT_NE(errors.find("t.nest:1:1: error: unknown directive `levl`"), std::string::npos)
      << errors;
  EXPECT_NE(errors.find("did you mean `level`"), std::string::npos) << errors;
  EXPECT_NE(errors.find("t.nest:2:9: error: a loop runs at least once"), std::string::npos)
      << errors;
  EXPECT_NE(errors.find("t.nest:3:11: error: instances stand along x or y"), std::string::npos)
      << errors;
  EXPECT_NE(errors.find("t.nest:4:8: error: expected `)`"), std::string::npos) << errors;
  EXPECT_NE(errors.find("t.nest:5:10: error"), std::string::npos) << errors;
}

TEST(Nests, NoTextIsTooBroken) {
  const std::string alphabet = "level(op,->xM;) 1\n//k\xff";
  std::mt19937 random(11);
  for (int run = 0; run < 2000; ++run) {
    std::string text;
    for (std::size_t i = random() % 40; i > 0; --i) text += alphabet[random() % alphabet.size()];
    const auto result = parse(text);
    EXPECT_NE(result.ok(), base::hasError(result.diagnostics()));
  }
}

}  // namespace
}  // namespace gridloom::syntax
