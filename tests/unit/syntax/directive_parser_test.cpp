// SPDX-License-Identifier: Apache-2.0
#include "syntax/directive_parser.h"

#include <gtest/gtest.h>

#include <random>

namespace gridloom::syntax {
namespace {

using Kind = mapping::Directive::Kind;

base::Result<mapping::Directives> parse(const std::string& text) {
  return parseDirectives(base::makeSource("t.sched", text));
}

std::string errorsOf(const std::string& text) {
  const auto result = parse(text);
  return result ? "" : base::render(result.diagnostics());
}

std::vector<std::string> namesOf(const mapping::Directive& directive) {
  std::vector<std::string> names;
  for (const auto& name : directive.names) names.push_back(name.text);
  return names;
}

using Names = std::vector<std::string>;

TEST(Directives, ExclusionsAndRangesAreRead) {
  const auto result =
      parse("not space(i->x)\nnot multicast(A)\nnot multicast(A, y); tile(i, 8, 64 to 256)\n"
            "hoist(A, i, k)\n");
  ASSERT_TRUE(result) << base::render(result.diagnostics());
  const auto& list = result->list;
  ASSERT_EQ(list.size(), 5U);
  EXPECT_TRUE(list[0].excluded);
  EXPECT_TRUE(list[1].excluded);
  EXPECT_TRUE(list[1].names.empty());
  EXPECT_EQ(namesOf(list[2]), Names{"y"});
  EXPECT_FALSE(list[3].excluded);
  EXPECT_EQ(list[3].sizes, (std::vector<mapping::TileSizeRange>{{8, 8}, {64, 256}}));
  EXPECT_EQ(namesOf(list[4]), (Names{"i", "k"}));
}

TEST(Directives, WrongExclusionsAndRangesAreLocated) {
  EXPECT_NE(
      errorsOf("tile(i, 64 to 8)\n").find("t.sched:1:9: error: the range of tile sizes is empty"),
      std::string::npos)
      << errorsOf("tile(i, 64 to 8)\n");
  EXPECT_NE(errorsOf("tile(i, 64 to)\n").find("expected a whole number"), std::string::npos);
  EXPECT_NE(errorsOf("not order(i)\n").find("one loop alone has no order"), std::string::npos);
  EXPECT_NE(errorsOf("not not direct(A)\n").find("unknown directive `not`"), std::string::npos);
  EXPECT_NE(errorsOf("multicast(A)\n").find("expected `,`"), std::string::npos);
}

TEST(Directives, EveryFormIsRead) {
  const auto result = parse("space(i->x) space(j->x,y); space(->y)\n"
                            "tile(i, 64, 128)  // any of these\n"
                            "order(j, i, k)\ndirect(A)\nbroadcast(A, y)\nbroadcast(A, x, y)\n"
                            "two_stage(A, x, y)\nstream(B, x)\nprefetch(L)\nhoist(A, k)\nhoist(A)\n"
                            "double(A)\nsingle(A)\ngather(C, x)\ngather(C)\ncombine(C, tree)\n"
                            "all_gather(B, x)\n");
  ASSERT_TRUE(result) << base::render(result.diagnostics());
  const auto& list = result->list;
  ASSERT_EQ(list.size(), 19U);
  EXPECT_EQ(list[0].kind, Kind::Space);
  EXPECT_EQ(list[0].subject.text, "i");
  EXPECT_EQ(namesOf(list[1]), (Names{"x", "y"}));
  EXPECT_EQ(list[2].subject.text, "") << "the dimension stays unused";
  EXPECT_EQ(list[3].sizes, (std::vector<mapping::TileSizeRange>{{64, 64}, {128, 128}}));
  EXPECT_EQ(namesOf(list[4]), (Names{"j", "i", "k"}));
  EXPECT_EQ(list[8].kind, Kind::TwoStage);
  EXPECT_EQ(namesOf(list[11]), Names{"k"});
  EXPECT_EQ(namesOf(list[12]), Names{});
  EXPECT_EQ(namesOf(list[17]), Names{"tree"});
  EXPECT_EQ(list[18].kind, Kind::AllGather);
}

TEST(Directives, TheWindowsOfATensorHaveNamesOfTheirOwn) {
  const auto result = parse("double(A@2)\nbroadcast(A@3, x)\n");
  ASSERT_TRUE(result) << base::render(result.diagnostics());
  EXPECT_EQ(result->list[0].subject.text, "A@2");
  EXPECT_EQ(result->list[0].subject.span.begin, 7U);
  EXPECT_EQ(result->list[0].subject.span.end, 10U);
  EXPECT_EQ(result->list[1].subject.text, "A@3");
  for (const char* wrong : {"double(A@)", "double(A @2)", "double(A@ 2)", "double(A@b)"}) {
    EXPECT_NE(errorsOf(wrong).find("expected the number of a window"), std::string::npos) << wrong;
  }
}

TEST(Directives, AnEmptyTextLeavesEverythingFree) {
  const auto result = parse("// nothing\n\n;;");
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->list.empty());
}

TEST(Directives, SpansCoverTheDirectiveAndItsNames) {
  const std::string text = "  tile(i, 64)";
  const auto result = parse(text);
  ASSERT_TRUE(result);
  const auto& directive = result->list.front();
  EXPECT_EQ(text.substr(directive.span.begin, directive.span.end - directive.span.begin),
            "tile(i, 64)");
  EXPECT_EQ(directive.subject.span.begin, 7U);
}

TEST(Directives, FormerWordsAreRead) {
  const auto former = parse("broadcast(A, y) stage(A, x, y) share(A, y) keep(X@2) pass(X@2)\n"
                            "via(A, mid, k, double) combine(C, tree) place(A, l1)\n");
  const auto present =
      parse("multicast(A, y) two_stage(A, x, y) shared(A, y) stationary(X@2) forwarded(X@2)\n"
            "buffer(A, mid, k, double) reduce(C, tree) layout(A, local)\n");
  ASSERT_TRUE(former) << base::render(former.diagnostics());
  ASSERT_TRUE(present) << base::render(present.diagnostics());
  ASSERT_EQ(former->list.size(), present->list.size());
  for (std::size_t d = 0; d < former->list.size(); ++d) {
    EXPECT_EQ(former->list[d].kind, present->list[d].kind) << d;
    EXPECT_EQ(former->list[d].subject.text, present->list[d].subject.text) << d;
  }
}

TEST(Directives, SeveralErrorsAreToldInOneRun) {
  const std::string errors = errorsOf("tyle(i, 4)\nspace(i x)\ntile(i, -4)\nstage(A, x)\n"
                                      "reduce(C, bush)\ndouble(A)\nbroadcast(A, x, x)\n");
  for (const char* place : {"t.sched:1:1:", "t.sched:2:9:", "t.sched:3:9:", "t.sched:4:1:",
                            "t.sched:5:11:", "t.sched:7:17:"}) {
    EXPECT_NE(errors.find(place), std::string::npos) << place << "\n" << errors;
  }
  EXPECT_NE(errors.find("did you mean `tile`?"), std::string::npos) << errors;
  EXPECT_EQ(errors.find("t.sched:6:"), std::string::npos) << "line 6 is right\n" << errors;
}

TEST(Directives, EveryErrorSaysHowToMendIt) {
  for (const char* text : {"tile(i)", "tile", "space()", "order()", "hoist(A,", "two_stage(A, x)",
                           "5", "tile(i, x)"}) {
    const auto result = parse(text);
    ASSERT_FALSE(result) << text;
    for (const auto& error : result.diagnostics()) EXPECT_FALSE(error.hint.empty()) << text;
  }
}

TEST(Directives, RandomTokensNeverCrash) {
  const std::vector<std::string> pieces{
      "space", "tile",    "(",    ")",  "->",   ",",  "i",
      "x",     "64",      "-",    ";",  "\n",   "\"", "99999999999999999999",
      "order", "combine", "\xff", "//", "hoist"};
  std::mt19937 random(7);
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (std::size_t n = random() % 30; n > 0; --n) text += pieces[random() % pieces.size()] + " ";
    const auto result = parse(text);
    EXPECT_NE(result.ok(), base::hasError(result.diagnostics())) << text;
  }
}

}  // namespace
}  // namespace gridloom::syntax
