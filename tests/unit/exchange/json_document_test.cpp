// SPDX-License-Identifier: Apache-2.0
#include "exchange/json_document.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "exchange/json_spans.h"
#include "exchange/summary_json.h"

namespace gridloom::exchange {
namespace {

std::string spanned(const std::string& text, const std::string& pointer) {
  const base::Span span = spanOfValue(text, pointer);
  return text.substr(span.begin, span.end - span.begin);
}

TEST(JsonSpans, FindsValuesByPointer) {
  const std::string text = R"( {"a": [1, {"b/c": "x, \"y\"]"}, -2.5e3], "d": {"a~b": null}} )";
  EXPECT_EQ(spanned(text, "/a/0"), "1");
  EXPECT_EQ(spanned(text, "/a/1/b~1c"), R"("x, \"y\"]")");
  EXPECT_EQ(spanned(text, "/a/2"), "-2.5e3");
  EXPECT_EQ(spanned(text, "/d/a~0b"), "null");
  EXPECT_EQ(spanned(text, "/d"), "{") << "only the bracket of what is compound";
  EXPECT_EQ(spanned(text, ""), "{");
}

TEST(JsonSpans, StopsAtTheNearestValueThereIs) {
  const std::string text = R"({"a": {"b": 1}})";
  EXPECT_EQ(spanOfValue(text, "/a/z").begin, 6U);
  EXPECT_EQ(spanOfValue(text, "/q").begin, 0U);
  EXPECT_EQ(spanOfValue(text, "/a/b/c").begin, 12U);
}

std::string renderedError(const std::string& text) {
  const auto document = JsonDocument::parse(base::makeSource("t.json", text));
  return document ? "" : base::render(document.diagnostics());
}

TEST(JsonDocument, LocatesWhereTextStopsBeingJson) {
  EXPECT_TRUE(renderedError("{\n \"a\": 1,\n}").starts_with("t.json:3:1: error: not JSON"))
      << renderedError("{\n \"a\": 1,\n}");
  EXPECT_TRUE(renderedError("").starts_with("t.json:1:1: error: not JSON"));
  EXPECT_TRUE(renderedError("[1, 2").starts_with("t.json:1:"));
  EXPECT_NE(renderedError(std::string(1000, '[') + std::string(1000, ']')), "") << "too deep";
}

TEST(JsonDocument, DocumentsBeyondALimitAreRefusedWhileTheyAreRead) {
  const auto repeated = [](int count, const std::function<std::string(int)>& part) {
    std::string out;
    for (int i = 0; i < count; ++i) out += (i == 0 ? "" : ",") + part(i);
    return out;
  };
  EXPECT_NE(renderedError("[" + repeated(1100000, [](int) { return std::string("[]"); }) + "]")
                .find("more than 1048576 values"),
            std::string::npos);
  const auto members = [&](int count) {
    return "{" + repeated(count, [](int i) { return "\"m" + std::to_string(i) + "\":0"; }) + "}";
  };
  EXPECT_NE(renderedError(members(4097)).find("an object of more than 4096 members"),
            std::string::npos);
  EXPECT_EQ(renderedError("[" + members(4096) + "," + members(4096) + "]"), "");
}

TEST(JsonDocument, ReadingCollectsErrorsAndGoesOn) {
  const auto document = JsonDocument::parse(
      base::makeSource("t.json", R"({"n": "text", "i": 1.5, "t": 4, "big": 1e400})"));
  if (!document) {
    // The library may reject 1e400 altogether; the error is located then, too.
    EXPECT_NE(base::render(document.diagnostics()).find("t.json:1:"), std::string::npos);
    return;
  }
  const JsonNode root = document->root();
  EXPECT_EQ(root.member("n").number(), 0);
  EXPECT_EQ(root.member("i").integer(), 0);
  EXPECT_EQ(root.member("t").text(), "");
  EXPECT_FALSE(root.member("none").exists());
  EXPECT_EQ(root.member("none").member("deeper").text(), "") << "missing is reported once";
  ASSERT_EQ(document->errors().size(), 5U) << base::render(document->errors());
  EXPECT_TRUE(base::render(document->errors()[0])
                  .starts_with("t.json:1:7: error: expected a number, got a text"));
}

TEST(Summary, RefusesWhatIsNoResult) {
  const auto unknown =
      readSummary(base::makeSource("t.json", R"({"schema": "gridloom.exploration/9"})"));
  ASSERT_FALSE(unknown);
  EXPECT_TRUE(base::render(unknown.diagnostics()).starts_with("t.json:1:12: error:"));
  const auto empty =
      readSummary(base::makeSource("t.json", R"({"schema": "gridloom.exploration/2"})"));
  ASSERT_FALSE(empty);
  EXPECT_GE(empty.diagnostics().size(), 4U) << "each missing part is told";
}

}  // namespace
}  // namespace gridloom::exchange
